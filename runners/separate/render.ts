import type { Audio } from "../../core/plugin.ts";
import { BAND_OF, HOP, OVERLAP, SIZE } from "./grid.ts";
import type { Shares } from "./shares.ts";
import { Spectra } from "./spectra.ts";

/** Samples that are made at once: a whole number of hops. */
export const BLOCK = 32 * HOP;

/** Samples of the stems, channel by channel. */
export interface Block {
  readonly vocals: readonly Float32Array[];
  readonly drums: readonly Float32Array[];
  readonly bass: readonly Float32Array[];
  readonly other: readonly Float32Array[];
  readonly instrumental: readonly Float32Array[];
}

/**
 * Makes the stems of a piece from its samples and their shares, block by block in any order: a block depends on nothing but its place.
 *
 * Vocals, drums and bass are transformed back; the instrumental is what the vocals leave, and other what drums and bass leave of it, so
 * that rounding and the window's edges cannot open a gap. No sample of any stem is beyond the source's largest one, or beyond full scale
 * where that is larger: what a stem would have above that stays with its neighbours.
 */
export class Renderer {
  readonly frames: number;
  readonly channels: number;
  /** No sample of a stem is beyond this. */
  readonly peak: number;
  readonly #source: Audio;
  readonly #shares: Shares;
  readonly #spectra = new Spectra();
  readonly #sums: readonly (readonly Float64Array[])[];
  readonly #real = new Float64Array(SIZE);
  readonly #imaginary = new Float64Array(SIZE);
  readonly #kept: { block: number; readonly stems: Block }[];
  #next = 0;

  constructor(source: Audio, shares: Shares) {
    this.#source = source;
    this.#shares = shares;
    this.channels = source.channels.length;
    this.frames = source.channels[0]!.length;
    this.peak = peakOf(source);
    const planes = <T>(make: () => T): readonly T[] => Array.from({ length: this.channels }, make);
    this.#sums = [0, 1, 2].map(() => planes(() => new Float64Array(BLOCK)));
    const room = () => planes(() => new Float32Array(BLOCK));
    // Two, for readers of the five stems that are a block apart.
    this.#kept = [0, 1].map(() => ({
      block: -1,
      stems: { vocals: room(), drums: room(), bass: room(), other: room(), instrumental: room() },
    }));
  }

  /** Samples of block `block`, which are valid until a third one is asked for. */
  block(block: number): Block {
    for (const kept of this.#kept) if (kept.block === block) return kept.stems;
    const kept = this.#kept[this.#next]!;
    this.#next = 1 - this.#next;
    kept.block = block;
    this.#make(block, kept.stems);
    return kept.stems;
  }

  #make(block: number, stems: Block): void {
    const from = block * BLOCK;
    const count = Math.min(BLOCK, this.frames - from);
    for (const stem of this.#sums) for (const channel of stem) channel.fill(0);
    const first = from / HOP;
    const last = Math.floor((from + count - 1) / HOP) + OVERLAP - 1;
    const shares = [this.#shares.vocals, this.#shares.drums, this.#shares.bass];
    for (let frame = first; frame <= last; frame++) {
      this.#spectra.forward(this.#source, frame);
      const at = (frame - OVERLAP + 1) * HOP - from;
      for (const [stem, share] of shares.entries()) {
        const [left, right] = this.#sums[stem]!;
        if (this.#mask(share, frame)) this.#spectra.addBack(this.#real, this.#imaginary, left!, right, at);
      }
    }
    for (let channel = 0; channel < this.channels; channel++) {
      this.#divide(this.#source.channels[channel]!, from, count, channel, stems);
    }
  }

  /** The share of the spectrum; false where it is nothing. */
  #mask(share: Uint8Array, frame: number): boolean {
    const { real, imaginary } = this.#spectra;
    const at = frame * (share.length / this.#shares.frames);
    const to_real = this.#real;
    const to_imaginary = this.#imaginary;
    let any = 0;
    for (let bin = 0; bin <= SIZE / 2; bin++) {
      const value = share[at + BAND_OF[bin]!]!;
      any |= value;
      const part = value / 255;
      to_real[bin] = real[bin]! * part;
      to_imaginary[bin] = imaginary[bin]! * part;
    }
    if (any === 0) return false;
    for (let bin = SIZE / 2 + 1; bin < SIZE; bin++) {
      const part = share[at + BAND_OF[SIZE - bin]!]! / 255;
      to_real[bin] = real[bin]! * part;
      to_imaginary[bin] = imaginary[bin]! * part;
    }
    return true;
  }

  #divide(source: Float32Array, from: number, count: number, channel: number, stems: Block): void {
    const [vocals, drums, bass] = this.#sums.map((stem) => stem[channel]!) as [
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    const to_vocals = stems.vocals[channel]!;
    const to_drums = stems.drums[channel]!;
    const to_bass = stems.bass[channel]!;
    const to_other = stems.other[channel]!;
    const to_instrumental = stems.instrumental[channel]!;
    const peak = this.peak;
    for (let n = 0; n < count; n++) {
      const x = source[from + n]!;
      // Between these, what is left of x is within ±peak as well.
      const v = within(vocals[n]!, Math.max(-peak, x - peak), Math.min(peak, x + peak));
      const rest = x - v;
      let d = within(drums[n]!, -peak, peak);
      let b = within(bass[n]!, -peak, peak);
      let o = rest - d - b;
      // Beyond the bounds, drums and then bass give way; that is enough, for the rest is within them.
      const over = o - within(o, -peak, peak);
      if (over !== 0) {
        const moved = within(d + over, -peak, peak) - d;
        d += moved;
        b = within(b + over - moved, -peak, peak);
        o = rest - d - b;
      }
      to_vocals[n] = v;
      to_drums[n] = d;
      to_bass[n] = b;
      to_other[n] = o;
      to_instrumental[n] = rest;
    }
  }
}

function within(value: number, low: number, high: number): number {
  return value < low ? low : Math.min(value, high);
}

function peakOf(source: Audio): number {
  let peak = 1;
  for (const channel of source.channels) {
    for (let n = 0; n < channel.length; n++) {
      const value = Math.abs(channel[n]!);
      if (value > peak) peak = value;
    }
  }
  return peak;
}
