import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Runner } from "../../contract/mod.ts";
import type { Pool, PoolOptions, RunOptions } from "../../core/ports/mod.ts";
import { runNested } from "../../runners/pool/nested.ts";
import { createPool } from "../../runners/pool/pool.ts";
import { until } from "../until.ts";
import * as fixtures from "./fixtures/pool_runners.ts";

const OPTIONS: PoolOptions = { threads_max: 2, processes_max: 2, idle_ms: 60_000 };
/** Shorter than the pool's own, to keep the tests short. */
const GRACE_MS = 300;

/** A pool for one test, closed at its end whatever happens. */
async function withPool(options: Partial<PoolOptions>, body: (pool: Pool) => Promise<void>): Promise<void> {
  const pool = createPool({ ...OPTIONS, ...options }, GRACE_MS);
  try {
    await body(pool);
  } finally {
    await pool.close();
  }
}

/** What most runs need: no abort, and patience. */
function plain(options: Partial<RunOptions> = {}): RunOptions {
  return { signal: new AbortController().signal, ms_max: 300_000, ...options };
}

/** Flags for runners that never yield; `release` lets such a thread go on Deno, which cannot end it. */
function flags(): { shared: Int32Array; release(): void } {
  const shared = new Int32Array(new SharedArrayBuffer(12));
  return { shared, release: () => Atomics.store(shared, 1, 1) };
}

/** Whether process `pid` runs; one that has ended but was not waited for does not. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2)[0] !== "Z";
  } catch {
    return false;
  }
}

/** Resolves with the first stage that a run reports. */
function firstStage(): { options: Pick<RunOptions, "onProgress">; stage: Promise<string> } {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { options: { onProgress: (_, stage) => resolve(stage) }, stage: promise };
}

for (const [kind, where] of [
  ["thread", fixtures.whereThread],
  ["process", fixtures.whereProcess],
] as const) {
  test(`run() sets a runner up once in a ${kind} and reuses it`, () =>
    withPool({}, async (pool) => {
      const first = await pool.run(where, null, plain());
      const second = await pool.run(where, null, plain());
      assert.deepEqual(second, first);
      assert.equal(first.loads, 1);
      assert.equal(first.pid === process.pid, kind === "thread");
    }));
}

test("run() reuses one thread for different runners", () =>
  withPool({}, async (pool) => {
    const { here } = await pool.run(fixtures.whereThread, null, plain());
    await pool.run(fixtures.echoThread, null, plain());
    assert.equal((await pool.run(fixtures.whereThread, null, plain())).here, here);
    assert.equal(pool.stats().threads, 1);
  }));

test("run() runs in parallel up to threads_max", () =>
  withPool({ threads_max: 2 }, async (pool) => {
    const gate = new Int32Array(new SharedArrayBuffer(4));
    const run = () => pool.run(fixtures.meet, { gate, count: 2 }, plain());
    assert.deepEqual(await Promise.all([run(), run()]), [true, true]);
  }));

test("runs let the rest of the service go first", { skip: process.platform === "linux" ? false : "not Linux" }, () =>
  withPool({}, async (pool) => {
    const before = getPriority(process.pid);
    const nicer = Math.max(10, before);
    assert.deepEqual(await pool.run(fixtures.niceThread, null, plain()), { own: nicer, child: nicer });
    assert.deepEqual(await pool.run(fixtures.niceProcess, null, plain()), { own: nicer, child: nicer });
    assert.equal(getPriority(process.pid), before, "the thread that answers keeps its own");
  }),
);

test("a pool's processes, and threads on Bun, have no secret of the service in their environment, and what libraries need", () => {
  const secrets = {
    ...{ TONWERK_SECRET: "told-1", TONWERK_SECRET_PREVIOUS: "told-2", TONWERK_FIRST_KEY: "told-3" },
    ...{ DATABASE_URL: "postgres://told-4", REDIS_URL: "redis://told-5", TONWERK_SMTP_URL: "smtp://told-6" },
    ...{ S3_SECRET_ACCESS_KEY: "told-7", S3_ACCESS_KEY_ID: "told-8", DENO_AUTH_TOKENS: "told-9", ANY_TOKEN: "told-10" },
  };
  const needed = { CUDA_VISIBLE_DEVICES: "0", OMP_NUM_THREADS: "1", LC_ALL: "C.UTF-8" };
  const before = { ...process.env };
  Object.assign(process.env, secrets, needed);
  return withPool({}, async (pool) => {
    // Deno's threads share the process's.
    const runners = [fixtures.environment, ...(process.versions.bun === undefined ? [] : [fixtures.threadEnvironment])];
    for (const runner of runners) {
      const seen = await pool.run(runner, null, plain());
      assert.ok(!JSON.stringify(seen).includes("told"), Object.keys(seen).join(" "));
      assert.ok(Object.keys(secrets).every((name) => !(name in seen)));
      assert.equal(seen.PATH, process.env.PATH);
      for (const [name, value] of Object.entries(needed)) assert.equal(seen[name], value);
    }
  }).finally(() => {
    for (const name of Object.keys({ ...secrets, ...needed })) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  });
});

test("run() queues above the cap, first come, first served", () =>
  withPool({ threads_max: 1 }, async (pool) => {
    const order: number[] = [];
    const started = [0, 1, 2, 3].map(async (i) => {
      await pool.run(fixtures.echoThread, i, plain());
      order.push(i);
    });
    assert.deepEqual(pool.stats(), { threads: 1, processes: 0, busy: 1, waiting: 3, replaced: 0 });
    await Promise.all(started);
    assert.deepEqual(order, [0, 1, 2, 3]);
    assert.deepEqual(pool.stats(), { threads: 1, processes: 0, busy: 0, waiting: 0, replaced: 0 });
  }));

for (const [kind, gain] of [
  ["thread", fixtures.gainThread],
  ["process", fixtures.gainProcess],
] as const) {
  test(`run() carries 50 MB to a ${kind} and back, and leaves the caller its input`, () =>
    withPool({}, async (pool) => {
      const samples = new Float32Array(12_500_000).fill(0.25);
      samples[12_499_999] = -0.5;
      const output = await pool.run(gain, { samples, factor: 2 }, plain());
      assert.equal(output.samples.length, 12_500_000);
      assert.equal(output.samples[0], 0.5);
      assert.equal(output.samples[12_499_999], -1);
      assert.equal(output.same, output.samples, "one array stays one");
      assert.equal(samples.length, 12_500_000);
      assert.equal(samples[0], 0.25);
    }));
}

for (const [kind, echo] of [
  ["thread", fixtures.echoThread],
  ["process", fixtures.echoProcess],
] as const) {
  test(`run() keeps the shape of what it carries to a ${kind} and back`, () =>
    withPool({}, async (pool) => {
      const block = new Float64Array([1, 2, 3, 4]);
      const input = {
        part: block.subarray(1, 3),
        empty: new Float32Array(0),
        bytes: new Uint8Array([1, 2]).buffer,
        nothing: undefined,
        none: null,
        not_a_number: Number.NaN,
        big: 12n,
        map: new Map([["a", new Set([new Date(5)])]]),
        list: [{ deep: new Int16Array([-1]) }, "ü"],
      };
      assert.deepEqual(await pool.run(echo, input, plain()), input);
    }));
}

test("run() keeps frames apart from what a process prints", () =>
  withPool({}, async (pool) => {
    assert.equal(await pool.run(fixtures.noisy, "noise\n", plain()), "noise\n");
  }));

for (const [kind, fail] of [
  ["thread", fixtures.failThread],
  ["process", fixtures.failProcess],
  ["process, nested in a thread", fixtures.nestFailing],
] as const) {
  test(`run() rejects with the runner's own error from a ${kind}`, () =>
    withPool({}, async (pool) => {
      const error = await pool.run(fail, null, plain()).catch((thrown: unknown) => thrown);
      assert.ok(error instanceof Error);
      assert.equal(error.name, "ScoreError");
      assert.equal(error.message, "No such key");
      assert.deepEqual({ ...error, ...pick(error) }, { code: "no_key", source: "voice" });
      assert.match(error.stack ?? "", /pool_runners\.ts/);
      assert.equal((error.cause as Error).name, "RangeError");
      assert.equal(pool.stats().replaced, 0);
    }));
}
function pick(error: Error): { code: unknown; source: unknown } {
  const { code, source } = error as { code?: unknown; source?: unknown };
  return { code, source };
}

test("run() loads again after a failed load", () =>
  withPool({}, async (pool) => {
    await assert.rejects(pool.run(fixtures.failLoading, null, plain()), /failed 1 times/);
    await assert.rejects(pool.run(fixtures.failLoading, null, plain()), /failed 2 times/);
  }));

test("run() names the runners there are when the asked one is missing", () =>
  withPool({}, async (pool) => {
    const missing = { ...fixtures.echoThread, name: "missing" };
    await assert.rejects(pool.run(missing, null, plain()), /Cannot run "missing": .* but .*"echo_thread"/);
  }));

test("run() rejects inputs and outputs that cannot be cloned, and stays usable", () =>
  withPool({ threads_max: 1, processes_max: 1 }, async (pool) => {
    const input = { callback: () => 1 };
    await assert.rejects(pool.run(fixtures.echoThread, input, plain()), { name: "DataCloneError" });
    await assert.rejects(pool.run(fixtures.echoProcess, input, plain()));
    await assert.rejects(pool.run(fixtures.uncloneable, undefined, plain()), { name: "DataCloneError" });
    assert.equal(await pool.run(fixtures.echoThread, 1, plain()), 1);
    assert.equal(await pool.run(fixtures.echoProcess, 1, plain()), 1);
    assert.equal(pool.stats().replaced, 0);
  }));

test("run() ends a thread that never yields at ms_max, and the next run succeeds", () =>
  withPool({ threads_max: 1 }, async (pool) => {
    const { shared, release } = flags();
    try {
      // Started beforehand: on a busy machine the limit would otherwise be over before the runner began.
      await pool.run(fixtures.echoThread, 0, plain());
      const hung = pool.run(fixtures.hungThread, shared, plain({ ms_max: 500 }));
      await assert.rejects(hung, { name: "PoolError", code: "timeout" });
      assert.equal(await pool.run(fixtures.echoThread, 1, plain()), 1);
      assert.deepEqual(pool.stats(), { threads: 1, processes: 0, busy: 0, waiting: 0, replaced: 1 });
      if ("deno" in process.versions) return; // Its terminate() leaves such a thread running: denoland/deno#35657.
      let before = -1;
      const rests = (): boolean => {
        const last = before;
        before = Atomics.load(shared, 2);
        return before === last;
      };
      await until(rests);
    } finally {
      release();
    }
  }));

test("run() ends a process that never yields at ms_max, and the next run succeeds", () =>
  withPool({ processes_max: 1 }, async (pool) => {
    const { options, stage } = firstStage();
    const hung = pool.run(fixtures.hungProcess, null, plain({ ms_max: 1000, ...options }));
    const [pid] = await Promise.all([stage, assert.rejects(hung, { name: "PoolError", code: "timeout" })]);
    assert.equal(runs(Number(pid)), false);
    assert.equal(await pool.run(fixtures.echoProcess, 1, plain()), 1);
  }));

for (const [kind, wait] of [
  ["thread", fixtures.waitThread],
  ["process", fixtures.waitProcess],
] as const) {
  test(`run() stops a runner in a ${kind} that listens to its signal, and keeps the ${kind}`, () =>
    withPool({}, async (pool) => {
      const controller = new AbortController();
      const { options, stage } = firstStage();
      const run = pool.run(wait, null, plain({ signal: controller.signal, ...options }));
      await stage;
      controller.abort();
      const error = await run.catch((thrown: unknown) => thrown);
      assert.ok(error instanceof Error);
      assert.deepEqual({ name: error.name, ...pick(error) }, { name: "PoolError", code: "aborted", source: undefined });
      assert.equal((error.cause as Error).name, "AbortError");
      assert.equal(pool.stats().replaced, 0);
    }));
}

test("run() ends a thread that ignores its signal after the grace", () =>
  withPool({}, async (pool) => {
    await pool.run(fixtures.echoThread, 0, plain());
    const run = pool.run(fixtures.deaf, undefined, plain({ signal: AbortSignal.timeout(500) }));
    await assert.rejects(run, { name: "PoolError", code: "aborted" });
    assert.equal(pool.stats().replaced, 1);
  }));

test("run() refuses at once what was aborted before it began", () =>
  withPool({ threads_max: 1 }, async (pool) => {
    await assert.rejects(pool.run(fixtures.echoThread, 1, plain({ signal: AbortSignal.abort() })), { code: "aborted" });
    const controller = new AbortController();
    const first = pool.run(fixtures.echoThread, 1, plain());
    const second = pool.run(fixtures.echoThread, 2, plain({ signal: controller.signal }));
    controller.abort();
    await assert.rejects(second, { name: "PoolError", code: "aborted" });
    assert.equal(await first, 1);
  }));

for (const [what, runner, why] of [
  ["exits a process", fixtures.exitProcess, /exit code 3, after printing: last words/],
  ["kills its process", fixtures.killProcess, /signal SIGKILL/],
  ["rejects outside its promise", fixtures.rejectOutside, /unhandled rejection of RangeError: out of nowhere/],
  ["exits in a thread", fixtures.exitThread, /process\.exit\(3\)/],
  ["throws outside its promise", fixtures.throwOutside, /uncaught RangeError: out of nowhere/],
  ["calls one whose process is killed", fixtures.nestCrashing, /signal SIGKILL/],
] as const) {
  test(`run() reports a crash when a runner ${what}, and the next run succeeds`, () =>
    withPool({ threads_max: 1, processes_max: 1 }, async (pool) => {
      const run =
        runner === fixtures.nestCrashing ? pool.run(runner, null, plain()) : pool.run(runner, undefined, plain());
      await assert.rejects(run, { name: "PoolError", code: "crashed", message: why });
      assert.equal(pool.stats().replaced, 1);
      assert.equal(await pool.run(fixtures.echoThread, 1, plain()), 1);
      assert.equal(await pool.run(fixtures.echoProcess, 1, plain()), 1);
    }));
}

test("runNested() runs threads' runners in the same thread and others in a process", () =>
  withPool({ threads_max: 1, processes_max: 2 }, async (pool) => {
    const { here, samples, inner, outer } = await pool.run(fixtures.nest, new Float32Array([0.125]), plain());
    assert.deepEqual([...samples], [0.5]);
    assert.equal(inner.here, here);
    assert.notEqual(outer.pid, process.pid);
    assert.deepEqual(await pool.run(fixtures.whereProcess, null, plain()), outer);
  }));

test("runNested() passes an abort on, without waiting for a process that hangs", () =>
  withPool({ processes_max: 1 }, async (pool) => {
    const controller = new AbortController();
    const { options, stage } = firstStage();
    const run = pool.run(fixtures.nestHung, null, plain({ signal: controller.signal, ...options }));
    const pid = Number(await stage);
    controller.abort();
    await assert.rejects(run, { name: "PoolError", code: "aborted" });
    assert.equal(pool.stats().replaced, 0, "the thread stopped by itself");
    await until(() => !runs(pid));
    assert.equal(await pool.run(fixtures.echoProcess, 1, plain()), 1);
  }));

test("runNested() runs right here outside a pool", async () => {
  const { load } = fixtures.nest;
  const job = { signal: new AbortController().signal, progress: () => undefined };
  const { outer, samples } = await (await load()).run(new Float32Array([1]), job);
  assert.equal(outer.pid, process.pid);
  assert.deepEqual([...samples], [4]);
});

test("runNested() outside a pool sets a resident up once, though its descriptor is made anew for each run", async () => {
  let set_up = 0;
  const described = (resident: string): Runner<null, number> => ({
    name: "numbered",
    from: import.meta.url,
    isolation: "process",
    resident,
    load: async () => {
      const number = ++set_up;
      return { run: () => number };
    },
  });
  const job = { signal: new AbortController().signal, progress: () => undefined };
  const ask = (resident: string) => runNested(described(resident), null, job);
  assert.deepEqual([await ask("one"), await ask("other"), await ask("one")], [1, 2, 1]);
});

for (const [kind, restless] of [
  ["thread", fixtures.restlessThread],
  ["process", fixtures.restlessProcess],
  ["process, nested in a thread", fixtures.nestRestless],
] as const) {
  test(`run() forwards progress from a ${kind}, within bounds, never backwards, thinned out`, () =>
    withPool({}, async (pool) => {
      const seen: number[] = [];
      const onProgress = (fraction: number, stage: string): void => {
        assert.equal(stage, "restless");
        seen.push(fraction);
      };
      await pool.run(restless, null, plain({ onProgress }));
      assert.deepEqual(
        seen,
        seen.toSorted((a, b) => a - b),
      );
      assert.equal(seen[0], 0);
      assert.ok(seen.includes(0.4) && seen.every((fraction) => fraction >= 0 && fraction <= 1), String(seen));
      assert.ok(seen.length < 60, `${seen.length} of 606 messages came`);
    }));
}

for (const [kind, parent] of [
  ["a thread", fixtures.parentThread],
  ["a thread, in a process group of its own", fixtures.parentThreadDetached],
  ["a process, in a process group of its own", fixtures.parentProcess],
] as const) {
  test(`adopt() lets no child outlive ${kind}`, () =>
    withPool({}, async (pool) => {
      const { shared, release } = flags();
      try {
        const controller = new AbortController();
        const { options, stage } = firstStage();
        const hung = pool.run(parent, shared, plain({ signal: controller.signal, ...options }));
        const pid = Number(await stage);
        assert.equal(runs(pid), true);
        controller.abort();
        await assert.rejects(hung, { name: "PoolError", code: "aborted" });
        await until(() => !runs(pid));
      } finally {
        release();
      }
    }));
}

test("a pool ends idle threads save the last one, and idle processes", () =>
  withPool({ idle_ms: 50 }, async (pool) => {
    const gate = new Int32Array(new SharedArrayBuffer(4));
    const run = () => pool.run(fixtures.meet, { gate, count: 2 }, plain());
    const process_run = pool.run(fixtures.whereProcess, null, plain());
    await Promise.all([run(), run()]);
    const { pid } = await process_run;
    await until(() => pool.stats().processes === 0);
    await until(() => pool.stats().threads === 1);
    assert.equal(runs(pid), false);
    assert.equal(pool.stats().replaced, 0);
    assert.equal(await pool.run(fixtures.echoThread, 1, plain()), 1);
  }));

test("a pool keeps a process for each runner, and ends the one used longest ago for another", () =>
  withPool({ processes_max: 1 }, async (pool) => {
    const first = await pool.run(fixtures.whereProcess, null, plain());
    const other = await pool.run(fixtures.otherProcess, null, plain());
    assert.notEqual(other.pid, first.pid);
    assert.equal(runs(first.pid), false);
    assert.equal(pool.stats().processes, 1);
    assert.equal((await pool.run(fixtures.otherProcess, null, plain())).pid, other.pid);
  }));

test("close() refuses what waits, stops what runs and leaves no process", async () => {
  const pool = createPool({ threads_max: 1, processes_max: 1, idle_ms: 60_000 }, GRACE_MS);
  const { options, stage } = firstStage();
  const hung = pool.run(fixtures.hungProcess, null, plain(options));
  const waiting = pool.run(fixtures.echoProcess, 1, plain());
  const running = pool.run(fixtures.waitThread, null, plain());
  const refusals = [hung, waiting, running].map((run) => assert.rejects(run, { name: "PoolError", code: "closed" }));
  const pid = Number(await stage);
  await Promise.all([pool.close(), pool.close()]);
  await Promise.all(refusals);
  assert.equal(runs(pid), false);
  assert.deepEqual(pool.stats(), { threads: 0, processes: 0, busy: 0, waiting: 0, replaced: 1 });
  await assert.rejects(pool.run(fixtures.echoThread, 1, plain()), { name: "PoolError", code: "closed" });
});

for (const state of ["idle", "hung"]) {
  test(`a pool's ${state} process ends when its owner is killed`, async () => {
    const file = fileURLToPath(new URL("./fixtures/pool_owner.ts", import.meta.url));
    const owner = spawn(process.execPath, [file, state], { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = (await once(owner.stdout, "data")) as [Uint8Array];
    const pid = Number(new TextDecoder().decode(line));
    assert.equal(runs(pid), true);
    owner.kill("SIGKILL");
    await once(owner, "close");
    await until(() => !runs(pid));
  });
}
