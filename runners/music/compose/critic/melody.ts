/** What the tune measures: of what is sung, and elsewhere of what leads. */
import { pitchClass } from "../../../notes.ts";
import { log2 } from "../../../signal/dsp/exact.ts";
import {
  chordsAlong,
  correlation,
  FRAME_BEATS,
  keyAt,
  levelOf,
  meanOf,
  type Reading,
  slotOf,
  type Tone,
} from "./reading.ts";
import type { Measures } from "./terms.ts";

/** Listeners' ratings of each degree (Krumhansl & Kessler, Psychological Review 1982). */
const MAJOR = [6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88];
const MINOR = [6.33, 2.68, 3.52, 5.38, 2.6, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17];
const BRIGHT: ReadonlySet<string> = new Set(["major", "lydian", "mixolydian"]);
/** From a fourth on an interval is a skip that wants to be answered. Semitones. */
const SKIP = 5;
/** Silence, or a note held as long, ends a phrase. Beats. */
const PHRASE_GAP = 0.9;
const PHRASE_NOTES = 5;
/** Intervals beyond an octave count as one. */
const OCTAVE = 12;
/** Fewer notes say nothing. */
const NOTES_MIN = 12;

export function melodyTerms(reading: Reading): Measures {
  const { tune, tunes } = reading;
  if (tune.length < NOTES_MIN) return {};
  const phrases = tunes.flatMap(phrasesOf);
  const intervals = phrases.map((tones) => tones.slice(1).map(({ pitch }, n) => Math.round(pitch - tones[n]!.pitch)));
  const moving = intervals.flat().filter((step) => step !== 0);
  return {
    steps: moving.length === 0 ? 0 : moving.filter((step) => Math.abs(step) <= 2).length / moving.length,
    skip_reversal: reversals(intervals),
    interval_entropy: entropy(intervals.flat().map((step) => Math.max(-OCTAVE, Math.min(OCTAVE, step)))),
    tonal_clarity: tonality(reading),
    range: meanOf(tunes.filter((tones) => tones.length >= 4).map(rangeOf)),
    arch: archOf(phrases),
    chord_tones: chordTones(reading),
    clash: clashes(reading),
    ...(tune.some(({ stressed }) => stressed !== undefined) ? { prosody: prosodyOf(reading) } : {}),
  };
}

function phrasesOf(tones: readonly Tone[]): Tone[][] {
  const phrases: Tone[][] = [];
  let open: Tone[] = [];
  for (const [n, tone] of tones.entries()) {
    open.push(tone);
    const next = tones[n + 1];
    const ends =
      next === undefined || next.beat - (tone.beat + tone.beats) >= PHRASE_GAP || tone.beats >= 2 * PHRASE_GAP;
    if (!ends) continue;
    phrases.push(open);
    open = [];
  }
  return phrases;
}

/** Share of skips after which the tune turns back; undefined where it hardly skips. */
function reversals(intervals: readonly (readonly number[])[]): number | undefined {
  let [skips, turned] = [0, 0];
  for (const steps of intervals)
    for (const [n, step] of steps.entries()) {
      const next = steps[n + 1];
      if (Math.abs(step) < SKIP || next === undefined || next === 0) continue;
      skips++;
      if (next * step < 0) turned++;
    }
  return skips < 4 ? undefined : turned / skips;
}

/** Bits. */
export function entropy(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / values.length) * log2(count / values.length);
  return bits;
}

/** Correlation of what is played with the profile of its key. */
function tonality({ tune, score }: Reading): number {
  const chroma = new Float64Array(12);
  for (const { beat, beats, pitch } of tune)
    chroma[pitchClass(Math.round(pitch) - keyAt(score, beat).tonic)]! += Math.min(beats, 2);
  return correlation(chroma, BRIGHT.has(score.key.mode) ? MAJOR : MINOR);
}

/** From the lowest twentieth to the highest. */
function rangeOf(tones: readonly Tone[]): number {
  const sorted = tones.map(({ pitch }) => pitch).sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))]!;
  return at(0.95) - at(0.05);
}

/** Semitones that the middle third of a phrase lies over its beginning and end, in the mean. */
function archOf(phrases: readonly (readonly Tone[])[]): number | undefined {
  const long = phrases.filter((tones) => tones.length >= PHRASE_NOTES);
  if (long.length < 3) return undefined;
  return meanOf(
    long.map((tones) => {
      const third = Math.floor(tones.length / 3);
      const height = (from: number, to: number): number => meanOf(tones.slice(from, to).map(({ pitch }) => pitch));
      return height(third, tones.length - third) - (height(0, third) + height(tones.length - third, tones.length)) / 2;
    }),
  );
}

/** Share of tones of half a beat or more, on the beat, that belong to the chord. */
function chordTones(reading: Reading): number | undefined {
  const chordAt = chordsAlong(reading.score.chords);
  const heavy = reading.tune.filter(
    ({ beat, beats }) => beats >= 0.45 && levelOf(reading, slotOf(reading, beat)) >= -2,
  );
  if (heavy.length < 8) return undefined;
  const inside = heavy.filter(({ beat, pitch }) => chordAt(beat + 0.05)?.tones.includes(pitchClass(Math.round(pitch))));
  return inside.length / heavy.length;
}

/** Share of half beats with a tune on which somebody else plays a semitone off it, in any octave. */
function clashes({ tune, frames, score }: Reading): number {
  let [all, against] = [0, 0];
  for (const { beat, beats, pitch } of tune) {
    const own = Math.round(pitch);
    const to = Math.min(frames.length, Math.ceil((beat + beats) / FRAME_BEATS));
    for (let at = Math.max(0, Math.round(beat / FRAME_BEATS)); at < to; at++) {
      all++;
      const clash = frames[at]!.some((other) => {
        const apart = pitchClass(other.pitch - own);
        return (apart === 1 || apart === 11) && score.parts[other.part]!.role !== "lead";
      });
      if (clash) against++;
    }
  }
  return all === 0 ? 0 : against / all;
}

/** Share of stressed syllables that begin on a beat. */
function prosodyOf(reading: Reading): number {
  const stressed = reading.tune.filter((tone) => tone.stressed === true);
  if (stressed.length === 0) return 1;
  return stressed.filter(({ beat }) => levelOf(reading, slotOf(reading, beat)) >= -2).length / stressed.length;
}
