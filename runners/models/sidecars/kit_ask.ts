/** What the test kit asks of a server, and what it expects of the answer. */

import { sleep } from "../sleep.ts";
import { Body, exchange, fetchWhole } from "./exchange.ts";
import { quote, wrong } from "./fault.ts";
import type { SidecarManifest } from "./manifest.ts";
import { lookOf } from "./own.ts";
import { HEALTH_BYTES_MAX, LOOK_MS } from "./speaker.ts";
import type { SidecarFacts } from "./types.ts";

/** Whoever is told to stop has stopped by then. */
export const STOP_MS = 5000;
/** The protocol asks for a line every 10 s. */
export const SILENCE_MS = 10_000;

export interface Kit {
  readonly manifest: SidecarManifest;
  readonly facts: SidecarFacts;
  readonly signal: AbortSignal;
}

interface Attempt {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly body?: Uint8Array;
  readonly type?: string;
  /** Without the token. */
  readonly is_stranger?: true;
}

/** Rejects where the answer's status is not this, before its body is read. */
export async function expectStatus(kit: Kit, attempt: Attempt, status: number): Promise<Body> {
  const { method, path, body, type = "application/json", is_stranger } = attempt;
  const place = is_stranger === true ? { url: kit.manifest.url } : kit.manifest;
  const headers = body === undefined ? {} : { "content-type": type };
  const asked = { method, path, headers, silence_ms: SILENCE_MS, signal: kit.signal };
  let taken: Body | undefined;
  await exchange(place, body === undefined ? asked : { ...asked, body }, (found, head) => {
    if (found !== status) throw wrong(`it answers ${found}, expected ${status}`);
    taken = new Body(head, HEALTH_BYTES_MAX);
    return taken;
  });
  return taken!;
}

export async function refuses(kit: Kit, attempt: Attempt, status: number): Promise<void> {
  const body = await expectStatus(kit, attempt, status);
  const { error } = Object(body.json()) as { error?: { code?: unknown; message?: unknown } };
  if (typeof error?.code !== "string" || typeof error.message !== "string")
    throw wrong(`it answers ${quote(body.text())}, expected { "error": { "code", "message" } }`);
}

export async function untilState(kit: Kit, states: readonly string[], ms_max = STOP_MS): Promise<void> {
  const until = performance.now() + ms_max;
  for (;;) {
    const answer = await fetchWhole(
      kit.manifest,
      { method: "GET", path: "/v1/health", signal: kit.signal, silence_ms: LOOK_MS },
      HEALTH_BYTES_MAX,
    );
    const { state } = lookOf(answer.body.json());
    if (states.includes(state)) return;
    if (performance.now() > until)
      throw wrong(`it is ${state} after ${ms_max / 1000} s, expected ${states.join(" or ")}`);
    await sleep(50, kit.signal);
  }
}
