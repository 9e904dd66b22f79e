/** The sources of a form: files that were uploaded with it or before it, results of operations, addresses. */

import { audioOf, Refusal } from "../../../core/surface.ts";
import type { Given } from "../code.ts";
import type { DashboardServices, Visit } from "../context.ts";
import type { FormValues } from "../form_body.ts";
import { clock } from "../format.ts";
import type { Part } from "../multipart.ts";
import { gistText, titleOfAction, titleOfOutput, uploadNameOf } from "../names.ts";
import type { Form } from "./fields.ts";
import type { Brought } from "./render.ts";

export interface SourceValues {
  /** By source: what the request is sent with. */
  readonly urls: Readonly<Record<string, string>>;
  readonly brought: ReadonlyMap<string, Brought>;
  /** Results to choose from: value and text. */
  readonly results: readonly (readonly [value: string, text: string])[];
}

/** Operations whose results are offered. */
const RECENT = 8;

/** An upload beats a result, a result an address. What is gone or somebody else's is as if it had not been chosen. */
export async function resolveSources(
  services: DashboardServices,
  visit: Visit,
  form: Form,
  values: FormValues,
): Promise<SourceValues> {
  const urls: Record<string, string> = {};
  const brought = new Map<string, Brought>();
  const names = form.fields.flatMap(({ kind, path }) => (kind === "audio" ? path[0]! : []));
  for (const name of names) {
    const id = values.get(`f.${name}.upload`) ?? "";
    const file = id === "" ? undefined : await signed(services, visit, id);
    const url =
      file?.url ??
      (await resultUrl(services, visit, values.get(`f.${name}.result`) ?? "")) ??
      values.get(`f.${name}.url`)?.trim();
    if (url !== undefined && url !== "") urls[name] = url;
    if (file === undefined) continue;
    brought.set(name, {
      upload_id: id,
      name: file.name ?? (values.get(`f.${name}.filename`) || "Your file"),
      seconds: file.duration,
      play: visit.to(`/uploads/${id}/audio`),
    });
  }
  return { urls, brought, results: names.length === 0 ? [] : await recentResults(services, visit) };
}

/** Where a form's sources come from, for code: what must be there and is not is a file to be. */
export function givenOf(form: Form, values: FormValues): ReadonlyMap<string, Given> {
  const given = form.fields.flatMap((field): [string, Given][] => {
    if (field.kind === "urls") {
      const urls = (values.get(field.name) ?? "").split(/\s+/u).filter((url) => url !== "");
      return urls.map((url, index) => [`${field.path[0]}.${index}`, { kind: "url", url }]);
    }
    if (field.kind !== "audio") return [];
    const of = (part: string): string => values.get(`${field.name}.${part}`)?.trim() ?? "";
    const [, operation, index] = /^(op_[0-9a-z]{26}):(\d{1,2})$/u.exec(of("result")) ?? [];
    const name = field.path[0]!;
    if (of("upload") !== "") return [[name, { kind: "file", name: of("filename") || `${name}.flac` }]];
    if (operation !== undefined) return [[name, { kind: "result", operation, index: Number(index) }]];
    if (of("url") !== "") return [[name, { kind: "url", url: of("url") }]];
    return field.required ? [[name, { kind: "file", name: `${name}.flac` }]] : [];
  });
  return new Map(given);
}

/** Stores a file of a form; resolves to its id. Refuses as `PUT /v1/files` does. */
export async function storeUpload(
  { upload }: DashboardServices,
  visit: Visit,
  { chunks, filename }: Part,
): Promise<string> {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { value, done } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
  });
  const sent = { headers: new Headers(), body, signal: visit.request.signal };
  const { file } = await upload(visit.by.account, sent, uploadNameOf(filename ?? null));
  return file.id;
}

async function signed(services: DashboardServices, visit: Visit, id: string) {
  try {
    return (await services.file(visit.by.account, id)).file;
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return undefined;
    throw error;
  }
}

/** `op_…:0` -> the URL of that output. */
async function resultUrl({ read, sign }: DashboardServices, visit: Visit, value: string): Promise<string | undefined> {
  const [, id = "", index = ""] = /^(op_[0-9a-z]{26}):(\d{1,2})$/u.exec(value) ?? [];
  if (id === "") return undefined;
  try {
    const { outputs } = await read(visit.by.account, undefined, id);
    const output = audioOf(outputs)[Number(index)];
    return output === undefined ? undefined : sign(output.object, visit.now).url;
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return undefined;
    throw error;
  }
}

async function recentResults({ list, actions }: DashboardServices, visit: Visit): Promise<SourceValues["results"]> {
  const recent = await list(visit.by.account, { statuses: ["ready"], limit: RECENT });
  return recent.flatMap((operation) =>
    audioOf(operation.outputs).map((output, index, all): readonly [string, string] => {
      const which = all.length > 1 ? ` (${titleOfOutput(output, index, all.length)})` : "";
      const words = gistText(operation, actions).replaceAll(/\s+/gu, " ").slice(0, 48);
      const when = new Date(operation.created_at).toISOString().slice(5, 16).replace("T", " ");
      return [
        `${operation.id}:${index}`,
        `${titleOfAction(operation.action)}${which}: ${words} · ${clock(output.duration)} · ${when}`,
      ];
    }),
  );
}
