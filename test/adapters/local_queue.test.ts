import assert from "node:assert/strict";
import { test } from "node:test";
import { createLocalQueue } from "../../core/adapters/memory/queue.ts";
import { fakeClock } from "../clock.ts";
import { queueSuite } from "./queue.suite.ts";

queueSuite("local queue", async () => {
  const clock = fakeClock();
  const queue = createLocalQueue({ clock });
  return {
    queue,
    async advance(ms) {
      clock.advance(ms);
      // What was resolved just now is seen by whoever awaits it.
      await Promise.resolve();
    },
    close: queue.close,
  };
});

test("one wake-up releases the waiter that has waited longest, alone", async () => {
  const queue = createLocalQueue({ clock: fakeClock() });
  const order: number[] = [];
  const signal = new AbortController().signal;
  const waiters = [1, 2].map((n) => queue.wait("dsp", 1_000, signal).then(() => order.push(n)));
  queue.wake("dsp", "op_1");
  await waiters[0];
  assert.deepEqual(order, [1]);
  queue.wake("dsp", "op_2");
  await waiters[1];
  assert.deepEqual(order, [1, 2]);
});

test("wake-ups that found nobody are counted", async () => {
  const clock = fakeClock();
  const queue = createLocalQueue({ clock });
  const signal = new AbortController().signal;
  queue.wake("dsp", "op_1");
  queue.wake("dsp", "op_2");
  await queue.wait("dsp", 1_000, signal);
  await queue.wait("dsp", 1_000, signal);
  let third = false;
  const waiter = queue.wait("dsp", 1_000, signal).then(() => {
    third = true;
  });
  await Promise.resolve();
  assert.equal(third, false);
  clock.advance(1_000);
  await waiter;
});
