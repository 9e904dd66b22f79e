/** `GET /audio/<key>`: serves what a signed URL names, whole or by range, without a key. */
import { refuse } from "../base/errors.ts";
import type { Bucket } from "../ports/mod.ts";
import type { HttpServices } from "./services.ts";

const TYPES: Readonly<Record<string, string>> = { flac: "audio/flac", wav: "audio/wav", mp3: "audio/mpeg" };

/** Refuses with 403 (expired, tampered), 404 (no longer there) and 416. */
export async function serveDownload({ bucket, signer, clock }: HttpServices, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const verdict = signer.verify(pathname + search);
  if (!verdict.ok) {
    throw refuse.urlRefused(
      verdict.why === "expired" ? "The URL has expired, GET a fresh one" : "The URL is not valid",
    );
  }
  const { key, disposition, expires_at } = verdict;
  const seconds = Math.max(1, Math.floor((expires_at - clock.now()) / 1000));
  return serveObject(request, bucket, key, disposition, seconds);
}

/**
 * The object whole or by range; refuses with 404 and 416. Who may see it is for the caller to know. `redirect_seconds`: an address of the
 * bucket's own, where it has one, may be the answer for so long.
 */
export async function serveObject(
  request: Request,
  bucket: Bucket,
  key: string,
  disposition: string,
  redirect_seconds?: number,
): Promise<Response> {
  const object = await bucket.stat(key);
  if (object === undefined) throw refuse.notFound();
  const location =
    redirect_seconds === undefined ? undefined : await bucket.address(key, redirect_seconds, disposition);
  if (location !== undefined)
    return new Response(null, { status: 302, headers: { location, "cache-control": "no-store" } });
  const headers = {
    "content-type": TYPES[key.slice(key.lastIndexOf(".") + 1)] ?? "application/octet-stream",
    "content-disposition": disposition,
    "accept-ranges": "bytes",
    "cache-control": "private, no-store",
    "x-content-type-options": "nosniff",
  };
  const range = parseRange(request.headers.get("range"), object.bytes);
  const length = range === undefined ? object.bytes : range.end - range.start + 1;
  const partial = range === undefined ? {} : { "content-range": `bytes ${range.start}-${range.end}/${object.bytes}` };
  const status = range === undefined ? 200 : 206;
  const whole = { ...headers, ...partial, "content-length": String(length) };
  const opened = await bucket.open(key, range);
  if (opened === undefined) throw refuse.notFound();
  return new Response(opened.stream, { status, headers: whole });
}

/**
 * One byte range (RFC 9110 section 14.2). Undefined: the header is absent, has another unit, several ranges or no sense, and the whole
 * object is the answer. Refuses with 416 where the range begins behind the end.
 */
function parseRange(header: string | null, bytes: number): { start: number; end: number } | undefined {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/u.exec(header?.trim() ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  const start = first === "" ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === "" || last === "" ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (first !== "" && last !== "" && Number(last) < start) return undefined;
  if (start >= bytes || (first === "" && last !== "" && Number(last) === 0)) throw refuse.rangeNotSatisfiable(bytes);
  return { start, end };
}
