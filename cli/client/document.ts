/**
 * The actions of a server, out of its OpenAPI document. It is kept for each server, so that help and completion need no
 * request.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ConnectionError } from "../../sdk/typescript/src/mod.ts";
import { cacheFolder, writePrivate } from "./settings.ts";

/** JSON Schema, as far as the document uses it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maxLength?: number;
}

interface Media {
  readonly content: { readonly "application/json": { readonly schema: Schema } };
}
interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema;
}
export interface Described {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Media;
  readonly responses: { readonly "200": Media };
  readonly "x-tonwerk"?: { readonly action: string; readonly wrapper: string; readonly command: string };
}
type Method = "get" | "put" | "post" | "patch" | "delete";
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<Method, Described>>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Action {
  /** `create.new_song` */
  readonly name: string;
  /** `song` */
  readonly command: string;
  /** The key that holds the operation in answers. */
  readonly wrapper: string;
  readonly summary: string;
  readonly request: Schema;
  readonly operation: Schema;
  /** Headers that a submission may have, as a schema's properties: those with a list of words. */
  readonly headers: Readonly<Record<string, Schema>>;
}

/** Actions in the document's order. */
export function actionsOf(document: Document): readonly Action[] {
  return Object.values(document.paths).flatMap(({ put, get }) => {
    const named = put?.["x-tonwerk"];
    if (put?.requestBody === undefined || named === undefined || get === undefined) return [];
    const answer = settle(document, get.responses["200"].content["application/json"].schema);
    return [
      {
        name: named.action,
        command: named.command,
        wrapper: named.wrapper,
        summary: put.summary ?? "",
        request: settle(document, put.requestBody.content["application/json"].schema),
        operation: settle(document, answer.properties![named.wrapper]!),
        headers: Object.fromEntries(
          (put.parameters ?? [])
            .filter((one) => one.in === "header" && one.schema.enum !== undefined)
            .map(({ name, schema, description = "" }) => [name, { ...schema, description }]),
        ),
      },
    ];
  });
}

/** Whether a report is all that comes of it. */
export const isReport = ({ operation }: Action): boolean => operation.properties?.report !== undefined;

/** By its command, or by its own name where another action has the command. */
export function findAction(actions: readonly Action[], word: string): Action | undefined {
  return actions.find(({ command }) => command === word) ?? actions.find(({ name }) => name === word);
}

/** What a schema says besides null: references resolved, the use's own description before that of what it names. */
export function settle(document: Document, schema: Schema): Schema {
  if (schema.$ref !== undefined) {
    const named = document.components.schemas[schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)]!;
    return settle(document, { ...named, ...(schema.description ? { description: schema.description } : {}) });
  }
  const kinds = (schema.oneOf ?? schema.anyOf)?.filter(({ type }) => type !== "null");
  if (kinds?.length === 1) {
    return settle(document, { ...kinds[0], ...(schema.description ? { description: schema.description } : {}) });
  }
  if (typeof schema.type === "string" || schema.type === undefined) return schema;
  const types = schema.type.filter((type) => type !== "null");
  return { ...schema, type: types.length === 1 ? types[0]! : types };
}

interface Kept {
  readonly at: number;
  readonly etag: string | null;
  readonly document: Document;
}

/** A server that got a new plugin is noticed after this time, or at the first word that is unknown. */
const FRESH_MS = 600_000;

/** Asked each time, which takes a millisecond: a server of this machine may be another one after the next save. */
const IS_HERE = /^https?:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::|\/|$)/u;

/** How the document may be got: `cached` takes what is kept however old, `checked` asks the server anyway. */
export type Freshness = "cached" | "usual" | "checked";

/** @throws ConnectionError where the server does not answer and nothing is kept. */
export async function loadDocument(
  url: string,
  freshness: Freshness = "usual",
  timeout_ms = 10_000,
): Promise<Document> {
  const path = join(cacheFolder(), `${createHash("sha256").update(url).digest("hex").slice(0, 16)}.json`);
  const kept = readKept(path);
  const is_fresh = kept !== undefined && Date.now() - kept.at < FRESH_MS && !IS_HERE.test(url);
  if (kept !== undefined && (freshness === "cached" || (freshness === "usual" && is_fresh))) return kept.document;
  try {
    const response = await fetch(`${url}/openapi.json`, {
      headers: kept?.etag ? { "if-none-match": kept.etag } : {},
      signal: AbortSignal.timeout(timeout_ms),
    });
    const is_same = response.status === 304 && kept !== undefined;
    if (!is_same && !response.ok) throw new Error(`it answered ${response.status}`);
    const document = is_same ? kept.document : ((await response.json()) as Document);
    if (document.paths === undefined) throw new Error("this is no OpenAPI document");
    const etag = is_same ? kept.etag : response.headers.get("etag");
    writeKept(path, { at: Date.now(), etag, document });
    return document;
  } catch (error) {
    if (kept !== undefined) return kept.document;
    throw new ConnectionError(`No answer from ${url}: ${error instanceof Error ? error.message : error}`, error);
  }
}

function readKept(path: string): Kept | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Kept;
  } catch {
    return undefined;
  }
}

function writeKept(path: string, kept: Kept): void {
  try {
    writePrivate(path, JSON.stringify(kept));
  } catch {
    // A home that cannot be written costs a request each time, and no more.
  }
}
