import { MODES, pitchClass } from "../../../notes.ts";
import type { Key, ScoreChord } from "../score.ts";
import { isBright } from "./scales.ts";

/**
 * How keys are told from what sounds, by degree: listeners' ratings (Krumhansl & Kessler, 1982), the same mended for
 * use on scores (Temperley, "What's key for key?", 1999), and counts in a corpus (Albrecht & Shanahan, Music Perception
 * 2013). Programs that name keys use one or another; a piece should satisfy them all.
 */
const PROFILES: readonly { readonly major: readonly number[]; readonly minor: readonly number[] }[] = [
  {
    major: [6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88],
    minor: [6.33, 2.68, 3.52, 5.38, 2.6, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17],
  },
  {
    major: [5, 2, 3.5, 2, 4.5, 4, 2, 4.5, 2, 3.5, 1.5, 4],
    minor: [5, 2, 3.5, 4.5, 2, 4, 2, 4.5, 3.5, 2, 1.5, 4],
  },
  {
    major: [0.238, 0.006, 0.111, 0.006, 0.137, 0.094, 0.016, 0.214, 0.009, 0.08, 0.008, 0.081],
    minor: [0.22, 0.006, 0.104, 0.123, 0.019, 0.103, 0.012, 0.214, 0.062, 0.022, 0.061, 0.052],
  },
];

/** Their own mean taken off, and of length 1: a correlation is a product. */
const UNIT = PROFILES.map(({ major, minor }) => ({ major: unit(major), minor: unit(minor) }));

/**
 * What a tone's partials 1 to 8 add to the chroma, by semitones above it: half as much to the fifth, a quarter to the
 * major third that no minor chord has.
 */
const PARTIALS: readonly (readonly [semitones: number, amplitude: number])[] = [
  [0, 1 + 0.6 + 0.3 + 0.12],
  [7, 0.42 + 0.16],
  [4, 0.24],
  [10, 0.13],
];

/**
 * What sounds of a chord: its bass most, for long notes there fill the lowest octaves; and the tune keeps to its tones,
 * root before the rest.
 */
const BASS = 0.9;
const ROOT = 0.25;
const TONE = 0.6;

/** Under distortion guitars play root and fifth alone, and their harmonics and differences weigh like notes. */
const DRIVEN = { root: 1.1, fifth: 0.9, tone: 0.3 };

/** Kept by whether guitars are driven, since chords are weighed many times. */
const SOUNDING = { clean: new WeakMap<ScoreChord, Float64Array>(), driven: new WeakMap<ScoreChord, Float64Array>() };

/**
 * How clearly chords say their key to an ear that hears them played, with their harmonics: the correlation of the
 * chroma with the key's profile, less that of the best other key, by several profiles. Modes count as the major or
 * minor that they are nearest to.
 *
 * @param driven whether distorted guitars carry the chords
 * @returns -2 to 2: mean of the profiles' margins and the least of them; above 0 an ear that knows major and minor
 *   alone would name this key
 */
export function clarity(chords: readonly ScoreChord[], key: Key, driven = false): number {
  const chroma = new Float64Array(12);
  for (const [at, chord] of chords.entries()) {
    // Where a piece begins and ends is heard as home.
    const weight = chord.beats * (at === 0 || at === chords.length - 1 ? 1.5 : 1);
    const sounding = soundingOf(chord, driven);
    for (let n = 0; n < 12; n++) chroma[n]! += weight * sounding[n]!;
  }
  const heard = unit(chroma);
  const own = isBright(key.mode) ? "major" : "minor";
  let [sum, least] = [0, Number.POSITIVE_INFINITY];
  for (const profile of UNIT) {
    const said = product(heard, profile[own], key.tonic);
    let other = -1;
    for (const mode of ["major", "minor"] as const)
      for (let tonic = 0; tonic < 12; tonic++)
        if (mode !== own || tonic !== key.tonic) other = Math.max(other, product(heard, profile[mode], tonic));
    sum += said - other;
    least = Math.min(least, said - other);
  }
  return 0.5 * (sum / UNIT.length + least);
}

/** Share of what sounds on notes of the scale that diatonic triads reach with their harmonics. */
const DIATONIC = 0.9;

/** Clarity, less what chords foreign to the key take away from its scale. */
export function plainness(chords: readonly ScoreChord[], key: Key, driven = false): number {
  return clarity(chords, key, driven) + 2 * Math.min(0, within(chords, key) - DIATONIC);
}

/** Share of what sounds, harmonics and all, on notes of the key's scale; 0 to 1. */
export function within(chords: readonly ScoreChord[], key: Key): number {
  let [inside, all] = [0, 0];
  const scale = MODES[key.mode];
  for (const chord of chords) {
    const sounding = soundingOf(chord, false);
    for (let n = 0; n < 12; n++) {
      all += chord.beats * sounding[n]!;
      if (scale.includes(pitchClass(n - key.tonic))) inside += chord.beats * sounding[n]!;
    }
  }
  return all > 0 ? inside / all : 1;
}

function soundingOf(chord: ScoreChord, driven: boolean): Float64Array {
  const kept = driven ? SOUNDING.driven : SOUNDING.clean;
  const known = kept.get(chord);
  if (known !== undefined) return known;
  const chroma = new Float64Array(12);
  const add = (tone: number, weight: number): void => {
    for (const [above, amplitude] of PARTIALS) chroma[(tone + above) % 12]! += weight * amplitude;
  };
  for (const tone of chord.tones) add(tone, driven ? DRIVEN.tone : TONE);
  add(chord.root, driven ? DRIVEN.root : ROOT);
  if (driven && chord.tones.includes((chord.root + 7) % 12)) add((chord.root + 7) % 12, DRIVEN.fifth);
  add(chord.bass, BASS);
  kept.set(chord, chroma);
  return chroma;
}

function unit(values: ArrayLike<number>): Float64Array {
  let mean = 0;
  for (let n = 0; n < 12; n++) mean += values[n]! / 12;
  let power = 0;
  for (let n = 0; n < 12; n++) power += (values[n]! - mean) ** 2;
  const scale = power > 0 ? 1 / Math.sqrt(power) : 0;
  return Float64Array.from({ length: 12 }, (_, n) => (values[n]! - mean) * scale);
}

function product(heard: Float64Array, profile: Float64Array, tonic: number): number {
  let sum = 0;
  for (let n = 0; n < 12; n++) sum += heard[n]! * profile[(n - tonic + 12) % 12]!;
  return sum;
}
