/** The sources of a form: files that were uploaded with it or before it, results of operations, addresses. */

import { audioOf, Refusal, type Snapshot } from "../../../core/surface.ts";
import type { Given } from "../code.ts";
import type { DashboardServices, Visit } from "../context.ts";
import type { FormValues } from "../form_body.ts";
import type { Part } from "../multipart.ts";
import { fileNamesOf, gistText, titleOfAction, titleOfOutput, uploadNameOf } from "../names.ts";
import { time } from "../parts.ts";
import { searchBack, wordsOf } from "../search.ts";
import type { Form } from "./fields.ts";
import type { Brought, Offered, OfferedPage } from "./render.ts";

export interface SourceValues {
  /** By source: what the request is sent with. */
  readonly urls: Readonly<Record<string, string>>;
  readonly brought: ReadonlyMap<string, Brought>;
  /** To choose from, in every source alike. */
  readonly results: OfferedPage;
}

/** Operations whose results are offered at once. */
const OFFERED = 12;
/** What a picker's buttons send: results that have the words of this source's field, and those before an operation. */
const LOOK = /^(?:find|older:(op_[0-9a-z]{26})):(\w+)$/u;
export const isLook = (intent: string | undefined): boolean => LOOK.test(intent ?? "");

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
  const [, before, looked] = LOOK.exec(values.get("intent") ?? "") ?? [];
  const words = values.get(`f.${looked}.find`) ?? "";
  const chosen = names.map((name) => values.get(`f.${name}.result`) ?? "");
  const results = names.length === 0 ? NOTHING : await offer(services, visit, { words, before, chosen });
  return { urls, brought, results };
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

const NOTHING: OfferedPage = { offered: [], older: null };

/** Newest first; what is chosen is always among them. */
async function offer(
  services: DashboardServices,
  visit: Visit,
  { words, before, chosen }: { words: string; before: string | undefined; chosen: readonly string[] },
): Promise<OfferedPage> {
  const { list, store, read } = services;
  const { account } = visit.by;
  const filter = { statuses: ["ready"] as const, ...(before === undefined ? {} : { before }) };
  const { operations, reached } =
    words.trim() === ""
      ? { operations: await list(account, { ...filter, limit: OFFERED + 1 }), reached: null }
      : await searchBack(store, account.id, filter, wordsOf(words), OFFERED);
  const page = operations.slice(0, OFFERED);
  const last = reached ?? (operations.length > OFFERED ? page.at(-1)!.id : null);
  const others = [...new Set(chosen.map((value) => value.split(":")[0]!))].filter(
    (id) => id !== "" && page.every((one) => one.id !== id),
  );
  const kept = await Promise.all(others.map((id) => read(account, undefined, id).catch(() => undefined)));
  const offered = [
    ...(
      await offeredOf(
        services,
        visit,
        kept.filter((one) => one !== undefined),
      )
    ).filter(({ value }) => chosen.includes(value)),
    ...(await offeredOf(services, visit, page)),
  ];
  return { offered, older: last };
}

async function offeredOf(
  { actions, store }: DashboardServices,
  visit: Visit,
  operations: readonly Snapshot[],
): Promise<readonly Offered[]> {
  const files = await Promise.all(operations.map((operation) => fileNamesOf(store, operation)));
  return operations.flatMap((operation, place) =>
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
}
