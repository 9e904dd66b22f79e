/** Who waits for whom in a pool, and what a run says that it cost. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { getPriority } from "node:os";
import { test } from "node:test";
import type { Pool, RunOptions } from "../../core/ports/mod.ts";
import { Lines } from "../../runners/pool/lines.ts";
import { createPool } from "../../runners/pool/pool.ts";
import * as fixtures from "./fixtures/pool_runners.ts";

async function withPool(probes_max: number, body: (pool: Pool) => Promise<void>, stands_by = false): Promise<void> {
  const stand_by = stands_by ? { stand_by: { runner: fixtures.echoThread, input: null } } : {};
  const pool = createPool({ threads_max: 1, processes_max: 1, probes_max, idle_ms: 60_000, ...stand_by }, 300);
  try {
    await body(pool);
  } finally {
    await pool.close();
  }
}

function plain(options: Partial<RunOptions> = {}): RunOptions {
  return { signal: new AbortController().signal, ms_max: 300_000, ...options };
}

/** Probes that run until they are told to end, each for somebody. */
function holder(pool: Pool) {
  const gate = new Int32Array(new SharedArrayBuffer(4 * 64));
  let count = 0;
  return {
    hold(fair_by: string) {
      const index = count++;
      const begun = Promise.withResolvers<void>();
      let has_begun = false;
      const onProgress = () => {
        has_begun = true;
        begun.resolve();
      };
      const ended = pool.run(fixtures.held, { gate, index }, plain({ lane: "probe", fair_by, onProgress }));
      // What still waits when the pool is closed.
      ended.catch(() => undefined);
      const end = async () => {
        Atomics.store(gate, index, 1);
        Atomics.notify(gate, index);
        await ended;
      };
      return { begun: begun.promise, hasBegun: () => has_begun, end };
    },
    endAll() {
      for (let index = 0; index < gate.length; index++) {
        Atomics.store(gate, index, 1);
        Atomics.notify(gate, index);
      }
    },
  };
}

test("jobs and probes never wait for each other", () =>
  withPool(1, async (pool) => {
    const { hold, endAll } = holder(pool);
    const probe = hold("a");
    await probe.begun;
    // The one thread of jobs is free, whatever probes do.
    assert.equal(await pool.run(fixtures.echoThread, "job", plain()), "job");
    const gate = new Int32Array(new SharedArrayBuffer(4));
    const job = pool.run(fixtures.held, { gate, index: 0 }, plain());
    await probe.end();
    assert.equal(await pool.run(fixtures.echoThread, "probe", plain({ lane: "probe", fair_by: "b" })), "probe");
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
    await job;
    endAll();
  }));

test("one account has half of the probes' threads, so that another's begins at once", () =>
  withPool(2, async (pool) => {
    const { hold, endAll } = holder(pool);
    const heavy = Array.from({ length: 12 }, () => hold("a"));
    await heavy[0]!.begun;
    await hold("b").begun;
    assert.deepEqual(
      heavy.map(({ hasBegun }) => hasBegun()),
      [true, ...Array.from({ length: 11 }, () => false)],
    );
    endAll();
  }));

test("where all threads are taken, a probe of another account waits for one that runs and for no more", () =>
  withPool(1, async (pool) => {
    const { hold, endAll } = holder(pool);
    const heavy = Array.from({ length: 12 }, () => hold("a"));
    await heavy[0]!.begun;
    const other = hold("b");
    await heavy[0]!.end();
    await other.begun;
    assert.equal(heavy[1]!.hasBegun(), false);
    await other.end();
    await heavy[1]!.begun;
    endAll();
  }));

test("a thread stands by, warm, as long as there may be one more and some are at work", () =>
  withPool(
    3,
    async (pool) => {
      const { hold, endAll } = holder(pool);
      const standing = async (threads: number, busy: number): Promise<void> => {
        for (let tries = 0; tries < 400; tries++) {
          const { threads: alive, busy: at_work } = pool.stats();
          if (alive === threads && at_work === busy) return;
          await new Promise((resolve) => setTimeout(resolve, 25));
        }
        assert.deepEqual(pool.stats(), { threads, busy });
      };
      assert.equal(pool.stats().threads, 0);
      await hold("a").begun;
      // Only what has warmed up counts as idle.
      await standing(2, 1);
      await hold("b").begun;
      await standing(3, 2);
      await hold("c").begun;
      await standing(3, 3);
      endAll();
      await standing(3, 0);
    },
    true,
  ));

test("lines are served in turn, each in the order of arrival, and a name without items is forgotten", () => {
  const lines = new Lines<string>(Number.POSITIVE_INFINITY);
  for (const item of ["a1", "a2", "a3", "b1", "c1", "b2"]) lines.add(item[0]!, item);
  assert.equal(lines.size, 6);
  assert.equal(lines.delete("c", "c1"), true);
  assert.equal(lines.delete("c", "c1"), false);
  const order: string[] = [];
  for (let item = lines.next(); item !== undefined; item = lines.next()) {
    lines.begin(item[0]!, item);
    order.push(item);
    lines.end(item[0]!);
  }
  assert.deepEqual(order, ["a1", "b1", "a2", "b2", "a3"]);
  assert.equal(lines.size, 0);
  assert.deepEqual([...lines], []);
});

/** What a run says that it cost. */
async function costOf(run: (onCost: (ms: number) => void) => Promise<unknown>): Promise<number> {
  let cost_ms = 0;
  await run((ms) => {
    cost_ms += ms;
  });
  return cost_ms;
}

for (const [kind, costly] of [
  ["thread", fixtures.costlyThread],
  ["process", fixtures.costlyProcess],
] as const) {
  test(`a run in a ${kind} costs the processor time that it used, not the time that it waited`, () =>
    withPool(1, async (pool) => {
      const busy = await costOf((onCost) => pool.run(costly, { millions: 15, sleep_ms: 0 }, plain({ onCost })));
      assert.ok(busy > 40, `${busy} ms`);
      const idle = await costOf((onCost) => pool.run(costly, { millions: 0, sleep_ms: 1500 }, plain({ onCost })));
      assert.ok(idle < 700, `${idle} ms`);
    }));
}

test("what is nested counts, and so does what fails", () =>
  withPool(1, async (pool) => {
    const parts: number[] = [];
    const onCost = (ms: number) => void parts.push(ms);
    await pool.run(fixtures.costlyBoth, { millions: 15, sleep_ms: 0 }, plain({ onCost }));
    assert.equal(parts.length, 2);
    assert.ok(
      parts.every((ms) => ms > 30),
      parts.join(),
    );
    const failed = await costOf((onCost) =>
      pool.run(fixtures.costlyFailure, 15, plain({ onCost })).catch(() => undefined),
    );
    assert.ok(failed > 30, `${failed} ms`);
  }));

test("what is ended by force costs the time that it had its thread", () =>
  withPool(1, async (pool) => {
    const gate = new Int32Array(new SharedArrayBuffer(4));
    // The thread is there before its time counts: on a busy machine starting one takes longer than the run may.
    await pool.run(fixtures.echoThread, "ready", plain());
    const cost_ms = await costOf((onCost) =>
      assert.rejects(pool.run(fixtures.held, { gate, index: 0 }, plain({ ms_max: 200, onCost })), { code: "timeout" }),
    );
    assert.ok(cost_ms >= 450, `${cost_ms} ms`);
    // For Deno, which cannot end a thread that waits like this.
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
  }));

test("jobs have processes of their own, nice with every thread of them, and hand native code to the pool", () =>
  withPool(1, async (pool) => {
    const as_job = plain({ lane: "job" });
    const { pid } = await pool.run(fixtures.whereThread, null, as_job);
    assert.notEqual(pid, process.pid);
    assert.equal(await pool.run(fixtures.collecting, null, as_job), true);
    // That there is a collector to call, above, shows that Deno reads its flags there. What they save varies too much from run to run.
    if (process.versions.bun === undefined) {
      const { v8, malloc } = await pool.run(fixtures.thrift, null, as_job);
      assert.match(v8, /--max-semi-space-size=8\b/u);
      assert.equal(malloc, String(4 << 20));
    }
    const { inner, outer } = await pool.run(fixtures.nest, new Float32Array([1]), as_job);
    assert.equal(inner.pid, pid);
    assert.ok(outer.pid !== pid && outer.pid !== process.pid);
    if (process.platform === "linux")
      for (const thread of readdirSync(`/proc/${pid}/task`)) assert.ok(getPriority(Number(thread)) >= 10, thread);
    // Also on Deno, which ends no thread in a loop.
    const hung = pool.run(fixtures.hungJob, null, plain({ lane: "job", ms_max: 500 }));
    await assert.rejects(hung, { name: "PoolError", code: "timeout" });
    assert.notEqual((await pool.run(fixtures.whereThread, null, as_job)).pid, pid);
  }));
