import type { Samples } from "../../samples.ts";
import { type Arena, arena } from "../dsp/arena.ts";
import type { GainCurve } from "../dsp/limiter.ts";
import { triangular } from "../dsp/random.ts";

/** What is delivered, made block by block from the sound: gain, limiter curve, rounding. Asked twice, it gives the same samples. */
export class Rendering {
  readonly frames: number;
  readonly channels: number;
  readonly sample_rate: number;
  readonly bits: 16 | 24;
  readonly #sound: Samples;
  readonly #gain: number;
  readonly #curve: GainCurve | undefined;
  readonly #dither: boolean;
  #gains = new Float64Array(0);

  /**
   * @param gain amplitude, the same for all samples
   * @param dither 16 bits are dithered (TPDF, ±1 step) unless the audio is silent throughout
   */
  constructor(sound: Samples, gain: number, curve: GainCurve | undefined, bits: 16 | 24, dither: boolean) {
    this.frames = sound.frames;
    this.channels = sound.channels;
    this.sample_rate = sound.sample_rate;
    this.bits = bits;
    this.#sound = sound;
    this.#gain = gain;
    this.#curve = curve;
    this.#dither = dither && bits === 16;
  }

  /**
   * Samples `from` to `to`, rounded to `bits`, into `out` from its start. Full scale is ±1, so each is a whole number of steps
   * of 2^(1 - bits); exact, for 24 bits fit into a float32.
   */
  samples(from: number, to: number, out: readonly Float32Array[]): void {
    const { whole } = this.#sound;
    const at = whole === undefined ? 0 : from;
    if (whole === undefined) this.#sound.samples(from, to, out);
    const count = to - from;
    // Whole groups of four, for the kernel reads and writes no fewer, and two more.
    const room = 8 * ((count + 3) & ~3) + 16;
    const memory = this.#dither ? undefined : arena(room + (this.#curve?.bytesFor(count) ?? 0));
    if (memory === undefined) this.#roundPlainly(from, to, whole ?? out, at, out);
    else this.#roundByKernel(from, count, whole ?? out, at, out, memory, room);
  }

  /** `given` holds the samples from index `at` on. */
  #roundByKernel(
    from: number,
    count: number,
    given: readonly Float32Array[],
    at: number,
    out: readonly Float32Array[],
    memory: Arena,
    room: number,
  ): void {
    const full = 2 ** (this.bits - 1);
    const { kernels, address } = memory;
    const made = (room - 16) / 2;
    const moves = this.#curve?.fillByKernel(from, count, memory, room) ?? false;
    const gains = moves ? address + room : 0;
    for (let channel = 0; channel < this.channels; channel++) {
      memory.floats(0, count).set(given[channel]!.subarray(at, at + count));
      kernels.render(address, gains, count, this.#gain * full, full, address + made);
      out[channel]!.set(memory.floats(made, count));
    }
  }

  /** The same, to the last bit. */
  #roundPlainly(
    from: number,
    to: number,
    given: readonly Float32Array[],
    at: number,
    out: readonly Float32Array[],
  ): void {
    const gains = this.#gainsOf(from, to);
    const full = 2 ** (this.bits - 1);
    const unit = 1 / full;
    const highest = full - 1;
    const factor = this.#gain * full;
    const dither = this.#dither;
    for (let channel = 0; channel < this.channels; channel++) {
      const samples = given[channel]!;
      const target = out[channel]!;
      for (let n = from; n < to; n++) {
        let value = samples[at + n - from]! * factor;
        if (gains !== undefined) value *= gains[n - from]!;
        if (dither) value += triangular(channel, n);
        let step = value + ROUNDER - ROUNDER;
        if (step > highest) step = highest;
        if (step < -full) step = -full;
        target[n - from] = step * unit;
      }
    }
  }

  #gainsOf(from: number, to: number): Float64Array | undefined {
    if (this.#curve === undefined) return undefined;
    if (this.#gains.length < to - from) this.#gains = new Float64Array(to - from);
    this.#curve.fill(from, to, this.#gains);
    return this.#gains;
  }
}

/** 1.5 · 2^52: adding it leaves no bits below 1, so the sum is rounded to a whole number. Several times faster than `Math.round`. */
const ROUNDER = 6_755_399_441_055_744;
