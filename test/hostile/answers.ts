/** Answers that strangers may give to a download or a delivery, by the path that gets each, and what is to come of it. */
import { gzipSync } from "node:zlib";
import type { OutboundOptions } from "../../core/adapters/outbound/outbound.ts";
import type { OutboundError } from "../../core/ports/outbound.ts";
import { answer, type Behaviour, repeat, say } from "./server.ts";

export type Code = OutboundError["code"];

/** What the downloads may have. */
export const BYTES_MAX = 100_000;

export const OK = "HTTP/1.1 200 OK\r\n";
export const zeros = new Uint8Array(65_536);

export interface Expected {
  readonly behave: Behaviour;
  /** Several where the runtimes' parsers differ. */
  readonly result: Code | number | readonly Code[];
  /** Limits in milliseconds that make a slow answer a late one. */
  readonly limits?: OutboundOptions["limits"];
  /** What post() makes of it, where that is not the code. */
  readonly post?: number | Code;
}

const chunked = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
export const sized = (length: number | string) => `${OK}Content-Length: ${length}\r\n\r\n`;
const cut =
  (text: string): Behaviour =>
  (socket) =>
    void socket.end(text, "latin1");

export const ANSWERS: Readonly<Record<string, Expected>> = {
  "/ok": { behave: answer("200 OK", ["Content-Length: 5"], "audio"), result: 5, post: 200 },
  "/cookies": {
    behave: answer("302 Found", ["Set-Cookie: a=b", "Set-Cookie: c=d; Path=/", "Location: /ok"]),
    result: 5,
    post: 302,
  },
  "/loop": { behave: answer("302 Found", ["Location: /loop"]), result: "bad_response", post: 302 },
  "/no-length": { behave: answer("200 OK", [], "audio"), result: 5, post: 200 },
  "/http10": { behave: cut("HTTP/1.0 200 OK\r\n\r\naudio"), result: 5, post: 200 },
  "/chunked": { behave: cut(`${chunked}5\r\naudio\r\n0\r\n\r\n`), result: 5, post: 200 },
  "/no-reason": { behave: cut("HTTP/1.1 200\r\nContent-Length: 5\r\n\r\naudio"), result: 5, post: 200 },
  "/early-hints": {
    behave: cut(`HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${sized(5)}audio`),
    result: 5,
    post: 200,
  },
  "/non-authoritative": {
    behave: answer("203 Non-Authoritative", ["Content-Length: 5"], "audio"),
    result: 5,
    post: 203,
  },
  "/identity": { behave: answer("200 OK", ["Content-Encoding: identity"], "audio"), result: 5, post: 200 },
  "/html": {
    behave: answer("200 OK", ["Content-Type: text/html"], "<!doctype html><title>no</title>"),
    result: 32,
    post: 200,
  },
  "/empty": { behave: answer("200 OK", ["Content-Length: 0"]), result: 0, post: 200 },
  // Sizes
  "/exact": {
    behave: answer("200 OK", [`Content-Length: ${BYTES_MAX}`], new Uint8Array(BYTES_MAX)),
    result: BYTES_MAX,
    post: 200,
  },
  "/one-more": {
    behave: answer("200 OK", [`Content-Length: ${BYTES_MAX + 1}`], new Uint8Array(BYTES_MAX + 1)),
    result: "too_large",
    post: 200,
  },
  "/one-more-unsaid": { behave: answer("200 OK", [], new Uint8Array(BYTES_MAX + 1)), result: "too_large", post: 200 },
  "/exact-unsaid": { behave: answer("200 OK", [], new Uint8Array(BYTES_MAX)), result: BYTES_MAX, post: 200 },
  "/claims-terabytes": {
    behave: say(sized("1099511627776")),
    result: "too_large",
    post: 200,
    limits: { idle_ms: 100 },
  },
  "/claims-too-many-digits": {
    behave: say(sized("9".repeat(40))),
    result: "bad_response",
  },
  "/endless": { behave: repeat(`${OK}\r\n`, zeros, 0), result: "too_large", post: 200 },
  "/endless-chunked": {
    behave: repeat(chunked, `10000\r\n${"x".repeat(65_536)}\r\n`, 0),
    result: "too_large",
    post: 200,
  },
  "/long-chunk-extension": {
    // Deno reads it to no end, Bun refuses it.
    behave: repeat(`${chunked}5;`, "x".repeat(65_536), 0),
    result: ["bad_response", "timeout"],
    post: 200,
    limits: { idle_ms: 500, download_ms: 1500, post_ms: 1500 },
  },
  // Lies about the length
  "/short": { behave: cut(`${sized(50)}audio`), result: "bad_response", post: 200 },
  "/short-by-one": { behave: cut(`${sized(6)}audio`), result: "bad_response", post: 200 },
  "/unfinished-chunk": { behave: cut(`${chunked}50\r\naudio`), result: "bad_response", post: 200 },
  "/no-last-chunk": { behave: cut(`${chunked}5\r\naudio\r\n`), result: "bad_response", post: 200 },
  "/reset": {
    behave: (socket) => {
      socket.write(`${sized(50)}audio`);
      setTimeout(() => socket.destroy(), 20);
    },
    result: "bad_response",
    post: 200,
  },
  "/negative-length": { behave: cut(`${sized(-5)}audio`), result: "bad_response" },
  "/two-lengths": { behave: cut(`${OK}Content-Length: 5\r\nContent-Length: 6\r\n\r\naudio!`), result: "bad_response" },
  "/wrong-chunk": { behave: cut(`${chunked}zz\r\naudio\r\n0\r\n\r\n`), result: "bad_response", post: 200 },
  "/length-and-chunked": {
    behave: cut(`${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\naudio\r\n0\r\n\r\n`),
    result: "bad_response",
  },
  // Compression that was not asked for
  "/gzip-bomb": {
    behave: answer("200 OK", ["Content-Encoding: gzip"], gzipSync(new Uint8Array(20_000_000))),
    result: "bad_response",
    post: 200,
  },
  "/gzip-transfer": {
    behave: answer("200 OK", ["Transfer-Encoding: gzip, chunked"], "0\r\n\r\n"),
    result: "bad_response",
    post: 200,
  },
  "/brotli": { behave: answer("200 OK", ["Content-Encoding: br"], "x"), result: "bad_response", post: 200 },
  "/unknown-coding": {
    behave: answer("200 OK", ["content-encoding: GZIP, x"], "x"),
    result: "bad_response",
    post: 200,
  },
  "/gzip-as-body": {
    behave: answer("200 OK", [], gzipSync(new Uint8Array(20_000_000))),
    result: gzipSync(new Uint8Array(20_000_000)).length,
    post: 200,
  },
  // Statuses
  ...Object.fromEntries(
    [201, 202, 204, 205, 206, 400, 401, 403, 404, 410, 416, 429, 500, 503, 599].map((status) => [
      `/status/${status}`,
      {
        behave: answer(`${status} Some`, status === 204 ? [] : ["Content-Length: 0"]),
        result: "bad_response" as const,
        post: status,
      },
    ]),
  ),
  "/switching": {
    behave: cut("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"),
    result: "bad_response",
  },
  // No HTTP
  "/nothing": { behave: (socket) => void socket.end(), result: "bad_response" },
  "/reset-at-once": { behave: (socket) => void socket.destroy(), result: "bad_response" },
  "/garbage": { behave: cut("\u0000\u0001\u0002\u0003 what is this\r\n\r\n"), result: "bad_response" },
  "/ssh": { behave: cut("SSH-2.0-OpenSSH_9.6\r\n"), result: "bad_response" },
  "/half-a-head": { behave: cut("HTTP/1.1 200 OK\r\nContent-Le"), result: "bad_response" },
  "/http9": { behave: cut("HTTP/9.9 200 OK\r\nContent-Length: 5\r\n\r\naudio"), result: "bad_response" },
  "/header-without-colon": { behave: cut(`${OK}nonsense\r\n\r\naudio`), result: "bad_response" },
  "/header-with-nul": { behave: cut(`${OK}X: a\u0000b\r\n\r\naudio`), result: "bad_response" },
  "/huge-header": { behave: cut(`${OK}X: ${"x".repeat(100_000)}\r\n\r\naudio`), result: "bad_response" },
  "/many-headers": { behave: cut(`${OK}${"X: y\r\n".repeat(20_000)}\r\naudio`), result: "bad_response" },
  "/endless-headers": { behave: repeat(OK, `X: ${"y".repeat(1000)}\r\n`, 0), result: "bad_response" },
  // Slowness
  "/hang": { behave: () => undefined, result: "timeout", limits: { first_byte_ms: 150, post_ms: 1000 } },
  "/hang-after-head": { behave: say(sized(50)), result: "timeout", post: 200, limits: { idle_ms: 150 } },
  "/hang-in-body": { behave: say(`${sized(50)}audio`), result: "timeout", post: 200, limits: { idle_ms: 150 } },
  "/drip-status": {
    behave: repeat("HTTP/1.1 200 O", "K", 50),
    result: "timeout",
    limits: { first_byte_ms: 300, post_ms: 1000 },
  },
  "/drip-headers": {
    behave: repeat(`${OK}X: `, "y", 50),
    result: "timeout",
    limits: { first_byte_ms: 300, post_ms: 1000 },
  },
  "/drip-hints": {
    behave: repeat("", "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", 50),
    result: "timeout",
    limits: { first_byte_ms: 300, post_ms: 1000 },
  },
  "/drip-body": {
    behave: repeat(sized(5000), "x", 50),
    result: "timeout",
    post: 200,
    limits: { download_ms: 1500, post_ms: 1500 },
  },
  "/drip-chunks": {
    behave: repeat(chunked, "1\r\nx\r\n", 50),
    result: "timeout",
    post: 200,
    limits: { download_ms: 1500, post_ms: 1500 },
  },
};
