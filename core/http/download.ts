/** `GET /audio/<key>`: serves what a signed URL names, whole or by range, without a key. */
import { hash } from "node:crypto";
import { refuse } from "../base/errors.ts";
import { contentTypeOf } from "../ports/mod.ts";
import type { HttpServices } from "./services.ts";

/**
 * What was signed, and what a client wrote behind it: in which form it wants the object, which needs no right of its
 * own.
 */
const ASKED = /^(.*&signature=[\w-]{43})(?:&(.+))?$/u;

/** Refuses with 403 (expired, tampered), 404 (no longer there), 416, and what `deliver` refuses. */
export async function serveDownload(services: HttpServices, request: Request): Promise<Response> {
  const { signer, clock, deliver } = services;
  const { pathname, search } = new URL(request.url);
  const [, signed = pathname + search, asked = ""] = ASKED.exec(pathname + search) ?? [];
  const verdict = signer.verify(signed);
  if (!verdict.ok) {
    throw refuse.urlRefused(
      verdict.why === "expired" ? "The URL has expired, GET a fresh one" : "The URL is not valid",
    );
  }
  const { key, disposition, expires_at } = verdict;
  const seconds = Math.max(1, Math.floor((expires_at - clock.now()) / 1000));
  const delivered = deliver?.(request, { key, disposition, seconds, asked });
  if (delivered !== undefined) return delivered;
  if (asked !== "") throw refuse.urlRefused("The URL is not valid");
  return serveObject(request, services, key, disposition, seconds);
}

/**
 * The object whole or by range, or 304 where the client has it; refuses with 404 and 416. Who may see it is for the
 * caller to know. `redirect_seconds`: an address of the bucket's own, where it has one, may be the answer for so long.
 */
export async function serveObject(
  request: Request,
  { bucket, fileBody, config }: Pick<HttpServices, "bucket" | "fileBody" | "config">,
  key: string,
  disposition: string,
  redirect_seconds?: number,
): Promise<Response> {
  const object = await bucket.stat(key);
  if (object === undefined) throw refuse.notFound();
  // A page would follow the redirect as nobody (`Origin: null`), which a bucket should not answer.
  const is_page = config.cors_origins.includes(request.headers.get("origin") ?? "");
  const location =
    redirect_seconds === undefined || is_page ? undefined : await bucket.address(key, redirect_seconds, disposition);
  if (location !== undefined)
    return new Response(null, { status: 302, headers: { location, "cache-control": "no-store" } });
  const etag = etagOf(key);
  const headers = {
    etag,
    "content-type": contentTypeOf(key),
    "content-disposition": disposition,
    "accept-ranges": "bytes",
    "cache-control": "private, no-store",
    "x-content-type-options": "nosniff",
  };
  if (hasIt(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  const if_range = request.headers.get("if-range");
  // A range of what the client has not got the beginning of would be of no use to it.
  const asked = if_range === null || if_range === etag ? request.headers.get("range") : null;
  const range = parseRange(asked, object.bytes);
  const length = range === undefined ? object.bytes : range.end - range.start + 1;
  const partial = range === undefined ? {} : { "content-range": `bytes ${range.start}-${range.end}/${object.bytes}` };
  const status = range === undefined ? 200 : 206;
  const whole = { ...headers, ...partial, "content-length": String(length) };
  const path = bucket.path(key);
  const file = path === undefined ? undefined : fileBody(path, range?.start ?? 0, length);
  if (file !== undefined) return new Response(file, { status, headers: whole });
  const opened = await bucket.open(key, range);
  if (opened === undefined) throw refuse.notFound();
  return new Response(opened.stream, { status, headers: whole });
}

/** Of the key alone: a key is written once, so that its content never changes. */
const etagOf = (key: string): string => `"${hash("sha256", key, "base64url").slice(0, 22)}"`;

/** Whether `If-None-Match` names what would be sent. */
function hasIt(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//u, "") === etag);
}

/**
 * One byte range (RFC 9110 section 14.2). Undefined: the header is absent, has another unit, several ranges or no
 * sense, and the whole object is the answer. Refuses with 416 where the range begins behind the end.
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
