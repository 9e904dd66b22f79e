/** The chords of a piece: a hidden Markov model over the rows of a grid, decoded by Viterbi. */
import type { Chord, Quality } from "../analysis.ts";
import type { Grid } from "../form/grid.ts";
import type { Chroma } from "./chroma.ts";
import type { Key } from "./key.ts";

/** Semitones above the root. "sus" is both sus2 and sus4 (an inversion of each other): here the fourth. */
export const TONES: Readonly<Record<Exclude<Quality, "none">, readonly number[]>> = {
  maj: [0, 4, 7],
  min: [0, 3, 7],
  dim: [0, 3, 6],
  aug: [0, 4, 8],
  sus: [0, 5, 7],
  "7": [0, 4, 7, 10],
  maj7: [0, 4, 7, 11],
  min7: [0, 3, 7, 10],
};
const QUALITIES = Object.keys(TONES) as Exclude<Quality, "none">[];
const STATES = 12 * QUALITIES.length + 1;
const NONE = STATES - 1;

/** Log-likelihood that a cosine of 1 has over a cosine of 0: with the chord's tones, and with its root in the bass. */
const [TONES_WEIGHT, BASS_WEIGHT] = [8, 3];
/** How far the fifth and the third in the bass speak for a chord, against its root. */
const [FIFTH, THIRD] = [0.35, 0.2];
/** What a change of chord costs, less on a downbeat and more within the bar. */
const [CHANGE, DOWNBEAT] = [3, 2];
/** What a chord gains whose tones are all the key's, at full confidence in the key. */
const DIATONIC = 0.8;
/** Log-odds against the rarer qualities: they have more tones, or fewer neighbours, to be mistaken for. */
const RARITY: Readonly<Record<Exclude<Quality, "none">, number>> = {
  maj: 0,
  min: 0,
  dim: 1.6,
  aug: 2.5,
  sus: 1.6,
  "7": 1,
  maj7: 1,
  min7: 0.9,
};
/** The seventh is played softer than the triad. */
const SEVENTH = 0.8;

export interface Decoded {
  readonly chords: readonly Chord[];
  /** For each row root · 8 + quality, 96 for none. */
  readonly path: Int16Array;
}

/** @param key where known, its own chords are a little more likely */
export function chordsOf(chroma: Chroma, grid: Grid, key?: Key): Decoded {
  const { rows } = chroma;
  const scores = new Float64Array(STATES);
  let best = new Float64Array(STATES);
  let next = new Float64Array(STATES);
  const back = new Int16Array(rows * STATES);
  const liking = likingOf(key);
  for (let row = 0; row < rows; row++) {
    emissions(chroma, row, liking, scores);
    let top = 0;
    for (let state = 1; state < STATES; state++) if (best[state]! > best[top]!) top = state;
    const cost = changeCost(grid, row);
    const jump = best[top]! - cost;
    for (let state = 0; state < STATES; state++) {
      const stay = best[state]!;
      const stays = row === 0 || stay >= jump;
      back[row * STATES + state] = stays ? state : top;
      next[state] = (stays ? stay : jump) + scores[state]!;
    }
    [best, next] = [next, best];
  }
  const path = new Int16Array(rows);
  let state = 0;
  for (let k = 1; k < STATES; k++) if (best[k]! > best[state]!) state = k;
  for (let row = rows - 1; row >= 0; row--) {
    path[row] = state;
    state = back[row * STATES + state]!;
  }
  return { chords: spans(path, grid), path };
}

/** What a change costs at the beginning of a row: little on a downbeat, more within the bar. */
function changeCost(grid: Grid, row: number): number {
  const position = grid.positions[row]!;
  if (position === 0) return CHANGE;
  if (position === 1) return CHANGE - DOWNBEAT;
  // The middle of a bar of four.
  if (grid.bar % 2 === 0 && position === grid.bar / 2 + 1) return CHANGE - 0.4 * DOWNBEAT;
  return CHANGE + 0.5 * DOWNBEAT;
}

/** Log-likelihood of every state given a row. */
function emissions(chroma: Chroma, row: number, liking: Float64Array, scores: Float64Array): void {
  const { treble, bass } = chroma;
  const at = 12 * row;
  let sum = 0;
  for (let k = 0; k < 12; k++) sum += treble[at + k]!;
  if (sum === 0) {
    scores.fill(-TONES_WEIGHT);
    scores[NONE] = 0;
    return;
  }
  for (let root = 0; root < 12; root++) {
    for (let q = 0; q < QUALITIES.length; q++) {
      const tones = TONES[QUALITIES[q]!];
      let dot = 0;
      let norm = 0;
      for (let t = 0; t < tones.length; t++) {
        const weight = t === 3 ? SEVENTH : 1;
        dot += weight * treble[at + ((root + tones[t]!) % 12)]!;
        norm += weight * weight;
      }
      const low =
        bass[at + root]! +
        FIFTH * bass[at + ((root + tones[2]!) % 12)]! +
        THIRD * bass[at + ((root + tones[1]!) % 12)]!;
      const state = root * QUALITIES.length + q;
      scores[state] = TONES_WEIGHT * (dot / Math.sqrt(norm) - 1) + BASS_WEIGHT * (low - 1) + liking[state]!;
    }
  }
  // A flat chroma resembles none of them: 12 equal values have a cosine of 0.5 with a triad.
  scores[NONE] = TONES_WEIGHT * ((0.45 * sum) / Math.sqrt(12) - 1.1) - 0.5 * BASS_WEIGHT;
}

/** What speaks for each chord before anything is heard: its quality, and whether its tones are the key's. */
function likingOf(key: Key | undefined): Float64Array {
  const liking = new Float64Array(STATES);
  for (let root = 0; root < 12; root++) {
    for (const [q, quality] of QUALITIES.entries()) {
      let value = -RARITY[quality];
      if (key !== undefined) {
        const inside = TONES[quality].every((tone) => key.scale.has((root + tone) % 12));
        value += inside ? DIATONIC * key.confidence : 0;
      }
      liking[root * QUALITIES.length + q] = value;
    }
  }
  return liking;
}

function spans(path: Int16Array, grid: Grid): Chord[] {
  const chords: Chord[] = [];
  for (let row = 0; row < path.length; ) {
    let end = row + 1;
    while (end < path.length && path[end] === path[row]) end++;
    const state = path[row]!;
    const quality = state === NONE ? "none" : QUALITIES[state % QUALITIES.length]!;
    const root = state === NONE ? null : Math.floor(state / QUALITIES.length);
    chords.push({ start: grid.edges[row]!, end: grid.edges[end]!, root, quality });
    row = end;
  }
  return chords;
}
