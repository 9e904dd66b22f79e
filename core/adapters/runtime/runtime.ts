/**
 * The only file that names Bun or Deno: an HTTP server, signals, arguments, exit. Everything else is Web standard or
 * `node:`.
 */

import type { Peer } from "../../base/basics.ts";
import { Refusal, refuse } from "../../base/errors.ts";
import { createLog, describeError } from "../../base/log.ts";
import { createTurns } from "../../base/timers.ts";
import { createPipelineGuard } from "./pipeline_guard.ts";
import { bunTargetCheck, type CheckTarget, denoTargetCheck } from "./request_target.ts";

export interface ServeOptions {
  readonly hostname: string;
  /** 0: any free one. */
  readonly port: number;
  /**
   * Answers a request. Its URL can always be parsed: others are answered with 400 before this is called. What this
   * throws is left to `fault`. `request.signal` aborts when the client goes away. On
   * Deno it also aborts when an answer has been sent, and its first use prints a notice (`--unstable-no-legacy-abort`
   * ends both).
   */
  readonly fetch: (request: Request, peer: Peer) => Response | Promise<Response>;
  /**
   * Answers for whatever `fetch` cannot. Absent: with status and code alone, and a line of JSON on standard error for
   * what is our fault.
   */
  readonly fault?: AnswerFault;
  /** Bun refuses larger bodies with 413 before `fetch` sees them. Deno does not, so routes count for themselves. */
  readonly body_bytes_max?: number;
  /** Bun closes a connection silent for this long, up to 255 s, even while `fetch` is at work; Deno does not. */
  readonly idle_seconds?: number;
}

/**
 * `error`: a Refusal where target and `Host` make no URL, otherwise what was thrown. `sent`: the request, where there
 * is one.
 */
type AnswerFault = (error: unknown, sent?: Request) => Response;

export interface Server {
  readonly port: number;
  /** Without a slash at the end. */
  readonly url: string;
  /** Accepts no more requests, and resolves when those in flight are answered. */
  stop(): Promise<void>;
}

// The route of uploads refuses what is over 50 MB, with a reason; this limit is for bodies without a route.
const BODY_BYTES_MAX = 64_000_000;
// Above the specification's long poll of 20 s, during which nothing is sent.
const IDLE_SECONDS = 30;

// The parts of either runtime that are used. No other file finds the rest through its types.
interface BunServer {
  readonly port: number;
  requestIP(request: Request): { readonly address: string } | null;
  stop(now?: boolean): Promise<void>;
}
interface BunRuntime {
  readonly version: string;
  file(path: string): Blob;
  serve(options: {
    hostname: string;
    port: number;
    idleTimeout: number;
    maxRequestBodySize: number;
    development: false;
    reusePort: false;
    fetch(request: Request, server: BunServer): Response | Promise<Response>;
    error(error: unknown): Response;
  }): BunServer;
}
interface DenoInfo {
  readonly remoteAddr: { readonly hostname: string; readonly port: number };
}
interface DenoRuntime {
  readonly version: { readonly deno: string };
  serve(
    options: { hostname: string; port: number; onListen(): void; onError(error: unknown): Response },
    handler: (request: Request, info: DenoInfo) => Response | Promise<Response>,
  ): { readonly addr: { readonly port: number }; shutdown(): Promise<void> };
}
const { Bun: bun, Deno: deno } = globalThis as { Bun?: BunRuntime; Deno?: DenoRuntime };

/** Rejects with an error that says so if the port is taken. */
export async function serve(options: ServeOptions): Promise<Server> {
  const { hostname, port } = options;
  try {
    const { port: actual, stop } = bun === undefined ? serveDeno(options) : serveBun(bun, options);
    const host = hostname.includes(":") ? `[${hostname}]` : hostname;
    return { port: actual, url: `http://${host}:${actual}`, stop };
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== "EADDRINUSE") throw cause;
    throw new Error(`Cannot listen on ${hostname}:${port}: the port is taken`, { cause });
  }
}

function serveBun(bun: BunRuntime, options: ServeOptions): { port: number; stop(): Promise<void> } {
  const { hostname, port, body_bytes_max = BODY_BYTES_MAX, idle_seconds = IDLE_SECONDS } = options;
  const { fetch, fault = plainFault } = options;
  const checkTarget = bunTargetCheck();
  const server = bun.serve({
    hostname,
    port,
    idleTimeout: idle_seconds,
    maxRequestBodySize: body_bytes_max,
    // Development pages would show the working folder, source and stack.
    development: false,
    // The default outside of development lets two servers take one port.
    reusePort: false,
    fetch: (request, server) => answer(fetch, fault, checkTarget, request, new BunPeer(request, server)),
    // In place of the runtime's own page.
    error: (error) => fault(error),
  });
  return { port: server.port, stop: () => server.stop() };
}

function serveDeno({ hostname, port, fetch, fault = plainFault }: ServeOptions): {
  port: number;
  stop(): Promise<void>;
} {
  if (deno === undefined) throw new Error("Cannot serve: this is neither Bun nor Deno");
  const checkTarget = denoTargetCheck();
  const onError = (error: unknown): Response => (error === HANG_UP ? new Response() : fault(error));
  const guard = createPipelineGuard(HANG_UP);
  const server = deno.serve({ hostname, port, onListen: () => undefined, onError }, (request, info) => {
    const response = answer(fetch, fault, checkTarget, request, new DenoPeer(info));
    if (request.headers.get("transfer-encoding") !== null) return settleChunks(request, response);
    if (!(response instanceof Promise)) return response;
    // Whose body is still coming has bytes on the way.
    if (Number(request.headers.get("content-length")) > SMALL_BODY) return response;
    const remote = info.remoteAddr;
    const refused = (): Promise<Response> =>
      hangUpAfter(fault(refuse.malformed("Nothing may be sent behind a request that waits"), request));
    return guard
      .untilAnswered(remote, response, refused)
      .then((answered) =>
        SENT_AT_ONCE.test(answered.headers.get("content-type") ?? "") ? answered : guard.untilSent(remote, answered),
      );
  });
  return { port: server.addr.port, stop: () => server.shutdown() };
}

/** Bytes of a body that come with their request, or soon after. */
const SMALL_BODY = 65_536;
/** Answers that are made whole. All others may be sent for as long as their reader likes. */
const SENT_AT_ONCE = /^(?:application\/json|text\/(?:html|css|javascript))/;

/**
 * After an answer, Deno takes the rest of a request's chunks apart. If the body was read in part, all that has arrived
 * is moved for each chunk: 0.1 s of the event loop for 786 KB in single bytes. So the connection ends with the refusal.
 * A body that nobody touched costs 3 ms, and its sender may want to send it all before it reads the answer, so these
 * answers take turns.
 */
async function settleChunks(request: Request, answering: Response | Promise<Response>): Promise<Response> {
  const response = await answering;
  if (request.bodyUsed) return response.status < 400 ? response : hangUpAfter(response);
  await turnOfUnreadChunks();
  return response;
}

const turnOfUnreadChunks = createTurns(30);

/** Deno ends a connection at once only if the body of an answer fails. This one does so when all of it is sent. */
async function hangUpAfter(response: Response): Promise<Response> {
  const bytes = await response.bytes();
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(bytes),
      pull: (controller) => controller.error(HANG_UP),
    },
    { highWaterMark: 0 },
  );
  const headers = new Headers(response.headers);
  headers.set("content-length", String(bytes.length));
  headers.set("connection", "close");
  return new Response(body, { status: response.status, headers });
}

/** Not a fault: nothing is logged. */
const HANG_UP = new Error("The answer is sent");

/** The address is read only if an account has an allowlist, because reading it costs as much as routing. */
class BunPeer implements Peer {
  readonly #request: Request;
  readonly #server: BunServer;
  constructor(request: Request, server: BunServer) {
    this.#request = request;
    this.#server = server;
  }
  get address(): string {
    return plainAddress(this.#server.requestIP(this.#request)?.address ?? "");
  }
}

class DenoPeer implements Peer {
  readonly #info: DenoInfo;
  constructor(info: DenoInfo) {
    this.#info = info;
  }
  get address(): string {
    try {
      return plainAddress(this.#info.remoteAddr.hostname);
    } catch {
      // Deno throws once the request is answered. Inside a callback that would end the process.
      return "";
    }
  }
}

const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");

// No `await`: each costs every request a promise and a turn of the microtask queue.
function answer(
  fetch: ServeOptions["fetch"],
  fault: AnswerFault,
  checkTarget: CheckTarget,
  sent: Request,
  peer: Peer,
): Response | Promise<Response> {
  try {
    const request = checkTarget(sent);
    if (request === undefined) {
      const refused = fault(refuse.malformed("Host and target must make a URL"), sent);
      // What follows may belong to the mistake.
      refused.headers.set("connection", "close");
      return refused;
    }
    const response = fetch(request, peer);
    return response instanceof Promise ? response.catch((error: unknown) => fault(error, request)) : response;
  } catch (error) {
    return fault(error, sent);
  }
}

const log = createLog((line) => process.stderr.write(`${line}\n`));

const plainFault: AnswerFault = (error, sent) => {
  const refusal = error instanceof Refusal ? error : refuse.internal();
  if (refusal !== error) {
    // Only the path: the query of a signed URL is a secret.
    const path = URL.parse(sent?.url ?? "")?.pathname;
    log("http.error", { method: sent?.method, path, error: describeError(error) });
  }
  return Response.json(refusal.body, { status: refusal.status, headers: ERROR_HEADERS });
};

const ERROR_HEADERS = { "cache-control": "no-store", "x-content-type-options": "nosniff" } as const;

/**
 * Part of a file, as a body that is sent with its length: Bun sends every stream in chunks, whatever `content-length`
 * says. Undefined on Deno, which sends a stream as the header says, and would read the whole file for a Blob.
 */
export function fileBody(path: string, start: number, length: number): Blob | undefined {
  return bun?.file(path).slice(start, start + length);
}

/**
 * Calls `handler` once, on the first SIGTERM or SIGINT. A second signal, or a handler that throws, ends the process at
 * once with exit code 1. The returned function stops listening.
 */
export function onStop(handler: () => void | Promise<void>): () => void {
  let stopping = false;
  const listener = async (): Promise<void> => {
    if (stopping) exit(1);
    stopping = true;
    try {
      await handler();
    } catch (error) {
      log("service.error", { error: describeError(error) });
      exit(1);
    }
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return () => {
    for (const signal of SIGNALS) process.off(signal, listener);
  };
}

const SIGNALS = ["SIGTERM", "SIGINT"] as const;

/** Ends the process now, whatever still runs. Deno would otherwise wait for its threads. */
export function exit(code: number): never {
  process.exit(code);
}

/** Arguments that make this runtime's program run a file, as the service itself runs, or the tests in one. */
export const argsFor: { run(file: string): readonly string[]; test(file: string): readonly string[] } =
  bun === undefined
    ? {
        run: (file) => ["run", "-A", "--no-check", "--unstable-no-legacy-abort", file],
        test: (file) => ["test", "-A", "--no-check", "--quiet", file],
      }
    : { run: (file) => ["run", file], test: (file) => ["test", "--timeout", "60000", file] };

/** The arguments after the file's name on the command line. */
export const args: readonly string[] = process.argv.slice(2);

/**
 * `needs_proxy`: its server has no limit for headers that trickle in, nor, except on Linux, for bytes behind a request
 * that waits (docs/deploying.md).
 */
export const runtime: {
  readonly name: "bun" | "deno";
  readonly version: string;
  readonly needs_proxy: boolean;
} =
  bun === undefined
    ? { name: "deno", version: deno?.version.deno ?? "unknown", needs_proxy: true }
    : { name: "bun", version: bun.version, needs_proxy: false };
