/** The fader of the voice, moved by what the band does: a singer is heard over eight guitars and over one, and does not cover either. */

import { Cascade, powerAt } from "../../signal/dsp/biquad.ts";
import { STEP } from "../../signal/dsp/control.ts";
import { gainOf } from "../../signal/dsp/exact.ts";
import { levelOf, stepsIn } from "../../signal/dsp/gain_steps.ts";
import type { Genre, Score } from "../compose/mod.ts";
import { correction, equaliser, octavesOf, spectrumOf, whole } from "./balance.ts";
import type { Buses } from "./buses.ts";
import { RATE } from "./channel.ts";
import { frameOf } from "./gestures.ts";
import { K_WEIGHTING } from "./loudness.ts";
import { BLOCK, powersOf } from "./steps.ts";
import { octaveTargets } from "./targets.ts";

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
 * Gain of every step that brings a voice `over` LU above what is on the buses while it sings: one for the whole piece, and of each section's
 * departure from that nine tenths.
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

/** The equaliser of the bus is known only once the voice is in the mix as well, which fills the middle: so much of what the band alone would get. */
const EXPECTED = 0.5;
/** Where voices have their power, Hz. */
const VOICE_HZ = [500, 1000, 2000] as const;

/**
 * Power of every step of the buses, dry, as the equaliser of the bus will leave it against a voice: a band of bass and brushes is fainter in the end
 * than before, for its two ends are taken down.
 */
export function bandPowers({ left, right, frames, ring }: Buses, genre: Genre): Float32Array {
  const spectrum = whole(spectrumOf(left, right, ring));
  const wanted = correction(octavesOf(spectrum), octaveTargets(genre));
  const equal = equaliser(
    wanted.map((db) => EXPECTED * db),
    spectrum,
  );
  const voice = VOICE_HZ.reduce((sum, hertz) => sum + powerAt(equal, hertz, RATE), 0) / VOICE_HZ.length;
  const filter = new Cascade([...equal, ...K_WEIGHTING]);
  const out = new Float32Array(stepsIn(frames));
  const one = new Float64Array(BLOCK);
  const two = new Float64Array(BLOCK);
  for (let at = 0; at < frames; at += BLOCK) {
    const count = Math.min(BLOCK, frames - at);
    for (let n = 0; n < count; n++) {
      one[n] = left[at + n]!;
      two[n] = right[at + n]!;
    }
    filter.run(one, two, count);
    powersOf(one, two, count, out, at / STEP);
  }
  for (let n = 0; n < out.length; n++) out[n] = out[n]! / voice;
  return out;
}
