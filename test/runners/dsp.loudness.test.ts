import assert from "node:assert/strict";
import { test } from "node:test";
import { integratedLoudness, LoudnessMeter } from "../../runners/signal/dsp/loudness.ts";
import { noise, silence, sine } from "../audio.ts";
import { LOUDNESS_CASES, TECH_3341_RATE as RATE } from "../tech3341.ts";

/** LU. EBU Tech 3341 allows 0.1; ours are held to less. */
const TOLERANCE_LU = 0.03;
const near = (found: number, meant: number, tolerance = TOLERANCE_LU): void =>
  assert.ok(Math.abs(found - meant) <= tolerance, `${found} is not ${meant} ± ${tolerance}`);

test("integratedLoudness() is -Infinity for silence, nothing and one sample of silence", () => {
  assert.equal(integratedLoudness([silence(2)], 44_100), Number.NEGATIVE_INFINITY);
  assert.equal(integratedLoudness([new Float32Array(0)], 44_100), Number.NEGATIVE_INFINITY);
  assert.equal(integratedLoudness([new Float32Array(1)], 44_100), Number.NEGATIVE_INFINITY);
});

test("integratedLoudness() measures a single sample as a padded block", () => {
  // One sample of 1 through the K-filters holds finite energy, spread over 400 ms.
  assert.ok(Number.isFinite(integratedLoudness([new Float32Array([1])], 44_100)));
});

test("integratedLoudness() is NaN where a sample is NaN or infinite", () => {
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
    const samples = sine(1000, 1);
    samples[20_000] = bad;
    assert.ok(Number.isNaN(integratedLoudness([samples], 44_100)));
  }
});

for (const { name, lufs, channels } of LOUDNESS_CASES) {
  test(`LoudnessMeter reads ${lufs} LUFS in Tech 3341 case ${name}`, () => {
    for (const rate of [44_100, RATE]) {
      const parts = channels(rate);
      const meter = new LoudnessMeter(rate, parts.length, 1, [1, 1, 1, 1.41, 1.41].slice(0, parts.length));
      meter.push(parts);
      near(meter.integrated(), lufs);
    }
  });
}

test("integratedLoudness() reads 997 Hz at full scale in one channel as -3.01 LKFS", () => {
  // BS.1770-4 annex 1: 0 dBFS at 997 Hz in one channel.
  for (const rate of [22_050, 44_100, 48_000, 96_000]) near(integratedLoudness([sine(997, 5, rate, 1)], rate), -3.01);
});

test("LoudnessMeter reads the same however the samples are cut into pushes", () => {
  const samples = noise(1, 3);
  const meter = new LoudnessMeter(44_100, 1);
  for (let from = 0; from < samples.length; from += 1234) {
    meter.push([samples], from, Math.min(samples.length, from + 1234));
  }
  assert.equal(meter.integrated().toFixed(9), integratedLoudness([samples], 44_100).toFixed(9));
  assert.equal(meter.frames, samples.length);
});

test("LoudnessMeter foretells the loudness under a gain for each bin", () => {
  const samples = noise(2, 4);
  const meter = new LoudnessMeter(44_100, 1, 21);
  meter.push([samples]);
  const before = meter.integrated();
  const power = new Float64Array(meter.bins).fill(0.25);
  near(meter.integrated(power), before + 10 * Math.log10(0.25), 1e-9);
});
