/** Spectra of two channels frame by frame, by the kernel and in the plain form, against a sum written out. */
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { useKernels } from "../../runners/signal/dsp/arena.ts";
import { random } from "../../runners/signal/dsp/random.ts";
import { StereoFrames } from "../../runners/signal/dsp/stereo_frames.ts";

afterEach(() => useKernels(true));

const noise = (seed: number, length: number): Float32Array => {
  const next = random(seed);
  return Float32Array.from({ length }, () => 2 * next() - 1);
};

function hann(size: number): Float64Array {
  return Float64Array.from({ length: size }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size));
}

/** Level of the difference against that of `truth`, dB. */
function apart(found: ArrayLike<number>, truth: ArrayLike<number>): number {
  let [wrong, all] = [0, 0];
  for (let n = 0; n < truth.length; n++) {
    wrong += (found[n]! - truth[n]!) ** 2;
    all += truth[n]! ** 2;
  }
  return 10 * Math.log10(wrong / all + 1e-30);
}

for (const kernels of [true, false]) {
  const form = kernels ? "by the kernel" : "in the plain form";

  test(`a frame's rows are its Fourier sums, left and right, real and imaginary, ${form}`, () => {
    useKernels(kernels);
    const [size, hop, bins] = [128, 32, 60];
    const window = hann(size);
    const frames = 19;
    const [left, right] = [noise(1, 1000), noise(2, 1000)];
    const spectra = new Float32Array(frames * 4 * bins);
    new StereoFrames(window, window, hop, bins, false).forward(left, right, 7, frames, spectra);
    const truth = new Float64Array(spectra.length);
    for (let t = 0; t < frames; t++) {
      for (const [side, channel] of [left, right].entries()) {
        for (let k = 0; k < bins; k++) {
          const at = (4 * t + 2 * side) * bins + k;
          for (let n = 0; n < size; n++) {
            const value = channel[7 + t * hop + n]! * window[n]!;
            truth[at]! += value * Math.cos((2 * Math.PI * k * n) / size);
            truth[at + bins]! -= value * Math.sin((2 * Math.PI * k * n) / size);
          }
        }
      }
    }
    assert.ok(apart(spectra, truth) < -120, `${apart(spectra, truth).toFixed(1)} dB`);
  });

  test(`masks of one give the signal back, and each stem gets its own, ${form}`, () => {
    useKernels(kernels);
    const [size, hop, bins] = [256, 64, 128];
    const window = hann(size);
    const frames = 37;
    const length = (frames - 1) * hop + size + 11;
    const channels = [noise(3, length), noise(4, length)] as const;
    const before = channels.map((channel) => channel.slice());
    const stft = new StereoFrames(
      window,
      window.map((weight) => weight / 1.5),
      hop,
      bins,
      true,
    );
    const spectra = new Float32Array(frames * 4 * bins);
    stft.forward(channels[0], channels[1], 5, frames, spectra);
    const gains = [1, 0.5, 0, 0.25];
    const masks = Float32Array.from({ length: frames * 4 * bins }, (_, n) => gains[Math.floor(n / bins) % 4]!);
    const outs = gains.map(() => new Float32Array(length).fill(1));
    const fill = (first: number, count: number, out: Float32Array): void =>
      out.set(masks.subarray(first * 4 * bins, (first + count) * 4 * bins));
    stft.inverse(spectra, fill, frames, outs, 5);
    for (const [n, out] of outs.entries()) {
      // Whole only where four frames overlap; it is written over what was there.
      const found = out.slice(5 + size, length - size - 6);
      const truth = before[n % 2]!.slice(5 + size, length - size - 6).map((value) => value * gains[n]!);
      if (gains[n] === 0) assert.ok(found.every((value) => Math.abs(value) < 1e-6));
      else assert.ok(apart(found, truth) < -110, `${n}: ${apart(found, truth).toFixed(1)} dB`);
      assert.ok(out.subarray(0, 5).every((value) => value === 1));
      assert.ok(out.subarray(length - 6).every((value) => value === 1));
    }
    assert.deepEqual(channels, before);
  });
}
