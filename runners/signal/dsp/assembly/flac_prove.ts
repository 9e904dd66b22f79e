// Proves a frame that was just written: what a decoder would make of it is what was taken in. Samples and residuals are
// known, so nothing waits for what comes before it: what was drafted must be what the frame's codes say, and what a
// predictor gives of the samples that were meant, with that added, must be the next of them. By induction that is
// decoding, whatever was drafted. Predictions are made in float64, in which all of it is exact, and codes are read, not
// written a second time: so by other steps than those that wrote the frame.
import { crc16 } from "./flac_crc";
import { LEFT_SIDE, MID_SIDE, RIGHT_SIDE } from "./flac_decode";
import { writtenFolded } from "./flac_encode";
import { sumOf } from "./flac_input";
import { frameAt, inputAt, intsAt, ORDER_MAX, rowAt, windowedAt } from "./flac_memory";
import { holdsRice, intact, nextByte, openBits, take, takeSigned, turnRound, unary } from "./flac_rice";

/** Coefficients of the subframe that is looked at, as float64. */
const taps = memory.data(64, 16);

const ones = memory.data(8, 8);

/** Samples that are looked at together: in float64 they stay next to the processor. Even. */
const STRETCH: i32 = 512;

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
    if (!subframe(channel, x, count, bits + <i32>side) || !intact()) return false;
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

function subframe(which: i32, samples: usize, count: i32, bits: i32): bool {
  if (take(1) !== 0) return false;
  const type = <i32>take(6);
  const wasted = take(1) === 0 ? 0 : unary() + 1;
  const width = bits - wasted;
  if (width < 1) return false;
  const x = wasted > 0 ? shortened(samples, count, wasted) : samples;
  if (x === 0) return false;
  if (type === 0) return isAll(x, count, takeSigned(width));
  if (type === 1) return begins(x, count, width);
  if (type >= 8 && type <= 12) return predicted(which, x, count, width, type - 8, false);
  return type >= 32 && type - 31 <= ORDER_MAX && predicted(which, x, count, width, type - 31, true);
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

function predicted(which: i32, x: usize, count: i32, width: i32, order: i32, linear: bool): bool {
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
  const folded = writtenFolded(which);
  if (!holdsResidual(folded, count, order)) return false;
  const y = windowedAt();
  for (let from = 0; from < count; from += STRETCH) {
    const to = min(count, from + STRETCH);
    for (let n = from; n < to; n += 2) {
      v128.store(y + ((<usize>n) << 3), f64x2.convert_low_i32x4_s(v128.load64_zero(x + ((<usize>n) << 2))));
    }
    const first = max(from, order);
    const right =
      order <= 4 ? leaves<i32>(y, folded, first, to, order, shift) : leaves<i64>(y, folded, first, to, order, shift);
    if (!right) return false;
  }
  return true;
}

/** Whether the residual that comes next (RFC 9639 9.2.7) is what lies at `folded`. Partitions that are not coded are never written. */
function holdsResidual(folded: usize, count: i32, first: i32): bool {
  const method = <i32>take(2);
  if (method > 1) return false;
  const order = <i32>take(4);
  const size = count >> order;
  if (size << order !== count || size < first) return false;
  const bits = 4 + method;
  for (let to = size, from = first; to <= count; from = to, to += size) {
    const k = <i32>take(bits);
    if (k === (1 << bits) - 1 || !holdsRice(folded + ((<usize>from) << 2), to - from, k)) return false;
  }
  return true;
}

function tap(j: i32): v128 {
  return v128.load64_splat(taps + ((<usize>j) << 3));
}

/**
 * Whether sample minus prediction is the residual, everywhere between `from`, at least `order`, and `to`. Eight
 * products of 15 by 25 bits, and a residual of 32, are far from the 53 bits of float64. `Reach` is i32 for orders up to
 * 4, i64 for those above.
 */
function leaves<Reach>(y: usize, folded: usize, from: i32, to: i32, order: i32, shift: i32): bool {
  const c0 = tap(0);
  const c1 = tap(1);
  const c2 = tap(2);
  const c3 = tap(3);
  const c4 = tap(4);
  const c5 = tap(5);
  const c6 = tap(6);
  const c7 = tap(7);
  const scale = f64x2.splat(1.0 / <f64>(1 << shift));
  // What is loaded stays in a register; a constant would be made anew at each step on Bun. For the same reason offsets are positive.
  store<i64>(ones, 0x1_0000_0001);
  const one = v128.load64_splat(ones);
  let right = i64x2.splat(-1);
  let n = from;
  for (; n + 2 <= to; n += 2) {
    const at = y + ((<usize>n) << 3) - 64;
    let sum = f64x2.add(f64x2.mul(c0, v128.load(at, 56)), f64x2.mul(c1, v128.load(at, 48)));
    sum = f64x2.add(sum, f64x2.add(f64x2.mul(c2, v128.load(at, 40)), f64x2.mul(c3, v128.load(at, 32))));
    if (sizeof<Reach>() > 4) {
      const older = f64x2.add(f64x2.mul(c4, v128.load(at, 24)), f64x2.mul(c5, v128.load(at, 16)));
      const oldest = f64x2.add(f64x2.mul(c6, v128.load(at, 8)), f64x2.mul(c7, v128.load(at)));
      sum = f64x2.add(sum, f64x2.add(older, oldest));
    }
    const two = v128.load64_zero(folded + ((<usize>n) << 2));
    const left = f64x2.convert_low_i32x4_s(
      v128.xor(i32x4.shr_u(two, 1), i32x4.sub(i32x4.splat(0), v128.and(two, one))),
    );
    right = v128.and(right, f64x2.eq(f64x2.add(f64x2.floor(f64x2.mul(sum, scale)), left), v128.load(at, 64)));
  }
  if (!i64x2.all_true(right)) return false;
  if (n >= to) return true;
  let sum: f64 = 0;
  const last = y + ((<usize>n) << 3);
  for (let j = 0; j < order; j++) {
    sum += load<f64>(taps + ((<usize>j) << 3)) * load<f64>(last - 8 - ((<usize>j) << 3));
  }
  const left = load<u32>(folded + ((<usize>n) << 2));
  return floor(sum / <f64>(1 << shift)) + <f64>(<i32>(left >> 1) ^ -(<i32>(left & 1))) === load<f64>(last);
}
