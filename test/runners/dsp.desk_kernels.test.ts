import assert from "node:assert/strict";
import { test } from "node:test";
import { useKernels } from "../../runners/signal/dsp/arena.ts";
import { bell, Cascade, highPass, highShelf } from "../../runners/signal/dsp/biquad.ts";
import { gainOf } from "../../runners/signal/dsp/exact.ts";
import { Hall } from "../../runners/signal/dsp/hall.ts";
import { pairChain } from "../../runners/signal/dsp/pair_chain.ts";
import { random } from "../../runners/signal/dsp/random.ts";
import { release } from "../../runners/signal/dsp/release.ts";

function noise(count: number, seed: number): Float64Array {
  const next = random(seed);
  return Float64Array.from({ length: count }, () => 2 * next() - 1);
}

/** What `make` gives in plain form and by kernels. */
function bothWays<Result>(make: () => Result): readonly [Result, Result] {
  try {
    useKernels(false);
    const plain = make();
    useKernels(true);
    return [plain, make()];
  } finally {
    useKernels(true);
  }
}

test("Cascade gives the same samples by its kernel, on one channel or two, in blocks of any size", () => {
  for (const sections of [
    [highPass(30, 44_100)],
    [highPass(30, 44_100), bell(320, 44_100, 0.9, -3), highShelf(8500, 44_100, 2)],
  ]) {
    const [plain, kernel] = bothWays(() => {
      const left = noise(6000, 1);
      const right = noise(6000, 2);
      const alone = noise(6000, 1);
      const pair = new Cascade(sections);
      const single = new Cascade(sections);
      pair.run(left, right, 5000);
      pair.run(left.subarray(5000), right.subarray(5000), 1000);
      single.run(alone, undefined, 6000);
      return [left, right, alone];
    });
    assert.deepEqual(kernel, plain);
    assert.deepEqual(kernel[2], kernel[0]);
  }
});

test("halls that take turns give the same samples by the kernel as each in plain form", () => {
  const [plain, kernel] = bothWays(() => {
    const large = new Hall(22_050, { t60: 2, size: 1.5, damping: 5000, predelay: 0.03, early: 0.3, sway: 1 });
    const small = new Hall(22_050, { t60: 0.5, size: 0.42, damping: 7000, predelay: 0.003, early: 0.7, sway: 0 });
    const channels = [1, 2, 3, 4].map((seed) => noise(12_000, seed));
    const [a, b, c, d] = channels as [Float64Array, Float64Array, Float64Array, Float64Array];
    for (let at = 0; at < 12_000; at += 3000) {
      large.run(a.subarray(at), b.subarray(at), 3000);
      small.run(c.subarray(at), d.subarray(at), 3000);
    }
    return channels;
  });
  assert.deepEqual(kernel, plain);
});

test("filters of a chain that run two at a time give the samples of one after the other", () => {
  const chain = [
    { kind: "high", hertz: 130, q: 0.6 },
    { kind: "peak", hertz: 750, q: 0.8, gain: gainOf(5) },
    { kind: "low", hertz: 5200, q: 1.1 },
    { kind: "clip", drive: 10, bias: 0.08 },
    { kind: "low", hertz: 7000, q: 0.71 },
    { kind: "high", hertz: 60, q: 0.71 },
  ] as const;
  const make = (): [Float32Array, Float32Array] => [
    Float32Array.from(noise(5000, 3)),
    Float32Array.from(noise(5000, 4)),
  ];
  const apart = (one: Float32Array, other: Float32Array): number =>
    one.reduce((most, value, n) => Math.max(most, Math.abs(value - other[n]!)), 0);
  const [plain, kernel] = bothWays(() => {
    const [left, right] = make();
    for (const _ of pairChain(left, right, 44_100, chain));
    return [left, right] as const;
  });
  assert.deepEqual(kernel, plain);
  // One filter at a time, rounded to single precision between them.
  const [left, right] = make();
  for (const link of chain) for (const _ of pairChain(left, right, 44_100, [link]));
  assert.ok(apart(left, kernel[0]) < 1e-4 && apart(right, kernel[1]) < 1e-4);
});

test("pairChain rests in a long silence and sounds afterwards as at the beginning", () => {
  const burst = Float32Array.from(noise(8192, 5), (value, n) => (n < 4000 ? value : 0));
  const samples = new Float32Array(8192 + 1024 * 60);
  samples.set(burst);
  samples.set(burst, 1024 * 60);
  const chain = [
    { kind: "high", hertz: 110, q: 0.6 },
    { kind: "clip", drive: 3, bias: 0.18 },
    { kind: "peak", hertz: 2500, q: 1.1, gain: gainOf(5) },
  ] as const;
  for (const _ of pairChain(samples, samples, 44_100, chain));
  assert.ok(samples.subarray(1024 * 40, 1024 * 60).every((value) => value === 0));
  assert.ok(samples.subarray(0, 4000).some((value) => Math.abs(value) > 0.1));
  assert.deepEqual(samples.slice(1024 * 60, 1024 * 60 + 8192), samples.slice(0, 8192));
});

test("release() empties whole arrays, at most once, and leaves views of a part alone", () => {
  const whole = new Float32Array(100);
  const part = new Float32Array(100).subarray(1);
  release(whole, part, undefined);
  release(whole);
  assert.equal(whole.length, 0);
  assert.equal(part.length, 99);
});
