/**
 * One HTTP request to one address that was judged before, by `node:https` with a pinned look-up. Not by `fetch`: there a name is resolved a
 * second time, and what that finds is not ours to see.
 */
import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { normalAddress } from "../base/addresses.ts";
import { type Body, collect } from "./body.ts";
import { OutboundError } from "./error.ts";
import type { ResolvedAddress, Target } from "./target.ts";
import type { Watch } from "./watch.ts";

export interface Message {
  readonly method: "GET" | "POST";
  /** Lower-case names. Host, length, connection and accepted encodings are ours. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** How much of the answer's body is taken. */
  readonly bytes_max: number;
}

export interface ExchangeLimits {
  readonly connect_ms: number;
  readonly first_byte_ms: number;
}

/** The head of an answer, and its body to be read. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
  /** Ends the connection, which serves this one request. Must be called. */
  close(): void;
}

/** Bytes of all header lines together. */
const HEADER_BYTES_MAX = 16_384;

/** Tries the addresses in turn, each once. Resolves when the head of the answer is there. Rejects with OutboundError. */
export async function exchange(
  target: Target,
  message: Message,
  limits: ExchangeLimits,
  watch: Watch,
  ca: string | readonly string[] | undefined,
): Promise<Answer> {
  const deadline = Date.now() + limits.connect_ms;
  watch.step("connecting", limits.connect_ms);
  for (const [index, address] of target.addresses.entries()) {
    const left = target.addresses.length - index;
    try {
      // A fair share of the time: an address that swallows packets leaves some for the others.
      const share_ms = Math.max(1, (deadline - Date.now()) / left);
      return await attempt(target, address, message, { ...limits, connect_ms: share_ms }, watch, ca);
    } catch (error) {
      if (left === 1 || !(error instanceof NotConnected) || watch.signal.aborted) throw error;
    }
  }
  throw new OutboundError("unreachable", "its host name does not resolve");
}

/** This address let nobody in; another one of the same name may. */
class NotConnected extends OutboundError {}

function attempt(
  target: Target,
  { address, family }: ResolvedAddress,
  { method, headers, body, bytes_max }: Message,
  { connect_ms, first_byte_ms }: ExchangeLimits,
  watch: Watch,
  ca: string | readonly string[] | undefined,
): Promise<Answer> {
  const { url, secure, host, port } = target;
  checkHeaders(headers);
  // Asked with `all`, so the answer is a list. Never asked for a literal.
  const lookup: LookupFunction = (_name, _options, done) => done(null, [{ address, family }]);
  const options = {
    method,
    host,
    port,
    path: url.pathname + url.search,
    agent: false as const,
    lookup,
    maxHeaderSize: HEADER_BYTES_MAX,
    headers: {
      accept: "*/*",
      "user-agent": "Tonwerk",
      ...headers,
      host: url.port === "" ? urlHost(host) : `${urlHost(host)}:${port}`,
      "accept-encoding": "identity",
      connection: "close",
      ...(body === undefined ? {} : { "content-length": String(body.length) }),
    },
  };
  const tls = {
    // Said aloud, for an environment variable could turn it off.
    rejectUnauthorized: true,
    servername: isIP(host) === 0 ? host : "",
    ...(ca === undefined ? {} : { ca: typeof ca === "string" ? ca : [...ca] }),
  };
  return new Promise((resolve, reject) => {
    let step: "connect" | "secure" | "answer" = "connect";
    let settled = false;
    const request: ClientRequest = secure ? httpsRequest({ ...options, ...tls }) : httpRequest(options);
    const fail = (error: OutboundError) => {
      if (settled) return;
      settled = true;
      clearTimeout(late);
      watch.signal.removeEventListener("abort", abort);
      reject(error);
      request.destroy();
    };
    const abort = () => fail(watch.signal.reason as OutboundError);
    const late = setTimeout(() => {
      const what = "connecting took too long";
      fail(step === "connect" ? new NotConnected("timeout", what) : new OutboundError("timeout", what));
    }, connect_ms);

    const connected = (socket: Socket) => {
      clearTimeout(late);
      // The second wall: whatever became of the look-up, nothing is said to any other address.
      const reached = normalAddress(socket.remoteAddress ?? "");
      if (reached === undefined || reached !== normalAddress(address)) {
        fail(new OutboundError("forbidden_address", "it leads to a private or reserved address"));
        return;
      }
      step = "answer";
      watch.step("the answer's first byte", first_byte_ms);
      request.end(body);
    };
    request.on("socket", (socket) => {
      socket.once("connect", () => {
        if (secure) step = "secure";
        else connected(socket);
      });
      if (secure) socket.once("secureConnect", () => connected(socket));
    });
    // Without a listener Node would take it for an answer that nobody reads.
    request.on("upgrade", (_response, socket) => {
      socket.destroy();
      fail(new OutboundError("bad_response", "the server wants to speak another protocol"));
    });
    request.on("response", (response) => {
      if (settled) return;
      settled = true;
      watch.signal.removeEventListener("abort", abort);
      const close = () => void response.destroy();
      const { statusCode = 0, headers } = response;
      resolve({ status: statusCode, headers, body: collect(response, bytes_max), close });
    });
    request.on("error", (error: Error & { code?: unknown }) => fail(describe(step, error.code)));
    request.on("close", () => fail(describe(step, undefined)));
    if (watch.signal.aborted) abort();
    else watch.signal.addEventListener("abort", abort, { once: true });
  });
}

function describe(step: "connect" | "secure" | "answer", code: unknown): OutboundError {
  switch (step) {
    case "connect":
      return new NotConnected("unreachable", "it accepts no connection");
    case "secure":
      return new OutboundError("unreachable", "it accepts no TLS connection with a certificate of its name");
    case "answer":
      return code === "HPE_HEADER_OVERFLOW"
        ? new OutboundError("bad_response", `the server sent more than ${HEADER_BYTES_MAX} bytes of headers`)
        : new OutboundError("bad_response", "the server ended the connection without a valid HTTP answer");
  }
}

/** As a URL writes it. */
function urlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** Names and values come from us; a line break in one would still be a second header. */
function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[a-z0-9-]+$/u.test(name) || !/^[\t\u0020-\u007e]*$/u.test(value)) {
      throw new TypeError(`Cannot send the header "${name}": its name or value has characters that are not allowed`);
    }
  }
}
