import assert from "node:assert/strict";
import { test } from "node:test";
import { finePoint } from "../../runners/dsp/interpolation.ts";
import { TruePeakMeter, truePeak } from "../../runners/dsp/true_peak.ts";
import { decibel, faded, music, noise, silence, sine } from "../audio.ts";

const RATE = 48_000;

test("truePeak() is 0 for silence and nothing, and a single sample's own height", () => {
  assert.equal(truePeak([silence(1)]), 0);
  assert.equal(truePeak([new Float32Array(0)]), 0);
  assert.equal(truePeak([new Float32Array([0.5])]), 0.5);
});

test("truePeak() is NaN where a sample is NaN or infinite", () => {
  for (const bad of [Number.NaN, Number.NEGATIVE_INFINITY]) {
    const samples = sine(1000, 1);
    samples[30_000] = bad;
    assert.ok(Number.isNaN(truePeak([samples])));
  }
});

/** EBU Tech 3341 cases 15 to 19: divisor of the sample rate, phase in degrees, amplitude, dBTP. */
const TONES: readonly [number, number, number, number, number][] = [
  [15, 4, 0, 0.5, -6],
  [16, 4, 45, 0.5, -6],
  [17, 6, 60, 0.5, -6],
  [18, 8, 67.5, 0.5, -6],
  [19, 4, 45, 1.41, 3],
];

for (const [name, divisor, degrees, amplitude, dbtp] of TONES) {
  test(`truePeak() reads ${dbtp} dBTP in Tech 3341 case ${name}`, () => {
    const samples = faded(sine(RATE / divisor, 5, RATE, amplitude, (degrees * Math.PI) / 180), 0.1, RATE);
    const found = decibel(truePeak([samples, samples]));
    // Tolerance of the standard: +0.2, -0.4 dB. The amplitude itself is rounded there: 0.5 is -6.02 dB.
    assert.ok(found <= dbtp + 0.2 && found >= dbtp - 0.4, `${found} dBTP`);
    assert.ok(Math.abs(found - decibel(amplitude)) < 0.005, `${found} dBTP`);
  });
}

for (const offset of [0, 1, 2, 3]) {
  test(`truePeak() reads 0 dBTP in Tech 3341 case ${20 + offset}`, () => {
    // At 4 fs: fs/6 at half level with one period of fs/4 at full level inside; kept below fs/2; every fourth sample from `offset`.
    const length = 4 * RATE;
    const fast = new Float64Array(length);
    let phase = 0;
    for (let n = 0; n < length; n++) {
      const loud = n >= 96_000 && n < 96_016;
      fast[n] = (loud ? 1 : 0.5) * Math.sin(phase);
      phase += (2 * Math.PI) / (loud ? 16 : 24);
    }
    const samples = Float32Array.from({ length: length / 4 - 100 }, (_, n) => lowpassed(fast, 4 * n + offset));
    const found = decibel(truePeak([samples]));
    assert.ok(found <= 0.2 && found >= -0.4, `${found} dBTP`);
  });
}

/** A sample of `fast` kept below an eighth of its rate, by a plain Hann-windowed sinc. */
function lowpassed(fast: Float64Array, at: number): number {
  const reach = 128;
  let sum = 0;
  for (let k = -reach; k <= reach; k++) {
    const x = (Math.PI * k) / 4;
    const sinc = k === 0 ? 1 : Math.sin(x) / x;
    sum += (fast[at + k] ?? 0) * (sinc / 4) * (0.5 + 0.5 * Math.cos((Math.PI * k) / (reach + 1)));
  }
  return sum;
}

test("truePeak() finds tones up to 21.5 kHz at their height", () => {
  for (const hertz of [5000, 11_025, 15_000, 19_000, 20_500, 21_500]) {
    const found = decibel(truePeak([faded(sine(hertz, 2, 44_100, 0.8, 0.7), 0.5)]));
    assert.ok(Math.abs(found - decibel(0.8)) < 0.01, `${hertz} Hz: ${found}`);
  }
});

test("truePeak() skips nothing that a search everywhere would find", () => {
  for (const samples of [noise(1, 0.2), noise(2, 0.2, 44_100, 0.01), ...music(3, 0.6), faded(noise(4, 0.3), 0.15)]) {
    const padded = new Float32Array(samples.length + 2048);
    padded.set(samples, 1024);
    let everywhere = 0;
    for (let n = 1000; n < padded.length - 1000; n++) {
      for (let phase = 0; phase < 64; phase += 8)
        everywhere = Math.max(everywhere, Math.abs(finePoint(padded, n, phase)));
    }
    const found = truePeak([samples]);
    assert.ok(decibel(found / everywhere) > -0.01 && decibel(found / everywhere) < 0.15, `${found} of ${everywhere}`);
  }
});

test("TruePeakMeter looks across the seam of a ring", () => {
  // 11,025 Hz at 45 degrees peaks between samples, everywhere; cut to whole periods its ring has no edge to swing.
  const ring = sine(11_025, 1, 44_100, 0.5, Math.PI / 4);
  const context = TruePeakMeter.context;
  const meter = new TruePeakMeter(1, [ring.subarray(ring.length - context)]);
  meter.push([ring]);
  assert.ok(Math.abs(decibel(meter.finish([ring.subarray(0, context)])) - decibel(0.5)) < 0.005);
  assert.ok(decibel(truePeak([ring])) > decibel(0.5) + 0.05);
});
