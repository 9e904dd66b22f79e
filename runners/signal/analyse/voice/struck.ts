/** Rise within 6 hops, and fall within 9 and within 5 after the crest, dB: what is struck rises at once and dies away at once. */
const RISE_DB = 15;
const FALL_DB = 10;
const FALL_SOON_DB = 4;

/** Hops after the crest in which it may die away. */
const TAIL = 30;

/**
 * 0 where something struck sounds (a knock, a thump, a click), from just before the blow until it has died away or
 * something else begins; else 1. A syllable stays up for a while after its attack.
 *
 * @param level dB, a value a hop
 */
export function notStruck(level: Float32Array): Float32Array {
  const out = new Float32Array(level.length).fill(1);
  for (let crest = 6; crest + 9 < level.length; crest++) {
    if (!isBlow(level, crest)) continue;
    let hop = crest - 4;
    while (hop <= crest) out[hop++] = 0;
    const last = Math.min(level.length, crest + TAIL);
    while (hop < last && level[hop]! < level[hop - 1]! + 1) out[hop++] = 0;
  }
  return out;
}

function isBlow(level: Float32Array, crest: number): boolean {
  const top = level[crest]!;
  if (level[crest - 1]! > top || level[crest + 1]! > top) return false;
  const before = Math.min(level[crest - 6]!, level[crest - 5]!, level[crest - 4]!);
  if (top - before < RISE_DB || top - level[crest + 9]! < FALL_DB || top - level[crest + 5]! < FALL_SOON_DB)
    return false;
  for (let hop = crest + 1; hop <= crest + 9; hop++) if (level[hop]! > level[hop - 1]! + 1) return false;
  return true;
}
