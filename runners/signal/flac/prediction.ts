import { ORDER_MAX, type Predictor } from "./lpc.ts";

/** The fixed predictors, RFC 9639 9.2.5: differences of order 0 to 4. */
export const FIXED: readonly Predictor[] = [[], [1], [2, -1], [3, -3, 1], [4, -6, 4, -1]].map((taps) => ({
  order: taps.length,
  coefficients: Float64Array.from({ length: ORDER_MAX }, (_, j) => taps[j] ?? 0),
  precision: 0,
  shift: 0,
}));

/**
 * 1.5 * 2^52: a double has no room for a fraction beside it, so that adding and subtracting it rounds what lies within ±2^51 to the
 * nearest whole number. On Bun's engine half again as fast as `Math.floor`, on Deno's the same.
 */
export const ROUNDER = 1.5 * 2 ** 52;

/** Added to a multiple of `unit`, makes the nearest whole number the one below: half of `unit` keeps it from standing between two. */
export function downOf(unit: number): number {
  return 0.5 * unit - 0.5;
}

/**
 * Writes what `predictor` leaves of `x`, folded to 2r or -2r - 1, to indices `order` to `count - 1` of `folded`. False, with
 * `folded` void, where a value is out of reach: outside ±2^30.
 *
 * Exact: samples have at most 25 bits and coefficients 15, so sums of eight products stay below 2^42, and doubles hold every whole
 * number to 2^53; to divide by a power of two and round down is exact as well.
 *
 * @param x whole numbers from index `ORDER_MAX` on; what stands before is finite
 * @param bits of `x`
 */
export function residual(
  x: Float64Array,
  count: number,
  bits: number,
  predictor: Predictor,
  folded: Int32Array,
): boolean {
  const { coefficients, order } = predictor;
  let weight = 0;
  for (let j = 0; j < order; j++) weight += Math.abs(coefficients[j]!);
  const unit = 2 ** -predictor.shift;
  // Almost always the coefficients alone say that no residual can be too large.
  if (2 ** (bits - 1) * (1 + weight * unit) + 1 >= 2 ** 30 && !reaches(x, count, predictor)) return false;
  const down = downOf(unit);
  const c0 = coefficients[0]!;
  const c1 = coefficients[1]!;
  const c2 = coefficients[2]!;
  const c3 = coefficients[3]!;
  const c4 = coefficients[4]!;
  const c5 = coefficients[5]!;
  const c6 = coefficients[6]!;
  const c7 = coefficients[7]!;
  let x0 = x[ORDER_MAX + order - 1]!;
  let x1 = x[ORDER_MAX + order - 2]!;
  let x2 = x[ORDER_MAX + order - 3]!;
  let x3 = x[ORDER_MAX + order - 4]!;
  let x4 = x[ORDER_MAX + order - 5]!;
  let x5 = x[ORDER_MAX + order - 6]!;
  let x6 = x[ORDER_MAX + order - 7]!;
  let x7 = x[ORDER_MAX + order - 8]!;
  for (let n = order; n < count; n++) {
    const sum = c0 * x0 + c1 * x1 + (c2 * x2 + c3 * x3) + (c4 * x4 + c5 * x5 + (c6 * x6 + c7 * x7));
    const value = x[ORDER_MAX + n]!;
    const r = (value - (sum * unit + down + ROUNDER - ROUNDER)) | 0;
    folded[n] = (r << 1) ^ (r >> 31);
    x7 = x6;
    x6 = x5;
    x5 = x4;
    x4 = x3;
    x3 = x2;
    x2 = x1;
    x1 = x0;
    x0 = value;
  }
  return true;
}

function reaches(x: Float64Array, count: number, { coefficients, order, shift }: Predictor): boolean {
  const unit = 2 ** -shift;
  for (let n = order; n < count; n++) {
    let sum = 0;
    for (let j = 0; j < order; j++) sum += coefficients[j]! * x[ORDER_MAX + n - 1 - j]!;
    if (!(Math.abs(x[ORDER_MAX + n]! - Math.floor(sum * unit)) < 2 ** 30)) return false;
  }
  return true;
}

/**
 * Sums of the absolute differences of order 0 to 4, from the fourth sample on at every `stride`th, and at how many. For estimates:
 * not every sample need be seen, and an odd stride keeps step with few signals.
 */
export function differences(x: Float64Array, count: number, stride: number, sums: Float64Array): number {
  let sum0 = 0;
  let sum1 = 0;
  let sum2 = 0;
  let sum3 = 0;
  let sum4 = 0;
  let seen = 0;
  for (let n = ORDER_MAX + 4; n < ORDER_MAX + count; n += stride) {
    const x0 = x[n]!;
    const x1 = x[n - 1]!;
    const x2 = x[n - 2]!;
    const x3 = x[n - 3]!;
    sum0 += Math.abs(x0);
    sum1 += Math.abs(x0 - x1);
    sum2 += Math.abs(x0 - 2 * x1 + x2);
    sum3 += Math.abs(x0 - 3 * (x1 - x2) - x3);
    sum4 += Math.abs(x0 - 4 * (x1 + x3) + 6 * x2 + x[n - 4]!);
    seen++;
  }
  sums[0] = sum0;
  sums[1] = sum1;
  sums[2] = sum2;
  sums[3] = sum3;
  sums[4] = sum4;
  return seen;
}
