import assert from "node:assert/strict";
import { test } from "node:test";
import { useKernels } from "../../../../runners/signal/dsp/arena.ts";
import { log2 } from "../../../../runners/signal/dsp/log2.ts";
import { random } from "../../../../runners/signal/dsp/random.ts";
import { BANDS, HERTZ, HOP } from "../../../../runners/signal/separate/grid.ts";
import { type Picture, picture } from "../../../../runners/signal/separate/picture.ts";
import { pieceOf } from "./shipped_fixtures.ts";

const RATE = 44_100;
const look = (...channels: Float32Array[]): Promise<Picture> =>
  picture({ sample_rate: RATE, channels }, () => undefined);
const sine = (hertz: number, gain: number): Float32Array =>
  Float32Array.from({ length: RATE }, (_, n) => gain * Math.sin((2 * Math.PI * hertz * n) / RATE));

test("log2() is the logarithm to base 2", () => {
  const next = random(5);
  for (let k = 0; k < 2000; k++) {
    const x = Math.fround(2 ** (200 * next() - 100));
    assert.ok(Math.abs(log2(x) - Math.log2(x)) < 1e-5 + Math.abs(Math.log2(x)) * 1e-7, `${x}`);
  }
  assert.equal(log2(1), 0);
  assert.equal(log2(0), -127);
});

test("picture() tells a tone's level, and where it stands", async () => {
  const frame = Math.floor(RATE / 2 / HOP);
  for (const [hertz, gain, left, right] of [
    [1000, 1, 1, 1],
    [1000, 0.1, 1, -1],
    [6000, 0.5, 1, 0],
  ] as const) {
    const seen = await look(sine(hertz, gain * left), sine(hertz, gain * right));
    const rows = seen.level.subarray(frame * BANDS, (frame + 1) * BANDS);
    const band = rows.indexOf(Math.max(...rows));
    assert.ok(Math.abs(HERTZ[band]! - hertz) < 45, `${hertz} Hz is heard at ${HERTZ[band]}`);
    const width = hertz < 2700 ? 1 : 4;
    // Half decibels; a lobe is some bins wide.
    const wanted = 2 * (115 + 10 * Math.log10((gain ** 2 * (left ** 2 + right ** 2)) / 2 / width));
    assert.ok(Math.abs(rows[band]! - wanted) < 9, `level ${rows[band]}, expected ${wanted}`);
    const at = frame * BANDS + band;
    assert.ok(Math.abs(seen.centre[at]! - (127.5 + 127.5 * left * right)) < 2);
    assert.ok(Math.abs(seen.balance[at]! - (right === 0 ? 255 : 127.5)) < 2);
  }
});

test("picture() sees the same with kernels and without, and in one channel what is in two that are equal", async (t) => {
  const { mix } = pieceOf(1);
  t.after(() => useKernels(true));
  const [left, right] = mix.channels as [Float32Array, Float32Array];
  const fast = [await look(left, right), await look(left), await look(left, left)] as const;
  assert.equal(apart(fast[1], fast[2]), 0);
  useKernels(false);
  // Its transforms are of another precision.
  for (const [k, plain] of [await look(left, right), await look(left)].entries())
    assert.equal(apart(fast[k]!, plain), 0);
});

/** Bytes that are more than one apart, where there is something to be heard. */
function apart(one: Picture, other: Picture): number {
  let count = 0;
  for (const [n, level] of one.level.entries()) {
    if (level <= 60) continue;
    for (const plane of ["level", "centre", "balance"] as const)
      if (Math.abs(one[plane][n]! - other[plane][n]!) > 1) count++;
  }
  return count;
}
