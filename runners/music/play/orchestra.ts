/** Renders the parts of a score, one at a time: by synthesis or from samples. */

import { breathe, breathing } from "../../breathe.ts";
import { cosine } from "../../signal/dsp/exact.ts";
import { hash32 } from "../../signal/dsp/random.ts";
import { clockOf, instrumentOf, type Part, type Score } from "../compose/mod.ts";
import { amplify } from "./amp.ts";
import { humanise } from "./humanise.ts";
import { patchOf } from "./patches.ts";
import { RATE, type Stem } from "./performance.ts";
import { sample } from "./sampler.ts";
import { waves } from "./sounds/wave.ts";
import { isSynthesised, synthesising } from "./synth/synth.ts";

/** Recordings that a thread keeps for further parts are read again from then on: up to 48 MB. */
export const forgetRecordings = (): void => waves.forget();

export interface PerformOptions {
  /** Length of the stem. On a ring the loop's. */
  readonly frames: number;
  /** Frames of the loop; 0 where there is none. */
  readonly ring: number;
  readonly seed: number;
  /** What all parts of a piece are given, since they stray from the beat together; absent: the part is alone. */
  readonly ensemble?: number;
  readonly signal: AbortSignal;
}

/** Rendered past a loop's end for what still sounds there. Seconds. */
const TAIL = 12;
const SYNTHESIS_TAIL = 8;

/** A note does not last longer than this past a loop's end, whatever is written. Seconds. */
const OVER_MAX = 60;

/** What rings on at the end of a stem is faded over this, so that it does not click. Seconds. */
const END = 0.02;

/**
 * A part as played, humanised by `seed`: exactly `frames` samples, mono where both channels would be equal.
 * On a ring what sounds past the end is added to the beginning, as often as it takes.
 *
 * @throws the signal's reason where it was aborted
 */
export async function perform(part: Part, score: Score, options: PerformOptions): Promise<Stem> {
  const { ring, seed, signal } = options;
  await breathe(signal);
  const amp = patchOf(part.instrument)?.amplifier;
  if (amp === undefined) return take(part, score, options, seed);
  // Rhythm guitars are played twice, and each take has a side of its own: what they differ by is the width.
  const seeds = part.role === "chords" ? [hash32(seed, 101), hash32(seed, 102)] : [seed];
  const takes: Float32Array[] = [];
  for (const one of seeds) {
    const [clean] = await take(part, score, options, one);
    takes.push(clean);
  }
  await breathing(amplify(takes, RATE, amp, ring > 0), signal);
  const [first, second] = takes;
  return second === undefined ? [first!] : [first!, second];
}

/** One time through the part. */
async function take(part: Part, score: Score, options: PerformOptions, seed: number): Promise<Stem> {
  const { frames, ring, signal, ensemble = seed } = options;
  const synthesised = isSynthesised(part.instrument);
  const tail = (synthesised ? SYNTHESIS_TAIL : TAIL) * RATE;
  const whole = ring > 0 ? ring + lasting(part, score, ring) + tail : frames;
  const machine = synthesised && instrumentOf(part.instrument).by_hand !== true;
  const performance = {
    ...humanise(part, score, { frames: whole, ring, seed, ensemble, machine }),
    tonic: score.key.tonic,
    genre: score.mix.genre,
  };
  const played = synthesised ? await breathing(synthesising(performance), signal) : await sample(performance, signal);
  await breathe(signal);
  return each(played, (channel) => (ring > 0 ? folded(channel, ring, frames) : ended(channel)));
}

/** Frames that the longest note may last past the end of the loop. */
function lasting(part: Part, score: Score, ring: number): number {
  let last = 0;
  for (const { beat, beats } of part.notes) if (beat + beats > last) last = beat + beats;
  const over = Math.ceil(clockOf(score).seconds(last) * RATE) - ring;
  return Math.min(OVER_MAX * RATE, Math.max(0, over)) + RATE;
}

/** What lies beyond `ring` is added to the beginning. */
function folded(channel: Float32Array, ring: number, frames: number): Float32Array {
  const out = new Float32Array(ring);
  for (let from = 0; from < channel.length; from += ring) {
    const count = Math.min(ring, channel.length - from);
    for (let n = 0; n < count; n++) out[n]! += channel[from + n]!;
  }
  if (frames === ring) return out;
  const tiled = new Float32Array(frames);
  for (let n = 0; n < frames; n++) tiled[n] = out[n % ring]!;
  return tiled;
}

function ended(channel: Float32Array): Float32Array {
  const fall = Math.min(channel.length, Math.round(END * RATE));
  for (let n = 0; n < fall; n++) channel[channel.length - 1 - n]! *= 0.5 - 0.5 * cosine(n / (2 * fall));
  return channel;
}

function each(stem: Stem, change: (channel: Float32Array) => Float32Array): Stem {
  const [left, right] = stem;
  return right === undefined ? [change(left)] : [change(left), change(right)];
}
