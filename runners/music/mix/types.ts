/** What the desk takes and does. */
import type { Audio } from "../../../contract/mod.ts";
import type { Part } from "../compose/mod.ts";
import type { Stem } from "../play/mod.ts";

export interface DeskOptions {
  /** Length of the mix in samples a channel. */
  readonly frames: number;
  /** The mix's end joins its beginning. */
  readonly ring: boolean;
  /** Of everything random in the mix: the hiss of a tape. */
  readonly seed: number;
}

export interface Desk {
  /**
   * Levels, treats and adds one part; parts one after another. Frame 0 of the stem is the score's first beat less its
   * lead-in. The stem is read, and not kept.
   *
   * @param spent nobody reads the stem afterwards: the desk may work in its memory, which spares two channels as long as the piece
   * @throws the signal's reason once it is aborted
   */
  add(part: Part, stem: Stem, signal: AbortSignal, spent?: boolean): Promise<void>;
  /**
   * Spaces, tone, glue and level. Two channels of `frames` samples at 44.1 kHz whose peak is about -3 dBFS; silence
   * where nothing was added.
   *
   * @param progress 0 to 1
   * @throws the signal's reason once it is aborted
   */
  finish(signal: AbortSignal, progress?: (fraction: number) => void): Promise<Audio>;
}
