import { percentile } from "./attacks.ts";
import { type Envelopes, HOP, meanPower, powerDb } from "./envelopes.ts";

/** How a recording begins and ends. Seconds. */
export interface Edges {
  readonly seconds: number;
  /** Where sound begins; 0 for a silent recording, whose `sound_end` is 0 too. */
  readonly sound_start: number;
  /** Where the last sound has died away, or the end of the file. */
  readonly sound_end: number;
  /** The music stops at the file's end while it sounds: there is no ending. */
  readonly abrupt: boolean;
  /** Where the last note has begun to die away: from here on the end may be cut short under a fade. `sound_end` where nothing dies away. */
  readonly decay_start: number;
  /** Level of the loud parts, dB full scale (95th percentile of 50 ms). */
  readonly loud_db: number;
  /** Level every 50 ms, dB full scale. */
  readonly levels_db: Float32Array;
}

export const LEVEL_SECONDS = 0.05;

/** Sound that far below the loud parts counts as silence, dB. */
const SILENT_BELOW_DB = 62;
/** Nothing below this is heard at all, dB full scale. */
const FLOOR_DB = -84;

export function edgesOf(envelopes: Envelopes, seconds: number): Edges {
  const levels_db = levelsOf(envelopes, seconds);
  const loud_db = percentile(levels_db, 0.95);
  const silent_db = Math.max(FLOOR_DB, loud_db - SILENT_BELOW_DB);
  const { all, sample_rate } = envelopes;
  const hop_seconds = HOP / sample_rate;
  const silent = 10 ** (silent_db / 10);
  let first = 0;
  while (first < all.length && all[first]! <= silent) first++;
  if (first === all.length) {
    return { seconds, sound_start: 0, sound_end: 0, abrupt: false, decay_start: 0, loud_db, levels_db };
  }
  let last = all.length - 1;
  while (last > first && all[last]! <= silent) last--;
  const heard_to = (last + 1) * hop_seconds;
  // The last hop may be part-filled, and encoders leave some milliseconds of padding.
  const runs_out = seconds - heard_to < 0.06;
  const sound_end = runs_out ? seconds : heard_to;
  const closing_db = powerDb(meanPower(all, sample_rate, heard_to - 0.05, heard_to));
  const before_db = powerDb(meanPower(all, sample_rate, heard_to - 2, heard_to - 0.05));
  // A last note has lost 10 dB and more of the bars before it by the time that a file ends; music that was cut off has not.
  const abrupt = runs_out && closing_db > loud_db - 40 && closing_db > before_db - 10;
  return {
    seconds,
    sound_start: first * hop_seconds,
    sound_end,
    abrupt,
    decay_start: abrupt ? sound_end : decayStart(levels_db, sound_end),
    loud_db,
    levels_db,
  };
}

/** How far below the loud parts a second has to be to be quiet, dB, and which share of the output may be a quiet end. */
const QUIET_BELOW_DB = 20;
const QUIET_SHARE = 0.35;

/**
 * The same, but a quiet end that would fill a good part of an output of `target` seconds is left out: a long fade, or
 * what follows after the music. What is left stops while it sounds.
 */
export function withoutQuietEnd(edges: Edges, target: number): Edges {
  const { levels_db, loud_db, sound_end } = edges;
  const span = Math.round(1 / LEVEL_SECONDS);
  let last = Math.min(levels_db.length, Math.floor(sound_end / LEVEL_SECONDS));
  const loud = (n: number): boolean => levels_db[n]! > loud_db - QUIET_BELOW_DB;
  // A second counts as loud where half of it is: single strokes in what dies away are still its end.
  let count = 0;
  for (let n = Math.max(0, last - span); n < last; n++) count += loud(n) ? 1 : 0;
  while (last > span && count < span / 2) {
    last--;
    count += (loud(last - span) ? 1 : 0) - (loud(last) ? 1 : 0);
  }
  const end = last * LEVEL_SECONDS;
  if (sound_end - end < QUIET_SHARE * target || end < target) return edges;
  return { ...edges, seconds: end, sound_end: end, abrupt: true, decay_start: end };
}

function levelsOf({ all, sample_rate }: Envelopes, seconds: number): Float32Array {
  const count = Math.max(1, Math.floor(seconds / LEVEL_SECONDS));
  return Float32Array.from({ length: count }, (_, n) =>
    powerDb(meanPower(all, sample_rate, n * LEVEL_SECONDS, (n + 1) * LEVEL_SECONDS)),
  );
}

/** Walks back from the end while the level rises: the last note. Its decay begins where it is 9 dB below the top of that rise. */
function decayStart(levels_db: Float32Array, sound_end: number): number {
  const last = Math.min(levels_db.length - 1, Math.floor(sound_end / LEVEL_SECONDS));
  let top = last;
  // 3 dB of undulation and 0.4 s of it are still the same note.
  for (let n = last; n >= 0 && n > last - 200; n--) {
    if (levels_db[n]! > levels_db[top]!) top = n;
    else if (levels_db[n]! < levels_db[top]! - 3 && top - n > 8) break;
  }
  let decayed = top;
  while (decayed < last && levels_db[decayed]! > levels_db[top]! - 9) decayed++;
  return Math.min(sound_end, decayed * LEVEL_SECONDS);
}
