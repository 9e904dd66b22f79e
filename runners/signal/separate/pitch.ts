import { BANDS, BIN_HERTZ, SINGLE } from "./grid.ts";

/** What is followed: a line of pitch between two bounds. */
export interface Range {
  /** Hz. */
  readonly low: number;
  readonly high: number;
  /** Harmonics that are summed. */
  readonly harmonics: number;
  /** Weight of each harmonic in terms of the one before. */
  readonly fall: number;
  /** Price of a step of a sixth of a semitone from one frame to the next, and of any leap, in units of salience. */
  readonly step: number;
  readonly leap: number;
}

/** The singing voice, bass to soprano. */
export const VOICE: Range = { low: 80, high: 1000, harmonics: 14, fall: 0.88, step: 0.012, leap: 0.35 };
/** Bass instruments: a five-string's lowest note to the octave above middle C's. */
export const LOW: Range = { low: 29, high: 330, harmonics: 6, fall: 0.75, step: 0.03, leap: 0.25 };

/** Candidates in a semitone. */
const FINE = 6;

/** A line of pitch, frame by frame. */
export interface Line {
  /** Hz; always a value, for the salience says whether it means anything. */
  readonly hertz: Float32Array;
  /** 0: nothing of the kind, about 1: a clear tone. */
  readonly salience: Float32Array;
}

/**
 * Follows the most salient pitch through all frames: harmonic summation (Klapuri 2006) over what stands out of its surroundings, then the
 * path of the largest sum (Viterbi) whose steps cost little and leaps much, so that vibrato and glides are followed.
 *
 * @param strength of each band of a frame, 0 to 1, frame by frame; only the first `SINGLE` bands count
 * @param fill writes those of one frame
 */
export function follow(frames: number, range: Range, fill: (frame: number, strength: Float32Array) => void): Line {
  const count = Math.floor(12 * FINE * Math.log2(range.high / range.low)) + 1;
  const hertz = Float64Array.from({ length: count }, (_, k) => range.low * 2 ** (k / (12 * FINE)));
  const comb = combOf(hertz, range);
  const strength = new Float32Array(BANDS);
  const before = new Float32Array(count);
  const best = new Float32Array(count);
  const now = new Float32Array(count);
  /** The most that each is worth by the frame before, and where it came from. */
  const value = new Float64Array(count);
  const from = new Int16Array(count);
  const saliences = new Uint8Array(frames * count);
  const came = new Int16Array(frames * count);
  for (let frame = 0; frame < frames; frame++) {
    fill(frame, strength);
    salience(strength, comb, range.harmonics, now);
    let top = 0;
    for (let k = 1; k < count; k++) if (before[k]! > before[top]!) top = k;
    const leap = before[top]! - range.leap;
    value.fill(leap);
    from.fill(top);
    for (let j = 0; j < count; j++) {
      const held = before[j]!;
      // Most lie further below the best than a leap costs: nobody comes from them.
      if (held <= leap) continue;
      const last = Math.min(count - 1, j + STEPS_MAX);
      for (let k = Math.max(0, j - STEPS_MAX); k <= last; k++) {
        const reached = held - range.step * Math.abs(j - k);
        if (reached > value[k]!) {
          value[k] = reached;
          from[k] = j;
        }
      }
    }
    for (let k = 0; k < count; k++) {
      best[k] = value[k]! + now[k]!;
      came[frame * count + k] = from[k]!;
      saliences[frame * count + k] = Math.min(255, Math.round(now[k]! * 255));
    }
    // Only differences matter: kept small, so that hours lose no precision.
    let highest = best[0]!;
    for (let k = 1; k < count; k++) if (best[k]! > highest) highest = best[k]!;
    for (let k = 0; k < count; k++) before[k] = best[k]! - highest;
  }
  const line = { hertz: new Float32Array(frames), salience: new Float32Array(frames) };
  let at = 0;
  for (let k = 1; k < count; k++) if (before[k]! > before[at]!) at = k;
  for (let frame = frames - 1; frame >= 0; frame--) {
    line.hertz[frame] = hertz[at]!;
    line.salience[frame] = saliences[frame * count + at]! / 255;
    at = came[frame * count + at]!;
  }
  return line;
}

/** Steps of a sixth of a semitone between two frames beyond which a movement is a leap: 86 semitones a second. */
const STEPS_MAX = 12;

interface Comb {
  /** Lower of the two bins between which each harmonic of each candidate lies. */
  readonly bin: Int32Array;
  readonly part: Float32Array;
  readonly weight: Float32Array;
  /** 1 by the sum of a candidate's weights. */
  readonly scale: Float32Array;
}

function combOf(hertz: Float64Array, { harmonics, fall }: Range): Comb {
  const count = hertz.length;
  const comb: Comb = {
    bin: new Int32Array(count * harmonics),
    part: new Float32Array(count * harmonics),
    weight: new Float32Array(count * harmonics),
    scale: new Float32Array(count),
  };
  for (let k = 0; k < count; k++) {
    let sum = 0;
    for (let h = 0; h < harmonics; h++) {
      const place = ((h + 1) * hertz[k]!) / BIN_HERTZ;
      const at = k * harmonics + h;
      if (place >= SINGLE - 2) continue;
      comb.bin[at] = Math.floor(place);
      comb.part[at] = place - Math.floor(place);
      comb.weight[at] = fall ** h;
      sum += fall ** h;
    }
    comb.scale[k] = 1 / sum;
  }
  return comb;
}

/** Strength at the harmonics less the strength half-way between them, which tells a tone from its octave below. */
function salience(strength: Float32Array, comb: Comb, harmonics: number, out: Float32Array): void {
  const { bin, part, weight, scale } = comb;
  for (let k = 0; k < out.length; k++) {
    let sum = 0;
    let at = k * harmonics;
    let last = 0;
    for (let h = 0; h < harmonics; h++, at++) {
      const b = bin[at]!;
      if (weight[at] === 0) break;
      const p = part[at]!;
      const here = strength[b]! + p * (strength[b + 1]! - strength[b]!);
      const half = (last + b) >> 1;
      sum += weight[at]! * (here - 0.4 * strength[half]!);
      last = b;
    }
    out[k] = sum > 0 ? sum * scale[k]! : 0;
  }
}
