import { BANDS, type Features } from "./features.ts";
import { FLOOR_BLOCK } from "./floor.ts";
import { notStruck } from "./struck.ts";
import { syllables } from "./syllables.ts";
import { distanceTo, maximumAround, momentsAround, ramp } from "./windows.ts";

/** Ranges of bands, see `features.ts`: the formants, the fricatives, and the two ends whose balance is watched. */
const FORMANTS = [1, 6] as const;
const FRICATIVES = [7, 8] as const;
const LOW = [1, 2] as const;
const HIGH = [5, 8] as const;

/** The least of steady noise, smoothed over 5 hops, lies about this far below its mean. */
const FLOOR_BIAS = 2.5;

/** Power of the rounding noise of 16 bits in these bands, about: floors are not below it. */
const POWER_MIN = 1e-11;

/** Clarity of noise is 0.2 ± 0.06, that of voiced speech 0.45 to 0.7, in 10 dB of noise too. */
const CLARITY = [0.32, 0.6] as const;

/**
 * The same as a mean over 7 hops, whose spread is less: low and creaking voices, whose harmonics the window hardly
 * resolves, reach this.
 */
const CLARITY_MEAN = [0.26, 0.36] as const;
const WEAK = 0.6;

/**
 * Share of 2 s that sounds: words are set off by silence, an accompaniment is not. Weak cues count for what is set off,
 * or goes in syllables.
 */
const SET_OFF = [0.95, 0.7] as const;

/** Octaves from hop to hop within which a pitch goes on; a voice in full glide makes 0.02. */
const CONTINUOUS = 0.06;

/**
 * Mean movement of the pitch from hop to hop over 0.4 s, octaves: speech, of monotonous synthesisers too, 0.0025 and
 * more, notes of instruments about 0.001, hum under 0.0001. Where it goes in syllables, less movement is asked:
 * singing.
 */
const MOVEMENT = [0.0015, 0.003] as const;
const MOVEMENT_SYLLABIC = [0.0002, 0.0005] as const;

/**
 * Pitch that moves by less than this in a hop, octaves, over 7 hops, stands still; the share of the voiced time in 0.4
 * s in which it does.
 */
const STILL = 0.0008;
const STILL_SHARE = [0.6, 0.35] as const;

/**
 * Share of the second around that is clearly voiced by one source: singing 0.6 and more, several instruments together
 * mostly under 0.5. Then the pitch may stand as still as a sung note does, but not as a mains hum.
 */
const ALONE_SHARE = [0.5, 0.75] as const;
const MOVEMENT_SUNG = [0.0004, 0.0009] as const;

/** Level against the loud parts of the voice, dB: what stays this far below is in the background. */
const BACKGROUND_DB = [-24, -15] as const;

/** Hops from voiced sound within which energy may belong to it: fricatives, whispered ends. */
const NEAR = [50, 30] as const;

/** Each 0 to 1. */
export interface Evidence {
  /** Voiced by a voice. */
  readonly voiced: Float32Array;
  /** Sound that may belong to a voice nearby. */
  readonly sounding: Float32Array;
  /** Sound that goes like speech, voiced or whispered. */
  readonly spoken: Float32Array;
  /** 0 where something struck sounds, else 1; see `notStruck`. */
  readonly unstruck: Float32Array;
}

/** Weighs the cues of every hop against what lies around it. */
export function evidence(found: Features): Evidence {
  const { hops, clarity, pitch } = found;
  const voiced = new Float32Array(hops);
  const weak = new Float32Array(hops);
  const around = momentsAround(clarity, new Float32Array(hops).fill(1), 3).mean;
  const sounding = new Float32Array(hops);
  const level = new Float32Array(hops);
  const balance = new Float32Array(hops);
  const moves = new Float32Array(hops);
  for (let hop = 0; hop < hops; hop++) {
    const formants = sum(found, hop, FORMANTS);
    const fricatives = sum(found, hop, FRICATIVES);
    const formants_floor = floor(found, hop, FORMANTS);
    const fricatives_floor = floor(found, hop, FRICATIVES);
    const above_db = decibel(formants / formants_floor);
    level[hop] = decibel(Math.max(formants + fricatives, formants_floor + fricatives_floor));
    balance[hop] = decibel((sum(found, hop, HIGH) + POWER_MIN) / (sum(found, hop, LOW) + POWER_MIN));
    sounding[hop] = ramp(Math.max(above_db, decibel(fricatives / fricatives_floor)), 3, 10);
    const before = hop > 0 ? Math.abs(pitch[hop]! - pitch[hop - 1]!) : 1;
    const after = hop + 1 < hops ? Math.abs(pitch[hop + 1]! - pitch[hop]!) : 1;
    moves[hop] = Math.min(before, after);
    const rumble_db = decibel((found.power[hop * BANDS]! + 1e-12) / (formants + 1e-12));
    const formed = ramp(above_db, 1, 6) * ramp(rumble_db, 20, 12);
    voiced[hop] = moves[hop]! < CONTINUOUS ? ramp(clarity[hop]!, ...CLARITY) * formed : 0;
    weak[hop] = WEAK * ramp(around[hop]!, ...CLARITY_MEAN) * formed;
  }
  const near = backgroundGate(level, voiced);
  const syllabic = syllables(level, balance, sounding);
  const filled = momentsAround(sounding, new Float32Array(hops).fill(1), 100).mean;
  const certain = voiced.map((value) => (value > 0.3 ? 1 : 0));
  const moved = momentsAround(moves, certain, 20).mean;
  const still = momentsAround(stillness(pitch), certain, 20).mean;
  const alone = momentsAround(certain, new Float32Array(hops).fill(1), 50).mean;
  const spoken = new Float32Array(hops);
  for (let hop = 0; hop < hops; hop++) {
    const s = syllabic[hop]!;
    const least = MOVEMENT[0] + s * (MOVEMENT_SYLLABIC[0] - MOVEMENT[0]);
    const enough = MOVEMENT[1] + s * (MOVEMENT_SYLLABIC[1] - MOVEMENT[1]);
    const spoken_pitch = ramp(moved[hop]!, least, enough) * Math.max(s, ramp(still[hop]!, ...STILL_SHARE));
    const sung_pitch = ramp(moved[hop]!, ...MOVEMENT_SUNG) * ramp(alone[hop]!, ...ALONE_SHARE);
    const lively = Math.max(spoken_pitch, sung_pitch);
    // Where no pitch is certain, none can be told to be still.
    const hidden = weak[hop]! * (moved[hop] === 0 ? 1 : lively) * Math.max(s, ramp(filled[hop]!, ...SET_OFF));
    voiced[hop] = Math.max(voiced[hop]! * lively, hidden) * near[hop]!;
    spoken[hop] = s * sounding[hop]! * near[hop]!;
  }
  const distance = distanceTo(voiced, 0.3);
  for (let hop = 0; hop < hops; hop++) sounding[hop] = sounding[hop]! * near[hop]! * ramp(distance[hop]!, ...NEAR);
  return { voiced, sounding, spoken, unstruck: notStruck(level) };
}

function sum({ power }: Features, hop: number, [first, last]: readonly [number, number]): number {
  let total = 0;
  for (let band = first; band <= last; band++) total += power[hop * BANDS + band]!;
  return total;
}

function floor(found: Features, hop: number, [first, last]: readonly [number, number]): number {
  const at = Math.floor(hop / FLOOR_BLOCK) * BANDS;
  let total = POWER_MIN;
  for (let band = first; band <= last; band++) total += FLOOR_BIAS * found.floor[at + band]!;
  return total;
}

/** Of a ratio of powers; -200 for none. */
function decibel(ratio: number): number {
  return 10 * Math.log10(ratio + 1e-20);
}

/** 1 where the pitch stands still, else 0. */
function stillness(pitch: Float32Array): Float32Array {
  const out = new Float32Array(pitch.length);
  for (let hop = 3; hop + 3 < pitch.length; hop++) {
    out[hop] = Math.abs(pitch[hop + 3]! - pitch[hop - 3]!) < 6 * STILL ? 1 : 0;
  }
  return out;
}

/** 0 for hops whose surroundings stay far below the loud parts of the voice. */
function backgroundGate(level: Float32Array, voiced: Float32Array): Float32Array {
  const gate = new Float32Array(level.length).fill(1);
  const levels = level.filter((_, hop) => voiced[hop]! > 0.3).sort();
  if (levels.length < 20) return gate;
  const loud = levels[Math.floor(0.85 * (levels.length - 1))]!;
  const highest = maximumAround(level, 15);
  for (let hop = 0; hop < gate.length; hop++) gate[hop] = ramp(highest[hop]! - loud, ...BACKGROUND_DB);
  return gate;
}
