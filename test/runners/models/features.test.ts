import assert from "node:assert/strict";
import { test } from "node:test";
import { featuresOf } from "../../../runners/models/families/bands/features.ts";
import { useKernels } from "../../../runners/signal/dsp/arena.ts";
import { random } from "../../../runners/signal/dsp/random.ts";

const FRAMES = 3;
const BINS = 32;

/** Of a bin in doubles, as training/separator/model.py has them, in bytes as graph.py. */
function reference([a, b, c, d]: readonly number[], mean: number): number[] {
  const [left, right, twice] = [a! * a! + b! * b!, c! * c! + d! * d!, 2 * (a! * c! + b! * d!)];
  const step = (Math.log(5000) - Math.log(1e-6)) / 255;
  const level = (energy: number) => Math.log(Math.max(0, (0.25 * energy) / mean) + 1e-6) / step + 158;
  const side = (value: number) => (127.5 * value) / (left + right + 1e-4 * mean) + 128;
  return [level(left + right + twice), level(left + right - twice), side(left - right), side(twice)];
}

test("featuresOf() tells level, sides, balance and likeness, the same with kernels and without", (t) => {
  t.after(() => useKernels(true));
  const next = random(3);
  const spectra = Float32Array.from({ length: FRAMES * 4 * BINS }, () => (2 * next() - 1) * 10 ** (6 * next() - 4));
  // Nothing at all, the left alone, both the same, both opposed.
  for (const [bin, right] of [0, 0, 1, -1].entries()) {
    for (const row of [0, 1]) {
      const left = bin === 0 ? 0 : row + 1;
      spectra[row * BINS + bin] = left;
      spectra[(row + 2) * BINS + bin] = right * left;
    }
  }
  const energy = spectra.reduce((sum, x) => sum + x * x, 0);
  const mean = energy / (FRAMES * BINS) + 1e-9;
  const made = [true, false].map((kernels) => {
    useKernels(kernels);
    const out = new Uint8Array(spectra.length);
    featuresOf(spectra, FRAMES, BINS, energy, out);
    return out;
  });
  assert.deepEqual(made[0], made[1]);
  for (let frame = 0; frame < FRAMES; frame++) {
    for (let bin = 0; bin < BINS; bin++) {
      const at = 4 * frame * BINS + bin;
      const wanted = reference(
        [0, 1, 2, 3].map((row) => spectra[at + row * BINS]!),
        mean,
      );
      for (const [row, value] of wanted.entries()) {
        const held = Math.max(0, Math.min(255, value));
        assert.ok(Math.abs(made[0]![at + row * BINS]! - held) < 0.51, `row ${row} of bin ${bin}: ${held}`);
      }
    }
  }
});

test("featuresOf() tells silence as the lowest level, balanced and unlike", () => {
  const out = new Uint8Array(4 * BINS);
  featuresOf(new Float32Array(4 * BINS), 1, BINS, 0, out);
  assert.deepEqual([...new Set(out.subarray(0, 2 * BINS))], [0]);
  assert.deepEqual([...new Set(out.subarray(2 * BINS))], [128]);
});
