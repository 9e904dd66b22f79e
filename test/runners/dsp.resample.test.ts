import assert from "node:assert/strict";
import { test } from "node:test";
import { Resampler, resample } from "../../runners/signal/dsp/resample.ts";
import { decibel, faded, noise, sine, toneLevel } from "../audio.ts";

const OUT = 44_100;
const level = (samples: Float32Array, hertz: number): number =>
  decibel(toneLevel(samples, hertz, OUT, Math.round(0.2 * OUT), samples.length - Math.round(0.2 * OUT)));

/** A second of a tone that swells as a squared sine, so that neither end has an edge. */
function swelling(hertz: number, rate: number): Float32Array {
  return sine(hertz, 1, rate).map((sample, n) => sample * Math.sin((Math.PI * n) / rate) ** 2);
}

test("resample() of nothing, one sample and the same rate", () => {
  assert.equal(resample([new Float32Array(0)], 48_000, OUT)[0]!.length, 0);
  assert.equal(resample([new Float32Array([0.5])], 48_000, OUT)[0]!.length, 1);
  const samples = noise(1, 0.1);
  const same = resample([samples], OUT, OUT)[0]!;
  assert.deepEqual(same, samples);
  assert.notEqual(same, samples);
});

/** By the kernels, and in the plain form that runs where they cannot. */
const FORMS = [true, false];

for (const rate of [
  8000, 11_025, 16_000, 22_050, 32_000, 44_056, 47_999, 48_000, 88_200, 96_000, 176_400, 191_999, 192_000,
]) {
  test(`resample() from ${rate} Hz gives round(n · 44100 / rate) frames and keeps every tone in place`, () => {
    const nyquist = Math.min(rate, OUT) / 2;
    for (const [share, kernel] of [0.02, 0.5, 0.9].flatMap((part) => FORMS.map((form) => [part, form] as const))) {
      const hertz = Math.round(nyquist * share);
      const samples = swelling(hertz, rate);
      const out = resample([samples], rate, OUT, kernel)[0]!;
      assert.equal(out.length, Math.round((samples.length * OUT) / rate));
      // The same formula at the other rate: any delay, ripple or image shows as a difference.
      const meant = swelling(hertz, OUT);
      let worst = 0;
      for (let n = 0; n < meant.length; n++) {
        worst = Math.max(worst, Math.abs(out[n]! - meant[n]!));
      }
      assert.ok(decibel(worst / 0.5) < -80, `${hertz} Hz: ${decibel(worst / 0.5)} dB`);
    }
  });
}

test("resample() is flat within 0.05 dB to 20 kHz", () => {
  for (const rate of [48_000, 88_200, 96_000, 192_000]) {
    for (const hertz of [100, 10_000, 19_000, 20_000]) {
      for (const kernel of FORMS) {
        const gain = level(resample([sine(hertz, 1, rate)], rate, OUT, kernel)[0]!, hertz) - decibel(0.5);
        assert.ok(Math.abs(gain) < 0.05, `${rate} Hz, ${hertz} Hz: ${gain} dB`);
      }
    }
  }
});

test("resample() keeps what is above 22.05 kHz from folding: -100 dB", () => {
  for (const [rate, tones] of [
    [48_000, [22_100, 23_000, 23_900]],
    [96_000, [22_100, 24_000, 30_000, 43_000, 47_000]],
    [192_000, [22_100, 26_000, 43_000, 48_100, 70_000, 90_000]],
  ] as const) {
    for (const hertz of tones) {
      for (const kernel of FORMS) {
        const out = resample([faded(sine(hertz, 1, rate, 1), 0.1, rate)], rate, OUT, kernel)[0]!;
        const worst = out.subarray(10_000, 34_000).reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
        assert.ok(decibel(worst) < -100, `${rate} Hz, ${hertz} Hz: ${decibel(worst)} dB`);
      }
    }
  }
});

test("resample() leaves no image above the source's band: -100 dB", () => {
  const out = resample([faded(sine(3000, 1, 8000, 1), 0.1, 8000)], 8000, OUT)[0]!;
  for (const image of [5000, 11_000, 13_000, 19_000])
    assert.ok(level(out, image) < -100, `${image} Hz: ${level(out, image)}`);
});

test("Resampler gives the same samples however its input is cut", () => {
  const left = noise(2, 0.5, 96_000);
  const right = noise(3, 0.5, 96_000);
  const whole = resample([left, right], 96_000, OUT);
  const resampler = new Resampler(96_000, OUT, 2);
  const parts: Float32Array[] = [];
  for (let from = 0, step = 1; from < left.length; step = (step * 7) % 4093) {
    const count = Math.min(step, left.length - from);
    parts.push(resampler.push([left.subarray(from), right.subarray(from)], count)[1]!.slice());
    from += count;
  }
  parts.push(resampler.finish()[1]!);
  assert.deepEqual(Float32Array.from(parts.flatMap((part) => [...part])), whole[1]);
});

test("resample() gives by the kernels what it gives without them, but for what lies between 20 kHz and half the rate: -100 dB", () => {
  for (const rate of [8000, 22_050, 32_000, 48_000, 88_200, 96_000, 192_000]) {
    const samples = faded(noise(4, 1, rate), 0.1, rate);
    const [one, other] = FORMS.map((kernel) => resample([samples], rate, OUT, kernel)[0]!);
    let apart = 0;
    let power = 0;
    for (let n = 0; n < one!.length; n++) {
      apart += (one![n]! - other![n]!) ** 2;
      power += one![n]! ** 2;
    }
    assert.equal(one!.length, other!.length);
    assert.ok(10 * Math.log10(apart / power) < -100, `${rate} Hz: ${10 * Math.log10(apart / power)} dB`);
  }
});
