/** A stem as it is kept between variations: 16 bits a sample, which is what a stem's own errors leave of it, in half of the memory. */
import type { Streamed } from "../../../contract/mod.ts";

const FULL = 32_767;

export class Stored implements Streamed {
  readonly sample_rate: number;
  readonly frames: number;
  readonly channels: number;
  /** Of full scale in 16 bits; what is louder than it is clipped. */
  readonly peak: number;
  readonly #planes: readonly Int16Array[];

  /** @param peak no sample is above it */
  constructor(sample_rate: number, channels: number, frames: number, peak: number) {
    this.sample_rate = sample_rate;
    this.channels = channels;
    this.frames = frames;
    this.peak = peak > 0 ? peak : 1;
    this.#planes = Array.from({ length: channels }, () => new Int16Array(frames));
  }

  /** Keeps the first `count` samples of each channel as those from `at` on. */
  keep(at: number, count: number, channels: readonly Float32Array[]): void {
    const scale = FULL / this.peak;
    for (const [c, plane] of this.#planes.entries()) {
      const channel = channels[c]!;
      for (let n = 0; n < count; n++) {
        const value = channel[n]! * scale;
        plane[at + n] = Math.round(value > FULL ? FULL : Math.max(value, -FULL));
      }
    }
  }

  samples(from: number, to: number, out: readonly Float32Array[]): void {
    const scale = this.peak / FULL;
    for (const [c, channel] of out.entries()) {
      const plane = this.#planes[c]!;
      for (let n = from; n < to; n++) channel[n - from] = plane[n]! * scale;
    }
  }
}
