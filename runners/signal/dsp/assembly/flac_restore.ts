// Samples of both channels from their residuals, side by side: each step waits for the one before, so two cost little
// more than one. In float64, in which sums of 8 products of 15 by 25 bits and a residual of 32 are exact, a step is a
// product, a sum and a rounding, where whole numbers need eight multiplications of one unit for each channel.
import { outputAt } from "./flac_memory";
import { ORDER, SHIFT, tap, WIDTH } from "./flac_plan";

/** Steps between two moves of the history to the front: so it stays next to the processor. */
const STRETCH: i32 = 512;
/** float64 pairs: eight past ones, then those of the stretch. */
const past = memory.data(8320, 16);
/** The same of coefficients, by now divided by what sums are shifted by. */
const taps = memory.data(128, 16);
/** 1.5 * 2^52: a whole number that was added to it is the lower half of what comes out. */
const rounder = memory.data(8, 8);

/** False where a sample is outside its bits: those after it mean nothing. Orders are at most 8. */
export function restorePair(left: usize, right: usize, count: i32): bool {
  const a = outputAt(0);
  const b = outputAt(1);
  const order = max(load<i32>(left, ORDER), load<i32>(right, ORDER));
  const first = min(order, count);
  if (!begin(left, a, first, 0) || !begin(right, b, first, 8)) return false;
  memory.fill(past, 0, 128);
  for (let n = 0; n < first; n++) {
    const at = past + ((<usize>(8 - first + n)) << 4);
    store<f64>(at, <f64>load<i32>(a + ((<usize>n) << 2)));
    store<f64>(at, <f64>load<i32>(b + ((<usize>n) << 2)), 8);
  }
  store<f64>(rounder, 6755399441055744);
  let low = f64x2.splat(0);
  let high = f64x2.splat(0);
  for (let from = first; from < count; from += STRETCH) {
    const to = min(count, from + STRETCH);
    // What is loaded stays in a register, a constant would not on Bun; offsets are positive for the same reason.
    const c0 = v128.load(taps);
    const c1 = v128.load(taps, 16);
    const c2 = v128.load(taps, 32);
    const c3 = v128.load(taps, 48);
    const c4 = v128.load(taps, 64);
    const c5 = v128.load(taps, 80);
    const c6 = v128.load(taps, 96);
    const c7 = v128.load(taps, 112);
    const unit = v128.load64_splat(rounder);
    let at = past;
    let x0 = v128.load(at, 112);
    let x1 = v128.load(at, 96);
    for (let n = from; n < to; n++, at += 16) {
      const place = (<usize>n) << 2;
      const rest = f64x2.convert_low_i32x4_s(v128.load32_lane(b + place, v128.load32_zero(a + place), 1));
      let sum = f64x2.add(rest, f64x2.mul(c7, v128.load(at)));
      const older = f64x2.add(f64x2.mul(c6, v128.load(at, 16)), f64x2.mul(c5, v128.load(at, 32)));
      const newer = f64x2.add(f64x2.mul(c4, v128.load(at, 48)), f64x2.mul(c3, v128.load(at, 64)));
      sum = f64x2.add(f64x2.add(sum, older), f64x2.add(newer, f64x2.mul(c2, v128.load(at, 80))));
      sum = f64x2.add(sum, f64x2.mul(c1, x1));
      // The newest enters last: everything else is ready before it is known.
      const value = f64x2.floor(f64x2.add(sum, f64x2.mul(c0, x0)));
      v128.store(at, value, 128);
      low = f64x2.pmin(low, value);
      high = f64x2.pmax(high, value);
      const whole = f64x2.add(value, unit);
      v128.store32_lane(a + place, whole, 0);
      v128.store32_lane(b + place, whole, 2);
      x1 = x0;
      x0 = value;
    }
    memory.copy(past, at, 128);
  }
  return (
    holds(load<i32>(left, WIDTH), f64x2.extract_lane(low, 0), f64x2.extract_lane(high, 0)) &&
    holds(load<i32>(right, WIDTH), f64x2.extract_lane(low, 1), f64x2.extract_lane(high, 1))
  );
}

function holds(width: i32, low: f64, high: f64): bool {
  const limit = <f64>((<i64>1) << (<i64>(width - 1)));
  return low >= -limit && high < limit;
}

/** Takes the coefficients of a lane, and makes its samples up to `first`, where the other's predictor has more that begin it. */
function begin(plan: usize, into: usize, first: i32, lane: usize): bool {
  const shift = load<i32>(plan, SHIFT);
  const limit = (<i64>1) << (<i64>(load<i32>(plan, WIDTH) - 1));
  for (let j = 0; j < 8; j++) {
    store<f64>(taps + ((<usize>j) << 4) + lane, <f64>tap(plan, j) / <f64>((<i64>1) << (<i64>shift)));
  }
  for (let n = load<i32>(plan, ORDER); n < first; n++) {
    const at = into + ((<usize>n) << 2);
    let sum: i64 = 0;
    for (let j = 0; j < n && j < 8; j++) sum += tap(plan, j) * <i64>load<i32>(at - 4 - ((<usize>j) << 2));
    const value = <i64>load<i32>(at) + (sum >> <i64>shift);
    if (value < -limit || value >= limit) return false;
    store<i32>(at, <i32>value);
  }
  return true;
}
