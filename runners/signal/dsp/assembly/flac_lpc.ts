// The predictors of runners/signal/flac/lpc.ts, operation by operation: every double is the same, and so is every coefficient.
import { numbersAt, ORDER_MAX, taperAt, windowedAt } from "./flac_memory";

const PRECISION: i32 = 14;
const SHIFT_MAX: i32 = 15;
const LN2: f64 = Math.LN2;
const LOG2E: f64 = Math.LOG2E;

export let orders: i32 = 0;
export let order: i32 = 0;
export let expected: f64 = Infinity;
let tapered: i32 = 0;

function correlation(lag: i32): f64 {
  return load<f64>(numbersAt() + ((<usize>lag) << 3));
}
function recursionAt(): usize {
  return numbersAt() + 80;
}
function errorAt(i: i32): usize {
  return numbersAt() + 144 + ((<usize>i) << 3);
}
function rowOf(i: i32): usize {
  return numbersAt() + 208 + ((<usize>i) << 6);
}

/** Of the power of what is predicted: where less is left, float32 is too coarse to tell how much. */
const LEFT_MIN: f64 = 1.0 / <f64>(1 << 22);

export function analyse(x: usize, count: i32, bits: i32): void {
  taper(count);
  correlate(x, count);
  orders = recurse();
  if (orders < ORDER_MAX || load<f64>(errorAt(ORDER_MAX - 1)) < LEFT_MIN * correlation(0)) {
    correlateFinely(x, count);
    orders = recurse();
  }
  order = 0;
  expected = Infinity;
  for (let tried = 1; tried <= orders; tried++) {
    const each = max<f64>(0, 0.5 * log2((0.5 * LN2 * LN2 * load<f64>(errorAt(tried - 1))) / <f64>count));
    const all = <f64>(count - tried) * each + <f64>(tried * (bits + PRECISION));
    if (all >= expected) continue;
    expected = all;
    order = tried;
  }
}

/**
 * Coefficients of order `degree` as int32 to `taps`, zeros behind them up to `ORDER_MAX`; returns the shift, or -1
 * where there are none.
 */
export function quantise(degree: i32, taps: usize): i32 {
  const row = rowOf(degree - 1);
  let largest: f64 = 0;
  for (let j = 0; j < degree; j++) largest = max(largest, abs(load<f64>(row + ((<usize>j) << 3))));
  if (!(largest > powerOfTwo(-SHIFT_MAX) && largest < powerOfTwo(PRECISION - 2))) return -1;
  const shift = min(SHIFT_MAX, PRECISION - 2 - exponentOf(largest));
  const limit: f64 = <f64>(1 << (PRECISION - 1));
  let carried: f64 = 0;
  for (let j = 0; j < ORDER_MAX; j++) {
    let tap: f64 = 0;
    if (j < degree) {
      const wanted = load<f64>(row + ((<usize>j) << 3)) * powerOfTwo(shift) + carried;
      tap = max(-limit, min(limit - 1, floor(wanted + 0.5)));
      carried = wanted - tap;
    }
    store<i32>(taps + ((<usize>j) << 2), <i32>tap);
  }
  return shift;
}

function taper(count: i32): void {
  if (tapered === count) return;
  tapered = count;
  for (let n = 0; n < count; n++) {
    const e = min<f64>(1, 1.5 * (1 - abs(<f64>(2 * n - (count - 1)) / <f64>(count + 1))));
    store<f32>(taperAt() + ((<usize>n) << 2), <f32>(e * e * (3 - 2 * e)));
  }
}

/** Bytes of float32 that are added up before the sum goes on in float64: 64 in each of four lanes. */
const RUN: usize = 1024;

/** In float32, lag by lag four products at a time. Before what is correlated there are zeros. */
function correlate(x: usize, count: i32): void {
  const y = windowedAt();
  for (let n = 0; n < count; n += 4) {
    const at = (<usize>n) << 2;
    v128.store(y + at, f32x4.mul(f32x4.convert_i32x4_s(v128.load(x + at)), v128.load(taperAt() + at)));
  }
  const end = y + ((<usize>count) << 2);
  v128.store(end, i32x4.splat(0));
  let t0 = f64x2.splat(0);
  let t1 = f64x2.splat(0);
  let t2 = f64x2.splat(0);
  let t3 = f64x2.splat(0);
  let t4 = f64x2.splat(0);
  let t5 = f64x2.splat(0);
  let t6 = f64x2.splat(0);
  let t7 = f64x2.splat(0);
  let t8 = f64x2.splat(0);
  // From the oldest on that is multiplied: offsets of loads are free where they are positive, on Bun.
  for (let at = y - 32; at < end - 32; ) {
    const stop = min(end - 32, at + RUN);
    let s0 = f32x4.splat(0);
    let s1 = f32x4.splat(0);
    let s2 = f32x4.splat(0);
    let s3 = f32x4.splat(0);
    let s4 = f32x4.splat(0);
    let s5 = f32x4.splat(0);
    let s6 = f32x4.splat(0);
    let s7 = f32x4.splat(0);
    let s8 = f32x4.splat(0);
    for (; at < stop; at += 16) {
      const four = v128.load(at, 32);
      s0 = f32x4.add(s0, f32x4.mul(four, four));
      s1 = f32x4.add(s1, f32x4.mul(four, v128.load(at, 28)));
      s2 = f32x4.add(s2, f32x4.mul(four, v128.load(at, 24)));
      s3 = f32x4.add(s3, f32x4.mul(four, v128.load(at, 20)));
      s4 = f32x4.add(s4, f32x4.mul(four, v128.load(at, 16)));
      s5 = f32x4.add(s5, f32x4.mul(four, v128.load(at, 12)));
      s6 = f32x4.add(s6, f32x4.mul(four, v128.load(at, 8)));
      s7 = f32x4.add(s7, f32x4.mul(four, v128.load(at, 4)));
      s8 = f32x4.add(s8, f32x4.mul(four, v128.load(at)));
    }
    t0 = f64x2.add(t0, wide(s0));
    t1 = f64x2.add(t1, wide(s1));
    t2 = f64x2.add(t2, wide(s2));
    t3 = f64x2.add(t3, wide(s3));
    t4 = f64x2.add(t4, wide(s4));
    t5 = f64x2.add(t5, wide(s5));
    t6 = f64x2.add(t6, wide(s6));
    t7 = f64x2.add(t7, wide(s7));
    t8 = f64x2.add(t8, wide(s8));
  }
  put(0, t0);
  put(1, t1);
  put(2, t2);
  put(3, t3);
  put(4, t4);
  put(5, t5);
  put(6, t6);
  put(7, t7);
  put(8, t8);
}

function wide(four: v128): v128 {
  return f64x2.add(f64x2.promote_low_f32x4(four), f64x2.promote_low_f32x4(v128.shuffle<f32>(four, four, 2, 3, 2, 3)));
}

function put(lag: i32, sum: v128): void {
  store<f64>(numbersAt() + ((<usize>lag) << 3), f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1));
}

/** The same in float64. */
function correlateFinely(x: usize, count: i32): void {
  const y = windowedAt();
  for (let n = 0; n < count; n += 2) {
    const at = (<usize>n) << 2;
    const two = f64x2.convert_low_i32x4_s(v128.load64_zero(x + at));
    v128.store(y + 2 * at, f64x2.mul(two, f64x2.promote_low_f32x4(v128.load64_zero(taperAt() + at))));
  }
  // Two lags a vector, so that each sum is added up in the order of time. Before y there are zeros.
  let s0 = f64x2.splat(0);
  let s2 = f64x2.splat(0);
  let s4 = f64x2.splat(0);
  let s6 = f64x2.splat(0);
  let s8 = f64x2.splat(0);
  const end = y + ((<usize>count) << 3);
  for (let at = y; at < end; at += 8) {
    const value = v128.load64_splat(at);
    s0 = f64x2.add(s0, f64x2.mul(value, v128.load(at - 8)));
    s2 = f64x2.add(s2, f64x2.mul(value, v128.load(at - 24)));
    s4 = f64x2.add(s4, f64x2.mul(value, v128.load(at - 40)));
    s6 = f64x2.add(s6, f64x2.mul(value, v128.load(at - 56)));
    s8 = f64x2.add(s8, f64x2.mul(value, v128.load(at - 72)));
  }
  const into = numbersAt();
  putPair(into, s0);
  putPair(into + 16, s2);
  putPair(into + 32, s4);
  putPair(into + 48, s6);
  putPair(into + 64, s8);
}

/** The later lag is in the lower lane. */
function putPair(at: usize, pair: v128): void {
  store<f64>(at, f64x2.extract_lane(pair, 1));
  store<f64>(at, f64x2.extract_lane(pair, 0), 8);
}

function recurse(): i32 {
  const a = recursionAt();
  for (let j = 0; j < ORDER_MAX; j++) store<f64>(a + ((<usize>j) << 3), 0);
  let error = correlation(0);
  for (let i = 0; i < ORDER_MAX; i++) {
    if (!(error > 0)) return i;
    let sum = correlation(i + 1);
    for (let j = 0; j < i; j++) sum -= load<f64>(a + ((<usize>j) << 3)) * correlation(i - j);
    const reflection = sum / error;
    store<f64>(a + ((<usize>i) << 3), reflection);
    for (let j = 0, k = i - 1; j <= k; j++, k--) {
      const low = load<f64>(a + ((<usize>j) << 3));
      const high = load<f64>(a + ((<usize>k) << 3));
      store<f64>(a + ((<usize>j) << 3), low - reflection * high);
      if (j < k) store<f64>(a + ((<usize>k) << 3), high - reflection * low);
    }
    error *= 1 - reflection * reflection;
    if (!(error >= 0)) return i;
    store<f64>(errorAt(i), error);
    memory.copy(rowOf(i), a, 64);
  }
  return ORDER_MAX;
}

/** 2^exponent, where that is a normal number. */
export function powerOfTwo(exponent: i32): f64 {
  return reinterpret<f64>((<u64>(exponent + 1023)) << 52);
}

function exponentOf(value: f64): i32 {
  return <i32>((reinterpret<u64>(value) >> 52) & 2047) - 1023;
}

export function log2(value: f64): f64 {
  const exponent = exponentOf(value);
  const mantissa = value * powerOfTwo(-exponent);
  const t = (mantissa - 1) / (mantissa + 1);
  const tt = t * t;
  return <f64>exponent + 2 * LOG2E * t * (1 + tt * (1.0 / 3.0 + tt * (1.0 / 5.0 + tt * (1.0 / 7.0))));
}
