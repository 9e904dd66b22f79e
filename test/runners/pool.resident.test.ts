/** Residents: one kept process for all who name it, its health, and the pause after crashes in a row. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { PoolOptions, ResidentHealth, RunOptions } from "../../core/ports/mod.ts";
import { createPool } from "../../runners/pool/pool.ts";
import * as fixtures from "./fixtures/pool_runners.ts";

const OPTIONS: PoolOptions = { threads_max: 2, processes_max: 1, idle_ms: 50 };
const plain = (ms_max = 60_000): RunOptions => ({ signal: new AbortController().signal, ms_max });
const where = { ...fixtures.whereProcess, resident: "model" };
const fails = { ...fixtures.failProcess, resident: "model" };
const dies = { ...fixtures.killProcess, resident: "dying" };

test("a resident keeps its process beyond the idle time and apart from other processes, one for each name", async () => {
  const pool = createPool(OPTIONS);
  try {
    const first = await pool.run(where, null, plain());
    await pool.run(fixtures.whereProcess, null, plain());
    const other = await pool.run({ ...where, resident: "another" }, null, plain());
    await new Promise((resolve) => setTimeout(resolve, 300));
    const again = await pool.run(where, null, plain());
    assert.deepEqual(again, first);
    assert.notEqual(other.pid, first.pid);
    assert.deepEqual(
      pool.residents().map(({ name, state }) => [name, state]),
      [
        ["model", "ready"],
        ["another", "ready"],
      ],
    );
  } finally {
    await pool.close();
  }
  assert.equal(pool.stats().processes, 0);
});

test("a resident tells its states in order, and why it failed", async () => {
  const told: ResidentHealth[] = [];
  const pool = createPool({ ...OPTIONS, onResident: (health) => told.push(health) });
  try {
    await pool.run(where, null, plain());
    await settle();
    const running = pool.run({ ...fixtures.waitProcess, resident: "waiter" }, null, plain(200));
    await assert.rejects(running, { code: "timeout" });
    await settle();
    await assert.rejects(pool.run(fails, null, plain()));
    await settle();
  } finally {
    await pool.close();
  }
  const states = (name: string) => told.filter((one) => one.name === name).map(({ state }) => state);
  assert.deepEqual(states("waiter"), ["starting", "failed"]);
  assert.match(
    told.find(({ name, state }) => name === "waiter" && state === "failed")!.reason ?? "",
    /exceeded 200 ms/,
  );
  // Another runner of the same resident name is another resident.
  assert.deepEqual(states("model"), ["starting", "ready", "starting", "failed"]);
});

test("a resident that crashes again and again is left alone for a while, and says so", async () => {
  const pool = createPool(OPTIONS);
  try {
    for (let i = 0; i < 3; i++) await assert.rejects(pool.run(dies, null, plain()), { code: "crashed" });
    await assert.rejects(pool.run(dies, null, plain()), {
      code: "refused",
      message: /"dying" crashed 3 times in a row and rests for \d+ s more: .*SIGKILL/,
    });
    const [health] = pool.residents();
    assert.deepEqual([health!.state, health!.ended], ["failed", true]);
    // Others are not concerned.
    await pool.run(where, null, plain());
  } finally {
    await pool.close();
  }
});

test("runs that say so are at work at once in a resident's process; each is stopped alone, and one crash is one", async () => {
  const pool = createPool(OPTIONS);
  const begin = (runner: typeof fixtures.waitProcess) => {
    const controller = new AbortController();
    const { promise: begun, resolve: onProgress } = Promise.withResolvers<void>();
    const options = { signal: controller.signal, ms_max: 60_000, onProgress: () => onProgress() };
    const run = pool.run({ ...runner, resident: "shared", at_once: 2 }, null, options);
    run.catch(() => undefined);
    return { run, begun, stop: () => controller.abort() };
  };
  try {
    const [first, second, third] = [1, 2, 3].map(() => begin(fixtures.waitProcess));
    await Promise.all([first!.begun, second!.begun]);
    assert.equal(pool.residents()[0]!.waiting, 1);
    first!.stop();
    await assert.rejects(first!.run, { code: "aborted" });
    await third!.begun;
    second!.stop();
    third!.stop();
    await Promise.allSettled([second!.run, third!.run]);
    assert.deepEqual([pool.stats().processes, pool.stats().replaced], [1, 0]);
    // Two times two runs: two crashes, and a third one is allowed.
    for (let i = 0; i < 2; i++)
      await Promise.all([1, 2].map(() => assert.rejects(begin(fixtures.killProcess).run, { code: "crashed" })));
    await assert.rejects(begin(fixtures.killProcess).run, { code: "crashed" });
    await assert.rejects(begin(fixtures.killProcess).run, { code: "refused" });
  } finally {
    await pool.close();
  }
});

test("a run that goes on after its abort ends nobody beside it; once it is alone, its process is ended", async () => {
  const pool = createPool(OPTIONS, 50);
  const begin = async (is_deaf: boolean) => {
    const controller = new AbortController();
    const { promise: begun, resolve: onProgress } = Promise.withResolvers<void>();
    const options = { signal: controller.signal, ms_max: 60_000, onProgress: () => onProgress() };
    const run = pool.run({ ...fixtures.deafProcess, resident: "shared", at_once: 2 }, is_deaf, options);
    run.catch(() => undefined);
    await begun;
    return { run, stop: () => controller.abort() };
  };
  try {
    const deaf = await begin(true);
    const other = await begin(false);
    deaf.stop();
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal(pool.stats().replaced, 0);
    other.stop();
    await assert.rejects(other.run, { code: "aborted", message: /it was aborted$/ });
    await assert.rejects(deaf.run, { code: "aborted", message: /ended by force/ });
    assert.equal(pool.stats().replaced, 1);
  } finally {
    await pool.close();
  }
});

test("a time limit counts from the begin of a run, not from when it was asked for", async () => {
  const pool = createPool(OPTIONS);
  try {
    const first = pool.run({ ...fixtures.waitProcess, resident: "queue" }, null, plain(700));
    const second = pool.run({ ...fixtures.waitProcess, resident: "queue" }, null, plain(700));
    const ends: number[] = [];
    const began = performance.now();
    await Promise.all(
      [first, second].map((run) =>
        assert.rejects(run, { code: "timeout" }).then(() => ends.push(performance.now() - began)),
      ),
    );
    assert.ok(ends[1]! - ends[0]! > 500, `${ends}`);
  } finally {
    await pool.close();
  }
});

test("who waits longer than one before it may hang is refused, and neither the resident nor who runs suffers", async () => {
  const pool = createPool(OPTIONS);
  try {
    const resident = { ...fixtures.waitProcess, resident: "queue" };
    const first = pool.run(resident, null, plain(1500));
    const second = pool.run(resident, null, plain(200));
    await assert.rejects(second, { code: "refused", message: /"queue" was busy for 400 ms/ });
    assert.notEqual(pool.residents()[0]!.state, "failed");
    assert.equal(pool.residents()[0]!.waiting, 0);
    await assert.rejects(first, { code: "timeout" });
  } finally {
    await pool.close();
  }
});

/** States are told a little later. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}
