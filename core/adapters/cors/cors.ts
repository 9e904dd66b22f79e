/**
 * Pages of other origins that may call the API from a browser: those that TONWERK_CORS_ORIGINS names, exactly. Never
 * with credentials: a cookie or a certificate would be sent without the page's doing, keys and tokens are not.
 * Everything else is the Fetch Standard's section 3.3.
 */
import type { Front } from "../../base/basics.ts";
import { pathStart } from "../../base/router.ts";

/** What a page may send beside what every page may. */
const REQUEST_HEADERS = [
  "authorization, content-type, idempotency-key, if-none-match, if-range, last-event-id, prefer, range, test-outcome",
  "traceparent, x-request-id",
].join(", ");
const METHODS = "GET, HEAD, PUT, POST, PATCH, DELETE";
/** What a page may read beside what every page may. */
const EXPOSED_HEADERS = [
  "accept-ranges, allow, content-disposition, content-range, deprecation, etag, idempotent-replayed, preference-applied",
  "ratelimit, ratelimit-policy, retry-after, sunset, www-authenticate, x-request-id",
].join(", ");
/**
 * 2 h: no browser remembers a preflight for longer, and an origin that is taken off the list gets no other answer
 * anyway.
 */
const REMEMBERED_SECONDS = "7200";

export function answerOrigins(origins: readonly string[]): Front {
  const allowed = new Set(origins);
  return (app, pathOf) => (request, peer) => {
    const origin = request.headers.get("origin");
    // Answers below /v1/ are kept nowhere: no cache hands them to another origin, and status reads are in a hurry.
    if (origin === null) return isBelowV1(request.url) ? app(request, peer) : vary(app(request, peer));
    if (!allowed.has(origin)) return vary(app(request, peer));
    // Before keys and limits: it costs less than either, and browsers send no key with it.
    if (isPreflight(request) && pathOf(request) !== undefined) return Promise.resolve(answerPreflight(origin));
    return expose(app(request, peer), origin);
  };
}

const isBelowV1 = (url: string): boolean => url.startsWith("/v1/", pathStart(url));

const isPreflight = ({ method, headers }: Request): boolean =>
  method === "OPTIONS" && headers.has("access-control-request-method");

function answerPreflight(origin: string): Response {
  const headers = {
    "access-control-allow-origin": origin,
    "access-control-allow-methods": METHODS,
    "access-control-allow-headers": REQUEST_HEADERS,
    "access-control-max-age": REMEMBERED_SECONDS,
    vary: "origin, access-control-request-method, access-control-request-headers",
  };
  return new Response(null, { status: 204, headers });
}

async function vary(answer: Promise<Response>): Promise<Response> {
  const response = await answer;
  response.headers.append("vary", "origin");
  return response;
}

async function expose(answer: Promise<Response>, origin: string): Promise<Response> {
  const response = await vary(answer);
  response.headers.set("access-control-allow-origin", origin);
  response.headers.set("access-control-expose-headers", EXPOSED_HEADERS);
  return response;
}
