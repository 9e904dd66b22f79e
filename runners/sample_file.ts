import type { Streamed } from "../contract/mod.ts";
import { Scratch } from "./scratch.ts";

/** Samples of each channel that lie together in the file. */
const BLOCK = 1 << 14;

/** Samples on the disk, in a file that goes with the job: they are written once, in order, and read stretch by stretch. */
export class SampleFile implements Streamed {
  readonly sample_rate: number;
  readonly channels: number;
  frames = 0;
  peak = 0;
  readonly #scratch = new Scratch();
  /** What follows the blocks that are written. */
  readonly #last: readonly Float32Array<ArrayBuffer>[];

  constructor(channels: number, sample_rate: number) {
    this.channels = channels;
    this.sample_rate = sample_rate;
    this.#last = Array.from({ length: channels }, () => new Float32Array(BLOCK));
  }

  push(channels: readonly Float32Array[], frames: number): void {
    for (let at = 0; at < frames; ) {
      const inside = this.frames % BLOCK;
      const count = Math.min(frames - at, BLOCK - inside);
      for (const [index, block] of this.#last.entries()) {
        const samples = channels[index]!.subarray(at, at + count);
        this.peak = Math.max(this.peak, peakOf(samples));
        block.set(samples, inside);
      }
      this.frames += count;
      at += count;
      if (inside + count === BLOCK) for (const block of this.#last) this.#scratch.write(bytesOf(block));
    }
  }

  samples(from: number, to: number, out: readonly Float32Array[]): void {
    for (let at = from; at < to; ) {
      const inside = at % BLOCK;
      const block = (at - inside) / BLOCK;
      const count = Math.min(to - at, BLOCK - inside);
      const written = (block + 1) * BLOCK <= this.frames;
      for (let channel = 0; channel < this.channels; channel++) {
        const into = out[channel]!.subarray(at - from, at - from + count);
        if (written) this.#scratch.read(4 * ((block * this.channels + channel) * BLOCK + inside), bytesOf(into));
        else into.set(this.#last[channel]!.subarray(inside, inside + count));
      }
      at += count;
    }
  }
}

function peakOf(samples: Float32Array): number {
  let peak = 0;
  for (let n = 0; n < samples.length; n++) {
    const size = Math.abs(samples[n]!);
    if (size > peak) peak = size;
  }
  return peak;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
