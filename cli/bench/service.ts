/**
 * The installation that is measured: what it says of itself, and the few calls around a measurement, which obey its
 * limits.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

export interface Account {
  readonly credits: number;
  readonly limits: {
    readonly put_per_minute: number;
    readonly get_per_minute: number;
    readonly long_polls: number;
    readonly uploads_open: number;
    readonly upload_bytes: { readonly limit: number; readonly used: number };
    readonly free_seconds: { readonly limit: number; readonly used: number };
  };
  readonly key: {
    readonly test: boolean;
    readonly read_only: boolean;
    readonly actions: readonly string[] | null;
    readonly budget: { readonly credits: number; readonly used: number } | null;
  };
}

export interface Operation {
  readonly id: string;
  readonly status: "processing" | "ready" | "failed";
  readonly cost: number;
  readonly error?: { readonly code: string } | null;
  readonly output?: { readonly url: string; readonly bytes: number } | null;
  readonly outputs?: readonly { readonly url: string; readonly bytes: number }[] | null;
}

export interface Capabilities {
  readonly version: string;
  readonly actions: readonly { readonly name: string; readonly cost: number; readonly output: string }[];
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers of a server; what is read of them is checked where it is used
  readonly body: any;
}

/** One call for set-up and clean-up. A 429 is waited for, within `patience_ms`; everything else is the caller's. */
export type Call = (
  method: string,
  path: string,
  body?: object | Uint8Array<ArrayBuffer>,
  patience_ms?: number,
) => Promise<Reply>;

export function openService(url: string, key: string): Call {
  return async (method, path, body, patience_ms = 90_000) => {
    const until = performance.now() + patience_ms;
    for (;;) {
      const isJson = body !== undefined && !(body instanceof Uint8Array);
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, ...(isJson && { "content-type": "application/json" }) },
        ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
        signal: AbortSignal.timeout(60_000),
      });
      const text = await response.text();
      const wait_ms = 1_000 * Number(response.headers.get("retry-after") ?? 1);
      if (response.status !== 429 || performance.now() + wait_ms > until)
        return { status: response.status, headers: response.headers, body: readJson(text) };
      await sleep(wait_ms);
    }
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Throws with what was tried and what came instead. */
export async function must(
  call: Call,
  method: string,
  path: string,
  body?: object | Uint8Array<ArrayBuffer>,
): Promise<Reply> {
  const reply = await call(method, path, body);
  if (reply.status < 300) return reply;
  throw new Error(`Cannot ${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
}

export async function uploadFile(call: Call, file: Uint8Array<ArrayBuffer>): Promise<{ id: string; url: string }> {
  return (await must(call, "PUT", "/v1/files?name=benchmark", file)).body.file;
}

/** An accepted submission as it was sent, and its operation. */
export interface Submitted {
  readonly path: string;
  readonly body: string;
  readonly operation: Operation;
}

export async function submit(call: Call, path: string, fields: object): Promise<Submitted> {
  const request = { idempotency_key: randomUUID(), ...fields };
  const { body } = await must(call, "PUT", path, request);
  return { path, body: JSON.stringify(request), operation: inside(body) };
}

/** Long-polls until the end, at most `seconds`. */
export async function awaitEnd(call: Call, { path, operation }: Submitted, seconds: number): Promise<Operation> {
  const until = performance.now() + 1_000 * seconds;
  let now = operation;
  while (now.status === "processing" && performance.now() < until)
    now = inside((await must(call, "GET", `${path}?id=${operation.id}&wait=true`)).body);
  return now;
}

/** What stands inside the wrapper of an answer. */
const inside = (body: object): Operation => Object.values(body)[0] as Operation;
