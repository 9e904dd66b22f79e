// What a predictor leaves, in whole numbers. runners/signal/flac/prediction.ts does the same in doubles, and both are exact.
import { numbersAt, rowAt } from "./flac_memory";

/** A sample is lower + 2^13 upper, and both fit 16 bits, so that a multiplication takes two of them at a time. */
const SPLIT: i32 = 13;

/**
 * Writes each sample of `x` beside the one before it, as pairs of 16 bits: lower parts to row 3, upper parts to row 4.
 * A pair of neighbours times a pair of coefficients is one step of `i32x4.dot_i16x8_s`.
 */
export function split(x: usize, count: i32): void {
  const lower = rowAt(3);
  const upper = rowAt(4);
  const mask = i32x4.splat((1 << SPLIT) - 1);
  const half = i32x4.splat(0xffff);
  for (let n = 0; n < count; n += 4) {
    const at = (<usize>n) << 2;
    const newer = v128.load(x + at);
    const older = v128.load(x + at - 4);
    v128.store(lower + at, v128.or(v128.and(newer, mask), i32x4.shl(v128.and(older, mask), 16)));
    const high = v128.and(i32x4.shr_s(newer, SPLIT), half);
    v128.store(upper + at, v128.or(high, i32x4.shl(i32x4.shr_s(older, SPLIT), 16)));
  }
}

/**
 * Residuals of what `split` last took, folded to 2r or -2r - 1, to `folded`; those before `order` mean nothing.
 *
 * Exact modulo 2^32, and so where residuals fit: lower parts below 2^13 and upper ones below 2^12, times coefficients of 14 bits, times
 * eight, stay below 2^30; and upper sums are a multiple of what the shift takes away, or shifted last.
 */
export function residuals(x: usize, count: i32, taps: usize, order: i32, shift: i32, folded: usize): void {
  const c0 = pairOf(taps);
  const c2 = pairOf(taps + 8);
  const c4 = pairOf(taps + 16);
  const c6 = pairOf(taps + 24);
  const up = max(0, SPLIT - shift);
  const down = min(SPLIT, shift);
  const last = max(0, shift - SPLIT);
  const toUpper = rowAt(4) - rowAt(3);
  const end = rowAt(3) + ((<usize>count) << 2);
  // From the oldest pair on that may be taken: offsets of loads are free where they are positive, on Bun.
  if (order <= 4) {
    for (let at = rowAt(3) - 28; at < end - 28; at += 16, x += 16, folded += 16) {
      const lower = i32x4.add(i32x4.dot_i16x8_s(v128.load(at, 24), c0), i32x4.dot_i16x8_s(v128.load(at, 16), c2));
      const also = at + toUpper;
      const upper = i32x4.add(i32x4.dot_i16x8_s(v128.load(also, 24), c0), i32x4.dot_i16x8_s(v128.load(also, 16), c2));
      const sum = i32x4.shr_s(i32x4.add(i32x4.shl(upper, up), i32x4.shr_s(lower, down)), last);
      const left = i32x4.sub(v128.load(x), sum);
      v128.store(folded, v128.xor(i32x4.add(left, left), i32x4.lt_s(left, i32x4.splat(0))));
    }
    return;
  }
  for (let at = rowAt(3) - 28; at < end - 28; at += 16, x += 16, folded += 16) {
    const lower = i32x4.add(
      i32x4.add(i32x4.dot_i16x8_s(v128.load(at, 24), c0), i32x4.dot_i16x8_s(v128.load(at, 16), c2)),
      i32x4.add(i32x4.dot_i16x8_s(v128.load(at, 8), c4), i32x4.dot_i16x8_s(v128.load(at), c6)),
    );
    const also = at + toUpper;
    const upper = i32x4.add(
      i32x4.add(i32x4.dot_i16x8_s(v128.load(also, 24), c0), i32x4.dot_i16x8_s(v128.load(also, 16), c2)),
      i32x4.add(i32x4.dot_i16x8_s(v128.load(also, 8), c4), i32x4.dot_i16x8_s(v128.load(also), c6)),
    );
    const sum = i32x4.shr_s(i32x4.add(i32x4.shl(upper, up), i32x4.shr_s(lower, down)), last);
    const left = i32x4.sub(v128.load(x), sum);
    v128.store(folded, v128.xor(i32x4.add(left, left), i32x4.lt_s(left, i32x4.splat(0))));
  }
}

/** The newer sample is in the lower half. */
function pairOf(taps: usize): v128 {
  return i32x4.splat((load<i32>(taps) & 0xffff) | (load<i32>(taps, 4) << 16));
}

/** Whether each residual is within ±2^30. */
export function within(x: usize, count: i32, taps: usize, order: i32, shift: i32): bool {
  for (let n = order; n < count; n++) {
    const at = x + ((<usize>n) << 2);
    let sum: i64 = 0;
    for (let j = 0; j < order; j++)
      sum += <i64>load<i32>(taps + ((<usize>j) << 2)) * <i64>load<i32>(at - 4 - ((<usize>j) << 2));
    if (abs(<i64>load<i32>(at) - (sum >> shift)) >= 1 << 30) return false;
  }
  return true;
}

/** Where `differences` leaves its five sums, as doubles. */
export function differencesAt(): usize {
  return numbersAt() + 192 * 8;
}

/** Blocks below it are looked at sample by sample where estimates are made; of longer ones, groups of four at these distances. */
export const GROUPS_FROM: i32 = 1024;
const APART: i32 = 20;

/** Sums of the absolute differences of order 0 to 4, of some samples from the fourth on; returns of how many. */
export function differences(x: usize, count: i32): i32 {
  return count < GROUPS_FROM ? differencesOfAll(x, count) : differencesOfGroups(x, count);
}

function differencesOfGroups(x: usize, count: i32): i32 {
  let sum0 = i64x2.splat(0);
  let sum1 = i64x2.splat(0);
  let sum2 = i64x2.splat(0);
  let sum3 = i64x2.splat(0);
  let sum4 = i64x2.splat(0);
  let seen = 0;
  for (let n = 4; n + 4 <= count; n += APART) {
    const at = x + ((<usize>n) << 2);
    const x0 = v128.load(at);
    const x1 = v128.load(at - 4);
    const x2 = v128.load(at - 8);
    const x3 = v128.load(at - 12);
    const e0 = i32x4.sub(x0, x1);
    const e1 = i32x4.sub(x1, x2);
    const e2 = i32x4.sub(x2, x3);
    const f0 = i32x4.sub(e0, e1);
    const f1 = i32x4.sub(e1, e2);
    const g0 = i32x4.sub(f0, f1);
    const g1 = i32x4.sub(f1, i32x4.sub(e2, i32x4.sub(x3, v128.load(at - 16))));
    sum0 = added(sum0, x0);
    sum1 = added(sum1, e0);
    sum2 = added(sum2, f0);
    sum3 = added(sum3, g0);
    sum4 = added(sum4, i32x4.sub(g0, g1));
    seen += 4;
  }
  const into = differencesAt();
  store<f64>(into, <f64>both(sum0));
  store<f64>(into, <f64>both(sum1), 8);
  store<f64>(into, <f64>both(sum2), 16);
  store<f64>(into, <f64>both(sum3), 24);
  store<f64>(into, <f64>both(sum4), 32);
  return seen;
}

/** `sum` with the magnitudes of four values. */
export function added(sum: v128, four: v128): v128 {
  const sizes = i32x4.abs(four);
  return i64x2.add(sum, i64x2.add(i64x2.extend_low_i32x4_u(sizes), i64x2.extend_high_i32x4_u(sizes)));
}

export function both(sum: v128): i64 {
  return i64x2.extract_lane(sum, 0) + i64x2.extract_lane(sum, 1);
}

function differencesOfAll(x: usize, count: i32): i32 {
  let sum0: i64 = 0;
  let sum1: i64 = 0;
  let sum2: i64 = 0;
  let sum3: i64 = 0;
  let sum4: i64 = 0;
  let seen = 0;
  for (let n = 4; n < count; n++) {
    const at = x + ((<usize>n) << 2);
    const x0 = load<i32>(at);
    const x1 = load<i32>(at - 4);
    const x2 = load<i32>(at - 8);
    const x3 = load<i32>(at - 12);
    const d1 = x0 - x1;
    const d2 = d1 - (x1 - x2);
    const d3 = x0 - 3 * (x1 - x2) - x3;
    sum0 += <i64>abs(x0);
    sum1 += <i64>abs(d1);
    sum2 += <i64>abs(d2);
    sum3 += <i64>abs(d3);
    sum4 += <i64>abs(x0 - 4 * (x1 + x3) + 6 * x2 + load<i32>(at - 16));
    seen++;
  }
  const into = differencesAt();
  store<f64>(into, <f64>sum0);
  store<f64>(into, <f64>sum1, 8);
  store<f64>(into, <f64>sum2, 16);
  store<f64>(into, <f64>sum3, 24);
  store<f64>(into, <f64>sum4, 32);
  return seen;
}
