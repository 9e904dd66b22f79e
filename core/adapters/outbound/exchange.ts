/**
 * One HTTP request to an address that was judged before, by `node:https` with a pinned look-up. `fetch` would resolve
 * the name a second time, out of our sight.
 */
import {
  type ClientRequest,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { normalAddress } from "../../base/addresses.ts";
import { OutboundError } from "../../ports/outbound.ts";
import type { ResolvedAddress, Target } from "./target.ts";
import type { Watch } from "./watch.ts";

export interface Exchange {
  readonly method: string;
  /** Lower-case names. Host, length, connection and accepted encodings are set here. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly connect_ms: number;
  readonly first_byte_ms: number;
  readonly idle_ms: number;
  /** Of the answer's body: the exchange ends with `too_large` after the piece that goes beyond it. */
  readonly bytes_max: number;
  /** Certificates to trust instead of the well-known ones, PEM. */
  readonly ca: string | readonly string[] | undefined;
  /**
   * Judges the head, and returns what takes each piece of the body, in order; undefined: nobody wants the body. The
   * takers must be done with a piece at once, because the stream is never paused: Deno 2.9.6 buffers a paused TLS
   * connection without bound, and misses an end that comes meanwhile. What they throw ends the exchange.
   */
  onHead(status: number, headers: IncomingHttpHeaders): ((piece: Uint8Array) => void) | undefined;
}

/** Bytes of all header lines together. */
const HEADER_BYTES_MAX = 16_384;

/**
 * Tries the addresses in turn, each once. Resolves to the bytes of the body when it is complete, or to 0 when nobody
 * wants it; rejects with OutboundError, or with what `onHead` or a taker throws. Each connection serves one request and
 * is closed when this settles.
 */
export async function exchange(target: Target, given: Exchange, watch: Watch): Promise<number> {
  const deadline = Date.now() + given.connect_ms;
  watch.step("connecting", given.connect_ms);
  for (const [index, address] of target.addresses.entries()) {
    const left = target.addresses.length - index;
    try {
      // A fair share of the time: an address that swallows packets leaves some for the others.
      const connect_ms = Math.max(1, (deadline - Date.now()) / left);
      return await tryAddress(target, address, { ...given, connect_ms }, watch);
    } catch (error) {
      if (left === 1 || !(error instanceof NotConnected) || watch.signal.aborted) throw error;
    }
  }
  throw new OutboundError("unreachable", "its host name does not resolve");
}

/** This address accepted no connection; another one of the same name may. */
class NotConnected extends OutboundError {}

type Step = "connect" | "secure" | "answer" | "body";

function tryAddress(target: Target, address: ResolvedAddress, given: Exchange, watch: Watch): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const request = openRequest(target, address, given);
  let response: IncomingMessage | undefined;
  let step: Step = "connect";
  let settled = false;

  /** Ends the exchange once; what comes later is not handed on. */
  const settle = (report: () => void) => {
    if (settled) return;
    settled = true;
    clearTimeout(late);
    watch.signal.removeEventListener("abort", abort);
    report();
    (response ?? request).destroy();
  };
  const fail = (error: unknown) => settle(() => reject(error as Error));
  const abort = () => fail(watch.signal.reason);
  const late = setTimeout(() => {
    const what = "connecting took too long";
    fail(step === "connect" ? new NotConnected("timeout", what) : new OutboundError("timeout", what));
  }, given.connect_ms);

  const send = (socket: Socket) => {
    clearTimeout(late);
    // The second wall: whatever became of the look-up, nothing is said to any other address.
    const reached = normalAddress(socket.remoteAddress ?? "");
    if (reached === undefined || reached !== normalAddress(address.address)) {
      return fail(new OutboundError("forbidden_address", "it leads to a private or reserved address"));
    }
    step = "answer";
    watch.step("the answer's first byte", given.first_byte_ms);
    request.end(given.body);
  };
  request.on("socket", (socket) => {
    socket.once("connect", () => {
      if (target.secure) step = "secure";
      else send(socket);
    });
    if (target.secure) socket.once("secureConnect", () => send(socket));
  });
  // Without a listener Node would take it for an answer that nobody reads.
  request.on("upgrade", (_response, socket) => {
    socket.destroy();
    fail(new OutboundError("bad_response", "the server wants to speak another protocol"));
  });
  request.on("response", (answer) => {
    if (settled) return;
    response = answer;
    step = "body";
    let bytes = 0;
    const guard = (work: () => void) => {
      try {
        if (!settled) work();
      } catch (error) {
        fail(error);
      }
    };
    const waitForPiece = () => watch.step("the next piece of the body", given.idle_ms);
    const breakOff = () => fail(describeFailure(step, undefined));
    answer.on("error", breakOff);
    answer.on("close", breakOff);
    answer.on("end", () => (answer.complete ? settle(() => resolve(bytes)) : breakOff()));
    guard(() => {
      const take = given.onHead(answer.statusCode ?? 0, answer.headers);
      if (take === undefined) return settle(() => resolve(0));
      waitForPiece();
      answer.on("data", (piece: Uint8Array) =>
        guard(() => {
          waitForPiece();
          bytes += piece.length;
          take(piece);
          if (bytes > given.bytes_max) throw tooLarge(given.bytes_max);
        }),
      );
    });
  });
  // Once there is a response, its own events tell how it goes on.
  const end = (code: unknown) => {
    if (step !== "body") fail(describeFailure(step, code));
  };
  request.on("error", (error: Error & { code?: unknown }) => end(error.code));
  request.on("close", () => end(undefined));
  if (watch.signal.aborted) abort();
  else watch.signal.addEventListener("abort", abort, { once: true });
  return promise;
}

function openRequest(
  { url, secure, host, port }: Target,
  { address, family }: ResolvedAddress,
  { method, headers, body, ca }: Exchange,
): ClientRequest {
  checkHeaders(headers);
  // Asked with `all`, so the answer is a list. Never asked for a literal.
  const lookup: LookupFunction = (_name, _options, done) => done(null, [{ address, family }]);
  // As a URL writes it.
  const url_host = host.includes(":") ? `[${host}]` : host;
  const options: RequestOptions = {
    method,
    host,
    port,
    path: url.pathname + url.search,
    agent: false,
    lookup,
    maxHeaderSize: HEADER_BYTES_MAX,
    headers: {
      accept: "*/*",
      "user-agent": "Tonwerk",
      ...headers,
      host: url.port === "" ? url_host : `${url_host}:${port}`,
      "accept-encoding": "identity",
      connection: "close",
      ...(body === undefined ? {} : { "content-length": String(body.length) }),
    },
  };
  if (!secure) return httpRequest(options);
  return httpsRequest({
    ...options,
    // Said aloud, for an environment variable could turn it off.
    rejectUnauthorized: true,
    servername: isIP(host) === 0 ? host : "",
    ...(ca === undefined ? {} : { ca: typeof ca === "string" ? ca : [...ca] }),
  });
}

/** Names and values come from us; a line break in one would still be a second header. */
function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[a-z0-9-]+$/u.test(name) || !/^[\t\u0020-\u007e]*$/u.test(value)) {
      throw new TypeError(`Cannot send the header "${name}": its name or value has characters that are not allowed`);
    }
  }
}

export function tooLarge(bytes_max: number): OutboundError {
  return new OutboundError("too_large", `it has more than ${bytes_max.toLocaleString("en")} bytes`);
}

function describeFailure(step: Step, code: unknown): OutboundError {
  switch (step) {
    case "connect":
      return new NotConnected("unreachable", "it accepts no connection");
    case "secure":
      return new OutboundError("unreachable", "it accepts no TLS connection with a certificate of its name");
    case "answer":
      return code === "HPE_HEADER_OVERFLOW"
        ? new OutboundError("bad_response", `the server sent more than ${HEADER_BYTES_MAX} bytes of headers`)
        : new OutboundError("bad_response", "the server ended the connection without a valid HTTP answer");
    case "body":
      return new OutboundError("bad_response", "the server broke off before the end");
  }
}
