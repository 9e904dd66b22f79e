/**
 * What a client says about where its request goes: the target and `Host`. Both runtimes hand on what no URL can hold,
 * each in its own way, so this is judged once, before anything else sees the request.
 */

/**
 * The request with a URL that can be parsed, a new one where HTTP/1.0 came without `Host`; undefined where there can be
 * none, because `Host` is empty, has a space, a path or a user in it, or because the target is none of ours (CONNECT).
 */
export type CheckTarget = (request: Request) => Request | undefined;

/** Stands in for the host of an HTTP/1.0 request that has none. Nothing is routed by it. */
const NO_HOST = "http://localhost";

/**
 * For Bun, whose URLs hold the normalised origin where `Host` makes one, and the bare target where not. Of two `Host`
 * headers the URL has the first. Bun itself refuses HTTP/1.1 without `Host`.
 */
export function bunTargetCheck(): CheckTarget {
  const isKnown = knownOrigin();
  const isHost = hostCheck();
  return (request) => {
    const { url } = request;
    const host = request.headers.get("host");
    if (!isHost(host)) return undefined;
    if (isKnown(url)) return request;
    return url.startsWith("/") && host === null ? new Request(NO_HOST + url, request) : undefined;
  };
}

/**
 * For Deno, whose URLs are `http://`, `Host` and target, put together unread; where `Host` is absent or empty, Deno's
 * own address stands in.
 */
export function denoTargetCheck(): CheckTarget {
  const isKnown = knownOrigin();
  const isHost = hostCheck();
  // `Host: a/b` would put `/b` in front of the path.
  return (request) => (isHost(request.headers.get("host")) && isKnown(request.url) ? request : undefined);
}

/** Whether a `Host` header, where there is one, can name one host. The last good one is kept. */
function hostCheck(): (host: string | null) => boolean {
  let known: string | null = null;
  return (host) => {
    if (host === known) return true;
    if (host !== null && !HOST.test(host)) return false;
    known = host;
    return true;
  };
}

/**
 * Neither space, user, path, query nor fragment; whether it names a host is for URL to say. Several headers are read as
 * one with a comma and a space between.
 */
const HOST = /^[^\s/?#@\\]+$/u;

/**
 * Whether a URL begins with an origin that can be parsed. The last good one is kept: clients of one installation mostly
 * agree on it.
 */
function knownOrigin(): (url: string) => boolean {
  // None begins with it.
  let known = " ";
  return (url) => {
    if (url.startsWith(known)) return true;
    const scheme_end = url.indexOf("://");
    const end = url.indexOf("/", scheme_end + 3);
    if (scheme_end <= 0 || end === -1) return false;
    const origin = url.slice(0, end + 1);
    if (origin.includes("@") || !URL.canParse(origin)) return false;
    known = origin;
    return true;
  };
}
