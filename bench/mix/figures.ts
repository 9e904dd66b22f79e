/** What a mix measures against its genre's reference. */
import type { MixCharacter } from "../../runners/music/compose/mod.ts";
import { octavePowers, spectrumOf, whole } from "../../runners/music/mix/balance.ts";
import { K_WEIGHTING } from "../../runners/music/mix/loudness.ts";
import { FIRST_SIDE, OCTAVES, octaveTargets, sideTargets } from "../../runners/music/mix/targets.ts";
import { Reel } from "../../runners/reel.ts";
import { Cascade, highPass, lowPass } from "../../runners/signal/dsp/biquad.ts";
import { integratedLoudness } from "../../runners/signal/dsp/loudness.ts";

const RATE = 44_100;
/** 5 to 9 kHz. */
const SHARP = [highPass(5000, RATE), highPass(5000, RATE), lowPass(9000, RATE), lowPass(9000, RATE)];
/** Slots of `spectrumOf` in a third of an octave. */
const IN_THIRD = 2;
/** Thirds from 40 Hz to 14 kHz. */
const [FIRST_THIRD, LAST_THIRD] = [2, 28] as const;

export interface Figures {
  /** Middles of thirds of octaves, Hz; their levels and the reference's, dB, both about 0. */
  readonly hertz: readonly number[];
  readonly thirds_db: readonly number[];
  readonly reference_db: readonly number[];
  /** Root mean square of the difference of the two. */
  readonly spectrum_db: number;
  /** Side against middle under 120 Hz, and in the octaves from 250 Hz to 8 kHz with their reference. */
  readonly side_low_db: number;
  readonly side_db: readonly number[];
  readonly side_reference_db: readonly number[];
  readonly width_db: number;
  /** Peak over root mean square, and over integrated loudness. */
  readonly crest_db: number;
  readonly peak_over_loudness_db: number;
  /** EBU Tech 3342. */
  readonly range_lu: number;
}

const decibel = (power: number): number => 10 * Math.log10(Math.max(1e-14, power));
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const rms = (values: readonly number[]): number => Math.sqrt(mean(values.map((value) => value * value)));

export function figuresOf(channels: readonly Float32Array[], mix: MixCharacter): Figures {
  const [left, right] = channels as [Float32Array, Float32Array];
  const spectrum = spectrumOf(Reel.of(left), Reel.of(right), false);
  const slots = whole(spectrum);
  const thirds = Array.from({ length: LAST_THIRD - FIRST_THIRD }, (_, n) => {
    const slot = IN_THIRD * (n + FIRST_THIRD);
    return { hertz: OCTAVES[0] * 2 ** ((slot + 1) / 6 - 0.5), db: decibel(slots[slot]! + slots[slot + 1]!) };
  });
  const targets = octaveTargets(mix.genre);
  const reference = thirds.map(({ hertz }) => {
    const at = Math.min(OCTAVES.length - 1.001, Math.max(0, Math.log2(hertz / OCTAVES[0])));
    const low = Math.floor(at);
    return targets[low]! + (at - low) * (targets[low + 1]! - targets[low]!);
  });
  const [own, other] = [mean(thirds.map(({ db }) => db)), mean(reference)];
  const sides = octavePowers(spectrum.side).map(decibel);
  const middles = octavePowers(spectrum.middle).map(decibel);
  const side_db = sides.slice(FIRST_SIDE, -1).map((value, n) => value - middles[n + FIRST_SIDE]!);
  const side_reference_db = sideTargets(mix).slice(0, -1);
  let peak = 0;
  let power = 0;
  for (const channel of channels)
    for (let n = 0; n < channel.length; n++) {
      const value = channel[n]!;
      if (Math.abs(value) > peak) peak = Math.abs(value);
      power += value * value;
    }
  const lows = (powers: Float64Array): number => powers.subarray(0, 12).reduce((sum, value) => sum + value, 0);
  return {
    hertz: thirds.map(({ hertz }) => hertz),
    thirds_db: thirds.map(({ db }) => db - own),
    reference_db: reference.map((db) => db - other),
    spectrum_db: rms(thirds.map(({ db }, n) => db - own - (reference[n]! - other))),
    side_low_db: decibel(lows(spectrum.side)) - decibel(lows(spectrum.middle)),
    side_db,
    side_reference_db,
    width_db: rms(side_db.map((value, n) => value - side_reference_db[n]!)),
    crest_db: decibel(peak * peak) - decibel(power / (2 * left.length)),
    peak_over_loudness_db: decibel(peak * peak) - integratedLoudness(channels, RATE),
    range_lu: rangeOf(channels),
  };
}

/** K-weighted samples. */
export function weighted(channels: readonly Float32Array[]): readonly [Float64Array, Float64Array] {
  const [left, right] = channels.map((channel) => Float64Array.from(channel)) as [Float64Array, Float64Array];
  new Cascade(K_WEIGHTING).run(left, right, left.length);
  return [left, right];
}

/** LUFS of a stretch of weighted samples, seconds; without gates. */
export function loudnessIn([left, right]: readonly [Float64Array, Float64Array], from: number, to: number): number {
  const start = Math.max(0, Math.round(from * RATE));
  const end = Math.min(left.length, Math.round(to * RATE));
  let sum = 0;
  for (let n = start; n < end; n++) sum += left[n]! * left[n]! + right[n]! * right[n]!;
  return decibel(sum / Math.max(1, end - start)) - 0.691;
}

/** Loudness range: 10 to 95 % of stretches of 3 s, those 20 LU under their mean left out. */
function rangeOf(channels: readonly Float32Array[]): number {
  const samples = weighted(channels);
  const stretches: number[] = [];
  for (let at = 0; at + 3 <= samples[0].length / RATE; at += 0.5) stretches.push(loudnessIn(samples, at, at + 3));
  const heard = stretches.filter((value) => value > -70);
  const gate = decibel(mean(heard.map((value) => 10 ** (value / 10)))) - 20;
  const kept = heard.filter((value) => value > gate).sort((a, b) => a - b);
  return kept[Math.round(0.95 * (kept.length - 1))]! - kept[Math.round(0.1 * (kept.length - 1))]!;
}

/**
 * How sharp a voice is: 5 to 9 kHz of its s sounds against all of its vowels, dB. Where either is comes from the dry voice, by stretches of
 * 20 ms: a tenth and more of an s lies there, next to nothing of a vowel.
 */
export function sibilance(dry: Float32Array, treated: Float32Array): number {
  const hop = Math.round(0.02 * RATE);
  const band = (samples: Float32Array): Float64Array => {
    const out = Float64Array.from(samples);
    new Cascade(SHARP).run(out, undefined, out.length);
    return out;
  };
  const [dry_band, treated_band] = [band(dry), band(treated)];
  const power = (samples: ArrayLike<number>, at: number): number => {
    let sum = 0;
    for (let n = at; n < at + hop; n++) sum += samples[n]! * samples[n]!;
    return sum / hop;
  };
  let gate = 0;
  for (let n = 0; n < dry.length; n++) gate += dry[n]! * dry[n]!;
  gate /= 100 * dry.length;
  let [sharp, sharps, vowel, vowels] = [0, 0, 0, 0];
  for (let at = 0; at + hop < dry.length; at += hop) {
    const all = power(dry, at);
    const share = power(dry_band, at) / Math.max(1e-14, all);
    if (share > 0.08 && all > 0.001 * gate) {
      sharp += power(treated_band, at);
      sharps++;
    } else if (share < 0.02 && all > 4 * gate) {
      vowel += power(treated, at);
      vowels++;
    }
  }
  return decibel(sharp / Math.max(1, sharps)) - decibel(vowel / Math.max(1, vowels));
}
