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
  if (order <= 4) {
    for (let at = rowAt(3); at < end; at += 16, x += 16, folded += 16) {
      const lower = i32x4.add(i32x4.dot_i16x8_s(v128.load(at - 4), c0), i32x4.dot_i16x8_s(v128.load(at - 12), c2));
      const also = at + toUpper;
      const upper = i32x4.add(i32x4.dot_i16x8_s(v128.load(also - 4), c0), i32x4.dot_i16x8_s(v128.load(also - 12), c2));
      const sum = i32x4.shr_s(i32x4.add(i32x4.shl(upper, up), i32x4.shr_s(lower, down)), last);
      const left = i32x4.sub(v128.load(x), sum);
      v128.store(folded, v128.xor(i32x4.shl(left, 1), i32x4.shr_s(left, 31)));
    }
    return;
  }
  for (let at = rowAt(3); at < end; at += 16, x += 16, folded += 16) {
    const lower = i32x4.add(
      i32x4.add(i32x4.dot_i16x8_s(v128.load(at - 4), c0), i32x4.dot_i16x8_s(v128.load(at - 12), c2)),
      i32x4.add(i32x4.dot_i16x8_s(v128.load(at - 20), c4), i32x4.dot_i16x8_s(v128.load(at - 28), c6)),
    );
    const also = at + toUpper;
    const upper = i32x4.add(
      i32x4.add(i32x4.dot_i16x8_s(v128.load(also - 4), c0), i32x4.dot_i16x8_s(v128.load(also - 12), c2)),
      i32x4.add(i32x4.dot_i16x8_s(v128.load(also - 20), c4), i32x4.dot_i16x8_s(v128.load(also - 28), c6)),
    );
    const sum = i32x4.shr_s(i32x4.add(i32x4.shl(upper, up), i32x4.shr_s(lower, down)), last);
    const left = i32x4.sub(v128.load(x), sum);
    v128.store(folded, v128.xor(i32x4.shl(left, 1), i32x4.shr_s(left, 31)));
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

/** Sums of the absolute differences of order 0 to 4 at every `stride`th sample from the fourth on; returns at how many. */
export function differences(x: usize, count: i32, stride: i32): i32 {
  let sum0: i64 = 0;
  let sum1: i64 = 0;
  let sum2: i64 = 0;
  let sum3: i64 = 0;
  let sum4: i64 = 0;
  let seen = 0;
  for (let n = 4; n < count; n += stride) {
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
