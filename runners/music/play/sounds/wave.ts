/** Recordings as the player reads them, and the cache of those that were played last. */

import { release } from "../../../signal/dsp/release.ts";

/**
 * Decoded samples kept, in bytes, of all banks of a thread; what was used longest ago goes first. A part needs each
 * recording once, so more than this saves little: 96 MB took 3 % less time for a piece, and 75 MB more at the peak of a
 * song.
 */
const BYTES_MAX = 48 * 2 ** 20;

/** Loops are written out until they are at least this long, so that the player seldom turns back. */
const LOOP_FRAMES_MIN = 4096;

/** A sample ready to be read by interpolation: `data[position + 3]` may be read for every position below `end`. */
export interface Wave {
  readonly data: Float32Array;
  /** Hz. */
  readonly rate: number;
  /** Where reading begins, at least 1. */
  readonly start: number;
  /** Length of the loop before `end`; 0 for none. */
  readonly loop: number;
  readonly end: number;
  /** The recording goes on after it. */
  readonly cut?: boolean;
}

/** Frames from `from` up to and without `to`. */
export interface Loop {
  readonly from: number;
  readonly to: number;
}

/** Writes the loop out, where there is one, and adds what interpolation reads before and after. */
export function waveOf(recorded: Float32Array, rate: number, given?: Loop): Wave {
  const loop_end = given === undefined ? 0 : Math.min(recorded.length, Math.floor(given.to));
  const loop = given === undefined ? 0 : loop_end - Math.max(0, Math.floor(given.from));
  if (loop >= 2) {
    const turns = Math.max(1, Math.ceil(LOOP_FRAMES_MIN / loop));
    const end = loop_end + (turns - 1) * loop;
    const data = new Float32Array(1 + end + 4);
    data.set(recorded.subarray(0, loop_end), 1);
    for (let n = 1 + loop_end; n < data.length; n++) data[n] = data[n - loop]!;
    return { data, rate, start: 1, loop: turns * loop, end: 1 + end };
  }
  const data = new Float32Array(1 + recorded.length + 4);
  data.set(recorded, 1);
  // A cut-off recording must not click.
  const fall = Math.min(recorded.length, Math.round(0.004 * rate));
  for (let n = 0; n < fall; n++) data[recorded.length - n]! *= n / fall;
  return { data, rate, start: 1, loop: 0, end: 1 + recorded.length };
}

/** Waves by name, in order of their last use. */
class Waves {
  readonly #kept = new Map<string, Wave>();
  #bytes = 0;
  #players = 0;

  /**
   * Called by a player, who reads the wave that it asked for last until it asks for another.
   *
   * @returns to be called when it has ended
   */
  lend(): () => void {
    this.#players++;
    return () => {
      this.#players--;
    };
  }

  /** Keeps none of them. */
  forget(): void {
    this.#dropTo(0, 0, 0);
  }

  get(name: string): Wave | undefined {
    const known = this.#kept.get(name);
    if (known === undefined) return undefined;
    this.#kept.delete(name);
    this.#kept.set(name, known);
    return known;
  }

  add(name: string, made: Wave): Wave {
    const before = this.#kept.get(name);
    if (before !== undefined) this.#drop(name, before, 1);
    this.#kept.set(name, made);
    this.#bytes += made.data.byteLength;
    // A player may read the last, or the channel beside it.
    this.#dropTo(BYTES_MAX, 2, 1);
    return made;
  }

  #dropTo(bytes: number, least: number, players: number): void {
    for (const [oldest, wave] of this.#kept) {
      if (this.#bytes <= bytes || this.#kept.size <= least) break;
      this.#drop(oldest, wave, players);
    }
  }

  /** @param players who may be at work without reading it */
  #drop(name: string, { data }: Wave, players: number): void {
    this.#kept.delete(name);
    this.#bytes -= data.byteLength;
    // Collectors wait: up to 48 MB of other parts would stand beside a stem.
    if (this.#players <= players) release(data);
  }
}

/** One for all banks of a thread, so that many banks need no more memory than one. */
export const waves = new Waves();
