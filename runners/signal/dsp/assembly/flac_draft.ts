// A residual and how it would be coded. A draft lies in memory as: bits (float64); order, precision, shift, order of the partitions,
// whether parameters are wide (int32 from 8 on); taps (8 int32 from 32 on); parameters (64 int32 from 64 on); folded residuals (from 320 on).
import { putBits, putRice } from "./flac_bits";
import { powerOfTwo } from "./flac_lpc";
import { numbersAt, triedAt } from "./flac_memory";

const PARTITION_ORDER_MAX: i32 = 6;
const NARROW_MAX: i32 = 14;
const WIDE_MAX: i32 = 30;

export function tapsOf(draft: usize): usize {
  return draft + 32;
}
function parametersOf(draft: usize): usize {
  return draft + 64;
}
export function foldedOf(draft: usize): usize {
  return draft + 320;
}
function sumAt(n: i32): usize {
  return numbersAt() + 128 * 8 + ((<usize>n) << 3);
}

/** As `RiceCoder.plan` of runners/signal/flac/rice.ts: returns the bits that the residual takes. */
export function plan(draft: usize, first: i32, count: i32): f64 {
  let order = 0;
  while (order < PARTITION_ORDER_MAX && (count & ((2 << order) - 1)) === 0 && count >> (order + 1) > first) order++;
  sumUp(foldedOf(draft), first, count, order);
  let least: f64 = Infinity;
  for (; order >= 0; order--) {
    least = tryOrder(draft, order, first, count, least);
    if (order === 0) break;
    for (let n = 0; n < 1 << (order - 1); n++) {
      store<f64>(sumAt(n), load<f64>(sumAt(2 * n)) + load<f64>(sumAt(2 * n + 1)));
    }
  }
  return least;
}

function tryOrder(draft: usize, order: i32, first: i32, count: i32, least: f64): f64 {
  const partitions = 1 << order;
  const tried = triedAt();
  let bits: f64 = 6;
  let highest = 0;
  for (let n = 0; n < partitions; n++) {
    const size = <f64>((count >> order) - (n === 0 ? first : 0));
    const sum = load<f64>(sumAt(n));
    const k = parameterFor(sum, size);
    store<i32>(tried + ((<usize>n) << 2), k);
    highest = max(highest, k);
    bits += riceBits(sum, size, k);
  }
  const wide = highest > NARROW_MAX;
  bits += <f64>(partitions * (wide ? 5 : 4));
  if (bits >= least) return least;
  store<i32>(draft, order, 20);
  store<i32>(draft, <i32>wide, 24);
  memory.copy(parametersOf(draft), tried, (<usize>partitions) << 2);
  return bits;
}

export function parameterFor(sum: f64, count: f64): i32 {
  if (!(sum > count)) return 0;
  return min(WIDE_MAX, 31 - <i32>clz(<u32>(sum / count)));
}

export function riceBits(sum: f64, count: f64, k: i32): f64 {
  return count * <f64>(k + 1) + sum * powerOfTwo(-k);
}

function sumUp(folded: usize, first: i32, count: i32, order: i32): void {
  const size = count >> order;
  // They are no part of the residual; then every partition is alike.
  for (let n = 0; n < first; n++) store<u32>(folded + ((<usize>n) << 2), 0);
  for (let part = 0; part < 1 << order; part++) {
    let low = i64x2.splat(0);
    let high = i64x2.splat(0);
    let n = 0;
    for (; n + 4 <= size; n += 4, folded += 16) {
      const four = v128.load(folded);
      low = i64x2.add(low, i64x2.extend_low_i32x4_u(four));
      high = i64x2.add(high, i64x2.extend_high_i32x4_u(four));
    }
    const both = i64x2.add(low, high);
    let sum = i64x2.extract_lane(both, 0) + i64x2.extract_lane(both, 1);
    for (; n < size; n++, folded += 4) sum += <i64>load<u32>(folded);
    store<f64>(sumAt(part), <f64>sum);
  }
}

/** Method, partitions and codes of the residual (RFC 9639 9.2.7). */
export function putResidual(draft: usize, first: i32, count: i32): void {
  const order = load<i32>(draft, 20);
  const wide = load<i32>(draft, 24);
  putBits(wide, 2);
  putBits(order, 4);
  const size = count >> order;
  for (let n = 0, from = first; n < 1 << order; n++) {
    const to = (n + 1) * size;
    const k = load<i32>(parametersOf(draft) + ((<usize>n) << 2));
    putBits(k, wide ? 5 : 4);
    putRice(foldedOf(draft) + ((<usize>from) << 2), to - from, k);
    from = to;
  }
}
