import assert from "node:assert/strict";
import { test } from "node:test";
import { useKernels } from "../../../../runners/signal/dsp/arena.ts";
import { random } from "../../../../runners/signal/dsp/random.ts";
import { BANDS } from "../../../../runners/signal/separate/grid.ts";
import { mediansAcross, mediansAlong, runningMedian } from "../../../../runners/signal/separate/medians.ts";

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

test("mediansAcross() and mediansAlong() are those of each band's neighbours, with kernels and without", (t) => {
  t.after(() => useKernels(true));
  const next = random(9);
  const frames = 30;
  const level = Uint8Array.from({ length: frames * BANDS }, () => 256 * next() ** 2);
  const middle = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!;
  for (const kernels of [true, false]) {
    useKernels(kernels);
    for (const [count, reach] of [
      [BANDS, 28],
      [286, 10],
      [40, 8],
      [30, 28],
    ] as const) {
      const made = new Uint8Array(count);
      mediansAcross(level, 3 * BANDS, count, reach, made);
      const row = level.subarray(3 * BANDS, 3 * BANDS + count);
      for (let band = 0; band < count; band++)
        assert.equal(
          made[band],
          middle([...row.subarray(Math.max(0, band - reach), band + reach + 1)]),
          `band ${band}`,
        );
    }
    for (const [frame, reach] of [
      [0, 5],
      [7, 5],
      [12, 20],
      [29, 20],
    ] as const) {
      const made = new Uint8Array(BANDS);
      mediansAlong(level, frames, frame, reach, made);
      const near = Array.from({ length: frames }, (_, k) => k).filter((k) => Math.abs(k - frame) <= reach);
      for (let band = 0; band < BANDS; band += 7)
        assert.equal(made[band], middle(near.map((k) => level[k * BANDS + band]!)), `frame ${frame}`);
    }
  }
});
