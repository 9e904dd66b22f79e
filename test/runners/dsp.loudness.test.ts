import assert from "node:assert/strict";
import { test } from "node:test";
import { integratedLoudness, LoudnessMeter } from "../../runners/dsp/loudness.ts";
import { joined, noise, silence, sine } from "../audio.ts";

/** LU. EBU Tech 3341 allows 0.1; ours are held to less. */
const TOLERANCE_LU = 0.03;
const RATE = 48_000;
const level = (dbfs: number): number => 10 ** (dbfs / 20);
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

/** EBU Tech 3341 table 1, cases 1 to 5: [dBFS, seconds] of a stereo sine at 1 kHz, and what a meter must read. */
const CASES: readonly [string, readonly (readonly [number, number])[], number][] = [
  ["1", [[-23, 20]], -23],
  ["2", [[-33, 20]], -33],
  [
    "3",
    [
      [-36, 10],
      [-23, 60],
      [-36, 10],
    ],
    -23,
  ],
  [
    "4",
    [
      [-72, 10],
      [-36, 10],
      [-23, 60],
      [-36, 10],
      [-72, 10],
    ],
    -23,
  ],
  [
    "5",
    [
      [-26, 20],
      [-20, 20.1],
      [-26, 20],
    ],
    -23,
  ],
];

for (const [name, parts, lufs] of CASES) {
  test(`integratedLoudness() reads ${lufs} LUFS in Tech 3341 case ${name}`, () => {
    for (const rate of [44_100, RATE]) {
      const samples = joined(...parts.map(([dbfs, seconds]) => sine(1000, seconds, rate, level(dbfs))));
      near(integratedLoudness([samples, samples], rate), lufs);
    }
  });
}

test("LoudnessMeter weighs five channels as Tech 3341 case 6 asks", () => {
  const meter = new LoudnessMeter(RATE, 5, 1, [1, 1, 1, 1.41, 1.41]);
  meter.push([-28, -28, -24, -30, -30].map((dbfs) => sine(1000, 20, RATE, level(dbfs))));
  near(meter.integrated(), -23);
});

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
