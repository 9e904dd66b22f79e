/** Responses: every body is JSON except audio and the documentation page. */
import { Refusal, refuse } from "../base/errors.ts";
import { describeError, type Log } from "../base/log.ts";
import { StoreUnavailable } from "../ports/mod.ts";

const JSON_HEADERS = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
} as const;
export type Headers = Readonly<Record<string, string>>;

// One object for all of them, with headers that were read already: a response copies such ones, on Bun in half the time
// (0.3 against 0.7 µs).
const JSON_OK = { status: 200, headers: new globalThis.Headers(JSON_HEADERS) };
const REPLAYED = {
  status: 200,
  headers: new globalThis.Headers({ ...JSON_HEADERS, "idempotent-replayed": "true" }),
};

/** The page that explains the codes of refusals, below the base URL; `doc_url` points into it. */
export const ERRORS_PATH = "/docs/errors";

/** `text` is JSON already. */
function respondText(text: string, headers?: Headers, status = 200): Response {
  if (headers === undefined && status === 200) return new Response(text, JSON_OK);
  return new Response(text, { status, headers: { ...JSON_HEADERS, ...headers } });
}

// The id is another one each time: a response copies what they have when it is made.
const IDENTIFIED = { status: 200, headers: new globalThis.Headers(JSON_OK.headers) };
const REPLAYED_IDENTIFIED = { status: 200, headers: new globalThis.Headers(REPLAYED.headers) };

/**
 * JSON of a submission or a status read, with the request's id: adding that to a response takes three times as long.
 */
export function respondIdentified(text: string, request_id: string, replayed = false): Response {
  const init = replayed ? REPLAYED_IDENTIFIED : IDENTIFIED;
  init.headers.set("x-request-id", request_id);
  return new Response(text, init);
}

/** The answer to a submission. */
export function respondSubmitted({ body, replayed }: { readonly body: string; readonly replayed: boolean }): Response {
  return new Response(body, replayed ? REPLAYED : JSON_OK);
}

export function respond(body: unknown, headers?: Headers, status = 200): Response {
  return respondText(JSON.stringify(body), headers, status);
}

/**
 * Errors -> responses. Only refusals say why; an unexpected error is logged and answered with a bare 500. `errors_url`:
 * the page of the codes.
 */
export function respondError(error: unknown, log: Log, errors_url: string, request_id?: string): Response {
  if (error instanceof Refusal) {
    const { body, code, headers, status } = error;
    return respond({ ...body, doc_url: `${errors_url}#${code}` }, headers, status);
  }
  const is_away = error instanceof StoreUnavailable;
  log(is_away ? "http.store_away" : "http.error", { request_id, error: describeError(error) });
  const told = is_away
    ? refuse.unavailable("The service cannot store anything right now, try again")
    : refuse.internal();
  return respondError(told, log, errors_url);
}
