/** What the kernels of runners/signal/dsp/assembly give, beside plain formulas. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { arena } from "../../runners/signal/dsp/arena.ts";
import { CoarseGrid } from "../../runners/signal/dsp/coarse_grid.ts";
import { coarsePoints } from "../../runners/signal/dsp/interpolation.ts";
import { LoudnessMeter } from "../../runners/signal/dsp/loudness.ts";
import { Relief } from "../../runners/signal/dsp/true_peak.ts";
import { noise } from "../audio.ts";

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
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
    x[500] = bad;
    assert.ok(Number.isNaN(relief.survey(x, first, first + 960)));
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
