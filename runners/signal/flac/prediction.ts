import { ORDER_MAX, type Predictor } from "./lpc.ts";

/** The fixed predictors, RFC 9639 9.2.5: differences of order 0 to 4. */
export const FIXED: readonly Predictor[] = [[], [1], [2, -1], [3, -3, 1], [4, -6, 4, -1]].map((taps) => ({
  order: taps.length,
  coefficients: Float64Array.from({ length: ORDER_MAX }, (_, j) => taps[j] ?? 0),
  precision: 0,
  shift: 0,
}));

/**
 * Writes what `predictor` leaves of `x`, folded to 2r or -2r - 1, to indices `order` to `count - 1` of `folded`. False, with
 * `folded` void, where a value is out of reach: outside ±2^30.
 *
 * Exact: samples have at most 25 bits and coefficients 15, so sums of eight products stay below 2^42, and doubles hold every whole
 * number to 2^53; to divide by a power of two and round down is exact as well.
 *
 * @param x whole numbers from index `ORDER_MAX` on; what stands before is finite
 */
export function residual(
  x: Float64Array,
  count: number,
  { coefficients, order, shift }: Predictor,
  folded: Int32Array,
): boolean {
  const unit = 2 ** -shift;
  for (let n = order; n < count; n++) {
    let sum = 0;
    for (let j = 0; j < order; j++) sum += coefficients[j]! * x[ORDER_MAX + n - 1 - j]!;
    const r = x[ORDER_MAX + n]! - Math.floor(sum * unit);
    if (!(Math.abs(r) < 2 ** 30)) return false;
    folded[n] = (r << 1) ^ (r >> 31);
  }
  return true;
}

/** Blocks below it are looked at sample by sample where estimates are made; of longer ones, groups of four. */
export const GROUPS_FROM = 1024;
/** Groups lie so far apart. */
const APART = 20;

/**
 * Sums of the absolute differences of order 0 to 4, of some samples from the fourth on, and of how many. For estimates: not every
 * sample need be seen, and four in a row are looked at at once by the kernel.
 */
export function differences(x: Float64Array, count: number, sums: Float64Array): number {
  const [group, apart] = count < GROUPS_FROM ? [1, 1] : [4, APART];
  let sum0 = 0;
  let sum1 = 0;
  let sum2 = 0;
  let sum3 = 0;
  let sum4 = 0;
  let seen = 0;
  for (let from = ORDER_MAX + 4; from + group <= ORDER_MAX + count; from += apart) {
    for (let n = from; n < from + group; n++) {
      const x0 = x[n]!;
      const x1 = x[n - 1]!;
      const x2 = x[n - 2]!;
      const x3 = x[n - 3]!;
      sum0 += Math.abs(x0);
      sum1 += Math.abs(x0 - x1);
      sum2 += Math.abs(x0 - 2 * x1 + x2);
      sum3 += Math.abs(x0 - 3 * (x1 - x2) - x3);
      sum4 += Math.abs(x0 - 4 * (x1 + x3) + 6 * x2 + x[n - 4]!);
    }
    seen += group;
  }
  sums[0] = sum0;
  sums[1] = sum1;
  sums[2] = sum2;
  sums[3] = sum3;
  sums[4] = sum4;
  return seen;
}
