/**
 * The only file that names Bun or Deno: an HTTP server, signals, arguments, exit. Everything else is Web standard or
 * `node:`.
 */

import type { Peer } from "../../base/basics.ts";
import { createTurns } from "../../base/timers.ts";
import { bunTargetCheck, type CheckTarget, denoTargetCheck } from "./request_target.ts";

export interface ServeOptions {
  readonly hostname: string;
  /** 0: any free one. */
  readonly port: number;
  /**
   * Answers a request. Its URL can always be parsed: others are answered with 400 before this is called. What this
   * throws is printed and answered with 500, without a detail. `request.signal` aborts when the client goes away. On
   * Deno it also aborts when an answer has been sent, and its first use prints a notice (`--unstable-no-legacy-abort`
   * ends both).
   */
  readonly fetch: (request: Request, peer: Peer) => Response | Promise<Response>;
  /** Bun refuses larger bodies with 413 before `fetch` sees them. Deno does not, so routes count for themselves. */
  readonly body_bytes_max?: number;
  /** Bun closes a connection silent for this long, up to 255 s, even while `fetch` is at work; Deno does not. */
  readonly idle_seconds?: number;
}

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
  readonly remoteAddr: { readonly hostname: string };
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
  const { hostname, port, fetch, body_bytes_max = BODY_BYTES_MAX, idle_seconds = IDLE_SECONDS } = options;
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
    fetch: (request, server) => answer(fetch, checkTarget, request, new BunPeer(request, server)),
    error: slippedThrough,
  });
  return { port: server.port, stop: () => server.stop() };
}

function serveDeno({ hostname, port, fetch }: ServeOptions): { port: number; stop(): Promise<void> } {
  if (deno === undefined) throw new Error("Cannot serve: this is neither Bun nor Deno");
  const checkTarget = denoTargetCheck();
  const server = deno.serve({ hostname, port, onListen: () => undefined, onError: slippedThrough }, (request, info) =>
    afterUnreadChunks(request, answer(fetch, checkTarget, request, new DenoPeer(info))),
  );
  return { port: server.addr.port, stop: () => server.shutdown() };
}

/**
 * Deno takes a request's chunks apart even if nobody reads them: 3 ms for 400 KB in single bytes. Answers to such
 * requests take turns.
 */
function afterUnreadChunks(request: Request, response: Response | Promise<Response>): Response | Promise<Response> {
  if (request.headers.get("transfer-encoding") === null) return response;
  return Promise.resolve(response).then(async (response) => {
    if (!request.bodyUsed) await turnOfUnreadChunks();
    return response;
  });
}

const turnOfUnreadChunks = createTurns(30);

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
  checkTarget: CheckTarget,
  sent: Request,
  peer: Peer,
): Response | Promise<Response> {
  try {
    const request = checkTarget(sent);
    if (request === undefined) return malformed();
    const response = fetch(request, peer);
    return response instanceof Promise ? response.catch((error: unknown) => failed(request, error)) : response;
  } catch (error) {
    return failed(sent, error);
  }
}

/** Like any mistake of a client. The connection ends, because what follows may belong to the mistake. */
function malformed(): Response {
  const detail = "Malformed request: Host and target must make a URL";
  return Response.json({ detail }, { status: 400, headers: { ...ERROR_HEADERS, connection: "close" } });
}

function failed(request: Request, error: unknown): Response {
  // Only the path: the query of a signed URL is a secret.
  console.error(`Cannot answer ${request.method} ${URL.parse(request.url)?.pathname ?? ""}:`, error);
  return internalError();
}

/** For errors that the runtime throws outside of `answer`. It replaces the runtime's own error page. */
function slippedThrough(error: unknown): Response {
  console.error("Cannot answer a request:", error);
  return internalError();
}

function internalError(): Response {
  return Response.json({ detail: "Internal error" }, { status: 500, headers: ERROR_HEADERS });
}

const ERROR_HEADERS = { "cache-control": "no-store", "x-content-type-options": "nosniff" } as const;

/**
 * Part of a file, as a body that is sent with its length: Bun sends every stream in chunks, whatever `content-length` says. Undefined on Deno,
 * which sends a stream as the header says, and would read the whole file for a Blob.
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
      console.error("Cannot stop in order:", error);
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

/** The arguments after the file's name on the command line. */
export const args: readonly string[] = process.argv.slice(2);

export const runtime: { readonly name: "bun" | "deno"; readonly version: string } =
  bun === undefined
    ? { name: "deno", version: deno?.version.deno ?? "unknown" }
    : { name: "bun", version: bun.version };
