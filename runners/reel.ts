import { Scratch } from "./scratch.ts";
import { release } from "./signal/dsp/release.ts";

/** Frames of a long reel that lie in memory: 1.5 s. A multiple of all blocks in which reels are worked on. */
const SPAN = 65_536;
/** Reels of up to so many frames (48 s) lie in memory as a whole. */
const IN_MEMORY = 1 << 21;

/**
 * One channel as long as a piece, silent at first. It is worked on block after block, so of a long one only a span lies in memory and the
 * rest is put aside: what a song of three and a half minutes sends to its spaces alone is 92 MB.
 */
export class Reel {
  readonly frames: number;
  readonly #span: number;
  #samples: Float32Array<ArrayBuffer>;
  #first = 0;
  #changed = false;
  #aside: Scratch | undefined;
  /** First frames of the spans that were put aside; the others are silent. */
  readonly #written = new Set<number>();

  /** @param span frames in memory; absent: by the length */
  constructor(frames: number, span = frames <= IN_MEMORY ? frames : SPAN) {
    this.frames = frames;
    this.#span = Math.min(span, frames);
    this.#samples = new Float32Array(this.#span);
  }

  /** A copy of `samples`. */
  static of(samples: Float32Array, span?: number): Reel {
    const { length } = samples;
    const reel = new Reel(length, span);
    for (let first = 0; first < length; first += reel.#span)
      reel.around(first).set(samples.subarray(first, first + reel.#span));
    return reel;
  }

  /**
   * What lies in memory around frame `at`, until the next call: frames from `first` on.
   *
   * @param changes what is changed in it is kept; false: it is only read
   */
  around(at: number, changes = true): Float32Array {
    if (at < this.#first || at >= this.#first + this.#samples.length) this.#turnTo(at);
    if (changes) this.#changed = true;
    return this.#samples;
  }

  /** The sample of frame `at`. */
  at(at: number): number {
    if (at < this.#first || at >= this.#first + this.#samples.length) this.#turnTo(at);
    return this.#samples[at - this.#first]!;
  }

  get first(): number {
    return this.#first;
  }

  /** All of it, in memory from now on. What is changed in it is kept. */
  whole(): Float32Array<ArrayBuffer> {
    if (this.#samples.length === this.frames) return this.#samples;
    this.#store();
    const all = new Float32Array(this.frames);
    for (const first of this.#written) this.#aside!.read(4 * first, bytesOf(all, first, this.#span));
    this.drop();
    this.#samples = all;
    return all;
  }

  /** Gives memory and disk back; nobody reads it again. */
  drop(): void {
    release(this.#samples);
    this.#aside?.close();
    this.#aside = undefined;
    this.#written.clear();
    this.#first = 0;
    this.#changed = false;
  }

  #turnTo(at: number): void {
    this.#store();
    // A rounded number is still a double to the engine, and indices made of it slow.
    this.#first = (at - (at % this.#span)) | 0;
    if (this.#written.has(this.#first)) this.#aside!.read(4 * this.#first, this.#here());
    else this.#samples.fill(0);
  }

  #store(): void {
    if (!this.#changed) return;
    this.#changed = false;
    this.#aside ??= new Scratch(4 * this.frames);
    this.#aside.write(this.#here(), 4 * this.#first);
    this.#written.add(this.#first);
  }

  #here(): Uint8Array {
    return bytesOf(this.#samples, 0, this.frames - this.#first);
  }
}

/** Of `count` samples, or as many as there are. */
function bytesOf({ buffer, byteOffset, length }: Float32Array, first: number, count: number): Uint8Array {
  return new Uint8Array(buffer, byteOffset + 4 * first, 4 * Math.min(count, length - first));
}
