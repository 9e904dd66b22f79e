/**
 * The generators and modulators of a SoundFont zone (SoundFont Technical Specification 2.04, chapters 8 and 9), for one
 * key and velocity.
 */
import type { Modulator, VoiceParameters } from "spessasynth_core";
import { exp2, log2 } from "../../signal/dsp/exact.ts";
import type { Envelope } from "./voice.ts";

/** What a zone says of a note. */
export interface Zone {
  readonly looped: boolean;
  /** Frames left out at the beginning. */
  readonly skip: number;
  /** Cents by which the sample has to be raised for `pitch` 0; `pitch` counts with `scale` cents a semitone from the root. */
  readonly root: number;
  readonly scale: number;
  readonly tune: number;
  /** Amplitude. */
  readonly gain: number;
  /** -1 to 1. */
  readonly pan: number;
  readonly level: Envelope;
  readonly cutoff: number;
  readonly q: number;
  readonly sweep: number;
  readonly filter: Envelope;
  /** Voices that are muted by a group, above 0, are cut off when one of the group begins. */
  readonly group: number;
  readonly muted_by: number;
  /** It was recorded at several velocities, and is not darkened where it is played softly. */
  readonly layered?: true;
  /** It rings to its end, however long the key is held. */
  readonly whole?: true;
}

// Numbers of generators, section 8.1.2.
const START = 0;
const START_COARSE = 4;
const CUTOFF = 8;
const RESONANCE = 9;
const SWEEP = 11;
const PAN = 17;
const MODULATION = 25;
const LEVEL = 33;
const ATTENUATION = 48;
const COARSE = 51;
const FINE = 52;
const MODES = 54;
const SCALE = 56;
const EXCLUSIVE = 57;
const ROOT = 58;

/** Envelopes quicker than this are made this quick: seconds. */
const INSTANT = 0.001;

export function zoneOf({ generators, modulators, sample }: VoiceParameters, key: number, velocity: number): Zone {
  const values = Float64Array.from(generators);
  for (const modulator of modulators) {
    const amount = modulated(modulator, key, velocity);
    if (amount !== 0 && modulator.destination >= 0) values[modulator.destination]! += amount;
  }
  const root = values[ROOT]! >= 0 ? values[ROOT]! : sample.originalKey;
  const modes = values[MODES]!;
  return {
    looped: (modes === 1 || modes === 3) && sample.loopEnd - sample.loopStart >= 2,
    skip: Math.max(0, Math.round(values[START]! + 32_768 * values[START_COARSE]!)),
    root: 100 * root,
    scale: values[SCALE]!,
    tune: 100 * values[COARSE]! + values[FINE]! + sample.pitchCorrection,
    // 10 cB a decibel, 20 dB a decade.
    gain: exp2(-0.016609640474436815 * Math.max(0, values[ATTENUATION]!)),
    pan: Math.min(1, Math.max(-1, values[PAN]! / 500)),
    level: envelopeOf(values, LEVEL, key, (sustain) =>
      exp2(-0.016609640474436815 * Math.min(1440, Math.max(0, sustain))),
    ),
    cutoff: values[CUTOFF]!,
    // Decibels above the height of DC; at 0 maximally flat.
    q: Math.SQRT1_2 * exp2(0.016609640474436815 * Math.min(960, Math.max(0, values[RESONANCE]!))),
    sweep: values[SWEEP]!,
    filter: envelopeOf(values, MODULATION, key, (sustain) => 1 - Math.min(1, Math.max(0, sustain / 1000))),
    group: values[EXCLUSIVE]!,
    muted_by: values[EXCLUSIVE]!,
  };
}

/** Delay, attack, hold, decay, sustain, release follow each other, then how hold and decay follow the key. */
function envelopeOf(
  values: Float64Array,
  first: number,
  key: number,
  sustained: (sustain: number) => number,
): Envelope {
  return {
    delay: seconds(values[first]!),
    attack: seconds(values[first + 1]!),
    hold: seconds(values[first + 2]! + (60 - key) * values[first + 6]!),
    decay: seconds(values[first + 3]! + (60 - key) * values[first + 7]!),
    sustain: sustained(values[first + 4]!),
    release: Math.max(INSTANT, seconds(values[first + 5]!)),
  };
}

function seconds(timecents: number): number {
  return timecents <= -11_950 ? 0 : exp2(Math.min(8000, timecents) / 1200);
}

/** What key and velocity add to a generator. Controllers rest where they say nothing, so modulators that hang on them are left out. */
function modulated(modulator: Modulator, key: number, velocity: number): number {
  const { primarySource, secondarySource, transformAmount } = modulator;
  if (transformAmount === 0) return 0;
  const first = sourced(primarySource, key, velocity);
  const second = sourced(secondarySource, key, velocity);
  if (first === undefined || second === undefined || primarySource.index === 0) return 0;
  const value = transformAmount * first * second;
  return modulator.transformType === 2 ? Math.abs(value) : value;
}

/** Value of a source; undefined for a controller. Indices: 0 none, 2 velocity, 3 key (section 8.2.1). */
function sourced(source: Modulator["primarySource"], key: number, velocity: number): number | undefined {
  if (source.isCC) return undefined;
  if (source.index === 0) return 1;
  if (source.index !== 2 && source.index !== 3) return undefined;
  const raw = (source.index === 2 ? velocity : key) / 127;
  const x = source.isNegative ? 1 - raw : raw;
  if (!source.isBipolar) return curved(x, source.curveType);
  const y = 2 * x - 1;
  return y < 0 ? -curved(-y, source.curveType) : curved(y, source.curveType);
}

/** Section 9.5.1: 0 linear, 1 concave, 2 convex, 3 switch; 20/96 of the logarithm of the square. */
function curved(x: number, type: number): number {
  if (type === 0) return x;
  if (type === 3) return x >= 0.5 ? 1 : 0;
  if (type === 1) return 1 - convex(1 - x);
  return convex(x);
}

function convex(x: number): number {
  return x <= 0 ? 0 : Math.min(1, Math.max(0, 1 + (20 / 96) * 2 * 0.3010299956639812 * log2(x)));
}
