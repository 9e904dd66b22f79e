/** Drums tuned to a key, as drummers and producers tune them: what rings on a pitch rings on a note that the key has. */

import { DRUM_KEYS } from "../../packs/mod.ts";
import { exp2, log2 } from "../../signal/dsp/exact.ts";
import type { Patch } from "./patches.ts";

/** Semitones above the tonic. */
export const HOME = [0] as const;
export const FIRM = [0, 7] as const;
/** For drums that must differ: what every scale but lydian and phrygian has. */
export const COMMON = [0, 2, 5, 7] as const;

/** Hz of C0 where A4 is 440. */
const C0 = 16.351597831287414;
/** Semitones that a recorded drum may be moved and still be the same drum; a kick further, to be at home: it sounds all the time. */
const REACH = 2.5;
const REACH_HOME = 3.5;

/**
 * Cents by which the drum on a key of a recorded kit is moved into a key; 0 for what has no pitch.
 *
 * @param hertz on which it rings, where it is not the kit's own
 */
export function retuned(patch: Patch, key: number, tonic: number, hertz = patch.skins.get(Math.round(key))): number {
  if (hertz === undefined) return 0;
  const shift = (steps: readonly number[]): number => semitones(hertz, nearest(hertz, tonic, steps));
  const kick = Math.round(key) <= DRUM_KEYS.kick;
  const home = shift(HOME);
  if (kick && Math.abs(home) <= REACH_HOME) return 100 * home;
  const firm = shift(FIRM);
  const by = kick && Math.abs(firm) <= REACH ? firm : shift(COMMON);
  return Math.abs(by) <= REACH ? 100 * by : 0;
}

/** The frequency nearest to `hertz`, in Hz, that lies one of `steps` above the tonic in any octave. */
export function nearest(hertz: number, tonic: number, steps: readonly number[]): number {
  const at = 12 * log2(hertz / C0);
  let best = Number.POSITIVE_INFINITY;
  for (const step of steps) {
    const pitch = tonic + step + 12 * Math.round((at - tonic - step) / 12);
    if (Math.abs(pitch - at) < Math.abs(best - at)) best = pitch;
  }
  return C0 * exp2(best / 12);
}

/** Semitones between two frequencies. */
export function semitones(from: number, to: number): number {
  return 12 * log2(to / from);
}
