/** How loud recorded sounds are sung, so that notes are as loud as they are meant to be whatever vowel and pitch they have. */
import { type Control, control } from "../../../signal/dsp/control.ts";
import { exp2 } from "../../../signal/dsp/exact.ts";
import { clamp } from "../../../signal/dsp/numbers.ts";
import { POINTS, pointOf } from "../../../signal/dsp/vocoder.ts";
import { isVowel } from "../phonemes.ts";
import levels from "./consonant_levels.json" with { type: "json" };
import { change, drawn, hold, lane, reach } from "./lane.ts";
import type { SungPhrase } from "./notes.ts";
import type { Pairs } from "./pairs.ts";
import { decibelsOf, extend, POWER_LOG2, VOWEL_BEYOND } from "./recorded_throat.ts";
import { CONSONANT_TARGETS } from "./targets.ts";
import type { Segment } from "./timing.ts";

/** dB of the RMS that a firmly sung vowel has. */
const TARGET_DB = -20.9;
/** Share of the difference between vowels that is made even; the rest is their nature. */
const EVEN = 0.75;
/** What hisses and bursts are raised by against speech: words are sung over a band. */
const CLEAR_DB = 3;
/**
 * What murmurs are raised by, and what closed voiced sounds are lowered by: speakers have more of their voice below 300
 * Hz than singers.
 */
const NASAL_DB = 2;
const BAR_DB = 3.5;
/** What an h is raised by besides. */
const H_DB = 6;
/** dB of the RMS of a voice with this envelope at `pitch` Hz; the ear weighs the upper formants more than the first. */
export function loudness(envelope: Float64Array, pitch: number, rate: number, top = 5000): number {
  let sum = 0;
  for (let hertz = pitch; hertz < top; hertz += pitch) {
    const place = pointOf(hertz);
    const at = Math.floor(place);
    const db = envelope[at]! + (place - at) * (envelope[at + 1]! - envelope[at]!);
    sum += exp2(db * POWER_LOG2) * (hertz > 1000 ? 1.6 : 1);
  }
  return decibelsOf((2 * pitch * sum) / rate);
}

/**
 * dB of consonants against their vowels at their loudest 15 ms, in the order of the powers that H. Fletcher (Speech and
 * Hearing in Communication, 1953) gives, after C. Sacia and C. Beck (1926), and raised by 3 to 10 dB: words are sung
 * over a band, and amplified consonants are understood better in noise (V. Hazan and A. Simpson, Speech Communication
 * 24 (1998)).
 */
const CONSONANTS_DB: Readonly<Partial<Record<string, number>>> = levels;
/** A recorded consonant is moved no further from the level that the speaker gave it, dB. */
const MOVED_MOST_DB = 14;

const references = new WeakMap<Pairs, number>();

/** dB of the RMS of the speaker's own vowels. */
export function referenceOf(pairs: Pairs): number {
  let found = references.get(pairs);
  if (found === undefined) {
    const envelope = new Float64Array(POINTS);
    const all = (["AA", "AE", "AH", "EH", "IH", "IY", "OW", "UW"] as const).flatMap((vowel) => {
      const [target] = pairs.targets(vowel);
      if (target === undefined) return [];
      pairs.voice.envelope(target, envelope);
      extend(envelope, pairs.voice.known, ...VOWEL_BEYOND);
      return [loudness(envelope, pairs.voice.header.f0, 44_100)];
    });
    found = all.reduce((sum, db) => sum + db, 0) / Math.max(1, all.length);
    references.set(pairs, found);
  }
  return found;
}

const SONOROUS: ReadonlySet<string> = new Set(["nasal", "approximant"]);

/**
 * @param vowels dB of each note's vowel as the throat has it
 * @param noises the same of each segment that is an obstruent, else null
 * @returns dB by which recorded envelopes are raised over the phrase, at control steps; -80 is silence
 */
export function gainsOf(
  phrase: SungPhrase,
  segments: readonly Segment[],
  vowels: readonly number[],
  noises: readonly (number | null)[],
  reference: number,
  origin: number,
  frames: number,
  rate: number,
): Control {
  const ms = rate / 1000;
  const gain = lane(-80);
  const wanted = phrase.map(({ velocity }, k) => {
    // A phrase rises to its middle and falls towards its end.
    const place = phrase.length < 2 ? 0.5 : k / (phrase.length - 1);
    const arch = 1.2 - 4.8 * (place - 0.45) * (place - 0.45) * 1.4;
    return TARGET_DB + 16 * (Math.min(1, Math.max(0, velocity)) - 0.8) + arch;
  });
  for (const [n, { phoneme, note, part, from, to, release }] of segments.entries()) {
    const [begin, end] = [from - origin, to - origin];
    const voiced = isVowel(phoneme) || CONSONANT_TARGETS[phoneme].voiced;
    const sonorous = isVowel(phoneme) || SONOROUS.has(CONSONANT_TARGETS[phoneme].manner);
    // What is evened out between vowels is none of an obstruent's business, but for voices above the speaker's own
    // pitch, whose closures would boom.
    const evened = EVEN * vowels[note]! + (1 - EVEN) * reference;
    const plain =
      wanted[note]! +
      (sonorous
        ? NASAL_DB * Number(!isVowel(phoneme) && CONSONANT_TARGETS[phoneme].manner === "nasal") - evened
        : voiced
          ? -Math.max(evened, reference) - BAR_DB
          : CLEAR_DB + (phoneme === "HH" ? H_DB : 0) - reference);
    const noise = noises[n]!;
    const level = CONSONANTS_DB[phoneme];
    const heard =
      noise === null || level === undefined
        ? plain
        : clamp(wanted[note]! + level - noise, plain - MOVED_MOST_DB, plain + MOVED_MOST_DB);
    // What is heard of a stop is its burst; the hum of its closure stays as it is.
    const own = release < to ? plain : heard;
    const previous = segments[n - 1];
    if (previous === undefined || from - previous.to > 20 * ms) {
      hold(gain, begin - 12 * ms);
      reach(gain, begin - 6 * ms, own - 30);
      reach(gain, begin + (part === "nucleus" ? 28 : 8) * ms, own);
    } else change(gain, begin, own, 12 * ms);
    const length = end - begin;
    if (release < to) {
      hold(gain, release - origin - 4 * ms);
      reach(gain, release - origin - 1 * ms, heard);
    }
    const last = release < to ? heard : own;
    if (part === "nucleus" && length > 250 * ms) {
      // A held sound swells a little and lets go.
      const swell = Math.min(2.2, 1.6 * (length / rate));
      reach(gain, begin + 60 * ms, own);
      reach(gain, begin + 0.62 * length, own + swell);
      reach(gain, end - 40 * ms, own + swell - 2);
    }
    const next = segments[n + 1];
    if (next === undefined || next.from - to > 20 * ms) {
      hold(gain, end - (sonorous ? 70 : 15) * ms);
      reach(gain, end - 5 * ms, last - (sonorous ? 10 : 3));
      reach(gain, end + 25 * ms, last - 40);
      reach(gain, end + 45 * ms, -80);
    }
  }
  return drawn(gain, control(frames), false);
}
