/** The fader of the voice, moved by what the band does: a singer is heard over eight guitars and over one, and does not cover either. */

import { STEP } from "../../signal/dsp/control.ts";
import { gainOf } from "../../signal/dsp/exact.ts";
import { levelOf, stepsIn } from "../../signal/dsp/gain_steps.ts";
import type { Score } from "../compose/mod.ts";
import { RATE } from "./channel.ts";
import { frameOf } from "./gestures.ts";

/** Steps in 100 ms, nearly. */
const HOP = Math.round(RATE / 10 / STEP);
/** A hop counts as sung down to this share of the mean power of those that sound: 12 dB. */
const SUNG = 0.063;
/** Sung hops that a section needs before it gets a fader of its own: half a second. */
const LEAST_HOPS = 5;
/** Share of a section's departure that the fader makes up, and its furthest way, dB. */
const FOLLOWS = 0.9;
const FURTHEST_DB = 8;
/** The band is fainter than this: nobody plays, and there is nothing to be louder than. */
const SILENT = 1e-10;

/**
 * Gain of every step that brings a voice `over` LU above what is on the buses while it sings: one for the whole piece, of each section's
 * departure from that nine tenths, and of each word's half.
 *
 * @param sung K-weighted power of every step of the voice, its own dynamics applied
 * @param band the same of the buses
 * @returns undefined where the voice sings with nobody
 */
export function ride(
  score: Score,
  sung: Float32Array,
  band: Float32Array,
  over: number,
  frames: number,
): Float32Array | undefined {
  const steps = stepsIn(frames);
  const hops = Math.ceil(steps / HOP);
  const voice = meansOf(sung, hops);
  const others = meansOf(band, hops);
  let sum = 0;
  let count = 0;
  for (let hop = 0; hop < hops; hop++) {
    if (voice[hop]! < SILENT) continue;
    sum += voice[hop]!;
    count++;
  }
  const gate = count === 0 ? Number.POSITIVE_INFINITY : (SUNG * sum) / count;
  const between = (from: number, to: number): { readonly hops: number; readonly db: number } | undefined => {
    let [own, other, heard] = [0, 0, 0];
    for (let hop = Math.max(0, from); hop < Math.min(hops, to); hop++) {
      if (voice[hop]! < gate) continue;
      own += voice[hop]!;
      other += others[hop]!;
      heard++;
    }
    return heard === 0 || other < SILENT * heard ? undefined : { hops: heard, db: levelOf(own) - levelOf(other) };
  };
  const whole = between(0, hops);
  if (whole === undefined) return undefined;
  const levels = new Float32Array(hops).fill(over - whole.db);
  for (const { beat, beats } of score.sections) {
    const from = Math.round(frameOf(score, beat) / (HOP * STEP));
    const to = Math.round(frameOf(score, beat + beats) / (HOP * STEP));
    const own = between(from, to);
    if (own === undefined || own.hops < LEAST_HOPS) continue;
    const off = Math.min(FURTHEST_DB, Math.max(-FURTHEST_DB, FOLLOWS * (whole.db - own.db)));
    // What leads into a section is sung as loud as the section.
    for (let hop = Math.max(0, from - LEAD_HOPS); hop < Math.min(hops, to); hop++) levels[hop] = over - whole.db + off;
  }
  const words = wordsOf(voice, others, levels, gate, over);
  for (let hop = 0; hop < hops; hop++) levels[hop] = levels[hop]! + words[hop]!;
  const gains = new Float32Array(steps);
  for (let n = 0; n < steps; n++) {
    const x = Math.max(0, n / HOP - 0.5);
    const hop = Math.min(hops - 1, Math.floor(x));
    const next = Math.min(hops - 1, hop + 1);
    gains[n] = gainOf(levels[hop]! + (levels[next]! - levels[hop]!) * (x - hop));
  }
  return gains;
}

/** 300 ms: an upbeat. */
const LEAD_HOPS = 3;

/** Hops on either side that belong to a word: 0.7 s in all. */
const WORD_HOPS = 3;
/** Of a word that stands out or drowns, what the fader makes up, and its furthest way, dB. */
const WORD_SHARE = 0.5;
const WORD_FURTHEST_DB = 3;

/** dB that the fader moves from word to word, so that each is near `over` above what plays with it; it rests where nobody sings. */
function wordsOf(
  voice: Float64Array,
  others: Float64Array,
  levels: Float32Array,
  gate: number,
  over: number,
): Float32Array {
  const moves = new Float32Array(voice.length);
  let last = 0;
  for (let hop = 0; hop < voice.length; hop++) {
    let [own, other] = [0, 0];
    for (let n = Math.max(0, hop - WORD_HOPS); n <= Math.min(voice.length - 1, hop + WORD_HOPS); n++) {
      if (voice[n]! < gate) continue;
      own += voice[n]!;
      other += others[n]!;
    }
    if (voice[hop]! >= gate && other > SILENT) {
      const off = over - levels[hop]! - (levelOf(own) - levelOf(other));
      last = Math.min(WORD_FURTHEST_DB, Math.max(-WORD_FURTHEST_DB, WORD_SHARE * off));
    }
    moves[hop] = last;
  }
  // What moves within a syllable is heard as a tremolo.
  return moves.map((_, hop) => {
    const [from, to] = [Math.max(0, hop - 2), Math.min(moves.length - 1, hop + 2)];
    let sum = 0;
    for (let n = from; n <= to; n++) sum += moves[n]!;
    return sum / (to - from + 1);
  });
}

function meansOf(powers: Float32Array, hops: number): Float64Array {
  const means = new Float64Array(hops);
  for (let hop = 0; hop < hops; hop++) {
    const from = hop * HOP;
    const to = Math.min(powers.length, from + HOP);
    let sum = 0;
    for (let n = from; n < to; n++) sum += powers[n]!;
    means[hop] = sum / Math.max(1, to - from);
  }
  return means;
}
