/**
 * A voice is understood without strain from about 12 LU above its bed; 2 more allow for another meter and another idea
 * of where speech ends.
 */
const GOAL_LU = 14;

/** Less is hardly heard as ducking, more sounds as if the music had stopped. */
const DEPTH_DB_MIN = 6;
const DEPTH_DB_MAX = 18;

/** What lies further apart is not two recordings for one mix; more would only lift noise. */
const BALANCE_DB_MAX = 40;

/** Less than this is left of a depth, before music that would be limited where nobody speaks is lowered instead of ducked. */
const EASED_DEPTH_DB_MIN = 10;

/** Where no more of a depth can be turned into balance, the music is lowered altogether by this much at the most. */
const LOWERED_DB_MAX = 5;

export interface Depth {
  readonly depth_db: number;
  /** Static gain of the music, 0 or below. */
  readonly music_db: number;
}

/**
 * Depth of the duck. `asked` is taken as it is and nothing is balanced: who names a depth has set the levels. Else as
 * much as brings the voice 14 LU above the music, from 6 to 18 dB; where 18 dB fall short the music is lowered
 * throughout by the rest, as an engineer would pull its fader, so that pauses keep their contrast. Quiet music is never
 * raised.
 *
 * @param voice_to_music_lu while the voice speaks; null where there is nothing to compare
 * @param ease_db how far the music is lowered where nobody speaks, since a limiter would duck it with its own strokes
 *   there: first at the cost of
 * the depth, 10 dB of it excepted, so that under the voice it stays where it was, then throughout
 */
export function depthOf(
  voice_to_music_lu: number | null,
  asked: number | undefined,
  speaks: boolean,
  ease_db = 0,
): Depth {
  if (asked !== undefined) return { depth_db: asked, music_db: 0 };
  if (!speaks) return { depth_db: 0, music_db: 0 };
  if (voice_to_music_lu === null) return { depth_db: DEPTH_DB_MIN, music_db: 0 };
  const wanted_db = GOAL_LU - voice_to_music_lu;
  const depth_db = Math.min(DEPTH_DB_MAX, Math.max(DEPTH_DB_MIN, wanted_db));
  const eased_db = Math.min(ease_db, Math.max(0, depth_db - EASED_DEPTH_DB_MIN));
  const lowered_db = Math.min(LOWERED_DB_MAX, ease_db - eased_db);
  const short_db = Math.min(BALANCE_DB_MAX, Math.max(0, wanted_db - DEPTH_DB_MAX));
  return { depth_db: depth_db - eased_db, music_db: -short_db - eased_db - lowered_db };
}
