/** A stem as it is kept between variations: 16 bits a sample, which is what a stem's own errors leave of it, in half of the room. */
import type { Streamed } from "../../../contract/mod.ts";
import { Scratch } from "../../scratch.ts";

const FULL = 32_767;
/** Bytes of a stem that stay in memory: 24 s of stereo. Others wait on the disk while a band plays. */
const IN_MEMORY = 1 << 22;

export class Stored implements Streamed {
  readonly sample_rate: number;
  readonly frames: number;
  readonly channels: number;
  /** Of full scale in 16 bits; what is louder than it is clipped. */
  readonly peak: number;
  /** One channel after another; on the disk, or here. */
  readonly #kept: Scratch | Int16Array;
  #room = new Int16Array(0);

  /** @param peak no sample is above it */
  constructor(sample_rate: number, channels: number, frames: number, peak: number) {
    this.sample_rate = sample_rate;
    this.channels = channels;
    this.frames = frames;
    this.peak = peak > 0 ? peak : 1;
    const bytes = 2 * channels * frames;
    this.#kept = bytes > IN_MEMORY ? new Scratch(bytes) : new Int16Array(channels * frames);
  }

  /** Keeps the first `count` samples of each channel as those from `at` on. */
  keep(at: number, count: number, channels: readonly Float32Array[]): void {
    const scale = FULL / this.peak;
    for (let c = 0; c < this.channels; c++) {
      const channel = channels[c]!;
      const steps = this.#stepsFor(c * this.frames + at, count);
      for (let n = 0; n < count; n++) {
        const value = channel[n]! * scale;
        steps[n] = Math.round(value > FULL ? FULL : Math.max(value, -FULL));
      }
      if (this.#kept instanceof Scratch) this.#kept.write(bytesOf(steps), 2 * (c * this.frames + at));
    }
  }

  samples(from: number, to: number, out: readonly Float32Array[]): void {
    const scale = this.peak / FULL;
    for (const [c, channel] of out.entries()) {
      const steps = this.#stepsFor(c * this.frames + from, to - from);
      if (this.#kept instanceof Scratch) this.#kept.read(2 * (c * this.frames + from), bytesOf(steps));
      for (let n = 0; n < steps.length; n++) channel[n] = steps[n]! * scale;
    }
  }

  /** Those that are kept here, or room for as many. */
  #stepsFor(first: number, count: number): Int16Array {
    if (!(this.#kept instanceof Scratch)) return this.#kept.subarray(first, first + count);
    if (this.#room.length < count) this.#room = new Int16Array(count);
    return this.#room.subarray(0, count);
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Int16Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
