/** A server's actions as tools of the Model Context Protocol: what they take, and running one. */
import type { CallToolResult, ServerContext, Tool } from "@modelcontextprotocol/server";
import type { AnyOutput, Output, Tonwerk } from "../../sdk/typescript/src/mod.ts";
import { type Action, type Document, isReport, type Schema } from "../client/document.ts";
import { EXIT, problemOf, UsageError } from "../client/exit_codes.ts";
import { fieldsOf } from "../client/fields.ts";
import { outputsOf, readTarget, reportOf, saveResult } from "../client/outputs.ts";
import { isUrl } from "../client/read_words.ts";
import { understoodLines } from "../client/understood.ts";

/** Whose key a tool is run with, and where. */
export interface Session {
  readonly tonwerk: Tonwerk;
  readonly document: Document;
  readonly actions: readonly Action[];
  /** Whether the client shares this machine, so that paths of files mean the same to both. */
  readonly is_local: boolean;
}

/** Tool names have no dots in many clients. */
export const toolName = ({ name }: Action): string => name.replace(".", "_");

export function toolOf({ document, is_local }: Session, action: Action, cost: number | undefined): Tool {
  const sources = sourcesOf(document, action);
  const { idempotency_key, ...fields } = action.request.properties!;
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [
      name,
      sources.has(name) ? sourceSchema(schema, is_local) : inline(document, schema),
    ]),
  );
  const price =
    cost === undefined
      ? ""
      : `Costs ${cost} credit${cost === 1 ? "" : "s"}${"n_variations" in fields ? " a variation" : ""}.`;
  const rule = action.request.description;
  return {
    name: toolName(action),
    title: action.summary,
    description: [`${action.summary}.`, rule && `${rule}.`, price, "Set dry_run to learn the price first."]
      .filter(Boolean)
      .join(" "),
    inputSchema: {
      type: "object",
      properties: {
        ...properties,
        dry_run: {
          type: "boolean",
          description: "Only say what it would cost, and what its words are taken to ask for",
        },
        idempotency_key: {
          ...inline(document, idempotency_key!),
          description: "To repeat a call without a second charge",
        },
        ...(is_local
          ? {
              save_to: {
                type: "string",
                description: `A folder, or a file that ends with ${isReport(action) ? ".json" : ".flac, .wav, .mp3 or .opus"}`,
              },
            }
          : {}),
      },
      required: (action.request.required ?? []).filter((name) => name !== "idempotency_key"),
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    ...(cost === undefined ? {} : { _meta: { "tonwerk/cost": cost } }),
  } as Tool;
}

/** Never rejects: what went wrong is a result, which models read. */
export async function callTool(
  session: Session,
  action: Action,
  given: Readonly<Record<string, unknown>>,
  context: ServerContext,
): Promise<CallToolResult> {
  const { tonwerk, is_local } = session;
  const { dry_run, idempotency_key = crypto.randomUUID(), save_to, ...fields } = given;
  try {
    if (save_to !== undefined && !is_local) throw new UsageError("save_to is for clients on this machine");
    const target = save_to === undefined ? undefined : readTarget(action, String(save_to), undefined, 1);
    const body = await withSources(session, action, fields, dry_run === true);
    const resource = tonwerk.action(action.name);
    if (dry_run === true) {
      const price = await resource.dryRun(body);
      const understood = understoodLines(price.understood);
      return answer({ ...price }, [`It would cost ${price.cost} of ${price.balance} credits`, ...understood]);
    }
    const operation = await resource.create(body, { idempotencyKey: String(idempotency_key) });
    const { signal } = context.mcpReq;
    const ended = await operation.wait({ signal, onProgress: progressTo(context) });
    const outputs = outputsOf(ended);
    const files =
      target === undefined ? [] : await saveResult(ended, target, `${action.command}-${ended.id.slice(-6)}`, signal);
    const where = files.length > 0 ? files : outputs.map(({ url }) => url);
    const report = reportOf(ended);
    const made = report === undefined ? `${outputs.length} FLAC` : "a report";
    const text = [`${ended.id} is ready: ${made}, ${ended.cost} credit${ended.cost === 1 ? "" : "s"}`, ...where];
    const result =
      report === undefined || files.length > 0
        ? answer({ operation: ended, files }, text)
        : answer({ operation: ended, files }, [...text, JSON.stringify(report)], report);
    return {
      ...result,
      content: [...result.content, ...outputs.map((output, at) => linkTo(action.name, ended.id, output, at))],
    };
  } catch (error) {
    const { exit, ...problem } = problemOf(error);
    const again = exit === EXIT.no_answer ? { idempotency_key } : {};
    return { ...answer({ ...problem, ...again }, [problem.message]), isError: true };
  }
}

export const outputUri = (action: string, id: string, index: number): string => `tonwerk://${action}/${id}/${index}`;

/** Of an operation whose report is all of it. */
export const reportResource = (action: string, id: string) => ({
  uri: `tonwerk://${action}/${id}`,
  name: `${action} report`,
  mimeType: "application/json",
});

export function linkTo(action: string, id: string, output: Output<AnyOutput> | AnyOutput, index: number) {
  const { kind } = output as { readonly kind?: string };
  return {
    type: "resource_link" as const,
    uri: outputUri(action, id, index),
    name: `${action} ${kind ?? index + 1}`,
    description: `${Math.round(output.duration * 100) / 100} s`,
    mimeType: "audio/flac",
    size: output.bytes,
  };
}

/** `report`: the one that is all of the result, and stays in it. */
function answer(value: object, text: readonly string[], report?: object): CallToolResult {
  // As JSON, since operations have methods; without reports of audio, which would fill a model's context (the resource
  // has them).
  const text_of = JSON.stringify(value, (key, inner: unknown) =>
    key === "report" && inner !== report ? undefined : inner,
  );
  const structuredContent = JSON.parse(text_of) as Record<string, unknown>;
  return { content: [{ type: "text", text: text.join("\n") }], structuredContent };
}

/** Progress has to grow from one notification to the next. */
function progressTo({
  mcpReq,
}: ServerContext): ((now: { progress: number; stage: string | null }) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last = -1;
  return ({ progress, stage }) => {
    if (progress <= last) return;
    last = progress;
    const params = { progressToken, progress, total: 1, ...(stage === null ? {} : { message: stage }) };
    // A client that has gone is noticed by the call itself.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}

const sourcesOf = (document: Document, action: Action): ReadonlySet<string> =>
  new Set(
    fieldsOf(document, action).flatMap(({ kind, path }) => (kind === "source" && path.length === 1 ? path[0]! : [])),
  );

function sourceSchema({ description, type, items, ...rest }: Schema, is_local: boolean): object {
  if (type === "array") return { ...rest, type, description, items: sourceSchema(items ?? {}, is_local) };
  const where = is_local ? "A URL, or the path of a file on this machine" : "A URL";
  return { type: "string", minLength: 1, description: `${where}. ${description ?? ""}` };
}

/** Sources as the server takes them. A dry run uploads nothing. */
async function withSources(
  { tonwerk, document, is_local }: Session,
  action: Action,
  fields: Readonly<Record<string, unknown>>,
  dry_run: boolean,
): Promise<Record<string, unknown>> {
  const sources = sourcesOf(document, action);
  const urlOf = async (given: string): Promise<string> => {
    if (isUrl(given)) return given;
    if (!is_local) throw new UsageError(`"${given}" is no URL`);
    return dry_run ? `https://file.invalid/${encodeURIComponent(given)}` : (await tonwerk.files.upload(given)).url;
  };
  const sourceOf = async (value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map(sourceOf));
    return typeof value === "string" ? { url: await urlOf(value) } : value;
  };
  const entries = Object.entries(fields).map(async ([name, value]) => [
    name,
    sources.has(name) ? await sourceOf(value) : value,
  ]);
  return Object.fromEntries(await Promise.all(entries)) as Record<string, unknown>;
}

/** Without references, which clients of tools rarely follow. */
function inline(document: Document, schema: Schema): object {
  const follow = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(follow);
    if (typeof value !== "object" || value === null) return value;
    const { $ref, ...rest } = value as Schema;
    const named = $ref === undefined ? {} : document.components.schemas[$ref.slice($ref.lastIndexOf("/") + 1)];
    return Object.fromEntries(Object.entries({ ...named, ...rest }).map(([key, inner]) => [key, follow(inner)]));
  };
  return follow(schema) as object;
}
