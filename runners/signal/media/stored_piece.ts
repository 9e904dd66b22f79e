import { closeSync, openSync, readSync } from "node:fs";
import { triangular } from "../dsp/random.ts";
import { FlacDecoder, type FlacSource, type StreamInfo } from "../flac/mod.ts";

/** A part of a piece, in seconds. */
export interface Part {
  readonly from: number;
  readonly seconds: number;
}

const READ = 1 << 17;
/** A part that begins or ends within the piece is faded there, so that it does not click. */
const FADE_IN_SECONDS = 0.02;
const FADE_OUT_SECONDS = 0.5;

/**
 * A FLAC of ours, or a part of it, read as it is asked for, so that the memory does not grow with the piece. Samples
 * come in order, each once, in whole steps of `bits`: as they are where the file has no more of them, else rounded,
 * with dither where it is asked for.
 */
export class StoredPiece implements FlacSource {
  readonly info: StreamInfo;
  readonly frames: number;
  readonly channels: number;
  readonly bits: 16 | 24;
  readonly #file: number;
  readonly #decoder = new FlacDecoder({ floats: true });
  readonly #buffer = new Uint8Array(READ);
  readonly #dithers: boolean;
  readonly #fade_in: number;
  readonly #fade_out: number;
  /** What was decoded last, and the first of it that nobody had. */
  #block: readonly Float32Array[] = [];
  #count = 0;
  #next = 0;

  /** @param bits absent: those of the file */
  constructor(path: string, { bits, part, dither = false }: { bits?: 16 | 24; part?: Part; dither?: boolean } = {}) {
    this.#file = openSync(path, "r");
    try {
      this.#fill();
      const info = this.#decoder.info;
      if (info === undefined) throw new Error("Cannot read a FLAC of ours: it has no samples");
      this.info = info;
      this.channels = info.channels;
      const own = info.bits === 16 ? 16 : 24;
      this.bits = bits ?? own;
      this.#dithers = dither && this.bits < own;
      const rate = info.sample_rate;
      const from = part === undefined ? 0 : Math.min(info.frames, Math.round(part.from * rate));
      const to = part === undefined ? info.frames : Math.min(info.frames, from + Math.round(part.seconds * rate));
      this.frames = to - from;
      this.#fade_in = from === 0 ? 0 : Math.round(FADE_IN_SECONDS * rate);
      this.#fade_out = to === info.frames ? 0 : Math.round(FADE_OUT_SECONDS * rate);
      this.#skip(from);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  samples(from: number, to: number, out: readonly Float32Array[]): void {
    for (let at = 0; at < to - from; ) {
      if (this.#next === this.#count) this.#fill();
      const count = Math.min(this.#count - this.#next, to - from - at);
      for (const [channel, samples] of this.#block.entries())
        out[channel]!.set(samples.subarray(this.#next, this.#next + count), at);
      this.#next += count;
      at += count;
    }
    const fades = from < this.#fade_in || to > this.frames - this.#fade_out;
    if (fades) this.#fade(from, to, out);
    if (fades || this.bits < this.info.bits) this.#round(from, to, out);
  }

  close(): void {
    closeSync(this.#file);
  }

  #skip(frames: number): void {
    for (let left = frames; left > 0; ) {
      if (this.#next === this.#count) this.#fill();
      const count = Math.min(this.#count - this.#next, left);
      this.#next += count;
      left -= count;
    }
  }

  /** The next block. */
  #fill(): void {
    for (;;) {
      const frame = this.#decoder.next();
      if (frame !== undefined) {
        this.#block = frame.floats;
        this.#count = frame.count;
        this.#next = 0;
        return;
      }
      if (this.#decoder.done) throw new Error("Cannot read a FLAC of ours: it has fewer samples than it says");
      const bytes = readSync(this.#file, this.#buffer, 0, READ, null);
      if (bytes === 0) this.#decoder.end();
      else this.#decoder.push(this.#buffer.subarray(0, bytes));
    }
  }

  #fade(from: number, to: number, out: readonly Float32Array[]): void {
    for (let n = from; n < to; n++) {
      const rise = this.#fade_in === 0 ? 1 : Math.min(1, n / this.#fade_in);
      const fall = this.#fade_out === 0 ? 1 : Math.min(1, (this.frames - n) / this.#fade_out);
      if (rise * fall < 1) for (const channel of out) channel[n - from]! *= rise * fall;
    }
  }

  #round(from: number, to: number, out: readonly Float32Array[]): void {
    const full = 2 ** (this.bits - 1);
    for (const [channel, samples] of out.entries()) {
      for (let n = from; n < to; n++) {
        const value = samples[n - from]! * full + (this.#dithers ? triangular(channel, n) : 0);
        samples[n - from] = Math.max(-full, Math.min(full - 1, Math.round(value))) / full;
      }
    }
  }
}
