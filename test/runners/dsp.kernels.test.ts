/** What the kernels of runners/signal/dsp/assembly give, beside plain formulas. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { samplesOf } from "../../runners/samples.ts";
import { arena, useKernels } from "../../runners/signal/dsp/arena.ts";
import { CoarseGrid } from "../../runners/signal/dsp/coarse_grid.ts";
import { HannMean } from "../../runners/signal/dsp/hann.ts";
import { coarsePoints } from "../../runners/signal/dsp/interpolation.ts";
import { GainCurve, PeakMap } from "../../runners/signal/dsp/limiter.ts";
import { LoudnessMeter } from "../../runners/signal/dsp/loudness.ts";
import { Relief } from "../../runners/signal/dsp/true_peak.ts";
import { Rendering } from "../../runners/signal/master/rendering.ts";
import { noise } from "../audio.ts";

/** What `make` gives by kernels and in plain form. */
function bothWays<Result>(make: () => Result): readonly [Result, Result] {
  const kernel = make();
  useKernels(false);
  try {
    return [kernel, make()];
  } finally {
    useKernels(true);
  }
}

test("Relief finds each run's top and largest second difference to the last bit, and what is not finite", () => {
  assert.ok(arena(0), "runners/signal/dsp/assembly/kernels.wasm is missing: run `npm run setup`");
  const x = noise(1, 0.1);
  const relief = new Relief();
  const first = 100;
  const peak = relief.survey(x, first, first + 960);
  let highest = 0;
  for (let run = 0; run < 32; run++) {
    let top = 0;
    let bend = 0;
    const from = first + (run - 1) * 32;
    for (let n = from; n <= from + 32; n++) {
      top = Math.max(top, Math.abs(x[n]!));
      if (n < from + 32) bend = Math.max(bend, Math.abs(Math.fround(Math.fround(x[n - 1]! + x[n + 1]!) - 2 * x[n]!)));
      if (n < from + 32 && run > 0 && run < 31) highest = Math.max(highest, Math.abs(x[n]!));
    }
    assert.equal(relief.tops[run], top, `run ${run}`);
    assert.equal(relief.bends[run], bend, `run ${run}`);
  }
  assert.equal(peak, highest);
  const [kernel, plain] = bothWays(() => {
    const peak = relief.survey(x, first, first + 950);
    return [peak, relief.tops.slice(0, 32), relief.bends.slice(0, 32)];
  });
  assert.deepEqual(kernel, plain);
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
    x[500] = bad;
    assert.deepEqual(
      bothWays(() => relief.survey(x, first, first + 960)),
      [Number.NaN, Number.NaN],
    );
  }
});

test("Rendering rounds to the same samples by the kernel, with a curve of gains and without, beyond full scale too", () => {
  const sound = samplesOf({ sample_rate: 44_100, channels: [noise(7, 0.1), noise(8, 0.1)] });
  const { frames } = sound;
  const map = new PeakMap(1, frames, 1);
  const gains = noise(9, 1)
    .subarray(0, map.peaks.length)
    .map((value) => 0.9 - 0.1 * Math.abs(value));
  for (const curve of [undefined, new GainCurve(gains, map)]) {
    for (const bits of [16, 24] as const) {
      const [kernel, plain] = bothWays(() => {
        const rendering = new Rendering(sound, 1.7, curve, bits, false);
        const out = [new Float32Array(frames), new Float32Array(frames)];
        for (const [from, to] of [
          [0, 1000],
          [1000, 1001],
          [1001, frames],
        ] as const)
          rendering.samples(
            from,
            to,
            out.map((channel) => channel.subarray(from, to)),
          );
        return out;
      });
      assert.deepEqual(kernel, plain, `${bits} bits`);
    }
  }
});

test("CoarseGrid gives what coarsePoints gives, within 1e-6", () => {
  const x = noise(2, 0.1, 44_100, 1);
  const grid = new CoarseGrid();
  const points = new Float64Array(3);
  for (const count of [1, 8, 31, 512]) {
    grid.of(x, 200, count);
    for (let i = 0; i < count; i++) {
      coarsePoints(x, 200 + i, points);
      for (let phase = 1; phase <= 3; phase++) {
        assert.ok(Math.abs(grid.at(phase, i) - points[phase - 1]!) < 1e-6, `${phase} after ${i} of ${count}`);
      }
    }
  }
});

test("LoudnessMeter measures two channels by the kernel as one by one", () => {
  const left = noise(3, 2);
  const right = noise(4, 2, 44_100, 0.1);
  const pair = new LoudnessMeter(44_100, 2, 294);
  // Weights keep the kernel out.
  const plain = new LoudnessMeter(44_100, 2, 294, [1, 1]);
  for (let from = 0; from < left.length; from += 9999) {
    const to = Math.min(left.length, from + 9999);
    pair.push([left, right], from, to);
    plain.push([left, right], from, to);
  }
  assert.equal(pair.bins, plain.bins);
  assert.ok(Math.abs(pair.integrated() - plain.integrated()) < 1e-9);
  for (const [bin, energy] of plain.energies.entries()) {
    assert.ok(Math.abs(pair.energies[bin]! - energy) < 1e-9 * (energy + 1), `bin ${bin}`);
  }
});

test("GainCurve gives the same gains by the kernel to the last bit, at its ends, on a ring, and says where all are 1", () => {
  const frames = 15 * 400 + 7;
  for (const ring of [false, true]) {
    const context = ring ? [new Float32Array(PeakMap.context)] : undefined;
    const map = new PeakMap(1, frames, 1, context);
    const gains = noise(5, 1)
      .subarray(0, map.peaks.length)
      .map((value) => 0.9 - 0.1 * Math.abs(value));
    gains.fill(1, 100, 200);
    const curve = new GainCurve(gains, map);
    for (const [from, to] of [
      [0, frames],
      [0, 1],
      [7, 8],
      [1000, 1333],
      [frames - 40, frames],
      [1533, 2965],
    ] as const) {
      const plain = new Float64Array(to - from);
      curve.fill(from, to, plain);
      const memory = arena(64 + curve.bytesFor(to - from))!;
      const moves = curve.fillByKernel(from, to - from, memory, 64);
      assert.deepEqual(memory.doubles(64, to - from), plain, `${from} to ${to}${ring ? " of a ring" : ""}`);
      assert.equal(moves, from !== 1533, "only the cells of that stretch are all 1");
    }
  }
});

test("HannMean gives the same means by the kernel to the last bit", () => {
  for (const [count, reach, ring] of [
    [1, 0, false],
    [3, 9, true],
    [17, 1, false],
    [40_000, 9, false],
    [40_001, 6, true],
  ] as const) {
    const values = noise(6, 1)
      .subarray(0, count)
      .map((value) => Math.max(0, value));
    values.fill(0, 10_000, 30_000);
    const mean = new HannMean(count, reach, ring);
    const [kernel, plain] = bothWays(() => {
      const means = new Float32Array(count);
      mean.of(values, means);
      return means;
    });
    assert.deepEqual(kernel, plain, `${count} values, ${reach} to either side`);
  }
});
