import assert from "node:assert/strict";
import { test } from "node:test";
import { Compressor } from "../../runners/signal/dsp/compressor.ts";
import { decibel, seeded } from "../audio.ts";

const CELL_S = 15 / 44_100;

/** Energies of `seconds` at `level_db`, a random decibel about it. */
function level(level_db: number, seconds: number, random = seeded(1)): number[] {
  return Array.from({ length: Math.round(seconds / CELL_S) }, () => 10 ** ((level_db + random() - 0.5) / 10));
}

function gainsOf(energies: readonly number[], slope: number, threshold_db: number, ring = false): Float32Array {
  const gains = new Float32Array(energies.length);
  new Compressor(Float32Array.from(energies), CELL_S, ring).gains(slope, threshold_db, gains);
  return gains;
}

test("Compressor leaves alone what is below its knee, and evens out what is above by its slope", () => {
  const gains = gainsOf([...level(-60, 3), ...level(-20, 3)], 0.5, -40);
  const at = (second: number): number => decibel(gains[Math.round(second / CELL_S)]!);
  assert.equal(at(1), 0);
  // 20 dB above the middle of the knee, at 2:1.
  assert.ok(Math.abs(at(4.5) + 10) < 0.2, `${at(4.5)} dB`);
});

test("Compressor begins before the sound rises, and lets go slowly and smoothly", () => {
  const gains = gainsOf([...level(-50, 1), ...level(-20, 1), ...level(-50, 2)], 0.67, -40);
  const at = (second: number): number => decibel(gains[Math.round(second / CELL_S)]!);
  assert.ok(at(0.99) < -1 && at(0.9) === 0, `${at(0.9)}, ${at(0.99)} dB`);
  assert.ok(at(2.1) < -3 && at(3.9) > -1.5, `${at(2.1)}, ${at(3.9)} dB`);
  for (let cell = 1; cell < gains.length; cell++) {
    assert.ok(Math.abs(decibel(gains[cell]! / gains[cell - 1]!)) < 0.25, `cell ${cell}`);
  }
});

test("Compressor hardly sees a click", () => {
  const energies = level(-50, 2);
  energies[3000]! *= 1e4;
  const gains = gainsOf(energies, 0.5, -56);
  assert.ok(decibel(gains[3000]! / gains[1000]!) > -3, `${decibel(gains[3000]! / gains[1000]!)} dB`);
});

test("Compressor closes a ring: the gains of a turned ring are the turned gains", () => {
  const energies = [...level(-20, 0.6), ...level(-45, 0.9)];
  // A whole number of the compressor's steps.
  const count = Math.floor(energies.length / 15) * 15;
  const ring = energies.slice(0, count);
  const turn = 15 * 100;
  const gains = gainsOf(ring, 0.6, -40, true);
  const turned = gainsOf(
    ring.map((_, cell) => ring[(cell + turn) % count]!),
    0.6,
    -40,
    true,
  );
  for (let cell = 0; cell < count; cell += 7) {
    assert.ok(Math.abs(turned[cell]! - gains[(cell + turn) % count]!) < 1e-3, `cell ${cell}`);
  }
});
