/**
 * Saturation by wrk, a closed loop: as many requests as the server answers with so many connections open. Its latencies say how long the
 * line is, not how long a client at a lower rate would wait; for that there are the open scenarios.
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { cpuSecondsOf, cpuSecondsOfChildren } from "../measure.ts";
import type { Target } from "./servers.ts";

export type Mode = "submit" | "replay" | "status";
export const MODES: readonly Mode[] = ["submit", "replay", "status"];

export interface Saturation {
  readonly target: string;
  readonly mode: Mode;
  readonly accounts: number;
  readonly connections: number;
  readonly per_second: number;
  /** Processor time of the server's process, all its threads, for a request: what a busy machine changes least. */
  readonly cpu_us: number;
  /** The same of wrk: it has one thread, so 1e6 divided by this is what it could ask for at most. */
  readonly generator_us: number;
  readonly errors: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
  readonly max_ms: number;
}

export const ACTION = "/v1/adapt.normalise_loudness";
const SCRIPT = fileURLToPath(new URL("./wrk.lua", import.meta.url));
/** Enough that every shared commit has company, few enough that the line stays short. */
const CONNECTIONS = 128;
/** Operations that replays and reads turn around. */
const STORED = 100;
/** Before the clock starts, for every target alike: in the first seconds of a process its compiler takes more than its requests do. */
const WARM_UP_SECONDS = 3;

/** What wrk.lua and pace.ts read from their environment. Stores the operations that replays and reads turn around. */
export async function requestsOf(
  target: Target,
  mode: Mode,
  accounts = target.keys.length,
): Promise<Readonly<Record<string, string>>> {
  const keys = target.keys.slice(0, accounts);
  const stored = mode === "submit" ? [] : await store(target.url, keys);
  return {
    MODE: mode,
    KEYS: keys.join(","),
    PATH_OF_ACTION: ACTION,
    IDS: stored.map(({ id }) => id).join(","),
    BODIES: stored.map(({ body }) => body).join("\n"),
  };
}

/** Resolves to what the server reached; rejects where wrk cannot run. `accounts`: how many of the target's keys take part. */
export async function saturate(
  target: Target,
  mode: Mode,
  seconds: number,
  accounts?: number,
  warm_up_s = WARM_UP_SECONDS,
): Promise<Saturation> {
  const env = await requestsOf(target, mode, accounts);
  await wrk(target.url, warm_up_s, env);
  const before_s = await cpuSecondsOf(target.process_id);
  const children_s = await cpuSecondsOfChildren();
  const found = JSON.parse(await wrk(target.url, seconds, env)) as Measured;
  const cpu_s = (await cpuSecondsOf(target.process_id)) - before_s;
  // Nobody else of our children ended meanwhile.
  const wrk_s = (await cpuSecondsOfChildren()) - children_s;
  const { requests, seconds: took_s, ...rest } = found;
  return {
    target: target.name,
    mode,
    accounts: accounts ?? target.keys.length,
    connections: CONNECTIONS,
    per_second: requests / took_s,
    cpu_us: (cpu_s * 1e6) / requests,
    generator_us: (wrk_s * 1e6) / requests,
    ...rest,
  };
}

/** Null where wrk is not installed. */
export async function findWrk(): Promise<string | null> {
  const { status } = await run("wrk", ["-v"], {}).catch(() => ({ status: null }));
  return status === null ? null : "wrk";
}

interface Measured {
  readonly requests: number;
  readonly seconds: number;
  readonly errors: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
  readonly max_ms: number;
}

async function wrk(url: string, seconds: number, env: Readonly<Record<string, string>>): Promise<string> {
  // One thread: it reaches several times what a server reaches here, and leaves it the other core.
  const args = ["--threads", "1", "--connections", String(CONNECTIONS), "--duration", `${seconds}s`];
  // Its 2 s would be errors of a slow disk, not of the server.
  args.push("--timeout", "30s");
  const { printed } = await run("wrk", [...args, "--latency", "--script", SCRIPT, url], env);
  const line = printed.split("\n").find((one) => one.startsWith("RESULT "));
  if (line === undefined) throw new Error(`Cannot read what wrk printed:\n${printed}`);
  return line.slice("RESULT ".length);
}

/** Submits what replays and reads need, in the order of the keys. */
async function store(url: string, keys: readonly string[]): Promise<readonly { id: string; body: string }[]> {
  return Promise.all(
    Array.from({ length: STORED }, async (_, index) => {
      const body = JSON.stringify({
        idempotency_key: randomUUID(),
        source: { url: "https://source.invalid/song.flac" },
      });
      const response = await fetch(url + ACTION, {
        method: "PUT",
        headers: { authorization: `Bearer ${keys[index % keys.length]}`, "content-type": "application/json" },
        body,
      });
      if (response.status !== 200) throw new Error(`Cannot submit to ${url}: ${await response.text()}`);
      const [operation] = Object.values((await response.json()) as Record<string, { id: string }>);
      return { id: operation?.id ?? "", body };
    }),
  );
}

function run(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ status: number | null; printed: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | null; printed: string }>();
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Uint8Array) => (printed += chunk.toString()));
  }
  child.on("error", reject);
  child.on("close", (status) => resolve({ status, printed }));
  return promise;
}
