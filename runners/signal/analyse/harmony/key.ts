/** The key of a piece, from which notes sound and which chords they make. */
import type { Chord, Mode } from "../analysis.ts";
import type { Chroma } from "./chroma.ts";

/** Standard deviation of the mean chroma against its mean: of noise, and of clear tonality. */
const [FLAT, CLEAR] = [0.12, 0.35];

export interface Key {
  /** Pitch class 0 (C) to 11 (B). */
  readonly tonic: number;
  readonly mode: Mode;
  /** 0 to 1. */
  readonly confidence: number;
  /** Pitch classes of the scale; minor with both sevenths. */
  readonly scale: ReadonlySet<number>;
}

/** Albrecht & Shanahan, "The use of large corpora to train a new type of key-finding algorithm" (Music Perception 2013). */
const PROFILES: Readonly<Record<Mode, readonly number[]>> = {
  major: [0.238, 0.006, 0.111, 0.006, 0.137, 0.094, 0.016, 0.214, 0.009, 0.08, 0.008, 0.081],
  minor: [0.22, 0.006, 0.104, 0.123, 0.019, 0.103, 0.012, 0.214, 0.062, 0.022, 0.061, 0.052],
};
const SCALES: Readonly<Record<Mode, readonly number[]>> = {
  major: [0, 2, 4, 5, 7, 9, 11],
  minor: [0, 2, 3, 5, 7, 8, 10, 11],
};
/** How well a triad fits the key, by semitones above the tonic: major, then minor and diminished third chords. */
const DEGREES: Readonly<Record<Mode, Readonly<Record<"maj" | "min" | "other", readonly number[]>>>> = {
  major: {
    maj: [1, -0.6, -0.1, -0.3, -0.1, 0.8, -0.8, 0.8, -0.2, -0.2, 0.2, -0.6],
    min: [-0.6, -0.8, 0.6, -0.9, 0.5, 0, -0.8, -0.2, -0.9, 0.65, -0.9, -0.4],
    other: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  },
  minor: {
    maj: [-0.4, -0.2, -0.4, 0.6, -0.9, 0.3, -0.9, 0.6, 0.7, -0.9, 0.6, -0.9],
    min: [1, -0.9, -0.1, -0.5, -0.9, 0.65, -0.9, 0.4, -0.5, -0.6, -0.5, -0.9],
    other: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  },
};
/** What speaks for a key, in units of a correlation of 1: the bass's own profile, and how the chords fit. */
const [BASS, CHORDS] = [0.3, 0.6];
/** A piece that begins or ends on its tonic, and one whose every change is a cadence. */
const [FIRST, LAST, CADENCE] = [0.08, 0.1, 0.6];

/** @param chords what a first hearing made of them */
export function keyOf(chroma: Chroma, chords: readonly Chord[]): Key {
  const notes = meanOf(chroma.treble, chroma.rows);
  const low = meanOf(chroma.bass, chroma.rows);
  const scores: { tonic: number; mode: Mode; score: number }[] = [];
  for (const mode of ["major", "minor"] as const) {
    for (let tonic = 0; tonic < 12; tonic++) {
      const score =
        correlation(notes, PROFILES[mode], tonic) +
        BASS * correlation(low, PROFILES[mode], tonic) +
        chordScore(chords, tonic, mode);
      scores.push({ tonic, mode, score });
    }
  }
  scores.sort((a, b) => b.score - a.score);
  const [best, second] = scores as [(typeof scores)[0], (typeof scores)[0]];
  const lead = Math.max(0, Math.min(1, 0.25 + 2 * (best.score - second.score)));
  const confidence = lead * clarity(notes);
  const scale = new Set(SCALES[best.mode].map((step) => (best.tonic + step) % 12));
  return { tonic: best.tonic, mode: best.mode, confidence, scale };
}

/** 0 where all pitch classes are equally strong (noise, or nothing), 1 where a few stand out as in music. */
function clarity(chroma: Float64Array): number {
  const mean = chroma.reduce((sum, value) => sum + value, 0) / 12;
  const variance = chroma.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 12;
  return mean > 0 ? Math.max(0, Math.min(1, (Math.sqrt(variance) / mean - FLAT) / (CLEAR - FLAT))) : 0;
}

/** How a key explains the chords: by their share of the time, by where they begin and end, and by cadences. */
function chordScore(chords: readonly Chord[], tonic: number, mode: Mode): number {
  let time = 0;
  let fit = 0;
  let cadences = 0;
  let changes = 0;
  const real = chords.filter((chord) => chord.root !== null);
  for (const [index, chord] of real.entries()) {
    const kind = third(chord);
    const length = chord.end - chord.start;
    fit += length * DEGREES[mode][kind][(chord.root! - tonic + 12) % 12]!;
    time += length;
    const next = real[index + 1];
    if (next === undefined || chord.root === next.root) continue;
    changes++;
    if (isTonic(next, tonic, mode) && isDominant(chord, tonic)) cadences++;
  }
  if (time === 0) return 0;
  const first = isTonic(real[0]!, tonic, mode) ? FIRST : 0;
  const last = isTonic(real.at(-1)!, tonic, mode) ? LAST : 0;
  return (CHORDS * fit) / time + first + last + (CADENCE * cadences) / Math.max(4, changes);
}

function third(chord: Chord): "maj" | "min" | "other" {
  const { quality } = chord;
  if (quality === "maj" || quality === "7" || quality === "maj7") return "maj";
  return quality === "min" || quality === "min7" ? "min" : "other";
}

function isTonic(chord: Chord, tonic: number, mode: Mode): boolean {
  return chord.root === tonic && third(chord) === (mode === "major" ? "maj" : "min");
}

function isDominant(chord: Chord, tonic: number): boolean {
  return (chord.root! - tonic + 12) % 12 === 7 && third(chord) === "maj";
}

function meanOf(chroma: Float32Array, rows: number): Float64Array {
  const mean = new Float64Array(12);
  for (let row = 0; row < rows; row++) for (let k = 0; k < 12; k++) mean[k]! += chroma[12 * row + k]! / rows;
  return mean;
}

/** Pearson's, of a chroma with a profile turned to a tonic; 0 where either does not vary. */
function correlation(chroma: Float64Array, profile: readonly number[], tonic: number): number {
  const mean_c = chroma.reduce((sum, value) => sum + value, 0) / 12;
  const mean_p = profile.reduce((sum, value) => sum + value, 0) / 12;
  let both = 0;
  let cc = 0;
  let pp = 0;
  for (let k = 0; k < 12; k++) {
    const c = chroma[(k + tonic) % 12]! - mean_c;
    const p = profile[k]! - mean_p;
    both += c * p;
    cc += c * c;
    pp += p * p;
  }
  return cc === 0 || pp === 0 ? 0 : both / Math.sqrt(cc * pp);
}
