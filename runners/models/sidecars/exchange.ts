/**
 * One HTTP request to a server that an operator named. Every connection serves one request and is closed with it: whoever sees it close may stop.
 * Redirects are not followed, nothing is decompressed, and each piece goes to its taker as it comes, so that nothing piles up here.
 */
import { readFileSync } from "node:fs";
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { quote, SidecarFault, wrong } from "./fault.ts";
import { type Address, addressOf } from "./manifest.ts";

export interface Place {
  readonly url: string;
  readonly token_file?: string | undefined;
}

export interface Asked {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** The longest silence before the answer and within it. */
  readonly silence_ms: number;
  /** Of all of it: whoever sends a byte now and then is never silent. Absent: the pool's limit is enough. */
  readonly ms_max?: number;
  readonly signal: AbortSignal;
}

/** Takes an answer's body. */
export interface Taker {
  /** Must be done with a piece at once. True: it has all that it wants. What it throws ends the exchange. */
  take(piece: Uint8Array): boolean;
  /** The body is complete. */
  end(): void;
}

type Head = (status: number, headers: IncomingHttpHeaders) => Taker;

const HEADER_BYTES_MAX = 16_384;
const TOKEN_BYTES_MAX = 4096;

/** Rejects with a `SidecarFault`, with what a taker throws, and with the signal's reason where that is aborted. */
export function exchange(place: Place, asked: Asked, onHead: Head): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const { signal, silence_ms, ms_max } = asked;
  if (signal.aborted) return Promise.reject(signal.reason as Error);
  const request = open(place, asked);
  let response: IncomingMessage | undefined;
  let is_settled = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const settle = (report: () => void): void => {
    if (is_settled) return;
    is_settled = true;
    clearTimeout(timer);
    clearTimeout(late);
    signal.removeEventListener("abort", abort);
    report();
    response?.destroy();
    request.destroy();
  };
  const fail = (error: unknown): void => settle(() => reject(error as Error));
  const abort = (): void => fail(signal.reason);
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => fail(new SidecarFault("lost", `it said nothing for ${silence_ms / 1000} s`)), silence_ms);
  };
  const late =
    ms_max === undefined ? undefined : setTimeout(() => fail(wrong(`it took more than ${ms_max / 1000} s`)), ms_max);
  const guard = (work: () => void): void => {
    if (is_settled) return;
    try {
      work();
    } catch (error) {
      fail(error);
    }
  };
  const breakOff = (): void => fail(new SidecarFault("lost", "its answer broke off"));

  // Without a listener Node would take it for an answer that nobody reads.
  request.on("upgrade", (_answer, socket) => {
    socket.destroy();
    fail(wrong("it wants to speak another protocol"));
  });
  request.on("response", (answer) => {
    if (is_settled) return answer.destroy();
    response = answer;
    answer.on("error", breakOff);
    answer.on("close", breakOff);
    guard(() => {
      wait();
      const taker = onHead(answer.statusCode ?? 0, answer.headers);
      answer.on("end", () =>
        guard(() => {
          if (!answer.complete) return breakOff();
          taker.end();
          settle(resolve);
        }),
      );
      answer.on("data", (piece: Uint8Array) =>
        guard(() => {
          wait();
          if (taker.take(piece)) settle(resolve);
        }),
      );
    });
  });
  request.on("error", (error: Error & { code?: string }) => {
    if (response !== undefined) return;
    const is_away = ["ECONNREFUSED", "ENOENT", "ENOTFOUND", "EHOSTUNREACH", "ENETUNREACH", "EAI_AGAIN"].includes(
      error.code ?? "",
    );
    // Runtimes name a refused connection differently.
    const refused = is_away || /refused|unable to connect|ConnectionRefused/iu.test(`${error.code} ${error.message}`);
    fail(
      refused
        ? new SidecarFault("away", "nobody answers at its address")
        : new SidecarFault("lost", "the connection broke"),
    );
  });
  request.on("close", () => {
    if (response === undefined) fail(new SidecarFault("lost", "the connection closed before an answer came"));
  });
  signal.addEventListener("abort", abort, { once: true });
  wait();
  request.end(asked.body);
  return promise;
}

function open(place: Place, { method, path, headers = {}, body }: Asked) {
  const { secure, socket, host, port, base } = addressOf(place.url) as Address;
  const token = place.token_file === undefined ? undefined : readToken(place.token_file);
  const options = {
    method,
    path: `${base}${path}`,
    agent: false as const,
    maxHeaderSize: HEADER_BYTES_MAX,
    headers: {
      accept: "*/*",
      "user-agent": "Tonwerk",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
      "accept-encoding": "identity",
      connection: "close",
      ...(body === undefined && method !== "POST" ? {} : { "content-length": String(body?.length ?? 0) }),
    },
    ...(socket === undefined ? { host, ...(port === "" ? {} : { port }) } : { socketPath: socket }),
  };
  return secure ? httpsRequest(options) : httpRequest(options);
}

function readToken(path: string): string {
  let token: string;
  try {
    token = readFileSync(path, "utf8").trim();
  } catch (error) {
    throw wrong(`its token cannot be read: ${(error as Error).message}`);
  }
  if (token.length > TOKEN_BYTES_MAX || !/^[\u0021-\u007e]+$/u.test(token))
    throw wrong("its token is none: one line of visible characters is expected");
  return token;
}

/** What every taker is told of first: a body in a coding would be what its length does not say. */
export function checkCoding(headers: IncomingHttpHeaders): void {
  const coding = headers["content-encoding"];
  if (coding !== undefined && coding !== "identity") throw wrong(`its answer is compressed (${quote(coding)})`);
}

/** Gathers a body of at most `bytes_max`. */
export class Body implements Taker {
  readonly #bytes_max: number;
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(headers: IncomingHttpHeaders, bytes_max: number) {
    checkCoding(headers);
    const told = Number(headers["content-length"] ?? 0);
    if (told > bytes_max) throw wrong(`its answer has ${told} bytes, at most ${bytes_max} are taken`);
    this.#bytes_max = bytes_max;
  }

  take(piece: Uint8Array): boolean {
    this.#bytes += piece.length;
    if (this.#bytes > this.#bytes_max) throw wrong(`its answer has more than ${this.#bytes_max} bytes`);
    this.#pieces.push(piece.slice());
    return false;
  }

  end(): void {}

  bytes(): Uint8Array {
    const whole = new Uint8Array(this.#bytes);
    let at = 0;
    for (const piece of this.#pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    return whole;
  }

  text(): string {
    return new TextDecoder().decode(this.bytes());
  }

  json(): unknown {
    try {
      return JSON.parse(this.text());
    } catch {
      throw wrong(`its answer is not JSON: ${quote(this.text())}`);
    }
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
}

/** The whole answer, whatever its status but a redirect. */
export async function fetchWhole(place: Place, asked: Asked, bytes_max: number): Promise<Answer> {
  let answer: Answer | undefined;
  await exchange(place, asked, (status, headers) => {
    if (status >= 300 && status < 400) throw wrong(`it answers ${status}, a redirect, which is not followed`);
    answer = { status, headers, body: new Body(headers, bytes_max) };
    return answer.body;
  });
  return answer!;
}

/** A refusal by its status; what it says of it goes to the log. */
export function refusalOf({ status, headers, body }: Answer): SidecarFault {
  const said = body.text();
  const what = said === "" ? "" : `: ${quote(messageIn(said))}`;
  if (status === 401 || status === 403) return wrong(`it refuses our token (${status})${what}`);
  if (status === 409 || status === 429 || (status === 503 && headers["retry-after"] !== undefined))
    return new SidecarFault("busy", `it is busy (${status})${what}`);
  return wrong(`it answers ${status}${what}`);
}

function messageIn(said: string): string {
  try {
    const { error, detail } = JSON.parse(said) as { error?: unknown; detail?: unknown };
    const of = (error as { message?: unknown } | null)?.message ?? error ?? detail;
    return typeof of === "string" ? of : said;
  } catch {
    return said;
  }
}
