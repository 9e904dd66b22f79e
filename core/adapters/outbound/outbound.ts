/**
 * Fetches sources and sends webhooks. URLs come from strangers: what they name must not become a way into the network
 * that this service runs in, nor a way to fill its memory or to keep it waiting.
 *
 * A URL's text, scheme and literal host are judged first. A name is resolved once and every answer judged. The
 * connection goes to an address that was judged, and nothing is sent before that is verified. Redirects start anew.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { rm } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { type CallAnswer, type Outbound, OutboundError, type PostAnswer } from "../../ports/outbound.ts";
import { createResolver } from "./dns.ts";
import { exchange, tooLarge } from "./exchange.ts";
import { createLookups } from "./lookups.ts";
import { findTarget, type Reach, type Resolve, type Target } from "./target.ts";
import { startWatch, type Watch } from "./watch.ts";

export { listensOn } from "./own_address.ts";

/** Milliseconds. */
export interface OutboundTimes {
  /** For looking up a name. */
  readonly lookup_ms: number;
  /** For the look-up, waiting included, and again for connecting to all addresses of the name. */
  readonly connect_ms: number;
  /** From there to the end of the answer's headers; of downloads. */
  readonly first_byte_ms: number;
  /** Between two pieces of a body. */
  readonly idle_ms: number;
  /** A download with all its redirects. */
  readonly download_ms: number;
  readonly post_ms: number;
}

const TIMES: OutboundTimes = {
  lookup_ms: 2000,
  connect_ms: 5000,
  first_byte_ms: 10_000,
  idle_ms: 10_000,
  download_ms: 60_000,
  // The specification of webhooks: an answer within 15 s.
  post_ms: 15_000,
};
/** The most of a source, where no configuration allows more. */
const USUAL_BYTES = 50_000_000;
const REDIRECTS_MAX = 3;
const DETAIL_BYTES_MAX = 16_384;

export interface OutboundOptions extends Pick<Reach, "private_hosts"> {
  readonly own?: Reach["own"];
  /** DNS by default, with a deadline and few look-ups at a time. */
  readonly resolve?: Resolve;
  /** Name servers to ask instead of the system's, `address` or `address:port`. */
  readonly dns?: readonly string[];
  /** Certificates to trust instead of the well-known ones, PEM. */
  readonly ca?: string | readonly string[];
  readonly limits?: Partial<OutboundTimes>;
}

export function createOutbound({ private_hosts, own, resolve, dns = [], ca, limits }: OutboundOptions): Outbound {
  const times: OutboundTimes = { ...TIMES, ...limits };
  const { lookup_ms, connect_ms, idle_ms } = times;
  const reach: Reach = {
    private_hosts,
    own: own ?? (() => false),
    resolve: resolve ?? createLookups({ ask: createResolver({ servers: dns }), lookup_ms }).resolve,
  };
  const find = (url: string, account_id: string, watch: Watch): Promise<Target> => {
    watch.step("looking up its host name", connect_ms);
    return watch.wait(findTarget(url, reach, account_id, watch.signal));
  };

  return {
    async download(url, path, { account_id, bytes_max, signal }) {
      // What may be larger than usual has longer, in proportion.
      const watch = startWatch(times.download_ms * Math.max(1, bytes_max / USUAL_BYTES), signal);
      let file = undefined as number | undefined;
      let bytes = 0;
      let complete = false;
      const openFile = () => {
        const opened = openSync(path, "wx", 0o600);
        file = opened;
        // Synchronous, so that no piece waits in memory: 64 KiB into the system's cache take some 30 us.
        return (piece: Uint8Array) => {
          for (let offset = 0; offset < piece.length; ) offset += writeSync(opened, piece, offset);
        };
      };
      try {
        let next: string | undefined = url;
        for (let hop = 0; next !== undefined; hop++) {
          if (hop > REDIRECTS_MAX) {
            throw new OutboundError("bad_response", `the server redirects more than ${REDIRECTS_MAX} times`);
          }
          const target = await find(next, account_id, watch);
          const onHead = (status: number, headers: IncomingHttpHeaders) => {
            next = redirectOf(status, headers, target.url);
            if (next !== undefined) return undefined;
            checkHead(status, headers, bytes_max);
            return openFile();
          };
          bytes = await exchange(target, { ...times, method: "GET", headers: {}, bytes_max, ca, onHead }, watch);
        }
        complete = true;
        return { bytes };
      } finally {
        watch.stop();
        if (file !== undefined) closeSync(file);
        if (file !== undefined && !complete) await rm(path, { force: true });
      }
    },

    async call(url, { account_id, method, headers, body, bytes_max, ms_max, signal }) {
      const watch = startWatch(ms_max, signal);
      const pieces: Uint8Array[] = [];
      let head = undefined as Omit<CallAnswer, "body"> | undefined;
      try {
        const target = await find(url, account_id, watch);
        const onHead = (status: number, given: IncomingHttpHeaders) => {
          head = { status, headers: plainHeaders(given) };
          return (piece: Uint8Array) => void pieces.push(piece);
        };
        const message = { method, headers, bytes_max, ...(body === undefined ? {} : { body }) };
        await exchange(target, { ...message, connect_ms, first_byte_ms: ms_max, idle_ms, ca, onHead }, watch);
      } finally {
        watch.stop();
      }
      return { ...head!, body: new Uint8Array(Buffer.concat(pieces)) };
    },

    async post(url, { account_id, headers, body, signal }) {
      const watch = startWatch(times.post_ms, signal);
      const pieces: Uint8Array[] = [];
      let answered = undefined as Omit<PostAnswer, "detail"> | undefined;
      try {
        const target = await find(url, account_id, watch);
        const message = { method: "POST", headers, body, bytes_max: DETAIL_BYTES_MAX } as const;
        const onHead = (status: number, given: IncomingHttpHeaders) => {
          const retry_after_seconds = secondsUntil(given["retry-after"]);
          answered = { status, retry_after_seconds, headers: plainHeaders(given) };
          return (piece: Uint8Array) => void pieces.push(piece);
        };
        // Whoever answers within the whole time has answered.
        const first_byte_ms = times.post_ms;
        await exchange(target, { ...message, connect_ms, first_byte_ms, idle_ms, ca, onHead }, watch);
      } catch (error) {
        // The status is the answer, even if the body is long, breaks off or drips.
        if (answered === undefined || !(error instanceof OutboundError)) throw error;
      } finally {
        watch.stop();
      }
      return { ...answered!, detail: printableText(pieces) };
    },
  };
}

/** Of a name that came several times, all its values. */
function plainHeaders(given: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const pairs = Object.entries(given).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(", ") : (value ?? ""),
  ]);
  return Object.fromEntries(pairs) as Record<string, string>;
}

/** Where an answer redirects to, as an absolute URL; undefined: nowhere. */
function redirectOf(status: number, { location }: IncomingHttpHeaders, from: URL): string | undefined {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined;
  // Judged before it is parsed, for a parser drops tabs and line breaks.
  const to = location !== undefined && /^[!-[\]-~]+$/u.test(location) ? URL.parse(location, from.href) : null;
  if (to === null) throw new OutboundError("bad_response", `the server answered ${status} without a usable address`);
  return to.href;
}

/** Refuses what can be refused before a byte of the body is read. */
function checkHead(status: number, headers: IncomingHttpHeaders, bytes_max: number): void {
  // 206 is a part that nobody asked for; 204 and 205 have no body.
  if (status !== 200 && status !== 203) throw new OutboundError("bad_response", `the server answered ${status}`);
  const coding = headers["content-encoding"] ?? "identity";
  const transfer = headers["transfer-encoding"] ?? "chunked";
  if (coding.toLowerCase() !== "identity" || transfer.toLowerCase() !== "chunked") {
    throw new OutboundError("bad_response", "the server sent it compressed, which was not asked for");
  }
  const length = headers["content-length"];
  if (length !== undefined && Number(length) > bytes_max) throw tooLarge(bytes_max);
}

/** The first bytes as text, without control characters. */
function printableText(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces)
    .subarray(0, DETAIL_BYTES_MAX)
    .toString("utf8")
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu, "\ufffd");
}

/** From now, of seconds or an HTTP date (RFC 9110 section 10.2.3). Null: absent, or neither. */
function secondsUntil(header: string | undefined): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/u.test(header)) return Number(header);
  const at = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/u.test(header)
    ? Date.parse(header)
    : NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}
