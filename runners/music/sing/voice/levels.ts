/** How strongly each sound of a phrase is sung, so that notes are as loud as they are meant to be whatever vowel and pitch they have. */
import { type Control, STEP } from "../../../signal/dsp/control.ts";
import { gainOf } from "../../../signal/dsp/exact.ts";
import { isVowel } from "../phonemes.ts";
import type { Formants } from "./formants.ts";
import { MURMUR_SOFT, NOSE, NOSE_WIDTH, nasalZero, raised, zeroWidth } from "./nose.ts";
import type { SungPhrase } from "./notes.ts";
import type { Segment } from "./timing.ts";
import type { Voice } from "./voices.ts";

export interface Levels {
  /** Peak of the voice's source by segment; consonants have that of the vowel that they belong to. */
  readonly source: readonly number[];
  /** By note: factor on the brightness of the voice, and dB that a long note swells. */
  readonly brightness: readonly number[];
  readonly swell: readonly number[];
  /** By note: what noises are measured by. The folds of a high voice need less strength for the same vowel; its consonants do not. */
  readonly noise: readonly number[];
}

/** RMS that a firmly sung vowel has after the throat. */
const TARGET_RMS = 0.09;
/** Share of the difference between vowels that is made even; the rest is their nature. */
const EVEN = 0.75;

export function levelsOf(
  phrase: SungPhrase,
  segments: readonly Segment[],
  voice: Voice,
  formants: Formants,
  pitch: Control,
  origin: number,
  rate: number,
): Levels {
  const of_note = phrase.map((note, k) => {
    // A phrase rises to its middle and falls towards its end.
    const place = phrase.length < 2 ? 0.5 : k / (phrase.length - 1);
    const arch = 1.2 - 4.8 * (place - 0.45) * (place - 0.45) * 1.4;
    return gainOf(16 * (Math.min(1, Math.max(0, note.velocity)) - 0.8) + arch);
  });
  const made = segments.map(() => 0);
  const vowel_gain = new Array<number>(phrase.length).fill(0);
  for (const segment of segments) {
    if (segment.part !== "nucleus") continue;
    const at = Math.round((segment.from + 0.4 * (segment.to - segment.from) - origin) / STEP);
    const gain = isVowel(segment.phoneme) ? power(formants, voice, pitch, at, rate) : 0.25;
    vowel_gain[segment.note] = gain;
  }
  for (let n = 0; n < segments.length; n++) {
    const { note } = segments[n]!;
    const gain = Math.max(1e-3, vowel_gain[note]!);
    // A mixture of the evened level and the plain one.
    made[n] = of_note[note]! * TARGET_RMS * (EVEN / gain + (1 - EVEN) / REFERENCE);
    made[n]! *= murmur(segments[n]!, gain, formants, voice, pitch, origin, rate);
  }
  return {
    source: made,
    brightness: phrase.map(({ velocity }) => 0.55 + 0.55 * Math.min(1, Math.max(0, velocity))),
    noise: of_note.map((gain) => gain * TARGET_RMS * NOISE),
    swell: phrase.map(({ frames }) => Math.min(2.2, (1.6 * frames) / rate)),
  };
}

/** Of a nasal against its vowel, dB, and the least and the most that its source is changed by for it, as a factor. */
const [MURMUR_DB, MURMUR_MIN, MURMUR_MAX] = [-4, 0.35, 4];

/**
 * What a nasal's source is changed by so that its murmur is as loud as it should be, wherever harmonics fall in the
 * nose's resonance. 1 for other sounds.
 */
function murmur(
  { phoneme, from, to }: Segment,
  vowel: number,
  formants: Formants,
  voice: Voice,
  pitch: Control,
  origin: number,
  rate: number,
): number {
  const nose = NOSE * voice.scale[0];
  const zero = nasalZero(phoneme, nose);
  if (zero === undefined) return 1;
  const at = Math.round((0.5 * (from + to) - origin) / STEP);
  const f0 = pitch[Math.min(pitch.length - 1, Math.max(0, at))]!;
  const by = raised(nose, f0);
  const own = power(formants, voice, pitch, at, rate, { pole: nose * by, zero: zero * by });
  return Math.min(MURMUR_MAX, Math.max(MURMUR_MIN, (vowel * gainOf(MURMUR_DB)) / Math.max(1e-3, own)));
}

/**
 * Peak of a low voice's source against the RMS of its vowel, which the levels of `targets.ts` are given for; a little
 * over, for clear words.
 */
const NOISE = 2.4;
/** RMS of a middling vowel for a source of peak 1. */
const REFERENCE = 0.5;

/** RMS of a steady vowel for a source of peak 1: harmonics of the source (1 / (πh) from its edge, softened) through the resonances. */
function power(
  { hertz, width }: Formants,
  voice: Voice,
  pitch: Control,
  at: number,
  rate: number,
  nose?: { readonly pole: number; readonly zero: number },
): number {
  const n = Math.min(pitch.length - 1, Math.max(0, at));
  const f0 = pitch[n]!;
  const soft = nose === undefined ? voice.soft : MURMUR_SOFT;
  let sum = 0;
  for (let h = 1; h * f0 < Math.min(5000, rate / 2); h++) {
    const f = h * f0;
    let level = 1 / (Math.PI * h * (h === 1 ? 1.3 : 1));
    level /= Math.sqrt(1 + (f / soft) * (f / soft));
    for (let k = 0; k < 3; k++) level *= resonance(f, hertz[k]![n]!, width[k]![n]!);
    for (const [centre, band] of voice.upper) level *= resonance(f, centre, band);
    if (nose !== undefined)
      level *= resonance(f, nose.pole, NOSE_WIDTH) / resonance(f, nose.zero, zeroWidth(nose.pole, nose.zero));
    // The ear weighs the upper formants more than the first.
    const weight = f > 1000 ? 1.6 : 1;
    sum += 0.5 * level * level * weight;
  }
  return Math.sqrt(sum);
}

function resonance(f: number, centre: number, band: number): number {
  const c = centre * centre;
  const d = c - f * f;
  return c / Math.sqrt(d * d + band * band * f * f);
}
