/**
 * `bun bench/overhead.ts [operations=40] [seconds=8] [rounds=3]`: what the system adds to an operation, and what busy workers do to HTTP.
 *
 * 1. Idle: submissions of 1 s of sound one after the other, each followed by a long-poll. Overhead is the client's time from the first
 *    byte of the `PUT` to the last of the final answer, less the time that the pool had the job (decode, process, master, encode), plus the
 *    pool's own hand-over, measured with a runner that does nothing.
 * 2. Busy: requests at a fixed rate (open model, latency counted from the moment each was due), status reads and writes to the store in
 *    turn, first with idle workers, then with a backlog that keeps all of them at work; rounds in turn, the median of their ratios told.
 *    Clients of a service are elsewhere and are not slowed by its workers: this process asks the system for priority over them, in both
 *    halves alike, where it may (as root).
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { args, exit, runtime, serve } from "../core/adapters/runtime/runtime.ts";
import { loadConfig } from "../core/base/config.ts";
import { newApiKey } from "../core/base/keys.ts";
import { startService } from "../core/service.ts";
import { tone } from "../packages/plugin/testing.ts";
import { wav } from "../test/audio.ts";
import { freePort, startProcess } from "../test/process.ts";
import { echoThread } from "../test/runners/fixtures/pool_runners.ts";
import { median } from "./measure.ts";

const [operations = 40, seconds = 8, rounds = 3] = args.map(Number);
const PATH = "/v1/adapt.normalise_loudness";
/** Requests a second of each kind: far below what saturates, often enough for a p99. */
const RATE = 200;
/** Of `nice`. */
const GENERATOR_PRIORITY = -5;
/** What is asked in turn, as the table calls it. */
const KINDS = ["status reads", "writes to the store", "all"] as const;
const key = newApiKey();

interface Caller {
  upload(seconds: number): Promise<string>;
  submit(url: string): Promise<string>;
  /** Long-polls until it has ended. */
  end(id: string): Promise<void>;
  get(path: string): Promise<void>;
}

function caller(origin: string): Caller {
  const call = async (method: string, path: string, body?: BodyInit, type = "application/json"): Promise<unknown> => {
    const headers = { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { "content-type": type }) };
    const response = await fetch(origin + path, { method, headers, ...(body === undefined ? {} : { body }) });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
  const read = async (path: string) =>
    ((await call("GET", path)) as { normalised_audio: { status: string } }).normalised_audio.status;
  return {
    async upload(seconds) {
      const body = wav(tone(440, seconds).channels) as Uint8Array<ArrayBuffer>;
      return ((await call("PUT", "/v1/files", body, "audio/wav")) as { file: { url: string } }).file.url;
    },
    async submit(url) {
      const body = JSON.stringify({ idempotency_key: randomUUID(), source: { url } });
      return ((await call("PUT", PATH, body)) as { normalised_audio: { id: string } }).normalised_audio.id;
    },
    async end(id) {
      let status = "processing";
      while (status === "processing") status = await read(`${PATH}?id=${id}&wait=true`);
      if (status !== "ready") throw new Error(`Operation ${id} ended as ${status}`);
    },
    async get(path) {
      await call("GET", path);
    },
  };
}

const settings = (data: string): Record<string, string> => ({
  TONWERK_DATA: data,
  TONWERK_FIRST_KEY: key,
  TONWERK_FIRST_CREDITS: "1000000",
  TONWERK_PUT_PER_MINUTE: "0",
  TONWERK_GET_PER_MINUTE: "0",
  TONWERK_DRAIN_SECONDS: "0",
});

async function idle(): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), "tonwerk-overhead-"));
  const service = await startService(loadConfig(settings(data)), () => undefined);
  const server = await serve({ hostname: "127.0.0.1", port: 0, fetch: service.app });
  try {
    let pool_ms = 0;
    const { run } = service.pool;
    const timed: typeof run = async (...job) => {
      const began = performance.now();
      try {
        return await run(...job);
      } finally {
        pool_ms = performance.now() - began;
      }
    };
    Object.assign(service.pool, { run: timed });
    const client = caller(server.url);
    const url = await client.upload(1);
    const walls: number[] = [];
    const overheads: number[] = [];
    const handovers: number[] = [];
    for (let i = -5; i < operations; i++) {
      const began = performance.now();
      await client.end(await client.submit(url));
      const wall_ms = performance.now() - began;
      const in_pool_ms = pool_ms;
      const handed = performance.now();
      await run(echoThread, null, { signal: new AbortController().signal, ms_max: 10_000 });
      const handover_ms = performance.now() - handed;
      // The first ones start threads and compile.
      if (i < 0) continue;
      walls.push(wall_ms);
      handovers.push(handover_ms);
      overheads.push(wall_ms - in_pool_ms + handover_ms);
    }
    console.log(`${runtime.name} ${runtime.version}, ${operations} operations on 1 s of sound, one at a time`);
    for (const [what, values] of [
      ["whole operation", walls],
      ["of which the system", overheads],
      ["of which handing over to a thread and back", handovers],
    ] as const) {
      console.log(`  ${what.padEnd(46)} median ${quantile(values, 0.5)}, p95 ${quantile(values, 0.95)}`);
    }
  } finally {
    await server.stop();
    await service.drain(0);
    await service.close();
    await rm(data, { recursive: true, force: true });
  }
}

async function busy(): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), "tonwerk-overhead-"));
  const service = await startProcess(settings(data), await freePort());
  try {
    const client = caller(service.url);
    const [short, long] = [await client.upload(1), await client.upload(120)];
    const id = await client.submit(short);
    await client.end(id);
    const paths = [`${PATH}?id=${id}`, "/health"];
    await pace(client, paths);
    await takePriority();
    const ratios: number[][] = KINDS.map(() => []);
    for (let round = 0; round < rounds; round++) {
      const calm = await pace(client, paths);
      const backlog = await Promise.all(Array.from({ length: 64 }, () => client.submit(long)));
      const saturated = await pace(client, paths);
      const left = await countQueued(service.url);
      await Promise.all(backlog.map((queued) => cancel(service.url, queued)));
      for (const [index, kind] of KINDS.entries()) {
        const [idle, busy] = [calm[index] ?? [], saturated[index] ?? []];
        ratios[index]?.push(at(busy, 0.99) / at(idle, 0.99));
        const row = (times: readonly number[]) => `p50 ${quantile(times, 0.5)}, p99 ${quantile(times, 0.99)}`;
        console.log(`  round ${round + 1}, ${kind.padEnd(19)}  idle ${row(idle)}; workers busy ${row(busy)}`);
      }
      if (left === 0) throw new Error("The workers ran out of work: what was measured is not what it says");
    }
    for (const [index, kind] of KINDS.entries()) {
      const times = median(ratios[index] ?? []).toFixed(2);
      console.log(`  p99 with busy workers, ${kind}: ${times} times the idle one (${2 * RATE} requests a second)`);
    }
  } finally {
    service.kill("SIGTERM");
    await service.exited;
    await rm(data, { recursive: true, force: true });
  }
}

/** Latencies in ms, counted from when each request was due: of each path, then of all. */
async function pace(client: Caller, paths: readonly string[]): Promise<readonly (readonly number[])[]> {
  const rate = RATE * paths.length;
  const total = Math.round(rate * seconds);
  const times: number[][] = paths.map(() => []);
  const answers: Promise<void>[] = [];
  const began = performance.now();
  for (let sent = 0; sent < total; ) {
    const now = performance.now() - began;
    while (sent < total && (sent / rate) * 1000 <= now) {
      const due = began + (sent / rate) * 1000;
      const kind = sent++ % paths.length;
      answers.push(client.get(paths[kind] ?? "").then(() => void times[kind]?.push(performance.now() - due)));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(answers);
  return [...times, times.flat()];
}

async function countQueued(origin: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${origin}/v1/operations?limit=100&status=processing`, { headers });
  return ((await response.json()) as { operations: unknown[] }).operations.length;
}

async function cancel(origin: string, id: string): Promise<void> {
  const response = await fetch(`${origin}/v1/operations.cancel`, {
    method: "PUT",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ idempotency_key: randomUUID(), id }),
  });
  await response.body?.cancel();
}

function at(values: readonly number[], q: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(q * (sorted.length - 1))] ?? Number.NaN;
}

const quantile = (values: readonly number[], q: number): string => `${at(values, q).toFixed(1)} ms`;

/** For all threads that there are; called after the service was started, which would take it over. */
async function takePriority(): Promise<void> {
  try {
    for (const thread of await readdir("/proc/self/task")) setPriority(Number(thread), GENERATOR_PRIORITY);
  } catch {
    console.log("  (not root: the generator has no priority over the workers, and its own delays count)");
  }
}

await idle();
await busy();
exit(0);
