import type { Audio, Streamed } from "../../../contract/mod.ts";
import { type Views, viewsOf } from "../../samples.ts";
import { BLOCK, type Block, type Blocks, LastTwo } from "./blocks.ts";
import { divide, peakOf } from "./divide.ts";
import { BINS, FRAME, Frames } from "./frames.ts";
import { BAND_OF, BANDS, HOP, OVERLAP } from "./grid.ts";
import type { Shares } from "./shares.ts";

/** Frames that reach into a block. */
const FRAMES = BLOCK / HOP + OVERLAP - 1;
/** Samples from the first of these frames to the block. */
const LEAD = (OVERLAP - 1) * HOP;

/**
 * Makes the stems of a piece from its samples and their shares.
 *
 * Vocals, drums and bass are transformed back, and `divide` finds the rest, so that rounding and the window's edges cannot open a gap.
 */
export class Renderer implements Blocks {
  readonly frames: number;
  readonly channels: number;
  readonly peak: number;
  readonly #source: Views;
  readonly #shares: Shares;
  readonly #frames = new Frames();
  readonly #spectra = new Float32Array(FRAMES * FRAME);
  /** Vocals, drums and bass, left and right. */
  readonly #outs: readonly Float32Array[];
  readonly #blocks: LastTwo;

  constructor(source: Audio | Streamed, shares: Shares) {
    this.#source = viewsOf(source);
    this.#shares = shares;
    this.channels = this.#source.channels;
    this.frames = this.#source.frames;
    this.peak = peakOf(source);
    this.#outs = Array.from({ length: 6 }, () => new Float32Array(LEAD + BLOCK + LEAD));
    this.#blocks = new LastTwo(this.channels, (block, stems) => this.#make(block, stems));
  }

  block(block: number): Block {
    return this.#blocks.block(block);
  }

  #make(block: number, stems: Block): void {
    const from = block * BLOCK;
    const count = Math.min(BLOCK, this.frames - from);
    const first = from / HOP;
    const frames = Math.floor((count - 1) / HOP) + OVERLAP;
    this.#frames.forward(this.#source, first, frames, this.#spectra);
    this.#frames.inverse(
      this.#spectra,
      (from, count, masks) => this.#mask(first + from, count, masks),
      frames,
      this.#outs,
    );
    const { channels, at } = this.#source.view(from, from + count);
    for (let channel = 0; channel < this.channels; channel++) {
      const estimate = (stem: number): Float32Array => this.#outs[2 * stem + channel]!.subarray(LEAD, LEAD + count);
      const estimates = [estimate(0), estimate(1), estimate(2)] as const;
      divide(channels[channel]!, at, count, estimates, this.peak, channel, stems);
    }
  }

  /** The share of each bin of these frames, stem by stem. */
  #mask(first: number, count: number, masks: Float32Array): void {
    const { vocals, drums, bass } = this.#shares;
    for (let frame = 0, to = 0; frame < count; frame++) {
      const at = (first + frame) * BANDS;
      for (const share of [vocals, drums, bass]) {
        for (let bin = 0; bin < BINS; bin++) masks[to + bin] = share[at + BAND_OF[bin]!]! / 255;
        to += BINS;
      }
    }
  }
}
