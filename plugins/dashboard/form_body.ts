/** Forms as browsers send them, with or without files. */

import { Collector, countedBody, readBytes, refuse } from "../../core/surface.ts";
import { boundaryOf, type Part, readParts } from "./multipart.ts";
import { notForm } from "./refusals.ts";

/** Fields together: the longest lyrics escaped, and to spare. */
export const FIELDS_BYTES_MAX = 131_072;
/** Of forms that need no session: an address, a password and two tokens. */
export const PUBLIC_BYTES_MAX = 8_192;

/** Names and texts as they were sent; the first where a name repeats. Line breaks are \n, as everywhere else. */
export type FormValues = ReadonlyMap<string, string>;

/** The fields of a form without files; refuses with 413, 415 and 422. */
export async function readForm(request: Request, bytes_max = FIELDS_BYTES_MAX): Promise<FormValues> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\b/iu.test(type)) throw notForm();
  const text = decoded(await readBytes(request, bytes_max));
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) if (!values.has(name)) values.set(name, tidy(value));
  return values;
}

/**
 * As `readForm`, for a form that may carry files: `onFile` is called for each one that was chosen, in the order of the
 * form, with the fields before it; what it does not read is skipped.
 */
export async function readFormWithFiles(
  request: Request,
  bytes_max: number,
  onFile: (part: Part & { readonly filename: string }, before: FormValues) => Promise<void>,
): Promise<FormValues> {
  const boundary = boundaryOf(request.headers.get("content-type"));
  if (boundary === undefined) return readForm(request);
  const values = new Map<string, string>();
  let left = FIELDS_BYTES_MAX;
  for await (const part of readParts(countedBody(request, bytes_max), boundary)) {
    if (part.filename === undefined) {
      const field = new Collector();
      for await (const chunk of part.chunks) {
        field.add(chunk);
        if (field.length > left) throw refuse.bodyTooLarge(FIELDS_BYTES_MAX);
      }
      left -= field.length;
      if (!values.has(part.name)) values.set(part.name, tidy(decoded(field.bytes())));
    } else if (part.filename !== "") await onFile({ ...part, filename: part.filename }, values);
  }
  return values;
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refuse.invalid([{ loc: ["body"], type: "string_text", msg: "The form is not UTF-8" }]);
  }
}

const tidy = (text: string): string => text.replace(/\r\n?/gu, "\n");
