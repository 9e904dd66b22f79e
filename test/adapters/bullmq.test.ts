import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { createBullmqQueue } from "../../core/adapters/redis/queue.ts";
import { openSqliteStore } from "../../core/adapters/sqlite/store.ts";
import { systemClock } from "../../core/base/timers.ts";
import type { Queue } from "../../core/ports/mod.ts";
import { reconcile } from "../../core/work/upkeep.ts";
import { fakeClock } from "../clock.ts";
import { REDIS_MISSING, startRedis } from "../services/redis.ts";
import { whenThere } from "../services/services.ts";
import { until } from "../until.ts";
import { queueSuite } from "./queue.suite.ts";
import { accept, addAccount, claim, endOf } from "./store/fixtures.ts";

const never = new AbortController().signal;
const LONG_MS = 3_600_000;

await whenThere("bullmq queue", REDIS_MISSING, async () => {
  const redis = await startRedis();
  after(() => redis.end());

  /** Queues on an empty Redis, which they have reached. */
  const open = async (nodes: number, clock = systemClock, reports: (string | null)[] = []): Promise<Queue[]> => {
    await redis.command("FLUSHALL");
    const queues = Array.from({ length: nodes }, () =>
      createBullmqQueue({ url: redis.url, clock, report: (reason) => reports.push(reason) }),
    );
    for (const [n, queue] of queues.entries()) await reached(queue, `op_first_${n}`);
    return queues;
  };
  /** Names operations until one arrives: wake-ups are lost while there is no connection. */
  const reached = async (queue: Queue, id: string): Promise<void> => {
    const arrived = queue.wait("gpu", LONG_MS, never).then((got) => got !== undefined);
    for (;;) {
      queue.wake("gpu", id);
      if (await Promise.race([arrived, pause(20).then(() => false)])) break;
    }
    do queue.taken("gpu", id);
    while (!(await eventually(async () => (await redis.command("LLEN", "{tonwerk}:gpu:wait")) === ":0", 10)));
  };

  /** Names an operation until `waiting` is released, as the reconciler does: on a busy machine a command may be given up. */
  const named = async (queue: Queue, id: string, waiting: Promise<string | undefined>): Promise<string | undefined> => {
    for (;;) {
      queue.wake("dsp", id);
      const got = await Promise.race([waiting, pause(200).then(() => null)]);
      if (got !== null) return got;
    }
  };

  queueSuite("bullmq queue", async () => {
    const clock = fakeClock();
    const [queue] = await open(1, { ...clock, now: () => clock.now() });
    return {
      queue: queue!,
      async advance(ms) {
        // What was named before is on its way.
        await pause(30);
        clock.advance(ms);
        await Promise.resolve();
      },
      close: () => queue!.close(),
    };
  });

  test("a wake-up on one node releases one waiter on another, with the operation's id as the job's", async () => {
    const [api, one, other] = await open(3);
    try {
      const waiters = [one!, other!].map((queue) => queue.wait("dsp", LONG_MS, never));
      api!.wake("dsp", "op_a");
      assert.equal(await Promise.race(waiters), "op_a");
      api!.wake("dsp", "op_b");
      assert.deepEqual((await Promise.all(waiters)).sort(), ["op_a", "op_b"]);
      // Nothing stays: neither what was completed nor what was taken.
      assert.equal(await redis.command("EXISTS", "{tonwerk}:dsp:op_a"), ":0");
      for (let n = 0; n < 20; n++) api!.wake("dsp", `op_${n}`);
      await until(async () => (await redis.command("LLEN", "{tonwerk}:dsp:wait")) === ":20");
      assert.equal(await redis.command("EXISTS", "{tonwerk}:dsp:op_7"), ":1");
      for (let n = 0; n < 20; n++) one!.taken("dsp", `op_${n}`);
      await until(async () => (await redis.command("LLEN", "{tonwerk}:dsp:wait")) === ":0");
      assert.equal(await redis.command("EXISTS", "{tonwerk}:dsp:op_7"), ":0");
    } finally {
      await Promise.all([api!.close(), one!.close(), other!.close()]);
    }
  });

  test("what a flushed Redis has forgotten the reconciler names again, and nothing that was claimed or has ended", async () => {
    const [queue] = await open(1);
    const folder = await mkdtemp(join(tmpdir(), "tonwerk-"));
    const store = await openSqliteStore({ file: join(folder, "tonwerk.db"), clock: systemClock });
    const h = { store, now: systemClock.now, advance: async () => undefined, close: async () => undefined };
    try {
      const account_id = await addAccount(h);
      const ids: string[] = [];
      for (let n = 0; n < 5; n++) ids.push(await accept(h, account_id, { work: "dsp" }));
      for (const id of ids) queue!.wake("dsp", id);
      await until(async () => (await redis.command("LLEN", "{tonwerk}:dsp:wait")) === ":5");
      const claimed = await claim(h, "dsp");
      const { attempt, id: over } = await claim(h, "dsp");
      await store.terminate(endOf(over, attempt, h.now()));
      await redis.command("FLUSHALL");
      const operations = { fail: async () => assert.fail("nothing was lost too often") };
      // As often as it does: on a busy machine a command may be given up.
      await until(async () => {
        await reconcile({ store, queue: queue!, operations, log: () => undefined });
        return (await redis.command("LLEN", "{tonwerk}:dsp:wait")) === ":3";
      });
      for (const id of ids) {
        const is_queued = id !== claimed.id && id !== over;
        assert.equal(await redis.command("EXISTS", `{tonwerk}:dsp:${id}`), is_queued ? ":1" : ":0", id);
      }
    } finally {
      await queue!.close();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    }
  });

  test("a busy node takes no wake-ups from the others", async () => {
    const [busy, idle] = await open(2);
    try {
      const left = new AbortController();
      const gone = busy!.wait("dsp", LONG_MS, left.signal);
      left.abort();
      assert.equal(await gone, undefined);
      const waiting = Array.from({ length: 5 }, () => idle!.wait("dsp", LONG_MS, never));
      for (let n = 0; n < 5; n++) busy!.wake("dsp", `op_${n}`);
      assert.equal(new Set(await Promise.all(waiting)).size, 5);
    } finally {
      await Promise.all([busy!.close(), idle!.close()]);
    }
  });

  test("no more wait in Redis than could be woken, and what is empty again is filled again", async () => {
    const [queue] = await open(1);
    const length = async () => Number((await redis.command("LLEN", "{tonwerk}:dsp:wait")).slice(1));
    try {
      // Again and again, as the reconciler does: on a busy machine a command may be given up.
      await until(async () => {
        for (let n = 0; n < 3_000; n++) queue!.wake("dsp", `op_${n}`);
        return (await length()) >= 1_000;
      });
      for (let before = -1; before !== (await length()); await pause(50)) before = await length();
      assert.ok((await length()) < 1_200, `${await length()} wait`);
      await redis.command("FLUSHALL");
      await until(async () => {
        queue!.wake("dsp", "op_after");
        return (await length()) === 1;
      });
    } finally {
      await queue!.close();
    }
  });

  test("without Redis nothing hangs or is thrown, and waiters look by themselves; back again, empty, it serves", {
    timeout: 60_000,
  }, async () => {
    const reports: (string | null)[] = [];
    const [queue] = await open(1, systemClock, reports);
    try {
      const waiting = queue!.wait("dsp", LONG_MS, never);
      await redis.kill();
      await until(async () => reports.length > 0);
      for (let n = 0; n < 50_000; n++) queue!.wake("dsp", `op_${n}`);
      for (let n = 0; n < 50_000; n++) queue!.taken("generation", `op_${n}`);
      assert.equal(await queue!.wait("dsp", LONG_MS, never), undefined);
      await redis.start();
      await until(async () => reports.at(-1) === null);
      // Who had begun to wait before is still served.
      assert.equal(await named(queue!, "op_again", waiting), "op_again");
      await redis.command("FLUSHALL");
      const next = queue!.wait("dsp", LONG_MS, never);
      assert.ok(["op_again", "op_after"].includes((await named(queue!, "op_after", next)) ?? ""));
      assert.equal(typeof reports[0], "string");
    } finally {
      await redis.start();
      await queue!.close();
    }
  });

  test("a queue whose Redis is not there from the beginning can wait, wake and close", async () => {
    await redis.kill();
    try {
      const queue = createBullmqQueue({ url: redis.url, clock: systemClock });
      queue.wake("dsp", "op_1");
      assert.equal(await queue.wait("dsp", LONG_MS, never), undefined);
      const waiting = queue.wait("dsp", LONG_MS, never);
      await queue.close();
      assert.equal(await waiting, undefined);
    } finally {
      await redis.start();
    }
  });
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function eventually(isTrue: () => Promise<boolean>, tries: number): Promise<boolean> {
  for (let n = 0; n < tries; n++) {
    if (await isTrue()) return true;
    await pause(10);
  }
  return false;
}
