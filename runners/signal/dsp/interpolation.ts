import { kaiser, sinc } from "./window.ts";

/** Grid points per sample of the coarse interpolator. */
export const PHASES = 4;
/** Taps of the coarse interpolator on each side of an interval. */
export const COARSE_REACH = 24;
/** Taps of the fine interpolator on each side. */
const FINE_REACH = 512;
/** Positions per sample that the fine interpolator knows. */
export const FINE_PHASES = 64;

const COARSE_BETA = 7;
const FINE_BETA = 8;

/** Taps for 1/4, 2/4 and 3/4, one phase after the other; tap `COARSE_REACH - 1` belongs to the sample at the interval's start. */
const coarse: Float64Array = coarseTaps();

/**
 * A bound on what the coarse grid finds between x[n] and x[n+1]:
 * `max(|x[n]|, |x[n+1]|) + COARSE_BOUND * max|x[k-1] - 2 x[k] + x[k+1]|` over the taps' support.
 *
 * Each phase reproduces constants and ramps exactly (`coarseTaps`), so what it adds to linear interpolation is a sum over second
 * differences, and the sum of that sum's absolute coefficients is the bound. It lets quiet and smooth stretches be skipped
 * without changing the result.
 */
export const COARSE_BOUND: number = coarseBound();

/** The three inner grid points of the interval that starts at `x[n]`, into `out`. */
export function coarsePoints(x: Float32Array, n: number, out: Float64Array): void {
  let first = 0;
  let second = 0;
  let third = 0;
  const start = n - COARSE_REACH + 1;
  const taps = 2 * COARSE_REACH;
  for (let k = 0; k < taps; k++) {
    const sample = x[start + k]!;
    first += coarse[k]! * sample;
    second += coarse[taps + k]! * sample;
    third += coarse[2 * taps + k]! * sample;
  }
  out[0] = first;
  out[1] = second;
  out[2] = third;
}

/** A row for each phase that was asked for: the search for a top needs every eighth. */
const fine: (Float64Array | undefined)[] = [];

/** The band-limited value at `n + phase / FINE_PHASES`, flat to 100 Hz below half the sample rate. `phase` may lie outside 0 to 63. */
export function finePoint(x: Float32Array, n: number, phase: number): number {
  const whole = Math.floor(phase / FINE_PHASES);
  const part = phase - whole * FINE_PHASES;
  let taps = fine[part];
  if (taps === undefined) {
    taps = fineTaps(part);
    fine[part] = taps;
  }
  return dot(taps, x, n + whole - FINE_REACH + 1);
}

/** Four running sums: an addition has to wait for the one before it, other chains fill the time. */
function dot(taps: Float64Array, x: Float32Array, start: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let k = 0; k < 2 * FINE_REACH; k += 4) {
    a += taps[k]! * x[start + k]!;
    b += taps[k + 1]! * x[start + k + 1]!;
    c += taps[k + 2]! * x[start + k + 2]!;
    d += taps[k + 3]! * x[start + k + 3]!;
  }
  return a + b + (c + d);
}

/** Samples on each side that the exact interpolator draws on. */
export const EXACT_REACH = 4096;

let exact: Float64Array | undefined;

/**
 * The value at `n + offset`, 0 < offset < 1, flat to 14 Hz below half the sample rate. Taps are made on the way: a sinc's numerator
 * only alternates in sign, so each is a division.
 */
export function exactPoint(x: Float32Array, n: number, offset: number): number {
  exact ??= exactTaps();
  let sum = x[n]! / offset;
  for (let k = 1; k <= EXACT_REACH; k++) {
    sum += exact[k]! * (x[n + k]! / (offset - k) + x[n - k]! / (offset + k));
  }
  return (Math.sin(Math.PI * offset) / Math.PI) * sum;
}

/** Taps of the coarse interpolator, a row of 2 · `COARSE_REACH` for each of 1/4, 2/4 and 3/4. */
export function coarseTaps(): Float64Array {
  const width = 2 * COARSE_REACH;
  const taps = new Float64Array((PHASES - 1) * width);
  for (let phase = 1; phase < PHASES; phase++) {
    const row = taps.subarray((phase - 1) * width, phase * width);
    const offset = phase / PHASES;
    let sum = 0;
    let moment = 0;
    for (let k = 0; k < width; k++) {
      const at = k - COARSE_REACH + 1;
      row[k] = sinc(offset - at) * kaiser((offset - at) / COARSE_REACH, COARSE_BETA);
      sum += row[k]!;
      moment += at * row[k]!;
    }
    // The two inner taps take up what is missing for constants (sum 1) and ramps (moment = offset).
    row[COARSE_REACH]! += offset - moment;
    row[COARSE_REACH - 1]! += 1 - sum - (offset - moment);
  }
  return taps;
}

function coarseBound(): number {
  const width = 2 * COARSE_REACH;
  let bound = 0;
  for (let phase = 1; phase < PHASES; phase++) {
    let slope = 0;
    let value = 0;
    let total = 0;
    for (let k = 0; k < width; k++) {
      const at = k - COARSE_REACH + 1;
      const linear = at === 0 ? 1 - phase / PHASES : at === 1 ? phase / PHASES : 0;
      slope += coarse[(phase - 1) * width + k]! - linear;
      value += slope;
      total += Math.abs(value);
    }
    bound = Math.max(bound, total);
  }
  return bound;
}

function fineTaps(phase: number): Float64Array {
  const taps = new Float64Array(2 * FINE_REACH);
  for (let k = 0; k < taps.length; k++) {
    const distance = phase / FINE_PHASES - (k - FINE_REACH + 1);
    taps[k] = sinc(distance) * kaiser(distance / FINE_REACH, FINE_BETA);
  }
  return taps;
}

function exactTaps(): Float64Array {
  const taps = new Float64Array(EXACT_REACH + 1);
  for (let k = 0; k < taps.length; k++) taps[k] = (k % 2 === 0 ? 1 : -1) * kaiser(k / EXACT_REACH, FINE_BETA);
  return taps;
}
