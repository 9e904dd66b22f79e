/**
 * Dynamics as curves: what a compressor or limiter does to sound that is all there, one value every `STEP` samples, so that its level is
 * known before a sample is touched. A ring's curve joins at its ends.
 */
import { STEP } from "./control.ts";
import { gainOf, log2 } from "./exact.ts";

/** 10 log10(x) is this times log2(x). */
const POWER_DB = 3.010299956639812;

/** Steps of a sound of `frames` samples, the last one perhaps short. */
export function stepsIn(frames: number): number {
  return Math.max(1, Math.ceil(frames / STEP));
}

/** 10 log10 of a power; -120 for what is fainter. */
export function levelOf(power: number): number {
  return power > 1e-12 ? POWER_DB * log2(power) : -120;
}

export interface Compression {
  /** dB, of the smoothed power. */
  readonly threshold_db: number;
  readonly ratio: number;
  readonly knee_db: number;
  readonly attack_s: number;
  readonly release_s: number;
}

/**
 * Gains, at most 1, of a feed-forward compressor with a quadratic knee (Giannoulis, Massberg and Reiss 2012) over the
 * mean power of each step.
 *
 * @param powers mean square of every step
 * @param out where they go; another array
 */
export function compressed(
  powers: Float32Array,
  rate: number,
  ring: boolean,
  how: Compression,
  out: Float32Array = new Float32Array(powers.length),
): Float32Array {
  const steps = powers.length;
  const rise = Math.min(1, STEP / rate / how.attack_s);
  const fall = Math.min(1, STEP / rate / how.release_s);
  const slope = 1 / how.ratio - 1;
  const half = how.knee_db / 2;
  // Below the knee nothing is done: a comparison of powers spares the logarithm.
  const least = gainOf(2 * (how.threshold_db - half));
  let state = 0;
  for (let n = ring ? -Math.ceil((8 * how.release_s * rate) / STEP) : 0; n < steps; n++) {
    const power = powers[n < 0 ? ((n % steps) + steps) % steps : n]!;
    state += (power > state ? rise : fall) * (power - state);
    if (n < 0) continue;
    if (state <= least) {
      out[n] = 1;
      continue;
    }
    const above = levelOf(state) - how.threshold_db;
    const shown = above >= half ? above : ((above + half) * (above + half)) / (4 * half);
    out[n] = gainOf(slope * shown);
  }
  return out;
}

/**
 * Gains that hold peaks down: a ratio above the ceiling, ahead by a step, let go within `release_s`.
 *
 * @param peaks largest magnitude of every step
 * @param out where they go; another array
 */
export function held(
  peaks: Float32Array,
  rate: number,
  ring: boolean,
  ceiling: number,
  ratio: number,
  release_s: number,
  out: Float32Array = new Float32Array(peaks.length),
): Float32Array {
  const steps = peaks.length;
  const back = Math.min(1, STEP / rate / release_s);
  const share = 1 - 1 / ratio;
  const wanted = (n: number): number => {
    const at = ring ? ((n % steps) + steps) % steps : Math.min(steps - 1, Math.max(0, n));
    const peak = peaks[at]!;
    return peak > ceiling ? gainOf(-20 * share * 0.30102999566398114 * log2(peak / ceiling)) : 1;
  };
  let before = 1;
  let here = 1;
  let after = 1;
  let state = 1;
  const first = ring ? -Math.ceil((8 * release_s * rate) / STEP) : 0;
  here = wanted(first);
  after = wanted(first + 1);
  for (let n = first; n < steps; n++) {
    // A straight line from this step's value to the next one's: both ends must be low enough for the peak between.
    const low = Math.min(before, here, after);
    state = low < state ? low : state + back * (low - state);
    if (n >= 0) out[n] = state;
    before = here;
    here = after;
    after = wanted(n + 2);
  }
  return out;
}

/**
 * Multiplies `count` samples from `at` on by the curve; `steps[steps.length]` is the first again on a ring, else the last held.
 *
 * @param samples a block whose first sample is frame `at`, a multiple of STEP
 * @param frames length of the whole sound
 */
export function applySteps(
  samples: Float64Array,
  gains: Float32Array,
  at: number,
  count: number,
  frames: number,
  ring: boolean,
): void {
  const steps = gains.length;
  for (let from = 0, step = at / STEP; from < count; from += STEP, step++) {
    const end = Math.min(count, from + STEP);
    let value = gains[step]!;
    const next = step + 1 < steps ? gains[step + 1]! : ring ? gains[0]! : value;
    const slope = (next - value) / Math.max(1, Math.min(STEP, frames - step * STEP));
    if (slope === 0 && value === 1) continue;
    for (let n = from; n < end; n++) {
      samples[n] = samples[n]! * value;
      value += slope;
    }
  }
}
