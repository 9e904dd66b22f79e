/** A form as it was when an operation was submitted. */

import { refuse, type StoredRequest } from "../../../core/surface.ts";
import type { DashboardServices, Visit } from "../context.ts";
import type { FormValues } from "../form_body.ts";
import type { Form } from "./fields.ts";
import { valuesOf } from "./read.ts";

/**
 * `other_seed`: without its seed, so that another is chosen. Refuses with 404 what is not the account's own operation
 * of this action.
 */
export async function repeatedValues(
  { read, store, sign }: DashboardServices,
  visit: Visit,
  form: Form,
  id: string,
  other_seed: boolean,
): Promise<FormValues> {
  if (!/^op_[0-9a-z]{26}$/u.test(id)) throw refuse.operationNotFound();
  const snapshot = await read(visit.by.account, form.action.name, id);
  const { fields, loudness, seed, metadata } = JSON.parse(snapshot.request) as StoredRequest;
  // The stored loudness names the target of its preset too, which a request may not.
  const { target_lufs, ...preset } = loudness ?? {};
  const asked = loudness === null ? null : loudness.preset === undefined ? { target_lufs, ...preset } : preset;
  const values = valuesOf(form, { ...fields, metadata, loudness: asked, ...(other_seed ? {} : { seed }) });
  const lists = new Map<string, readonly string[]>();
  for (const { name, object, url } of (await store.operation(id))?.sources ?? []) {
    // Entries of a list are addresses: those of the account's own get a fresh signature.
    if (name.includes(".")) {
      const field = `f.${name.split(".")[0]}`;
      const line = object === null ? url : sign(object, visit.now).url;
      lists.set(field, [...(lists.get(field) ?? []), line]);
      continue;
    }
    const upload = /^files\/(file_[0-9a-z]{26})\./u.exec(object ?? "")?.[1];
    const [, operation = "", index = ""] = /^op\/(op_[0-9a-z]{26})\/\d+\/(\d{1,2})\.flac$/u.exec(object ?? "") ?? [];
    if (upload !== undefined) values.set(`f.${name}.upload`, upload);
    else if (operation !== "") values.set(`f.${name}.result`, `${operation}:${index}`);
    else if (object === null) values.set(`f.${name}.url`, url);
  }
  for (const [field, lines] of lists) values.set(field, lines.join("\n"));
  return values;
}
