import assert from "node:assert/strict";
import { test } from "node:test";
import { bend, meanReduction } from "../../runners/signal/master/bend.ts";

const CELLS = 64 * 50;
const even = new Float32Array(CELLS).fill(1);

test("bend() counts a gain that stands still or moves slowly as nothing", () => {
  assert.ok(bend(even, even) < -59.9);
  assert.ok(
    bend(
      Float32Array.from(even, (_, cell) => 1 - (0.5 * cell) / CELLS),
      even,
    ) < -45,
  );
});

test("bend() ranks a gain that follows every wave above dips at a few peaks", () => {
  const waves = Float32Array.from(even, (_, cell) => 0.85 + 0.15 * Math.cos((2 * Math.PI * cell) / 29));
  const dips = Float32Array.from(even, (_, cell) => (cell % 640 < 4 ? 0.3 : 1));
  // A sine of 0.15 about 0.85: (0.15² / 2) / (0.85² + 0.15² / 2) is -18.1 dB.
  assert.ok(Math.abs(bend(waves, even) + 18.1) < 0.5, `${bend(waves, even)} dB`);
  assert.ok(bend(dips, even) < -50, `${bend(dips, even)} dB`);
});

test("bend() and meanReduction() leave out what is not heard beside the rest", () => {
  const energies = Float32Array.from(even, (_, cell) => (cell < CELLS / 2 ? 1 : 1e-6));
  const waves = Float32Array.from(even, (_, cell) => (cell < CELLS / 2 ? 1 : 0.6 + 0.4 * Math.cos(cell)));
  assert.ok(bend(waves, energies) < -59.9);
  assert.equal(
    meanReduction(
      Float32Array.from(even, (_, cell) => (cell < CELLS / 2 ? 2 : 9)),
      energies,
    ),
    2,
  );
});

test("bend() of silence is a number", () => {
  assert.equal(bend(even, new Float32Array(CELLS)), 0);
});
