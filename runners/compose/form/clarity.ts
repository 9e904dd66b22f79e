import type { Key, ScoreChord } from "../score.ts";
import { isBright, pitchClass } from "./scales.ts";

/** How often degrees sound in major and minor pieces: Albrecht & Shanahan, "The use of large corpora to train a new type of key-finding algorithm" (Music Perception 2013). */
const PROFILES = {
  major: [0.238, 0.006, 0.111, 0.006, 0.137, 0.094, 0.016, 0.214, 0.009, 0.08, 0.008, 0.081],
  minor: [0.22, 0.006, 0.104, 0.123, 0.019, 0.103, 0.012, 0.214, 0.062, 0.022, 0.061, 0.052],
} as const;

/**
 * How clearly chords say their key: the correlation of what sounds with the key's profile, less that of the best other key. Modes count as the major or minor that they are nearest to.
 *
 * @returns -2 to 2; above 0 a listener who knows major and minor alone would name this key
 */
export function clarity(chords: readonly ScoreChord[], key: Key): number {
  const chroma = new Float64Array(12);
  for (const [at, { beats, root, bass, tones }] of chords.entries()) {
    // Where a piece begins and ends is heard as home.
    const weight = beats * (at === 0 || at === chords.length - 1 ? 2 : 1);
    for (const tone of tones) chroma[tone]! += 0.7 * weight;
    chroma[root]! += 0.3 * weight;
    chroma[bass]! += 0.8 * weight;
  }
  const own = isBright(key.mode) ? "major" : "minor";
  const said = correlation(chroma, PROFILES[own], key.tonic);
  let other = -1;
  for (const mode of ["major", "minor"] as const)
    for (let tonic = 0; tonic < 12; tonic++)
      if (mode !== own || tonic !== key.tonic) other = Math.max(other, correlation(chroma, PROFILES[mode], tonic));
  return said - other;
}

function correlation(chroma: Float64Array, profile: readonly number[], tonic: number): number {
  let mean = 0;
  for (let n = 0; n < 12; n++) mean += chroma[n]! / 12;
  // The profiles sum to 1.
  let [xy, xx, yy] = [0, 0, 0];
  for (let n = 0; n < 12; n++) {
    const x = chroma[n]! - mean;
    const y = profile[pitchClass(n - tonic)]! - 1 / 12;
    xy += x * y;
    xx += x * x;
    yy += y * y;
  }
  return xx * yy > 0 ? xy / Math.sqrt(xx * yy) : 0;
}
