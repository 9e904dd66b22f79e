// Proves a frame that was just written: what a decoder would make of it is what was taken in. Since the samples are
// known, none waits for the one before it: a predictor gives each from those that were meant, and what is left must be
// what the frame says. By induction that is decoding. In float64, in which all of it is exact, and so by other steps
// than those that wrote the frame.
import { crc16 } from "./flac_crc";
import { LEFT_SIDE, MID_SIDE, RIGHT_SIDE, readResidual } from "./flac_decode";
import { sumOf } from "./flac_input";
import { frameAt, inputAt, intsAt, ORDER_MAX, residualAt, rowAt, windowedAt } from "./flac_memory";
import { intact, nextByte, openBits, take, takeSigned, turnRound, unary } from "./flac_rice";

/** Coefficients of the subframe that is looked at, as float64. */
const taps = memory.data(64, 16);

/**
 * Whether the frame of `length` bytes that was written last, whose samples begin at byte `body`, gives the `count`
 * samples of each channel that were taken in, and no others. What was drafted is void afterwards.
 */
export function flacProve(body: i32, length: i32, count: i32, channels: i32, bits: i32, assignment: i32): bool {
  const frame = frameAt();
  const end = length - 2;
  turnRound(frame, length);
  openBits(body, end);
  if (assignment >= LEFT_SIDE) uncouple(count);
  for (let channel = 0; channel < channels; channel++) {
    const side = assignment >= LEFT_SIDE && channel === (assignment === RIGHT_SIDE ? 0 : 1);
    const middle = assignment === MID_SIDE && channel === 0;
    const x = side ? rowAt(0) : middle ? rowAt(1) : intsAt(channel);
    if (!subframe(x, count, bits + <i32>side) || !intact()) return false;
  }
  const check = ((<i32>load<u8>(frame + end)) << 8) | <i32>load<u8>(frame + end, 1);
  return nextByte() === end && crc16(frame, end) === check;
}

/**
 * The sum of `length` bytes: of the frame that was written last (`place` 0), or of the input from byte `begin` on (1).
 */
export function flacSumOf(place: i32, begin: i32, length: i32): u64 {
  return sumOf((place === 0 ? frameAt() : inputAt()) + begin, length);
}

/** The side to row 0, and to row 1 the middle of which a decoder makes the left channel. */
function uncouple(count: i32): void {
  const one = i32x4.splat(1);
  for (let n = 0; n < count; n += 4) {
    const at = (<usize>n) << 2;
    const left = v128.load(intsAt(0) + at);
    const side = i32x4.sub(left, v128.load(intsAt(1) + at));
    v128.store(rowAt(0) + at, side);
    v128.store(rowAt(1) + at, i32x4.sub(left, i32x4.shr_s(i32x4.add(side, one), 1)));
  }
}

function subframe(samples: usize, count: i32, bits: i32): bool {
  if (take(1) !== 0) return false;
  const type = <i32>take(6);
  const wasted = take(1) === 0 ? 0 : unary() + 1;
  const width = bits - wasted;
  if (width < 1) return false;
  const x = wasted > 0 ? shortened(samples, count, wasted) : samples;
  if (x === 0) return false;
  if (type === 0) return isAll(x, count, takeSigned(width));
  if (type === 1) return begins(x, count, width);
  if (type >= 8 && type <= 12) return predicted(x, count, width, type - 8, false);
  return type >= 32 && type - 31 <= ORDER_MAX && predicted(x, count, width, type - 31, true);
}

/** Without the lowest `wasted` bits; 0 where they are not all 0. */
function shortened(x: usize, count: i32, wasted: i32): usize {
  const into = rowAt(2);
  let lost = 0;
  for (let n = 0; n < count; n++) {
    const value = load<i32>(x + ((<usize>n) << 2));
    store<i32>(into + ((<usize>n) << 2), value >> wasted);
    lost |= value & ((1 << wasted) - 1);
  }
  return lost === 0 ? into : 0;
}

function isAll(x: usize, count: i32, value: i32): bool {
  for (let n = 0; n < count; n++) if (load<i32>(x + ((<usize>n) << 2)) !== value) return false;
  return true;
}

/** Whether the first `count` samples are those that come next. */
function begins(x: usize, count: i32, width: i32): bool {
  for (let n = 0; n < count; n++) if (load<i32>(x + ((<usize>n) << 2)) !== takeSigned(width)) return false;
  return true;
}

function predicted(x: usize, count: i32, width: i32, order: i32, linear: bool): bool {
  if (order > count || !begins(x, order, width)) return false;
  for (let j = 0; j < ORDER_MAX; j++) store<f64>(taps + ((<usize>j) << 3), 0);
  let shift = 0;
  if (linear) {
    const precision = <i32>take(4) + 1;
    shift = takeSigned(5);
    if (precision === 16 || shift < 0) return false;
    for (let j = 0; j < order; j++) store<f64>(taps + ((<usize>j) << 3), <f64>takeSigned(precision));
  } else {
    let tap = -1;
    for (let j = 0; j < order; j++) {
      // Binomial coefficients with alternating signs.
      tap = (-tap * (order - j)) / (j + 1);
      store<f64>(taps + ((<usize>j) << 3), <f64>tap);
    }
  }
  if (!readResidual(count, order)) return false;
  const y = windowedAt();
  for (let n = 0; n < count; n += 2) {
    v128.store(y + ((<usize>n) << 3), f64x2.convert_low_i32x4_s(v128.load64_zero(x + ((<usize>n) << 2))));
  }
  return order <= 4 ? leaves<i32>(y, count, order, shift) : leaves<i64>(y, count, order, shift);
}

function tap(j: i32): v128 {
  return v128.load64_splat(taps + ((<usize>j) << 3));
}

/**
 * Whether sample minus prediction is the residual, everywhere from `order` on. Eight products of 15 by 25 bits, and a
 * residual of 32, are far from the 53 bits of float64. `Reach` is i32 for orders up to 4, i64 for those above.
 */
function leaves<Reach>(y: usize, count: i32, order: i32, shift: i32): bool {
  const c0 = tap(0);
  const c1 = tap(1);
  const c2 = tap(2);
  const c3 = tap(3);
  const c4 = tap(4);
  const c5 = tap(5);
  const c6 = tap(6);
  const c7 = tap(7);
  const scale = f64x2.splat(1.0 / <f64>(1 << shift));
  const apart = residualAt();
  let wrong = i64x2.splat(0);
  let n = order;
  for (; n + 2 <= count; n += 2) {
    const at = y + ((<usize>n) << 3);
    let sum = f64x2.add(f64x2.mul(c0, v128.load(at - 8)), f64x2.mul(c1, v128.load(at - 16)));
    sum = f64x2.add(sum, f64x2.add(f64x2.mul(c2, v128.load(at - 24)), f64x2.mul(c3, v128.load(at - 32))));
    if (sizeof<Reach>() > 4) {
      const older = f64x2.add(f64x2.mul(c4, v128.load(at - 40)), f64x2.mul(c5, v128.load(at - 48)));
      const oldest = f64x2.add(f64x2.mul(c6, v128.load(at - 56)), f64x2.mul(c7, v128.load(at - 64)));
      sum = f64x2.add(sum, f64x2.add(older, oldest));
    }
    const left = f64x2.convert_low_i32x4_s(v128.load64_zero(apart + ((<usize>n) << 2)));
    wrong = v128.or(wrong, f64x2.ne(f64x2.add(f64x2.floor(f64x2.mul(sum, scale)), left), v128.load(at)));
  }
  if (v128.any_true(wrong)) return false;
  if (n === count) return true;
  let sum: f64 = 0;
  const last = y + ((<usize>n) << 3);
  for (let j = 0; j < order; j++) {
    sum += load<f64>(taps + ((<usize>j) << 3)) * load<f64>(last - 8 - ((<usize>j) << 3));
  }
  return floor(sum / <f64>(1 << shift)) + <f64>load<i32>(apart + ((<usize>n) << 2)) === load<f64>(last);
}
