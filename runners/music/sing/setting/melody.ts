/** Which pitches a line's syllables have: the cheapest walk over the scale that meets the chords, the motif's contour and the voice's range. */

import { MODES, pitchClass } from "../../../notes.ts";
import { hash32 } from "../../../signal/dsp/random.ts";
import type { Key, ScoreChord } from "../../compose/mod.ts";

export interface Tone {
  readonly beat: number;
  readonly beats: number;
  readonly stress: number;
}

export interface Tune {
  readonly key: Key;
  readonly chords: readonly ScoreChord[];
  /** MIDI numbers within which the line moves, inclusive, and where it is at home. */
  readonly low: number;
  readonly high: number;
  readonly home: number;
  /** Of what is random: lines that share it share their tune as far as chords and syllables allow. */
  readonly motif: number;
  /** Of the line's end: a rest on the tonic triad, or any tone of the chord. */
  readonly closes: boolean;
  readonly beats_per_bar: number;
  /** A tune to stay near to where syllables allow; in order of `beat`. */
  readonly like?: readonly { readonly beat: number; readonly beats: number; readonly pitch: number }[];
}

/** What a tone of the tune to be like is preferred by: more than taste, less than a chord's tone on a strong beat. */
const LIKENESS = 1.3;
/** Beats that a syllable may be off the note that it takes. */
const OFF_BEATS = 0.26;

/** Height of a line over its course, -1 to 1, at eight places. */
const CONTOURS: readonly (readonly number[])[] = [
  [-0.4, 0.1, 0.6, 0.9, 0.7, 0.3, -0.1, -0.5],
  [0.8, 0.6, 0.3, 0.4, 0.1, -0.2, -0.4, -0.6],
  [-0.6, -0.5, -0.1, 0.1, 0.2, 0.5, 0.7, 0.5],
  [0.2, 0.7, 0.3, -0.2, 0.1, 0.5, 0, -0.4],
  [0, 0, 0.1, 0.5, 0.8, 0.4, 0.2, 0],
  [-0.5, 0.3, 0.7, 0.2, -0.3, 0.2, 0.4, -0.1],
];

/** MIDI numbers, one by tone. */
export function melodyOf(tones: readonly Tone[], tune: Tune): number[] {
  if (tones.length === 0) return [];
  const scale = MODES[tune.key.mode].map((step) => (step + tune.key.tonic) % 12);
  const contour = CONTOURS[hash32(tune.motif, 1) % CONTOURS.length]!;
  const reach = 0.5 * Math.min(9, tune.high - tune.low);
  const begin = tones[0]!.beat;
  const span = Math.max(1, tones[tones.length - 1]!.beat - begin);
  const size = tune.high - tune.low + 1;
  let costs = new Float64Array(size);
  const back: Int16Array[] = [];
  let before: Tone | null = null;
  for (let n = 0; n < tones.length; n++) {
    const tone = tones[n]!;
    const last = n === tones.length - 1;
    const chord = chordAt(tune.chords, tone.beat);
    const strong = strengthOf(tone, tune.beats_per_bar) + (tone.beats >= 1 ? 0.5 : 0) + (last ? 0.6 : 0);
    const place = ((tone.beat - begin) / span) * 7;
    const left = contour[Math.floor(place)]!;
    const aim =
      tune.home + reach * (left + (place - Math.floor(place)) * ((contour[Math.floor(place) + 1] ?? left) - left));
    const like = tune.like?.find(
      (note) => note.beat - OFF_BEATS <= tone.beat && tone.beat < note.beat + note.beats - OFF_BEATS,
    );
    const next = new Float64Array(size).fill(Number.POSITIVE_INFINITY);
    const from = new Int16Array(size);
    for (let k = 0; k < size; k++) {
      const pitch = tune.low + k;
      const own = fits(pitch, chord, scale, strong, tune, last) + 0.09 * (pitch - aim) * (pitch - aim) * 0.5;
      if (own === Number.POSITIVE_INFINITY) continue;
      const known = like !== undefined && (pitch - like.pitch) % 12 === 0 ? -LIKENESS : 0;
      // Taste by place in the line and step of the scale from home, so that it moves with the key.
      const taste = 0.9 * (hash32(tune.motif, 64 * n + pitchClass(pitch - tune.key.tonic)) / 0x1_0000_0000);
      if (before === null) {
        next[k] = own + taste + known;
        continue;
      }
      for (let j = Math.max(0, k - 9); j <= Math.min(size - 1, k + 9); j++) {
        if (costs[j] === Number.POSITIVE_INFINITY) continue;
        const cost = costs[j]! + own + taste + known + leap(k - j, before.beats);
        if (cost < next[k]!) {
          next[k] = cost;
          from[k] = j;
        }
      }
    }
    back.push(from);
    costs = next;
    before = tone;
  }
  let best = 0;
  for (let k = 1; k < size; k++) if (costs[k]! < costs[best]!) best = k;
  const pitches = new Array<number>(tones.length);
  for (let n = tones.length - 1; n >= 0; n--) {
    pitches[n] = tune.low + best;
    best = back[n]![best]!;
  }
  return pitches;
}

/** The chord that sounds at a beat; the first before all. Null where there are none. */
export function chordAt(chords: readonly ScoreChord[], beat: number): ScoreChord | null {
  let found: ScoreChord | null = chords[0] ?? null;
  let [low, high] = [0, chords.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (chords[middle]!.beat <= beat + 1e-6) {
      found = chords[middle]!;
      low = middle + 1;
    } else high = middle - 1;
  }
  return found;
}

/** The next tone of the scale above (1) or below (-1) a pitch. */
export function neighbour(pitch: number, key: Key, step: 1 | -1): number {
  const scale = MODES[key.mode].map((degree) => (degree + key.tonic) % 12);
  let to = pitch + step;
  while (!scale.includes(pitchClass(to))) to += step;
  return to;
}

function strengthOf({ beat, stress }: Tone, beats_per_bar: number): number {
  const in_bar = ((beat % beats_per_bar) + beats_per_bar) % beats_per_bar;
  const near = Math.abs(in_bar - Math.round(in_bar)) < 0.02;
  const strong = !near ? 0 : Math.round(in_bar) % beats_per_bar === 0 ? 1 : in_bar * 2 === beats_per_bar ? 0.8 : 0.5;
  return strong + (stress === 1 ? 0.2 : 0);
}

function fits(
  pitch: number,
  chord: ScoreChord | null,
  scale: readonly number[],
  strong: number,
  { key, closes }: Tune,
  last: boolean,
): number {
  const pc = pitchClass(pitch);
  const in_chord = chord?.tones.includes(pc) ?? false;
  if (!in_chord && !scale.includes(pc)) return Number.POSITIVE_INFINITY;
  let cost = in_chord || chord === null ? 0 : 0.3 + 1.6 * strong;
  if (!in_chord && chord !== null) {
    // A semitone above a tone of the chord grinds; a whole tone colours. And a chord's own tones may contradict the scale.
    if (chord.tones.some((tone) => (pc - tone + 12) % 12 === 1)) cost += 1.2 + strong;
    if (chord.tones.some((tone) => (tone - pc + 12) % 12 === 1 && !scale.includes(tone))) cost += 1.2;
  }
  if (last && closes) {
    const degree = (pc - key.tonic + 12) % 12;
    cost += degree === 0 ? 0 : in_chord ? 0.7 : 3;
  }
  return cost;
}

/** Steps are sung most, repetitions often, leaps seldom; after a short note a leap is harder. */
function leap(step: number, beats: number): number {
  const size = Math.abs(step);
  const cost = size === 0 ? 0.55 : size <= 2 ? 0 : size <= 4 ? 0.5 : size === 5 ? 0.9 : size === 7 ? 1.3 : 2.4;
  return beats < 0.4 && size > 4 ? cost * 1.6 : cost;
}
