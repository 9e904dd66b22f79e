// Whole frames of FLAC: the choices of runners/signal/flac/frame_encoder.ts and subframe_encoder.ts, and so the same bytes.
import { beginBits, endBits, putBits } from "./flac_bits";
import { crc8, crc16, makeTables } from "./flac_crc";
import { LEFT_SIDE, MID_SIDE, RIGHT_SIDE } from "./flac_decode";
import { foldedOf, parameterFor, plan, putResidual, riceBits, tapsOf } from "./flac_draft";
import { pack, toWhole } from "./flac_input";
import { analyse, order as bestOrder, expected, log2, orders, quantise } from "./flac_lpc";
import {
  draftAt,
  floatsAt,
  frameAt,
  inputAt,
  intsAt,
  ORDER_MAX,
  outputAt,
  packedAt,
  plainAt,
  rowAt,
  settle,
} from "./flac_memory";
import { added, both, differences, differencesAt, GROUPS_FROM, residuals, split, within } from "./flac_residual";

export { flacBytes } from "./flac_memory";

const CONSTANT: i32 = 0;
const VERBATIM: i32 = 1;
const FIXED: i32 = 8;
const LPC: i32 = 32;
const FIXED_ORDERS: i32 = 5;
const LN2: f64 = Math.LN2;
const PRECISION: i32 = 14;

/** Takes `flacBytes()` zeroed bytes at `at` as the workspace of this thread. */
export function flacOpen(at: usize): void {
  settle(at);
  makeTables();
}

/** Where the kernels look for samples (0 and 1, float32), and leave their bytes (2), a frame (3), and what they read (from 4 on). */
export function flacPlace(which: i32): usize {
  if (which < 2) return floatsAt(which);
  if (which === 2) return packedAt();
  if (which === 3) return frameAt();
  if (which === 4) return inputAt();
  return which === 5 ? plainAt() : outputAt(which - 6);
}

/**
 * Takes in `count` (1 to 4096) float32 of each channel, full scale ±1, as whole numbers of `bits` bits, and packs them for the MD5.
 *
 * @returns how many samples are no whole steps, or out of range
 */
export function flacTake(count: i32, channels: i32, bits: i32): i32 {
  let wrong = 0;
  for (let channel = 0; channel < channels; channel++)
    wrong += toWhole(floatsAt(channel), intsAt(channel), count, bits);
  if (wrong === 0) pack(intsAt(0), intsAt(1), count, channels, (bits + 7) >> 3, packedAt());
  return wrong;
}

/**
 * Writes the frame of what was taken last. Its head stands there already, `head` bytes without channel assignment and check.
 *
 * @returns bytes of the frame
 */
export function flacEncode(count: i32, channels: i32, bits: i32, head: i32): i32 {
  const left = intsAt(0);
  const right = intsAt(1);
  const frame = frameAt();
  const way = channels === 1 ? 0 : decorrelation(left, right, count, bits);
  store<u8>(frame, <u8>(load<u8>(frame, 3) | (way << 4)), 3);
  store<u8>(frame + head, <u8>crc8(frame, head));
  beginBits(frame + head + 1);
  if (way === 0) {
    subframe(0, left, count, bits);
  } else if (way === 1) {
    subframe(0, left, count, bits);
    subframe(1, right, count, bits);
  } else {
    const side = rowAt(0);
    difference(left, right, count, side);
    if (way === RIGHT_SIDE) {
      subframe(0, side, count, bits + 1);
      subframe(1, right, count, bits);
    } else {
      if (way === MID_SIDE) {
        middle(left, right, count, rowAt(1));
        subframe(0, rowAt(1), count, bits);
      } else {
        subframe(0, left, count, bits);
      }
      subframe(1, side, count, bits + 1);
    }
  }
  const end = endBits();
  const length = <i32>(end - frame);
  const check = crc16(frame, length);
  store<u8>(end, <u8>(check >> 8));
  store<u8>(end, <u8>check, 1);
  return length + 2;
}

/** Groups of four samples that are looked at lie so far apart. */
const APART: i32 = 12;

function decorrelation(left: usize, right: usize, count: i32, bits: i32): i32 {
  if (count < 3) return 1;
  let sumLeft: i64 = 0;
  let sumRight: i64 = 0;
  let sumMiddle: i64 = 0;
  let sumSide: i64 = 0;
  let seen = 0;
  if (count < GROUPS_FROM) {
    for (let n = 2; n < count; n += 3) {
      const at = (<usize>n) << 2;
      const l = load<i32>(left + at) - 2 * load<i32>(left + at - 4) + load<i32>(left + at - 8);
      const r = load<i32>(right + at) - 2 * load<i32>(right + at - 4) + load<i32>(right + at - 8);
      sumLeft += <i64>abs(l);
      sumRight += <i64>abs(r);
      sumMiddle += <i64>abs(l + r);
      sumSide += <i64>abs(l - r);
      seen++;
    }
  } else {
    let all_left = i64x2.splat(0);
    let all_right = i64x2.splat(0);
    let all_middle = i64x2.splat(0);
    let all_side = i64x2.splat(0);
    for (let n = 4; n + 4 <= count; n += APART) {
      const l = bendOf(left + ((<usize>n) << 2));
      const r = bendOf(right + ((<usize>n) << 2));
      all_left = added(all_left, l);
      all_right = added(all_right, r);
      all_middle = added(all_middle, i32x4.add(l, r));
      all_side = added(all_side, i32x4.sub(l, r));
      seen += 4;
    }
    sumLeft = both(all_left);
    sumRight = both(all_right);
    sumMiddle = both(all_middle);
    sumSide = both(all_side);
  }
  const count_seen = <f64>seen;
  const stored = <f64>(seen * bits);
  const l = min(stored, cost(2 * <f64>sumLeft, count_seen));
  const r = min(stored, cost(2 * <f64>sumRight, count_seen));
  const m = min(stored, cost(<f64>sumMiddle, count_seen));
  const s = min(stored + count_seen, cost(2 * <f64>sumSide, count_seen));
  const least = min(min(l + r, l + s), min(r + s, m + s));
  if (least === l + r) return 1;
  if (least === m + s) return MID_SIDE;
  return least === l + s ? LEFT_SIDE : RIGHT_SIDE;
}

/** Second differences of four samples. */
function bendOf(at: usize): v128 {
  const before = v128.load(at - 4);
  return i32x4.sub(i32x4.sub(v128.load(at), before), i32x4.sub(before, v128.load(at - 8)));
}

function cost(sum: f64, count: f64): f64 {
  return riceBits(sum, count, parameterFor(sum, count));
}

function difference(left: usize, right: usize, count: i32, into: usize): void {
  for (let n = 0; n < count; n += 4) {
    const at = (<usize>n) << 2;
    v128.store(into + at, i32x4.sub(v128.load(left + at), v128.load(right + at)));
  }
}

function middle(left: usize, right: usize, count: i32, into: usize): void {
  for (let n = 0; n < count; n += 4) {
    const at = (<usize>n) << 2;
    v128.store(into + at, i32x4.shr_s(i32x4.add(v128.load(left + at), v128.load(right + at)), 1));
  }
}

function subframe(which: i32, samples: usize, count: i32, all_bits: i32): void {
  if (isConstant(samples, count)) {
    putHead(CONSTANT, 0);
    putBits(load<i32>(samples), all_bits);
    return;
  }
  const wasted = wastedBits(samples, count);
  let x = samples;
  if (wasted > 0) {
    x = rowAt(2);
    for (let n = 0; n < count; n += 4) {
      v128.store(x + ((<usize>n) << 2), i32x4.shr_s(v128.load(samples + ((<usize>n) << 2)), wasted));
    }
  }
  const bits = all_bits - wasted;
  const plain = <f64>(count * bits);
  best = draftAt(2 * which);
  spare = draftAt(2 * which + 1);
  store<f64>(best, plain);
  if (count > FIXED_ORDERS) draftAll(x, count, bits);
  if (load<f64>(best) >= plain) {
    putHead(VERBATIM, wasted);
    for (let n = 0; n < count; n++) putBits(load<i32>(x + ((<usize>n) << 2)), bits);
    return;
  }
  const order = load<i32>(best, 8);
  const precision = load<i32>(best, 12);
  putHead(precision === 0 ? FIXED + order : LPC + order - 1, wasted);
  for (let n = 0; n < order; n++) putBits(load<i32>(x + ((<usize>n) << 2)), bits);
  if (precision > 0) {
    putBits(precision - 1, 4);
    putBits(load<i32>(best, 16), 5);
    for (let j = 0; j < order; j++) putBits(load<i32>(tapsOf(best) + ((<usize>j) << 2)), precision);
  }
  putResidual(best, order, count);
  store<usize>(written + ((<usize>which) << 2), best);
}

/** Drafts that the two subframes of the last frame were written by. */
const written = memory.data(8, 4);

/** Folded residuals of such a draft; those before its order mean nothing. */
export function writtenFolded(which: i32): usize {
  return foldedOf(load<usize>(written + ((<usize>which) << 2)));
}

let best: usize = 0;
let spare: usize = 0;

function draftAll(x: usize, count: i32, bits: i32): void {
  split(x, count);
  const seen = differences(x, count);
  const sums = differencesAt();
  let order = 0;
  for (let tried = 1; tried < FIXED_ORDERS; tried++) {
    if (load<f64>(sums + ((<usize>tried) << 3)) < load<f64>(sums + ((<usize>order) << 3))) order = tried;
  }
  const sum = load<f64>(sums + ((<usize>order) << 3));
  const worth = count > 4 * ORDER_MAX && sum > 0;
  if (worth) analyse(x, count, bits);
  const mean = (LN2 * sum) / <f64>seen;
  const fixed = mean > 1 ? <f64>(count - order) * log2(mean) + <f64>(order * bits) : 0;
  if (!worth || fixed < 1.2 * expected) {
    const taps = tapsOf(spare);
    for (let j = 0; j < ORDER_MAX; j++) store<i32>(taps + ((<usize>j) << 2), j < order ? fixedTap(order, j) : 0);
    drafted(order, 0, 0, x, count, bits);
  }
  if (!worth || bestOrder === 0) return;
  draftLinear(bestOrder, x, count, bits);
  if (bestOrder < orders) draftLinear(orders, x, count, bits);
}

function fixedTap(order: i32, j: i32): i32 {
  // Binomial coefficients with alternating signs.
  let value = 1;
  for (let n = 0; n <= j; n++) value = (value * (order - n)) / (n + 1);
  return j & 1 ? -value : value;
}

function draftLinear(order: i32, x: usize, count: i32, bits: i32): void {
  const shift = quantise(order, tapsOf(spare));
  if (shift >= 0) drafted(order, PRECISION, shift, x, count, bits);
}

/** Keeps what `spare` is with these taps where it is shorter than the best so far. */
function drafted(order: i32, precision: i32, shift: i32, x: usize, count: i32, bits: i32): void {
  const draft = spare;
  const taps = tapsOf(draft);
  let weight = 0;
  for (let j = 0; j < order; j++) weight += abs(load<i32>(taps + ((<usize>j) << 2)));
  // In 64 bits, and times 2^shift, for there are no fractions in it.
  const reach = ((<i64>1) << (bits - 1)) * (((<i64>1) << shift) + <i64>weight) + ((<i64>1) << shift);
  if (reach >= (<i64>1) << (30 + shift) && !within(x, count, taps, order, shift)) return;
  residuals(x, count, taps, order, shift, foldedOf(draft));
  const total = plan(draft, order, count) + <f64>(order * bits) + <f64>(precision === 0 ? 0 : 9 + order * precision);
  store<f64>(draft, total);
  if (total >= load<f64>(best)) return;
  store<i32>(draft, order, 8);
  store<i32>(draft, precision, 12);
  store<i32>(draft, shift, 16);
  spare = best;
  best = draft;
}

function putHead(type: i32, wasted: i32): void {
  putBits((type << 1) | <i32>(wasted > 0), 8);
  if (wasted > 0) putBits(1, wasted);
}

function isConstant(x: usize, count: i32): bool {
  const first = load<i32>(x);
  for (let n = 1; n < count; n++) if (load<i32>(x + ((<usize>n) << 2)) !== first) return false;
  return true;
}

function wastedBits(x: usize, count: i32): i32 {
  let used = 0;
  for (let n = 0; n < count; n++) {
    used |= load<i32>(x + ((<usize>n) << 2));
    if ((used & 1) !== 0) return 0;
  }
  return ctz(used);
}
