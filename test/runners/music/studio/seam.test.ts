import assert from "node:assert/strict";
import test from "node:test";
import { seamBefore } from "../../../../runners/music/studio/seam.ts";
import { random } from "../../../../runners/signal/dsp/random.ts";

const RATE = 44_100;

/** Two seconds of soft noise with an attack on each of eight beats, and `more` before the first of them. */
function ring(more: (out: Float32Array) => void): Float32Array {
  const next = random(3);
  const out = Float32Array.from({ length: 2 * RATE }, () => 0.001 * (next() - 0.5));
  const strike = (at: number): void => {
    for (let n = 0; n < 4000; n++)
      out[(at + n) % out.length]! += 0.5 * (next() - 0.5) * Math.min(1, n / 50) * Math.exp(-n / 800);
  };
  for (let beat = 0; beat < 8; beat++) strike((beat * out.length) / 8);
  more(out);
  return out;
}

test("seamBefore() begins a loop 14 to 17 ms before its first beat", () => {
  const before = seamBefore([ring(() => undefined)]);
  assert.ok(before >= 617 && before <= 749, `${before}`);
});

test("seamBefore() goes round what lies before the beat, on either side", () => {
  const plain = ring(() => undefined);
  // A grace note where the seam would be, and from there on to the beat.
  for (const rings of [
    [plain, graced(700)],
    [graced(700), plain],
  ])
    assert.ok(seamBefore(rings) > 749, `${seamBefore(rings)}`);
  function graced(early: number): Float32Array {
    return ring((out) => {
      const next = random(5);
      for (let n = 0; n < early; n++) out[out.length - early + n]! += 0.4 * (next() - 0.5);
    });
  }
});

test("seamBefore() has an answer for silence, for noise and for the shortest loop", () => {
  const next = random(9);
  for (const samples of [
    new Float32Array(RATE),
    Float32Array.from({ length: RATE }, () => next() - 0.5),
    new Float32Array(RATE / 2).fill(0.1),
  ]) {
    const before = seamBefore([samples]);
    assert.ok(before >= 617 && before <= 970, `${before}`);
  }
});
