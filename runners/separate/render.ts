import type { Audio } from "../../core/plugin.ts";
import { BLOCK, type Block, type Blocks, LastTwo } from "./blocks.ts";
import { divide, peakOf } from "./divide.ts";
import { BAND_OF, HOP, OVERLAP, SIZE } from "./grid.ts";
import type { Shares } from "./shares.ts";
import { Spectra } from "./spectra.ts";

/**
 * Makes the stems of a piece from its samples and their shares.
 *
 * Vocals, drums and bass are transformed back, and `divide` finds the rest, so that rounding and the window's edges cannot open a gap.
 */
export class Renderer implements Blocks {
  readonly frames: number;
  readonly channels: number;
  readonly peak: number;
  readonly #source: Audio;
  readonly #shares: Shares;
  readonly #spectra = new Spectra();
  readonly #sums: readonly (readonly Float64Array[])[];
  readonly #real = new Float64Array(SIZE);
  readonly #imaginary = new Float64Array(SIZE);
  readonly #blocks: LastTwo;

  constructor(source: Audio, shares: Shares) {
    this.#source = source;
    this.#shares = shares;
    this.channels = source.channels.length;
    this.frames = source.channels[0]!.length;
    this.peak = peakOf(source.channels);
    const planes = <T>(make: () => T): readonly T[] => Array.from({ length: this.channels }, make);
    this.#sums = [0, 1, 2].map(() => planes(() => new Float64Array(BLOCK)));
    this.#blocks = new LastTwo(this.channels, (block, stems) => this.#make(block, stems));
  }

  block(block: number): Block {
    return this.#blocks.block(block);
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
    const [vocals, drums, bass] = this.#sums;
    for (let channel = 0; channel < this.channels; channel++) {
      const estimates = [vocals![channel]!, drums![channel]!, bass![channel]!] as const;
      divide(this.#source.channels[channel]!, from, count, estimates, this.peak, channel, stems);
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
}
