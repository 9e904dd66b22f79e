import assert from "node:assert/strict";
import { test } from "node:test";
import { arena, useKernels } from "../../runners/signal/dsp/arena.ts";
import { Fft } from "../../runners/signal/dsp/fft.ts";
import { noise } from "../audio.ts";

test("Fft gives the sums of its definition, at products of twos, threes and fives", () => {
  for (const size of [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 45, 60, 64, 75, 128, 240]) {
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

test("Fft has the same bits by the kernel as in plain form", () => {
  assert.ok(arena(0), "runners/signal/dsp/assembly/kernels.wasm is missing: run `npm run setup`");
  for (const size of [16, 32, 48, 64, 144, 768, 1536, 2048]) {
    const [one, other] = [noise(4, 1), noise(5, 1)].map((all) => Float64Array.from(all.subarray(0, size)));
    const made = [true, false].map((use) => {
      const [real, imaginary] = [one!.slice(), other!.slice()];
      useKernels(use);
      try {
        new Fft(size).transform(real, imaginary);
      } finally {
        useKernels(true);
      }
      return [real, imaginary];
    });
    assert.deepEqual(made[0], made[1], String(size));
  }
});

test("Fft with its arguments exchanged takes itself back", () => {
  // The last three are those of published separators.
  for (const size of [8192, 5120, 6144, 7680]) {
    const real = Float64Array.from(noise(3, 1).subarray(0, size));
    const imaginary = new Float64Array(size);
    const back = real.slice();
    const fft = new Fft(size);
    fft.transform(back, imaginary);
    fft.transform(imaginary, back);
    for (let n = 0; n < size; n++) assert.ok(Math.abs(back[n]! / size - real[n]!) < 1e-14, `${size}: value ${n}`);
  }
});

test("Fft refuses sizes of other factors", () => {
  assert.throws(() => new Fft(14), RangeError);
  assert.throws(() => new Fft(0), RangeError);
  assert.throws(() => new Fft(2.5), RangeError);
});
