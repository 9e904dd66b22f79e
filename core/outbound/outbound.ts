/**
 * The one way out of the process for source audio and callbacks. URLs come from strangers: what they name must not become a way into the
 * network that this service runs in, nor a way to fill its memory or to keep it waiting.
 *
 * A URL's text, scheme and literal host are judged first; a name is resolved once and every answer judged; the connection goes to an address
 * that was judged, and nothing is sent before that is seen to be so. Redirects start anew. TLS names and certificates are checked as ever.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createNames } from "./dns.ts";
import { OutboundError } from "./error.ts";
import { type Answer, exchange } from "./exchange.ts";
import { createLookups } from "./lookups.ts";
import { findTarget, type Reach, type Resolve, type Target } from "./target.ts";
import { startWatch, type Watch } from "./watch.ts";

export { OutboundError, type OutboundFault } from "./error.ts";
export type { Resolve, ResolvedAddress } from "./target.ts";

export interface Outbound {
  /**
   * GETs `url` into the new file `path`; HTTPS only unless the host is a private host that is allowed; at most 3 redirects, each hop
   * checked anew. The file is complete, or gone where it rejects: with OutboundError, or with an error of the file system.
   */
  download(
    url: string,
    path: string,
    options: {
      /** For whom: look-ups of names are counted by account. */
      readonly account_id: string;
      readonly bytes_max: number;
      readonly signal: AbortSignal;
    },
  ): Promise<{ readonly bytes: number }>;
  /**
   * POSTs `body`; never follows redirects. `detail` is the beginning of the answer as text, at most 16 KiB of it are read; an answer whose
   * body breaks off or drips is an answer. Rejects with OutboundError where there was none.
   */
  post(
    url: string,
    options: {
      readonly account_id: string;
      /** Lower-case names. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Uint8Array;
      readonly signal: AbortSignal;
    },
  ): Promise<{ readonly status: number; readonly retry_after_seconds: number | null; readonly detail: string }>;
}

/** Milliseconds. */
export interface Times {
  /** For looking up a name. */
  readonly lookup_ms: number;
  /** For that and the wait in the account's line before it, and again for connecting with TLS, all addresses of the name together. */
  readonly connect_ms: number;
  /** From there to the end of the answer's headers; of downloads. */
  readonly first_byte_ms: number;
  /** Between two pieces of a body. */
  readonly idle_ms: number;
  /** A download with all its redirects. */
  readonly download_ms: number;
  readonly post_ms: number;
}

const TIMES: Times = {
  lookup_ms: 2000,
  connect_ms: 5000,
  first_byte_ms: 10_000,
  idle_ms: 10_000,
  download_ms: 60_000,
  // The specification of webhooks: an answer within 15 s.
  post_ms: 15_000,
};
const REDIRECTS_MAX = 3;
const DETAIL_BYTES_MAX = 16_384;

export interface OutboundOptions {
  /** Whether a host or an address may be reached although it is private, over http too. */
  readonly private_hosts: (host_or_address: string) => boolean;
  /** Whether this service itself listens there: refused like a private address. */
  readonly own?: (address: string, port: number) => boolean;
  /** DNS by default, with a deadline and few look-ups at a time. */
  readonly resolve?: Resolve;
  /** Name servers to ask instead of the system's, `address` or `address:port`. */
  readonly dns?: readonly string[];
  /** Certificates to trust instead of the well-known ones, PEM. */
  readonly ca?: string | readonly string[];
  readonly limits?: Partial<Times>;
}

export function createOutbound(options: OutboundOptions): Outbound {
  const times: Times = { ...TIMES, ...options.limits };
  const reach: Reach = {
    private_hosts: options.private_hosts,
    own: options.own ?? (() => false),
    resolve:
      options.resolve ??
      createLookups({ ask: createNames({ servers: options.dns ?? [] }), lookup_ms: times.lookup_ms }).resolve,
  };

  const find = (url: string, account_id: string, watch: Watch): Promise<Target> => {
    watch.step("looking up its host name", times.connect_ms);
    return watch.wait(findTarget(url, reach, account_id, watch.signal));
  };

  const follow = async (url: string, account_id: string, bytes_max: number, watch: Watch): Promise<Answer> => {
    let target = await find(url, account_id, watch);
    for (let hop = 0; ; hop++) {
      const answer = await exchange(target, { method: "GET", headers: {}, bytes_max }, times, watch, options.ca);
      try {
        const next = redirectOf(answer, target.url);
        if (next === undefined) return answer;
        answer.close();
        if (hop === REDIRECTS_MAX) {
          throw new OutboundError("bad_response", `the server redirects more than ${REDIRECTS_MAX} times`);
        }
        target = await find(next, account_id, watch);
      } catch (error) {
        answer.close();
        throw error;
      }
    }
  };

  return {
    async download(url, path, { account_id, bytes_max, signal }) {
      const watch = startWatch(times.download_ms, signal);
      try {
        const answer = await follow(url, account_id, bytes_max, watch);
        try {
          checkAnswer(answer, bytes_max);
          return { bytes: await save(answer, path, watch, times.idle_ms) };
        } finally {
          answer.close();
        }
      } finally {
        watch.stop();
      }
    },

    async post(url, { account_id, headers, body, signal }) {
      const watch = startWatch(times.post_ms, signal);
      try {
        const target = await find(url, account_id, watch);
        const message = { method: "POST", headers, body, bytes_max: DETAIL_BYTES_MAX } as const;
        // Whoever answers within the whole time has answered.
        const answer = await exchange(target, message, { ...times, first_byte_ms: times.post_ms }, watch, options.ca);
        try {
          const detail = await beginning(answer, watch, times.idle_ms);
          return { status: answer.status, retry_after_seconds: retryAfter(answer.headers["retry-after"]), detail };
        } finally {
          answer.close();
        }
      } finally {
        watch.stop();
      }
    },
  };
}

// ------------------------------------------------------------------------------------------------------------ downloads

/** Where an answer sends us, as an absolute URL; undefined: it does not. */
function redirectOf({ status, headers }: Answer, from: URL): string | undefined {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined;
  const { location } = headers;
  // Judged before it is parsed, for a parser drops tabs and line breaks.
  const to = location !== undefined && /^[!-[\]-~]+$/u.test(location) ? URL.parse(location, from.href) : null;
  if (to === null) throw new OutboundError("bad_response", `the server answered ${status} without a usable address`);
  return to.href;
}

/** Early refusals, before a byte of the body is read. */
function checkAnswer({ status, headers }: Answer, bytes_max: number): void {
  // 206 is a part that nobody asked for; 204 and 205 have no body.
  if (status !== 200 && status !== 203) {
    throw new OutboundError("bad_response", `the server answered ${status}`);
  }
  const coding = headers["content-encoding"] ?? "identity";
  const transfer = headers["transfer-encoding"] ?? "chunked";
  if (coding.toLowerCase() !== "identity" || transfer.toLowerCase() !== "chunked") {
    throw new OutboundError("bad_response", "the server sent it compressed, which was not asked for");
  }
  const length = headers["content-length"];
  if (length !== undefined && Number(length) > bytes_max) {
    throw new OutboundError("too_large", `it has more than ${bytes_max.toLocaleString("en")} bytes`);
  }
}

/** Writes the body as it arrives. Resolves to its bytes. */
async function save({ body }: Answer, path: string, watch: Watch, idle_ms: number): Promise<number> {
  // Synchronous, so that no piece waits in memory: 64 KiB into the system's cache take some 30 us.
  const file = openSync(path, "wx", 0o600);
  let complete = false;
  try {
    const bytes = await body.read(watch, idle_ms, (piece) => {
      for (let offset = 0; offset < piece.length; ) offset += writeSync(file, piece, offset);
    });
    complete = true;
    return bytes;
  } finally {
    closeSync(file);
    if (!complete) await rm(path, { force: true });
  }
}

// ---------------------------------------------------------------------------------------------------------------- posts

/** The first bytes of the answer as text, without control characters; as much as came in time. */
async function beginning({ body }: Answer, watch: Watch, idle_ms: number): Promise<string> {
  const kept: Uint8Array[] = [];
  try {
    await body.read(watch, idle_ms, (piece) => void kept.push(piece));
  } catch (error) {
    // The status is the answer; a body that is long, breaks off or drips takes nothing from it.
    if (!(error instanceof OutboundError)) throw error;
  }
  return Buffer.concat(kept)
    .subarray(0, DETAIL_BYTES_MAX)
    .toString("utf8")
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu, "\ufffd");
}

/** Whole seconds from now, of seconds or an HTTP date (RFC 9110 section 10.2.3). Null: absent, or neither. */
function retryAfter(header: string | undefined): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/u.test(header)) return Number(header);
  const at = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/u.test(header)
    ? Date.parse(header)
    : NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}
