import assert from "node:assert/strict";
import { test } from "node:test";
import { Fft } from "../../runners/dsp/fft.ts";
import { noise } from "../audio.ts";

test("Fft gives the sums of its definition, at powers of four and of two", () => {
  for (const size of [1, 2, 4, 8, 64, 128]) {
    const real = Float64Array.from(noise(1, 1).subarray(0, size));
    const imaginary = Float64Array.from(noise(2, 1).subarray(0, size));
    const out_real = real.slice();
    const out_imaginary = imaginary.slice();
    new Fft(size).transform(out_real, out_imaginary);
    for (let k = 0; k < size; k++) {
      let r = 0;
      let i = 0;
      for (let n = 0; n < size; n++) {
        const angle = (-2 * Math.PI * ((k * n) % size)) / size;
        r += real[n]! * Math.cos(angle) - imaginary[n]! * Math.sin(angle);
        i += real[n]! * Math.sin(angle) + imaginary[n]! * Math.cos(angle);
      }
      assert.ok(Math.abs(out_real[k]! - r) < 1e-12 && Math.abs(out_imaginary[k]! - i) < 1e-12, `${size}: bin ${k}`);
    }
  }
});

test("Fft with its arguments exchanged takes itself back", () => {
  const size = 8192;
  const real = Float64Array.from(noise(3, 1).subarray(0, size));
  const imaginary = new Float64Array(size);
  const back = real.slice();
  const fft = new Fft(size);
  fft.transform(back, imaginary);
  fft.transform(imaginary, back);
  for (let n = 0; n < size; n++) assert.ok(Math.abs(back[n]! / size - real[n]!) < 1e-14, `value ${n}`);
});

test("Fft refuses sizes that are no power of two", () => {
  assert.throws(() => new Fft(12), RangeError);
});
