/** What a piece sounds like on the whole, in a few numbers. */
import type { Rhythm, Timbre } from "../analysis.ts";
import type { Colour } from "./colour.ts";
import { percussiveShare } from "./percussive.ts";

/** What stands for a level of nothing, dB. */
const NOTHING_DB = -120;

export function timbre(colour: Colour, rhythm: Rhythm, seconds: number): Timbre {
  const { power, moment, octaves, middle, side } = colour;
  return {
    centroid_hz: power > 0 ? moment / power : 0,
    octaves_db: Array.from(octaves, (value) => ratioDb(value, power)),
    percussive: percussiveShare(colour),
    onset_density: seconds > 0 ? rhythm.onsets.length / seconds : 0,
    width_db: ratioDb(side, middle),
  };
}

/** -120 to 120 dB; -120 where there is nothing to compare. */
function ratioDb(part: number, whole: number): number {
  if (part <= 0) return NOTHING_DB;
  return whole <= 0 ? -NOTHING_DB : Math.min(-NOTHING_DB, Math.max(NOTHING_DB, 10 * Math.log10(part / whole)));
}
