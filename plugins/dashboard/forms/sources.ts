/** The sources of a form: files that were uploaded with it or before it, results of operations, addresses. */

import { audioOf, Refusal } from "../../../core/surface.ts";
import type { Given } from "../code.ts";
import type { DashboardServices, Visit } from "../context.ts";
import type { FormValues } from "../form_body.ts";
import type { Part } from "../multipart.ts";
import { fileNamesOf, gistText, titleOfAction, titleOfOutput, uploadNameOf } from "../names.ts";
import { time } from "../parts.ts";
import type { Form } from "./fields.ts";
import type { Brought, Offered } from "./render.ts";

export interface SourceValues {
  /** By source: what the request is sent with. */
  readonly urls: Readonly<Record<string, string>>;
  readonly brought: ReadonlyMap<string, Brought>;
  /** To choose from. */
  readonly results: readonly Offered[];
}

/** Results that are offered. */
const RECENT = 12;

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

/** `op_…:0` -> the URL of that output; undefined where it is not the account's. */
export async function resultUrl(
  { read, sign }: DashboardServices,
  visit: Visit,
  value: string,
): Promise<string | undefined> {
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

async function recentResults({ list, actions, store }: DashboardServices, visit: Visit): Promise<readonly Offered[]> {
  const recent = await list(visit.by.account, { statuses: ["ready"], limit: RECENT });
  const files = await Promise.all(recent.map((operation) => fileNamesOf(store, operation)));
  const offered = recent.flatMap((operation, place) =>
    audioOf(operation.outputs).map((output, index, all): Offered => {
      const which = all.length > 1 ? `, ${titleOfOutput(output, index, all.length).toLowerCase()}` : "";
      return {
        value: `${operation.id}:${index}`,
        title: titleOfAction(operation.action) + which,
        words: gistText(operation, actions, files[place]).replaceAll(/\s+/gu, " ").slice(0, 90),
        seconds: output.duration,
        when: time(operation.created_at, visit.now),
        play: visit.to(`/operations/${operation.id}/outputs/${index}/audio`),
      };
    }),
  );
  return offered.slice(0, RECENT);
}
