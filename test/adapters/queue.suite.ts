import assert from "node:assert/strict";
import { test } from "node:test";
import type { Queue } from "../../core/ports/mod.ts";

/** A queue of its own for one test. */
export interface QueueHarness {
  readonly queue: Queue;
  /** Lets `ms` pass, as the queue counts them. */
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
}

const LONG_MS = 3_600_000;

/** What core/ports/mod.ts promises of a Queue, as tests. */
export function queueSuite(name: string, open: () => Promise<QueueHarness>): void {
  function check(title: string, run: (harness: QueueHarness) => Promise<void>): void {
    test(`${name}: ${title}`, async () => {
      const harness = await open();
      try {
        await run(harness);
      } finally {
        await harness.close();
      }
    });
  }
  const never = new AbortController().signal;

  check("wake() releases a waiter of its kind of work only", async ({ queue }) => {
    const dsp = watch(queue.wait("dsp", LONG_MS, never));
    const generation = watch(queue.wait("generation", LONG_MS, never));
    queue.wake("generation", "op_1");
    assert.equal(await generation.done, "op_1");
    assert.equal(dsp.isDone(), false);
    queue.wake("dsp", "op_2");
    assert.equal(await dsp.done, "op_2");
  });

  check("wake() before wait() is kept", async ({ queue }) => {
    queue.wake("gpu", "op_1");
    assert.equal(await queue.wait("gpu", LONG_MS, never), "op_1");
  });

  check("wake() twice for one operation is one wake-up", async ({ queue, advance }) => {
    for (let i = 0; i < 3; i++) queue.wake("dsp", "op_1");
    assert.equal(await queue.wait("dsp", LONG_MS, never), "op_1");
    const second = queue.wait("dsp", 10, never);
    await advance(10);
    assert.equal(await second, undefined);
    // It may be queued again later.
    queue.wake("dsp", "op_1");
    assert.equal(await queue.wait("dsp", LONG_MS, never), "op_1");
  });

  check("taken() takes back a wake-up that nobody had, and no other", async ({ queue, advance }) => {
    queue.wake("dsp", "op_1");
    queue.wake("dsp", "op_2");
    queue.taken("dsp", "op_1");
    queue.taken("dsp", "op_none");
    queue.taken("generation", "op_2");
    assert.equal(await queue.wait("dsp", LONG_MS, never), "op_2");
    queue.taken("dsp", "op_2");
    const nothing = queue.wait("dsp", 10, never);
    await advance(10);
    assert.equal(await nothing, undefined);
  });

  check("as many wake-ups as waiters release them all", async ({ queue }) => {
    const waiters = [1, 2, 3].map(() => queue.wait("dsp", LONG_MS, never));
    for (const n of [1, 2, 3]) queue.wake("dsp", `op_${n}`);
    assert.deepEqual((await Promise.all(waiters)).sort(), ["op_1", "op_2", "op_3"]);
  });

  check("wishes for pictures name objects, and are no jobs", async ({ queue }) => {
    const job = watch(queue.wait("dsp", LONG_MS, never));
    const [picture, upload] = [`op/op_${"0".repeat(26)}/1/0.flac`, `files/file_${"0".repeat(26)}.mp3`];
    const waiters = [queue.wait("picture", LONG_MS, never), queue.wait("picture", LONG_MS, never)];
    for (const key of [picture, upload]) queue.wake("picture", key);
    assert.deepEqual((await Promise.all(waiters)).sort(), [upload, picture]);
    assert.equal(job.isDone(), false);
    queue.wake("dsp", "op_1");
    assert.equal(await job.done, "op_1");
  });

  check("wait() resolves after its time", async ({ queue, advance }) => {
    const waiter = watch(queue.wait("dsp", 1_000, never));
    await advance(999);
    assert.equal(waiter.isDone(), false);
    await advance(1);
    assert.equal(await waiter.done, undefined);
  });

  check("wait() resolves when its signal aborts, before or meanwhile", async ({ queue }) => {
    assert.equal(await queue.wait("dsp", LONG_MS, AbortSignal.abort()), undefined);
    const controller = new AbortController();
    const waiter = watch(queue.wait("dsp", LONG_MS, controller.signal));
    assert.equal(waiter.isDone(), false);
    controller.abort();
    assert.equal(await waiter.done, undefined);
  });

  check("a waiter that has left takes no wake-up with it", async ({ queue, advance }) => {
    const controller = new AbortController();
    const left = queue.wait("dsp", LONG_MS, controller.signal);
    const late = queue.wait("dsp", 10, never);
    controller.abort();
    await left;
    await advance(10);
    await late;
    const waiter = queue.wait("dsp", LONG_MS, never);
    queue.wake("dsp", "op_1");
    assert.equal(await waiter, "op_1");
    queue.wake("dsp", "op_2");
    await queue.wait("dsp", LONG_MS, AbortSignal.abort());
    assert.equal(await queue.wait("dsp", LONG_MS, never), "op_2");
  });

  check("close() releases whoever waits", async ({ queue }) => {
    const waiters = [queue.wait("dsp", LONG_MS, never), queue.wait("generation", LONG_MS, never)];
    await queue.close();
    await Promise.all(waiters);
    await queue.wait("dsp", LONG_MS, never);
  });
}

function watch<Value>(promise: Promise<Value>): { readonly done: Promise<Value>; isDone(): boolean } {
  let done = false;
  const watched = promise.then((value) => {
    done = true;
    return value;
  });
  return { done: watched, isDone: () => done };
}
