import { musicOf } from "../../packs/mod.ts";
import { Cascade, highPass } from "../../signal/dsp/biquad.ts";
import { STEP } from "../../signal/dsp/control.ts";
import { gainOf } from "../../signal/dsp/exact.ts";
import { applySteps, compressed, held, stepsIn } from "../../signal/dsp/gain_steps.ts";
import { clamp } from "../../signal/dsp/numbers.ts";
import { Widener } from "../../signal/dsp/widener.ts";
import type { Score } from "../compose/mod.ts";
import { correction, equaliser, octavesOf, spectrumOf, whole } from "./balance.ts";
import type { Buses } from "./buses.ts";
import { RATE } from "./channel.ts";
import { contrast } from "./contrast.ts";
import { wrapped } from "./frames.ts";
import { fades, mutes, sweeps } from "./gestures.ts";
import { gatedLoudness, K_WEIGHTING, OFFSET } from "./loudness.ts";
import { tapeTone } from "./returns.ts";
import { BLOCK, peaksOf, powersOf } from "./steps.ts";
import { SweptLow } from "./swept_low.ts";
import { Tape } from "./tape.ts";
import { octaveTargets, peakTarget } from "./targets.ts";
import { spreadOf } from "./width.ts";

/** Blocks that a ring's filters run before its first frame. */
const WARM_BLOCKS = 44;
/** Below this, both channels carry the same. */
const MONO_HZ = 130;
/** What that leaves of the side's power in each octave from 31.5 Hz on. */
const KEPT_SIDE = [0, 0, 0.3] as const;
/** The band was brought near the reference by itself (group.ts): what is left concerns the voice as well, which is no band. */
const WITH_VOICE_DB = 5;
const PEAK = 0.7079457843841379;
const FADE_S = 0.02;

/** The mix bus: tone, width, glue and level, in place. Yields after every block, so that the thread can breathe. */
export function* finishBus(score: Score, buses: Buses, seed: number): Generator<undefined> {
  const { left, right, frames, ring } = buses;
  const { mix } = score;
  const natural = musicOf(mix.genre).mix.natural;
  yield* tone(mix.age >= 0.25 ? tapeTone(mix) : undefined, buses);
  const both = spectrumOf(...buses.mix, ring);
  const spectrum = whole(both, KEPT_SIDE);
  const most = score.parts.some(({ role }) => role === "vocal") ? WITH_VOICE_DB : Number.POSITIVE_INFINITY;
  const wanted = correction(octavesOf(spectrum), octaveTargets(mix.genre)).map((db) => clamp(db, -most, most));
  yield undefined;
  const spread = spreadOf(both, mix);
  const steps = stepsIn(frames);
  const powers = new Float32Array(steps);
  const peaks = new Float32Array(steps);
  const one = new Float64Array(BLOCK);
  const two = new Float64Array(BLOCK);
  const side = new Float64Array(BLOCK);
  const filter = new Cascade(equaliser(wanted, spectrum));
  const thin = new Cascade([highPass(MONO_HZ, RATE, 0.5412), highPass(MONO_HZ, RATE, 1.3066), ...spread.sections]);
  const weighting = new Cascade(K_WEIGHTING);
  const widener = spread.made > 0 ? new Widener(RATE, 3) : undefined;
  const tape =
    mix.age > 0.25
      ? new Tape(frames, ring, mix.age, seed, hissOf(left, right, mix.age), soundsUntil(buses))
      : undefined;
  const sweep = sweeps(score, undefined, frames, ring);
  const swept = sweep === undefined ? undefined : [new SweptLow(), new SweptLow()];
  for (let at = ring ? -WARM_BLOCKS * BLOCK : 0; at < frames; at += BLOCK) {
    const count = Math.min(BLOCK, frames - at);
    wrapped(left, one, at, count, frames);
    wrapped(right, two, at, count, frames);
    filter.run(one, two, count);
    for (let n = 0; n < count; n++) {
      const l = one[n]!;
      const r = two[n]!;
      one[n] = 0.5 * (l + r);
      two[n] = 0.5 * (l - r);
    }
    if (widener !== undefined) {
      widener.run(one, count, side);
      for (let n = 0; n < count; n++) two[n] = two[n]! + spread.made * side[n]!;
    }
    // The middle is left alone and the side loses its lows, so the fold to mono has no seam at the crossover.
    thin.run(two, undefined, count);
    for (let n = 0; n < count; n++) {
      const m = one[n]!;
      const s = two[n]!;
      one[n] = m + s;
      two[n] = m - s;
    }
    if (swept !== undefined) {
      swept[0]!.run(one, count, sweep!, at, frames);
      swept[1]!.run(two, count, sweep!, at, frames);
    }
    tape?.run(one, two, at, count);
    if (at >= 0) {
      for (let n = 0; n < count; n++) {
        left[at + n] = one[n]!;
        right[at + n] = two[n]!;
      }
      peaksOf(one, two, count, peaks, at / STEP);
    }
    weighting.run(one, two, count);
    if (at >= 0) powersOf(one, two, count, powers, at / STEP);
    yield undefined;
  }
  const gains = levelling(score, powers, peaks, natural, frames, ring);
  yield undefined;
  if (gains !== undefined) yield* scale(buses, gains);
  else {
    left.fill(0);
    right.fill(0);
  }
}

/** Glue, held peaks, mutes and the final level in one curve; undefined for silence. */
function levelling(
  score: Score,
  powers: Float32Array,
  peaks: Float32Array,
  natural: boolean,
  frames: number,
  ring: boolean,
): Float32Array | undefined {
  const { density } = score.mix;
  const loudness = gatedLoudness(powers, undefined, ring);
  const steps = powers.length;
  let most = 0;
  for (let n = 0; n < steps; n++) most = Math.max(most, peaks[n]!);
  if (!(most > 1e-7)) return undefined;
  const gains =
    loudness === Number.NEGATIVE_INFINITY
      ? new Float32Array(steps).fill(1)
      : compressed(powers, RATE, ring, {
          threshold_db: loudness - OFFSET + (natural ? 4 : 1 - 2 * density),
          ratio: natural ? 1.5 : 2,
          knee_db: 6,
          attack_s: 0.03,
          release_s: 0.2,
        });
  multiply(gains, mutes(score, undefined, frames, ring));
  multiply(gains, contrast(score, powers, gains, frames, ring));
  const glued = gatedLoudness(powers, gains, ring);
  multiply(peaks, gains);
  if (glued !== Number.NEGATIVE_INFINITY) {
    const hold = held(peaks, RATE, ring, gainOf(glued + peakTarget(score.mix)), 12, 0.07);
    multiply(gains, hold);
    multiply(peaks, hold);
    // Held peaks are mostly those of full sections: what that took from the contrast is given back.
    const again = contrast(score, powers, gains, frames, ring);
    multiply(gains, again);
    multiply(peaks, again);
  }
  // After the dynamics, which would fill up what fades.
  const faded = ring ? undefined : fades(score, frames);
  multiply(gains, faded);
  multiply(peaks, faded);
  let top = 0;
  for (let n = 0; n < steps; n++) top = Math.max(top, peaks[n]!);
  const gain = top > 0 ? PEAK / top : 1;
  for (let n = 0; n < steps; n++) gains[n] = gains[n]! * gain;
  return gains;
}

function multiply(values: Float32Array, by: Float32Array | undefined): void {
  if (by !== undefined) for (let n = 0; n < values.length; n++) values[n] = values[n]! * by[n]!;
}

function* scale({ left, right, frames, ring }: Buses, gains: Float32Array): Generator<undefined> {
  const block = new Float64Array(BLOCK);
  const fade = ring ? 0 : Math.min(frames, Math.round(FADE_S * RATE));
  for (let at = 0; at < frames; at += BLOCK) {
    const count = Math.min(BLOCK, frames - at);
    for (const channel of [left, right]) {
      wrapped(channel, block, at, count, frames);
      applySteps(block, gains, at, count, frames, ring);
      for (let n = 0; n < count; n++) {
        const value = block[n]!;
        channel[at + n] = value - value === 0 ? value : 0;
      }
    }
    yield undefined;
  }
  for (let n = 0; n < fade; n++) {
    const gain = n / fade;
    left[frames - 1 - n] = left[frames - 1 - n]! * gain;
    right[frames - 1 - n] = right[frames - 1 - n]! * gain;
  }
}

/** A filter over the whole mix, in place. */
function* tone(filter: Cascade | undefined, { left, right, frames, ring }: Buses): Generator<undefined> {
  if (filter === undefined) return;
  const one = new Float64Array(BLOCK);
  const two = new Float64Array(BLOCK);
  for (let at = ring ? -WARM_BLOCKS * BLOCK : 0; at < frames; at += BLOCK) {
    const count = Math.min(BLOCK, frames - at);
    wrapped(left, one, at, count, frames);
    wrapped(right, two, at, count, frames);
    filter.run(one, two, count);
    if (at >= 0) {
      for (let n = 0; n < count; n++) {
        left[at + n] = one[n]!;
        right[at + n] = two[n]!;
      }
    }
    yield undefined;
  }
}

/** Against the loudest sample: 60 dB under it nothing is heard of what rings on. */
const AUDIBLE = 1e-3;

/** Frame after the last that is heard; on a ring, which goes on, none is the last. */
function soundsUntil({ left, right, frames, ring }: Buses): number {
  if (ring) return frames;
  let peak = 0;
  for (const channel of [left, right])
    for (let n = 0; n < frames; n++) {
      const size = Math.abs(channel[n]!);
      if (size > peak) peak = size;
    }
  let end = frames;
  while (end > 0 && Math.abs(left[end - 1]!) < AUDIBLE * peak && Math.abs(right[end - 1]!) < AUDIBLE * peak) end--;
  return end;
}

/** Amplitude of the hiss: 58 to 46 dB below the mix. */
function hissOf(left: Float32Array, right: Float32Array, age: number): number {
  let sum = 0;
  for (let n = 0; n < left.length; n += 7) sum += left[n]! * left[n]! + right[n]! * right[n]!;
  const rms = Math.sqrt((sum * 7) / (2 * left.length));
  return age < 0.4 ? 0 : rms * Math.sqrt(3) * gainOf(-66 + 20 * age);
}
