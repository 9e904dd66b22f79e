/** How bright a speaker's voice is against a singer's: what recorded envelopes are raised by so that words carry over a band. */
import { log2 } from "../../../signal/dsp/exact.ts";
import { POINT_HERTZ, POINTS } from "../../../signal/dsp/vocoder.ts";
import { isVowel, VOWELS } from "../phonemes.ts";
import type { Pairs } from "./pairs.ts";

const kept = new WeakMap<Pairs, Float64Array>();

/** dB at each point. The speaker's mean vowel, smoothed over its formants, against the mean spectrum of singers. */
export function brightening(pairs: Pairs): Float64Array {
  let found = kept.get(pairs);
  if (found !== undefined) return found;
  const { voice } = pairs;
  const sum = new Float64Array(POINTS);
  const one = new Float64Array(POINTS);
  let count = 0;
  for (const vowel of VOWELS) {
    const [target] = pairs.nearest(vowel) === vowel && isVowel(vowel) ? pairs.targets(vowel) : [];
    if (target === undefined) continue;
    voice.envelope(target, one);
    for (let k = 0; k < voice.known; k++) sum[k] = sum[k]! + one[k]!;
    count++;
  }
  const missing = Float64Array.from({ length: POINTS }, (_, k) =>
    count === 0 ? 0 : SUNG_DB[k]! - sum[Math.min(k, voice.known - 1)]! / count,
  );
  const middle = mean(missing, LOW, HIGH);
  found = Float64Array.from({ length: POINTS }, (_, k) => {
    const wide = mean(missing, Math.max(0, k - WIDE), Math.min(voice.known, k + WIDE + 1)) - middle;
    // Above what carries words a voice is left as it is.
    const share = POINT_HERTZ[k]! < 3800 ? 1 : Math.max(0, 1 - (POINT_HERTZ[k]! - 3800) / 2500);
    return share * SHARE * Math.min(MOST_DB, Math.max(-MOST_DB, wide));
  });
  kept.set(pairs, found);
  return found;
}

function mean(values: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let k = from; k < to; k++) sum += values[k]!;
  return sum / Math.max(1, to - from);
}

/**
 * Flat to 400 Hz, then 5.5 dB less an octave: firmly sung voices between 400 Hz and 4 kHz (after J. Sundberg and M.
 * Nordenberg, JASA 120 (2006)).
 */
const SUNG_DB = POINT_HERTZ.map((hertz) => -5.5 * log2(Math.max(400, hertz) / 400));
/** Points of 300 Hz and of 3.5 kHz: what lies between them is moved to no side. */
const LOW = 8;
const HIGH = 42;
/** Points either side that are averaged over. */
const WIDE = 7;
const SHARE = 0.85;
const MOST_DB = 12;
