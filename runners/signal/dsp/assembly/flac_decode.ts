// Whole frames of FLAC as nearly all files have them. What is damaged, cut off or out of the ordinary is left to
// runners/signal/flac/frame_decoder.ts,
// which knows what to say of it.
import { crc16 } from "./flac_crc";
import { pack } from "./flac_input";
import { CHANNELS_MAX, inputAt, outputAt, plainAt, READ_MAX } from "./flac_memory";
import { ORDER, PLAN_BYTES, planAt, SHIFT, setTap, TAPS, tap, WASTED, WIDTH } from "./flac_plan";
import { restorePair } from "./flac_restore";
import { intact, nextByte, openBits, take, takeRice, takeSigned, turnRound, unary } from "./flac_rice";

export const LEFT_SIDE: i32 = 8;
export const RIGHT_SIDE: i32 = 9;
export const MID_SIDE: i32 = 10;

/** Takes the first `length` bytes (at most 512 KB) of the input as what frames are read from. */
export function flacReady(length: i32): void {
  turnRound(inputAt(), length);
}

/**
 * Reads a frame that begins at byte `begin` of the input and whose samples begin at `body`; there are `length` bytes.
 *
 * @returns the byte behind its check, or 0 where it is not complete, not right or not for this reader
 */
export function flacDecode(
  begin: i32,
  body: i32,
  length: i32,
  count: i32,
  channels: i32,
  bits: i32,
  assignment: i32,
): i32 {
  if (count > READ_MAX || channels > CHANNELS_MAX || bits > 24) return 0;
  openBits(body, length);
  for (let channel = 0; channel < channels; channel++) {
    const side = assignment >= LEFT_SIDE && channel === (assignment === RIGHT_SIDE ? 0 : 1);
    const plan = planAt(channel);
    if (!subframe(plan, outputAt(channel), count, bits + <i32>side) || !intact()) return 0;
    if (channels !== 2 && !restored(plan, outputAt(channel), count)) return 0;
  }
  if (channels === 2 && !restoredBoth(count)) return 0;
  const end = nextByte();
  if (end + 2 > length) return 0;
  const check = ((<i32>load<u8>(inputAt() + end)) << 8) | <i32>load<u8>(inputAt() + end, 1);
  if (crc16(inputAt() + begin, end - begin) !== check) return 0;
  if (assignment >= LEFT_SIDE) couple(outputAt(0), outputAt(1), count, assignment);
  for (let channel = 0; channel < channels; channel++) if (!inRange(outputAt(channel), count, bits)) return 0;
  return end + 2;
}

/** Turns what was read last into float32, full scale ±1, in its place; exact. */
export function flacFloats(count: i32, channels: i32, bits: i32): void {
  const unit = f32x4.splat(<f32>1 / <f32>(1 << (bits - 1)));
  for (let channel = 0; channel < channels; channel++) {
    const end = outputAt(channel) + ((<usize>count) << 2);
    for (let at = outputAt(channel); at < end; at += 16) {
      v128.store(at, f32x4.mul(f32x4.convert_i32x4_s(v128.load(at)), unit));
    }
  }
}

/** Packs what was read last, one or two channels of 9 to 24 bits, for the MD5. */
export function flacPack(count: i32, channels: i32, bits: i32): void {
  pack(outputAt(0), outputAt(1), count, channels, (bits + 7) >> 3, plainAt());
}

/** Takes a subframe apart: what begins it, then residuals, to `into`, and how samples are made of them to `plan`. */
function subframe(plan: usize, into: usize, count: i32, bits: i32): bool {
  if (take(1) !== 0) return false;
  const type = <i32>take(6);
  const wasted = take(1) === 0 ? 0 : unary() + 1;
  const width = bits - wasted;
  if (width < 1) return false;
  memory.fill(plan, 0, PLAN_BYTES);
  store<i32>(plan, width, WIDTH);
  store<i32>(plan, wasted, WASTED);
  if (type === 0) {
    const value = takeSigned(width);
    for (let n = 0; n < count; n++) store<i32>(into + ((<usize>n) << 2), value);
    return true;
  }
  if (type === 1) return warmUp(into, count, width, count);
  if (type >= 8 && type <= 12) return fixed(plan, into, count, width, type - 8);
  return type >= 32 && linear(plan, into, count, width, type - 31);
}

function warmUp(into: usize, count: i32, width: i32, order: i32): bool {
  if (order > count) return false;
  for (let n = 0; n < order; n++) store<i32>(into + ((<usize>n) << 2), takeSigned(width));
  return true;
}

function fixed(plan: usize, into: usize, count: i32, width: i32, order: i32): bool {
  store<i32>(plan, order, ORDER);
  let tap = -1;
  for (let j = 0; j < order; j++) {
    // Binomial coefficients with alternating signs.
    tap = (-tap * (order - j)) / (j + 1);
    setTap(plan, j, tap);
  }
  return warmUp(into, count, width, order) && readResidual(into, count, order);
}

function linear(plan: usize, into: usize, count: i32, width: i32, order: i32): bool {
  store<i32>(plan, order, ORDER);
  if (!warmUp(into, count, width, order)) return false;
  const precision = <i32>take(4) + 1;
  const shift = takeSigned(5);
  if (precision === 16 || shift < 0) return false;
  store<i32>(plan, shift, SHIFT);
  for (let j = 0; j < order; j++) setTap(plan, j, takeSigned(precision));
  return readResidual(into, count, order);
}

/** The residual, RFC 9639 9.2.7. */
function readResidual(into: usize, count: i32, first: i32): bool {
  const method = <i32>take(2);
  if (method > 1) return false;
  const order = <i32>take(4);
  const size = count >> order;
  if (size << order !== count || size < first) return false;
  const bits = 4 + method;
  const uncoded = (1 << bits) - 1;
  for (let to = size, from = first; to <= count; from = to, to += size) {
    const k = <i32>take(bits);
    const at = into + ((<usize>from) << 2);
    if (k < uncoded) {
      if (!takeRice(at, to - from, k)) return false;
    } else {
      const width = <i32>take(5);
      for (let n = 0; n < to - from; n++) store<i32>(at + ((<usize>n) << 2), width === 0 ? 0 : takeSigned(width));
    }
    if (!intact()) return false;
  }
  return true;
}

/** Makes samples of what `subframe` left of a channel; false where one is out of range. */
function restored(plan: usize, into: usize, count: i32): bool {
  const right = load<i32>(plan, ORDER) <= 8 ? restore<i32>(plan, into, count) : restore<i64>(plan, into, count);
  return right && widened(plan, into, count);
}

/** Gives back the lowest bits, which were all 0. */
function widened(plan: usize, into: usize, count: i32): bool {
  const wasted = load<i32>(plan, WASTED);
  if (wasted === 0) return true;
  for (let n = 0; n < count; n += 4) {
    const at = into + ((<usize>n) << 2);
    v128.store(at, i32x4.shl(v128.load(at), wasted));
  }
  return true;
}

/** The same of two channels, side by side where both predictors are short enough. */
function restoredBoth(count: i32): bool {
  const left = planAt(0);
  const right = planAt(1);
  if (load<i32>(left, ORDER) > 8 || load<i32>(right, ORDER) > 8)
    return restored(left, outputAt(0), count) && restored(right, outputAt(1), count);
  return restorePair(left, right, count) && widened(left, outputAt(0), count) && widened(right, outputAt(1), count);
}

/**
 * Samples from residuals, in their place; false where one is outside its bits. Sums of 8 products of 15 by 25 bits are
 * far from 64 bits; once a sample is out of range those after it mean nothing. Four a turn, so that past samples seldom
 * change places.
 *
 * `Reach` is i32 for orders up to 8; i64 for those above.
 */
function restore<Reach>(plan: usize, into: usize, count: i32): bool {
  const order = load<i32>(plan, ORDER);
  const width = load<i32>(plan, WIDTH);
  const shift = load<i32>(plan, SHIFT);
  const c0 = tap(plan, 0);
  const c1 = tap(plan, 1);
  const c2 = tap(plan, 2);
  const c3 = tap(plan, 3);
  const c4 = tap(plan, 4);
  const c5 = tap(plan, 5);
  const c6 = tap(plan, 6);
  const c7 = tap(plan, 7);
  const down = <i64>shift;
  const limit = (<i64>1) << (<i64>(width - 1));
  let at = into + ((<usize>order) << 2);
  const end = into + ((<usize>count) << 2);
  const full = at + ((end - at) & ~15);
  let x0 = order > 0 ? past(at, 1) : 0;
  let x1 = order > 1 ? past(at, 2) : 0;
  let x2 = order > 2 ? past(at, 3) : 0;
  let x3 = order > 3 ? past(at, 4) : 0;
  let x4 = order > 4 ? past(at, 5) : 0;
  let x5 = order > 5 ? past(at, 6) : 0;
  let x6 = order > 6 ? past(at, 7) : 0;
  let x7 = order > 7 ? past(at, 8) : 0;
  let outside: i64 = 0;
  for (; at < full; at += 16) {
    if (sizeof<Reach>() > 4) addOlder(plan, at, order);
    // The newest sample enters last: everything else is ready before it is known.
    const s0 = c7 * x7 + c6 * x6 + (c5 * x5 + c4 * x4) + (c3 * x3 + c2 * x2) + c1 * x1 + c0 * x0;
    const a = <i64>load<i32>(at) + ((sizeof<Reach>() > 4 ? s0 + load<i64>(older, 0) : s0) >> down);
    const s1 = c7 * x6 + c6 * x5 + (c5 * x4 + c4 * x3) + (c3 * x2 + c2 * x1) + c1 * x0 + c0 * a;
    const b = <i64>load<i32>(at, 4) + ((sizeof<Reach>() > 4 ? s1 + load<i64>(older, 8) : s1) >> down);
    const s2 = c7 * x5 + c6 * x4 + (c5 * x3 + c4 * x2) + (c3 * x1 + c2 * x0) + c1 * a + c0 * b;
    const c = <i64>load<i32>(at, 8) + ((sizeof<Reach>() > 4 ? s2 + load<i64>(older, 16) : s2) >> down);
    const s3 = c7 * x4 + c6 * x3 + (c5 * x2 + c4 * x1) + (c3 * x0 + c2 * a) + c1 * b + c0 * c;
    const d = <i64>load<i32>(at, 12) + ((sizeof<Reach>() > 4 ? s3 + load<i64>(older, 24) : s3) >> down);
    outside |= (a + limit) | (b + limit) | (c + limit) | (d + limit);
    store<i32>(at, <i32>a);
    store<i32>(at, <i32>b, 4);
    store<i32>(at, <i32>c, 8);
    store<i32>(at, <i32>d, 12);
    x7 = x3;
    x6 = x2;
    x5 = x1;
    x4 = x0;
    x3 = a;
    x2 = b;
    x1 = c;
    x0 = d;
  }
  for (; at < end; at += 4) {
    if (sizeof<Reach>() > 4) addOlder(plan, at, order);
    const sum = c7 * x7 + c6 * x6 + (c5 * x5 + c4 * x4) + (c3 * x3 + c2 * x2) + c1 * x1 + c0 * x0;
    const value = <i64>load<i32>(at) + ((sizeof<Reach>() > 4 ? sum + load<i64>(older) : sum) >> down);
    outside |= value + limit;
    store<i32>(at, <i32>value);
    x7 = x6;
    x6 = x5;
    x5 = x4;
    x4 = x3;
    x3 = x2;
    x2 = x1;
    x1 = x0;
    x0 = value;
  }
  return outside >> <i64>width === 0;
}

function past(at: usize, back: i32): i64 {
  return <i64>load<i32>(at - ((<usize>back) << 2));
}

/** Four int64: what samples older than eight add to the four sums that come next. */
const older = memory.data(32, 16);

/** Fills `older` for the sums of the samples at `at` and the three behind it: all that they need is there already. */
function addOlder(plan: usize, at: usize, order: i32): void {
  let low = i64x2.splat(0);
  let high = i64x2.splat(0);
  for (let j = 8; j < order; j++) {
    const taken = v128.load32_splat(plan + TAPS + ((<usize>j) << 2));
    const past = v128.load(at - 4 - ((<usize>j) << 2));
    low = i64x2.add(low, i64x2.extmul_low_i32x4_s(past, taken));
    high = i64x2.add(high, i64x2.extmul_high_i32x4_s(past, taken));
  }
  v128.store(older, low);
  v128.store(older, high, 16);
}

/** Left and right from what was coded instead, in place. */
function couple(first: usize, second: usize, count: i32, assignment: i32): void {
  const one = i32x4.splat(1);
  for (let n = 0; n < count; n += 4, first += 16, second += 16) {
    const a = v128.load(first);
    const b = v128.load(second);
    if (assignment === LEFT_SIDE) {
      v128.store(second, i32x4.sub(a, b));
    } else if (assignment === RIGHT_SIDE) {
      v128.store(first, i32x4.add(a, b));
    } else if (assignment === MID_SIDE) {
      // The middle was halved downwards: where the side is odd, so was the sum.
      const left = i32x4.add(a, i32x4.shr_s(i32x4.add(b, one), 1));
      v128.store(first, left);
      v128.store(second, i32x4.sub(left, b));
    }
  }
}

function inRange(at: usize, count: i32, bits: i32): bool {
  const limit = i32x4.splat(1 << (bits - 1));
  const end = at + ((<usize>(count & ~3)) << 2);
  let outside = i32x4.splat(0);
  for (; at < end; at += 16) outside = v128.or(outside, i32x4.add(v128.load(at), limit));
  let all =
    i32x4.extract_lane(outside, 0) |
    i32x4.extract_lane(outside, 1) |
    i32x4.extract_lane(outside, 2) |
    i32x4.extract_lane(outside, 3);
  for (let n = 0; n < (count & 3); n++) all |= load<i32>(at + ((<usize>n) << 2)) + (1 << (bits - 1));
  return all >> bits === 0;
}
