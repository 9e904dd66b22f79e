import assert from "node:assert/strict";
import { test } from "node:test";
import { finePoint } from "../../runners/signal/dsp/interpolation.ts";
import { TruePeakMeter, truePeak } from "../../runners/signal/dsp/true_peak.ts";
import { decibel, faded, music, noise, silence, sine } from "../audio.ts";
import { PEAK_CASES } from "../tech3341.ts";

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

for (const { name, dbtp, exact_db, samples } of PEAK_CASES) {
  test(`truePeak() reads ${dbtp} dBTP in Tech 3341 case ${name}`, () => {
    const found = decibel(truePeak([samples()]));
    // Tolerance of the standard: +0.2, -0.4 dB.
    assert.ok(found <= dbtp + 0.2 && found >= dbtp - 0.4, `${found} dBTP`);
    if (exact_db !== undefined) assert.ok(Math.abs(found - exact_db) < 0.005, `${found} dBTP`);
  });
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
