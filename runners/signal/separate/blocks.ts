import type { Streamed } from "../../../contract/mod.ts";
import { HOP } from "./grid.ts";

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

/** The stems of a piece, made block by block in any order: a block depends on nothing but its place. */
export interface Blocks {
  readonly frames: number;
  readonly channels: number;
  /** No sample of a stem is beyond this. */
  readonly peak: number;
  /** Samples of block `block`, which are valid until a third one is asked for. */
  block(block: number): Block;
}

/** Keeps two blocks, for readers of the five stems that are a block apart. */
export class LastTwo {
  readonly #make: (block: number, stems: Block) => void;
  readonly #kept: readonly { block: number; readonly stems: Block }[];
  #next = 0;

  constructor(channels: number, make: (block: number, stems: Block) => void) {
    this.#make = make;
    const room = () => Array.from({ length: channels }, () => new Float32Array(BLOCK));
    this.#kept = [0, 1].map(() => ({
      block: -1,
      stems: { vocals: room(), drums: room(), bass: room(), other: room(), instrumental: room() },
    }));
  }

  block(block: number): Block {
    for (const kept of this.#kept) if (kept.block === block) return kept.stems;
    const kept = this.#kept[this.#next]!;
    this.#next = 1 - this.#next;
    // Where making it throws, nobody may take what is there for it.
    kept.block = -1;
    this.#make(block, kept.stems);
    kept.block = block;
    return kept.stems;
  }
}

/** One stem of `blocks`, read by any lengths. */
export function streamed(blocks: Blocks, kind: keyof Block): Streamed {
  const { frames, channels, peak } = blocks;
  return {
    sample_rate: 44_100,
    frames,
    channels,
    peak,
    samples(from, to, out) {
      for (let at = from; at < to; ) {
        const block = Math.floor(at / BLOCK);
        const until = Math.min(to, (block + 1) * BLOCK);
        const stem = blocks.block(block)[kind];
        for (let channel = 0; channel < channels; channel++) {
          out[channel]!.set(stem[channel]!.subarray(at - block * BLOCK, until - block * BLOCK), at - from);
        }
        at = until;
      }
    },
  };
}
