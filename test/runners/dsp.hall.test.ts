import assert from "node:assert/strict";
import { test } from "node:test";
import { sine } from "../../runners/signal/dsp/exact.ts";
import { Doubler, Halver } from "../../runners/signal/dsp/half_band.ts";
import { Hall } from "../../runners/signal/dsp/hall.ts";
import { Widener } from "../../runners/signal/dsp/widener.ts";

const RATE = 22_050;

function impulse(hall: Hall, seconds: number): [Float64Array, Float64Array] {
  const left = new Float64Array(seconds * RATE);
  const right = new Float64Array(seconds * RATE);
  left[0] = right[0] = 1;
  hall.run(left, right, left.length);
  return [left, right];
}

test("Hall falls by 60 dB in the time asked for and fills up with echoes", () => {
  for (const [t60, size, sway] of [
    [0.6, 0.45, 0],
    [1.6, 1, 1],
    [3, 1.5, 1],
  ] as const) {
    const hall = new Hall(RATE, { t60, size, damping: 9000, predelay: 0.02, early: 0.3, sway });
    const [left, right] = impulse(hall, 4);
    const after = (samples: Float64Array, from: number): number =>
      samples.subarray(Math.round(from * RATE)).reduce((sum, x) => sum + x * x, 0);
    const energy = after(left, 0);
    assert.ok(energy > 0.7 && energy < 1.4, `energy ${energy}`);
    const fall = (10 * Math.log10(after(left, 0.1 + t60 / 2) / after(left, 0.1))) / -0.5;
    assert.ok(fall > 50 && fall < 80, `${fall} dB in ${t60} s`);
    const both = left.reduce((sum, x, n) => sum + x * right[n]!, 0);
    assert.ok(Math.abs(both) < 0.2, `left and right agree by ${both}`);
    // Echo density after Abel and Huang 2006: the share of samples beyond one deviation, against Gaussian noise's.
    const window = left.subarray(Math.round(0.2 * RATE), Math.round(0.23 * RATE));
    const deviation = Math.sqrt(window.reduce((sum, x) => sum + x * x, 0) / window.length);
    const beyond = window.reduce((count, x) => count + (Math.abs(x) > deviation ? 1 : 0), 0) / window.length / 0.3173;
    assert.ok(beyond > 0.8, `echo density ${beyond}`);
  }
});

test("Hall gives the same in blocks of any size", () => {
  const shape = { t60: 1, size: 0.9, damping: 6000, predelay: 0.01, early: 0.3, sway: 0 };
  const [whole] = impulse(new Hall(RATE, shape), 1);
  const left = new Float64Array(RATE);
  const right = new Float64Array(RATE);
  left[0] = right[0] = 1;
  const hall = new Hall(RATE, shape);
  for (let at = 0; at < RATE; at += 700) {
    hall.run(left.subarray(at), right.subarray(at), Math.min(700, RATE - at));
  }
  assert.deepEqual(left, whole);
});

test("Halver and Doubler keep what lies below and stop what lies above", () => {
  const level = (turns: number): number => {
    const samples = Float64Array.from({ length: 8192 }, (_, n) => sine(turns * n));
    const half = new Float64Array(4096);
    new Halver().run(samples, 8192, half);
    const part = half.subarray(1000);
    return 10 * Math.log10((2 * part.reduce((sum, x) => sum + x * x, 0)) / part.length);
  };
  for (const turns of [0.01, 0.1, 0.19]) assert.ok(Math.abs(level(turns)) < 0.1, `${turns}: ${level(turns)} dB`);
  for (const turns of [0.31, 0.4, 0.49]) assert.ok(level(turns) < -65, `${turns}: ${level(turns)} dB`);
  const tone = Float64Array.from({ length: 4096 }, (_, n) => sine(0.1 * n));
  const twice = new Float64Array(8192);
  new Doubler().run(tone, 4096, twice);
  const power = twice.subarray(1000).reduce((sum, x) => sum + x * x, 0) / 7192;
  assert.ok(Math.abs(power - 0.5) < 0.01, `power ${power}`);
});

test("Widener's side has the middle's power above its corner and little in common with it", () => {
  const middle = Float64Array.from({ length: 44_100 }, (_, n) => sine(0.037 * n * (1 + n / 30_000)));
  const side = new Float64Array(middle.length);
  new Widener(44_100, 2).run(middle, middle.length, side);
  const of = (a: Float64Array, b: Float64Array): number => a.reduce((sum, x, n) => sum + x * b[n]!, 0);
  const alike = of(middle, side) / Math.sqrt(of(middle, middle) * of(side, side));
  assert.ok(Math.abs(alike) < 0.25, `alike ${alike}`);
  assert.ok(Math.abs(10 * Math.log10(of(side, side) / of(middle, middle))) < 0.5);
});
