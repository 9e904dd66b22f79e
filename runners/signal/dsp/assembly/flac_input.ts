// Samples as they come in: full scale ±1 to whole numbers, and those to bytes and to a sum.

/**
 * Writes `count` float32 at `from`, times 2^(bits - 1), to `into` as int32. Up to three more are written.
 *
 * @returns how many of them are no whole numbers within `bits`
 */
export function toWhole(from: usize, into: usize, count: i32, bits: i32): i32 {
  const full = f32x4.splat(<f32>(1 << (bits - 1)));
  const highest = i32x4.splat((1 << (bits - 1)) - 1);
  const lowest = i32x4.splat(-(1 << (bits - 1)));
  let wrong = 0;
  for (let n = 0; n < count; n += 4) {
    const value = f32x4.mul(v128.load(from + ((<usize>n) << 2)), full);
    const whole = i32x4.trunc_sat_f32x4_s(value);
    v128.store(into + ((<usize>n) << 2), whole);
    // What is not a number equals nothing.
    const bad = v128.or(
      f32x4.ne(f32x4.convert_i32x4_s(whole), value),
      v128.or(i32x4.gt_s(whole, highest), i32x4.lt_s(whole, lowest)),
    );
    wrong += popcnt(i32x4.bitmask(bad) & (n + 4 > count ? (1 << (count - n)) - 1 : 15));
  }
  return wrong;
}

/**
 * Interleaves one or two channels of int32 as little-endian bytes, `width` (2 or 3) a sample. Up to 32 bytes more are
 * written.
 */
export function pack(left: usize, right: usize, count: i32, channels: i32, width: i32, into: usize): void {
  if (width === 2) {
    if (channels === 1) {
      for (let n = 0; n < count; n += 4, left += 4 * 4, into += 8) {
        const four = v128.load(left);
        v128.store(into, v128.shuffle<u8>(four, four, 0, 1, 4, 5, 8, 9, 12, 13, 0, 1, 4, 5, 8, 9, 12, 13));
      }
      return;
    }
    for (let n = 0; n < count; n += 4, left += 4 * 4, right += 4 * 4, into += 16) {
      v128.store(
        into,
        v128.shuffle<u8>(v128.load(left), v128.load(right), 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29),
      );
    }
    return;
  }
  if (channels === 1) {
    for (let n = 0; n < count; n += 4, left += 4 * 4, into += 12) {
      const four = v128.load(left);
      v128.store(into, v128.shuffle<u8>(four, four, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 0, 0, 0, 0));
    }
    return;
  }
  for (let n = 0; n < count; n += 4, left += 4 * 4, right += 4 * 4, into += 24) {
    const l = v128.load(left);
    const r = v128.load(right);
    v128.store(into, v128.shuffle<u8>(l, r, 0, 1, 2, 16, 17, 18, 4, 5, 6, 20, 21, 22, 8, 9, 10, 24));
    v128.store(into, v128.shuffle<u8>(l, r, 25, 26, 12, 13, 14, 28, 29, 30, 0, 0, 0, 0, 0, 0, 0, 0), 16);
  }
}

/** Odd and far from powers of two, so that each sample reaches all higher bits of its lane. */
const FACTOR: i32 = 0x2c9277b5;

/**
 * A sum by which bytes are told apart: their 32-bit words go into 16 lanes, lane n % 16 is multiplied and word n added;
 * then all lanes, and what fills no sixteen, go into 64 bits. One changed word always changes it.
 */
export function sumOf(from: usize, bytes: i32): u64 {
  const factor = i32x4.splat(FACTOR);
  let a = i32x4.splat(0);
  let b = i32x4.splat(0);
  let c = i32x4.splat(0);
  let d = i32x4.splat(0);
  let at = from;
  const end = from + bytes;
  for (; at + 64 <= end; at += 64) {
    a = i32x4.add(i32x4.mul(a, factor), v128.load(at));
    b = i32x4.add(i32x4.mul(b, factor), v128.load(at, 16));
    c = i32x4.add(i32x4.mul(c, factor), v128.load(at, 32));
    d = i32x4.add(i32x4.mul(d, factor), v128.load(at, 48));
  }
  let sum = four(four(four(four(<u64>bytes, a), b), c), d);
  for (; at + 4 <= end; at += 4) sum = one(sum, load<u32>(at));
  for (; at < end; at++) sum = one(sum, load<u8>(at));
  return sum;
}

function one(sum: u64, lane: u32): u64 {
  return (sum ^ <u64>lane) * 0x1b_8735_93cc_9e2d;
}

function four(sum: u64, lanes: v128): u64 {
  sum = one(sum, i32x4.extract_lane(lanes, 0));
  sum = rotl(one(sum, i32x4.extract_lane(lanes, 1)), 29);
  sum = one(sum, i32x4.extract_lane(lanes, 2));
  return rotl(one(sum, i32x4.extract_lane(lanes, 3)), 31);
}
