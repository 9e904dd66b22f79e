/**
 * Download URLs that this service signs:
 * `<base>/audio/<key>?expires=<unix seconds>[&disposition=<percent-encoded>]&signature=<43 characters>`.
 *
 * The signature is the base64url HMAC-SHA-256 of everything between base and signature, so path, expiry and
 * disposition. A URL has exactly one text: parameters in another order, doubled, added or encoded otherwise make it
 * invalid.
 */
import type { RotatingKeys } from "../base/secrets.ts";
import { createSigner } from "../base/signer.ts";
import { type Clock, OBJECT_KEY } from "../ports/mod.ts";

export interface UrlSigner {
  /** `expires_at`: the URL's own, in whole seconds, given as milliseconds. */
  sign(download: Download): { readonly url: string; readonly expires_at: number };
  /** `url`: absolute (its origin is not looked at), or path and query, with or without the path of `base_url`. */
  verify(url: string): Verdict;
  /**
   * For URLs that clients send: whether this is a download URL of ours, whatever its scheme. Undefined: it names
   * another origin or another path, so it is to be fetched like any other.
   */
  recognise(url: string): Verdict | undefined;
}

interface Download {
  /** Matches OBJECT_KEY. */
  readonly key: string;
  /** How long the URL works, whole seconds above 0. */
  readonly seconds: number;
  /** What `Content-Disposition` says, `inline` when absent; see DISPOSITION. */
  readonly disposition?: string;
  /**
   * Milliseconds since 1970. Gives the same URL each time until half of `seconds` has gone by, then one that lasts
   * longer, and so on: the first expires `seconds` after `since`, and at least half of `seconds` is always left.
   */
  readonly since?: number;
}

/** `expires_at` in milliseconds since 1970. */
type Verdict =
  | { readonly ok: true; readonly key: string; readonly expires_at: number; readonly disposition: string }
  | { readonly ok: false; readonly why: "expired" | "invalid" };

/** Dispositions that can be signed: they go into a header as they are. */
const DISPOSITION = /^(?:inline|attachment)(?:; filename="[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")?$/;

/** The longest URL that every common client and proxy takes; also the specification's bound. */
const URL_LENGTH_MAX = 2083;

/** `origins`: further ones, such as `http://localhost:8787`, under which clients reach this service. */
export function createUrlSigner(config: {
  readonly base_url: string;
  readonly keys: RotatingKeys;
  readonly clock: Pick<Clock, "now">;
  readonly origins?: readonly string[];
}): UrlSigner {
  const { clock } = config;
  const signer = createSigner(config.keys, "tonwerk download 1\n");
  const base = config.base_url.replace(/\/+$/, "");
  const base_path = new URL(base).pathname.replace(/\/$/, "");
  const hosts = new Set([base, ...(config.origins ?? [])].map((origin) => plainHost(new URL(origin).host)));

  function sign({ key, seconds, disposition = "inline", since }: Download): { url: string; expires_at: number } {
    if (!OBJECT_KEY.test(key)) throw new RangeError(`Cannot sign a URL: "${key}" is not an object key`);
    if (!Number.isInteger(seconds) || seconds < 1) throw new RangeError(`Cannot sign a URL for ${seconds} seconds`);
    if (!DISPOSITION.test(disposition)) {
      throw new RangeError(`Cannot sign a URL: disposition "${disposition}" is not allowed`);
    }
    const begin = Math.floor((since ?? clock.now()) / 1000);
    // A single second has no half in whole seconds.
    const half = Math.max(1, Math.floor(seconds / 2));
    const halves = Math.max(0, Math.floor((clock.now() / 1000 - begin) / half));
    const expires = begin + seconds + halves * half;
    if (!(expires > 0 && expires < 1e12)) throw new RangeError(`Cannot sign a URL that expires at ${expires} s`);
    const query = disposition === "inline" ? "" : `&disposition=${encodeURIComponent(disposition)}`;
    const signed = `${PATH}${key}?expires=${expires}${query}`;
    const url = `${base}${signed}&signature=${signer.sign(signed)}`;
    if (url.length > URL_LENGTH_MAX) throw new RangeError(`Cannot sign a URL: it would have ${url.length} characters`);
    return { url, expires_at: expires * 1000 };
  }

  function verify(url: string): Verdict {
    if (url.length > URL_LENGTH_MAX || !VISIBLE.test(url)) return INVALID;
    const local = url.startsWith("/") ? url : (ABSOLUTE.exec(url)?.[2] ?? "");
    const parts = SIGNED.exec(local.startsWith(`${base_path}${PATH}`) ? local.slice(base_path.length) : local);
    if (parts === null) return INVALID;
    const [, signed = "", key = "", expires = "", disposition = "inline", signature = ""] = parts;
    if (!OBJECT_KEY.test(key)) return INVALID;
    if (!signer.verifies(signed, signature)) return INVALID;
    const expires_at = Number(expires) * 1000;
    if (clock.now() >= expires_at) return { ok: false, why: "expired" };
    // What we signed ourselves decodes.
    return { ok: true, key, expires_at, disposition: decodeURIComponent(disposition) };
  }

  function recognise(url: string): Verdict | undefined {
    // First, for most of what clients send is audio of theirs.
    if (!url.includes(PATH) || !VISIBLE.test(url)) return undefined;
    // The path by hand: a URL parser would resolve `..` before the signature could tell.
    const [, authority = "", path = ""] = ABSOLUTE.exec(url) ?? [];
    if (!path.startsWith(PATH) && !path.startsWith(`${base_path}${PATH}`)) return undefined;
    const host = URL.parse(`http://${authority}`)?.host;
    if (host === undefined || authority.includes("@") || !hosts.has(plainHost(host))) return undefined;
    return verify(path);
  }

  return { sign, verify, recognise };
}

const PATH = "/audio/";
const INVALID: Verdict = Object.freeze({ ok: false, why: "invalid" });

/**
 * Authority and the rest. Visible ASCII only, no backslash: URL parsers drop tabs and read backslashes as slashes, we
 * do neither.
 */
const ABSOLUTE = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/([^/?#]+)(\/.*)$/;
const VISIBLE = /^[!-[\]-~]+$/;

/** Path and query of a signed URL: what is signed, in it key, expiry and disposition, then the signature. */
const SIGNED =
  /^(\/audio\/([A-Za-z0-9._/-]+)\?expires=([1-9][0-9]{0,11})(?:&disposition=([A-Za-z0-9%._-]+))?)&signature=([A-Za-z0-9_-]{43})$/;

/** Without the ports that schemes imply: behind a proxy the scheme that a client sees need not be ours. */
function plainHost(host: string): string {
  return host.replace(/:(?:80|443)$/, "");
}
