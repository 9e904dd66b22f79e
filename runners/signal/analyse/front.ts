/** What every part of the analysis listens to: one channel at 22.05 kHz, and the power spectra of its frames. */
import type { Audio, Streamed } from "../../../contract/mod.ts";
import { breathe } from "../../breathe.ts";
import { stretchOf, type Views, viewsOf } from "../../samples.ts";
import { arena } from "../dsp/arena.ts";
import { copyAround, PowerPairs } from "../dsp/power_pair.ts";
import { Resampler } from "../dsp/resample.ts";
import { kaiser, sinc } from "../dsp/window.ts";

/** Hz of the folded signal. */
export const RATE = 22_050;

/** Samples worked on between two looks at the signal: some 20 ms. */
const BLOCK = 1 << 19;

/**
 * One channel at 22.05 kHz, sample n at n / 22,050 s of the source: the middle of a stereo source, or its left channel where left and
 * right oppose each other so much that the middle is weaker than the side.
 *
 * @throws the signal's reason on abort
 */
export async function fold(audio: Audio | Streamed, signal: AbortSignal): Promise<Float32Array> {
  const sound = viewsOf(audio);
  const right = sound.channels === 2 && !opposed(sound) ? 1 : 0;
  return sound.sample_rate === 2 * RATE ? await halve(sound, right, signal) : await resampled(sound, right, signal);
}

/** Whether the side signal holds more energy than the middle. */
function opposed(sound: Views): boolean {
  // |L + R|² < |L - R|² where the sum over L·R is negative.
  let product = 0;
  let next = 0;
  for (let from = 0; from < sound.frames; from += PART) {
    const [left, right] = stretchOf(sound, from, from + PART) as [Float32Array, Float32Array];
    // Two sums, so that one addition need not wait for the other.
    for (let n = 0; n + 1 < left.length; n += 2) {
      product += left[n]! * right[n]!;
      next += left[n + 1]! * right[n + 1]!;
    }
    if (left.length % 2 === 1) product += left.at(-1)! * right[left.length - 1]!;
  }
  return product + next < 0;
}

/** Taps on each side of the middle one that are not zero: Kaiser β 8, 80 dB down from 12.4 kHz on, flat to 9.6 kHz. */
const HALF_BAND = Float64Array.from(
  { length: 16 },
  (_, k) => 0.25 * sinc((2 * k + 1) / 2) * kaiser((2 * k + 1) / 33, 8),
);

/** The mean of both, at half the rate: a half-band filter, every second tap of which is zero. */
async function halve(sound: Views, right: number, signal: AbortSignal): Promise<Float32Array> {
  const { frames } = sound;
  const out = new Float32Array(Math.ceil(frames / 2));
  const block = new Float32Array(Math.min(PART, frames) + 2 * REACH);
  for (let from = 0; from < frames; from += BLOCK) {
    await breathe(signal);
    const end = Math.min(frames, from + BLOCK);
    for (let part = from; part < end; part += PART) {
      const to = Math.min(end, part + PART);
      // Whole groups of eight, as the kernel reads.
      const around = stretchOf(sound, part - REACH, to + REACH + 8);
      const [one, two] = [around[0]!, around[right]!];
      const before = Math.min(REACH, part);
      if (halveByKernel(one, two, before, to - part, out, part >> 1)) continue;
      block.fill(0);
      const last = Math.min(one.length, before + to - part + REACH);
      for (let n = 0; n < last; n++) block[n - before + REACH] = one[n]! + two[n]!;
      halveInto(block, to - part, out, part >> 1);
    }
  }
  return out;
}

/** Samples that go through the kernel at once: few, since the kernels' memory never shrinks. */
const PART = 1 << 14;
const REACH = 2 * HALF_BAND.length;

/** The `frames` from index `from` on, into `out` from `first` on. False where the kernels cannot run. */
function halveByKernel(
  left: Float32Array,
  right: Float32Array,
  from: number,
  frames: number,
  out: Float32Array,
  first: number,
): boolean {
  // Four outputs at a time.
  const count = ((frames + 7) >> 3) << 2;
  const padded = 2 * count + 2 * REACH;
  const bytes = 4 * padded;
  const taps = HALF_BAND.length;
  const room = arena(3 * bytes + 8 * taps + 4 * count);
  if (room === undefined) return false;
  copyAround(left, from - REACH, room.floats(0, padded));
  copyAround(right, from - REACH, room.floats(bytes, padded));
  const weights = 3 * bytes;
  const result = weights + 8 * taps;
  room.doubles(weights, taps).set(HALF_BAND);
  const at = room.address;
  room.kernels.foldHalf(at, at + bytes, count, at + weights, taps, at + 2 * bytes, at + result);
  out.set(room.floats(result, Math.min(count, out.length - first)), first);
  return true;
}

/** With the same samples. */
function halveInto(x: Float32Array, count: number, out: Float32Array, first: number): void {
  const taps = HALF_BAND.length;
  for (let n = 0; n < count; n += 2) {
    const middle = REACH + n;
    // Two sums, so that one addition need not wait for the other.
    let near = 0.25 * x[middle]!;
    let far = 0;
    for (let k = 0; k < taps; k += 2) {
      const left = middle - 2 * k;
      const right = middle + 2 * k;
      near += HALF_BAND[k]! * (x[left - 1]! + x[right + 1]!);
      far += HALF_BAND[k + 1]! * (x[left - 3]! + x[right + 3]!);
    }
    out[first + (n >> 1)] = near + far;
  }
}

async function resampled(sound: Views, right: number, signal: AbortSignal): Promise<Float32Array> {
  const { frames, sample_rate } = sound;
  const out = new Float32Array(Math.round((frames * RATE) / sample_rate));
  const resampler = new Resampler(sample_rate, RATE, 1);
  const block = new Float32Array(BLOCK);
  let given = 0;
  const keep = (samples: Float32Array): void => {
    const room = samples.subarray(0, out.length - given);
    out.set(room, given);
    given += room.length;
  };
  for (let from = 0; from < frames; from += BLOCK) {
    await breathe(signal);
    const heard = stretchOf(sound, from, from + BLOCK);
    const [one, two] = [heard[0]!, heard[right]!];
    const count = one.length;
    for (let n = 0; n < count; n++) block[n] = 0.5 * (one[n]! + two[n]!);
    keep(resampler.push([block], count)[0]!);
  }
  keep(resampler.finish()[0]!);
  return out;
}

/**
 * Power spectra of Hann-windowed frames, two at a time: both ride on one complex transform as its real and its imaginary part.
 * Frame i is centred on sample i · hop; outside the signal there is silence. A full-scale sine reads 1 in its bin.
 *
 * @example
 * ```ts
 * const frames = new Frames(samples, 1024, 220);
 * const [first, second] = [new Float64Array(513), new Float64Array(513)];
 * for (let i = 0; i < frames.count; i += 2) frames.pair(i, first, second);
 * ```
 */
export class Frames {
  /** ceil(length / hop). */
  readonly count: number;
  /** size / 2 + 1. */
  readonly bins: number;
  readonly #samples: Float32Array;
  readonly #hop: number;
  readonly #spectra: PowerPairs;

  /** @param size a power of two */
  constructor(samples: Float32Array, size: number, hop: number) {
    this.count = Math.ceil(samples.length / hop);
    this.bins = size / 2 + 1;
    this.#samples = samples;
    this.#hop = hop;
    this.#spectra = new PowerPairs(windowOf(size));
  }

  /** Powers of frames `index` and `index + 1`, each of `bins` values, or of the first of them where less is taken. */
  pair(index: number, first: Float64Array, second: Float64Array): void {
    const centre = index * this.#hop;
    this.#spectra.of(this.#samples, centre, this.#samples, centre + this.#hop, first, second);
  }
}

const WINDOWS = new Map<number, Float32Array>();

/** Hann's window; sums to 2, so that a sine of amplitude 1 has magnitude 1. */
function windowOf(size: number): Float32Array {
  let window = WINDOWS.get(size);
  if (window === undefined) {
    window = Float32Array.from({ length: size }, (_, n) => (2 - 2 * Math.cos((2 * Math.PI * n) / size)) / size);
    WINDOWS.set(size, window);
  }
  return window;
}
