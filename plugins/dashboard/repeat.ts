/** The request that made an operation, as a client would send it again. */

import type { AnyAction, Operation, SignDownload, StoredRequest } from "../../core/surface.ts";

/** Without `idempotency_key`. Sources of the account's own, which alone are bound, get a fresh signature: the URL that was sent may have expired. */
export function requestOf(
  action: AnyAction,
  operation: Operation,
  sign: SignDownload,
  now: number,
): Record<string, unknown> {
  const { fields, loudness, seed, metadata, timeout_seconds, webhook_events } = JSON.parse(
    operation.request,
  ) as StoredRequest;
  const body: Record<string, unknown> = { ...fields };
  for (const { name, object } of operation.sources) {
    if (object === null) continue;
    const source = { url: sign(object, now).url };
    // `album.3` is an entry of a list.
    const [field = name, index] = name.split(".");
    if (index === undefined) body[name] = source;
    else body[field] = (body[field] as readonly object[]).with(Number(index), source);
  }
  if (loudness !== null) {
    const { preset, target_lufs, allow_compression } = loudness;
    body.loudness = preset === undefined ? { target_lufs, allow_compression } : { preset, allow_compression };
  }
  if (action.seeded) body.seed = seed;
  if (operation.callback_url !== null) body.callback_url = operation.callback_url;
  for (const [name, value] of Object.entries({ metadata, timeout_seconds, webhook_events }))
    if (value !== undefined) body[name] = value;
  return body;
}

/** A line for a shell. The key stays in a variable, so that it is in no history and in no screenshot. */
export function curlLine(
  base_url: string,
  action: AnyAction,
  body: Readonly<Record<string, unknown>>,
  key: string,
): string {
  const text = JSON.stringify({ idempotency_key: key, ...body }, null, 2);
  return `curl -fsS -X PUT '${base_url}/v1/${action.name}' \\\n  -H "Authorization: Bearer $TONWERK_KEY" -H 'Content-Type: application/json' \\\n  --data ${quoted(text)}`;
}

/** For POSIX shells. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
