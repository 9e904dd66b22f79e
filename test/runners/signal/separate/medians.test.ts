import assert from "node:assert/strict";
import { test } from "node:test";
import { random } from "../../../../runners/signal/dsp/random.ts";
import { runningMedian } from "../../../../runners/signal/separate/medians.ts";

test("runningMedian() is the median of what the window holds, cut at both ends, at any stride", () => {
  const next = random(7);
  for (const [count, reach, stride] of [
    [1, 3, 1],
    [2, 1, 3],
    [40, 0, 2],
    [57, 4, 1],
    [90, 100, 5],
  ] as const) {
    const values = Uint8Array.from({ length: count * stride + 3 }, () => 256 * next() ** 2);
    const made = new Uint8Array(count * 2 + 1);
    runningMedian(values, 3, stride, count, reach, made, 1, 2);
    for (let n = 0; n < count; n++) {
      const window: number[] = [];
      for (let k = Math.max(0, n - reach); k <= Math.min(count - 1, n + reach); k++)
        window.push(values[3 + k * stride]!);
      window.sort((a, b) => a - b);
      assert.equal(made[1 + 2 * n], window[window.length >> 1], `${n} of ${count}, reach ${reach}`);
    }
  }
});
