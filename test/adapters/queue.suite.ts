import assert from "node:assert/strict";
import { test } from "node:test";
import type { Queue } from "../../core/ports.ts";

/** A queue of its own for one test. */
export interface QueueHarness {
  readonly queue: Queue;
  /** Lets `ms` pass, as the queue counts them. */
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
}

const LONG_MS = 3_600_000;

/** What core/ports.ts promises of a Queue, as tests. */
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
    queue.wake("generation");
    await generation.done;
    assert.equal(dsp.isDone(), false);
    queue.wake("dsp");
    await dsp.done;
  });

  check("wake() before wait() is kept", async ({ queue }) => {
    queue.wake("dsp");
    await queue.wait("dsp", LONG_MS, never);
  });

  check("as many wake-ups as waiters release them all", async ({ queue }) => {
    const waiters = [1, 2, 3].map(() => queue.wait("dsp", LONG_MS, never));
    for (const _ of waiters) queue.wake("dsp");
    await Promise.all(waiters);
  });

  check("wait() resolves after its time", async ({ queue, advance }) => {
    const waiter = watch(queue.wait("dsp", 1_000, never));
    await advance(999);
    assert.equal(waiter.isDone(), false);
    await advance(1);
    await waiter.done;
  });

  check("wait() resolves when its signal aborts, before or meanwhile", async ({ queue }) => {
    await queue.wait("dsp", LONG_MS, AbortSignal.abort());
    const controller = new AbortController();
    const waiter = watch(queue.wait("dsp", LONG_MS, controller.signal));
    assert.equal(waiter.isDone(), false);
    controller.abort();
    await waiter.done;
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
    queue.wake("dsp");
    await waiter;
    queue.wake("dsp");
    await queue.wait("dsp", LONG_MS, AbortSignal.abort());
    await queue.wait("dsp", LONG_MS, never);
  });

  check("close() releases whoever waits", async ({ queue }) => {
    const waiters = [queue.wait("dsp", LONG_MS, never), queue.wait("generation", LONG_MS, never)];
    await queue.close();
    await Promise.all(waiters);
    await queue.wait("dsp", LONG_MS, never);
  });
}

function watch(promise: Promise<void>): { readonly done: Promise<void>; isDone(): boolean } {
  let done = false;
  const watched = promise.then(() => {
    done = true;
  });
  return { done: watched, isDone: () => done };
}
