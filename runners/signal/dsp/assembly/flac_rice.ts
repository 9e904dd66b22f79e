// Bits of a file that is read, the highest first, out of 32-bit words in the order of this machine.
import { wordsAt } from "./flac_memory";

/** In bits, from the first byte of the input. */
let at: i32 = 0;
let end: i32 = 0;

/** Turns `length` bytes at `from` into words to be read. Up to 16 more are touched. */
export function turnRound(from: usize, length: i32): void {
  const to = wordsAt();
  for (let n = 0; n < length + 16; n += 16) {
    const four = v128.load(from + n);
    v128.store(to + n, v128.shuffle<u8>(four, four, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
  }
}

export function openBits(from: i32, to: i32): void {
  at = from << 3;
  end = to << 3;
}

/** Whether all that was taken was there: what is read behind the end means nothing, and is nowhere else. */
export function intact(): bool {
  return at <= end;
}

/** The byte in which the next bit lies, or the next one. */
export function nextByte(): i32 {
  return (at + 7) >> 3;
}

/** The 64 bits from `place` on. */
function peek(place: i32): u64 {
  const word = wordsAt() + ((<usize>(place >> 5)) << 2);
  const shift = <u64>(place & 31);
  return (rotl(load<u64>(word), 32) << shift) | (((<u64>load<u32>(word, 8)) << shift) >> 32);
}

/** 0 to 32 bits, unsigned. */
export function take(bits: i32): u32 {
  if (bits === 0) return 0;
  const value = <u32>(peek(at) >> <u64>(64 - bits));
  at += bits;
  return value;
}

/** 1 to 32 bits, signed. */
export function takeSigned(bits: i32): i32 {
  return <i32>(take(bits) << (32 - bits)) >> (32 - bits);
}

/** Zeros up to the next one, which is taken as well; past `end` it stops. */
export function unary(): i32 {
  let zeros = 0;
  while (at <= end) {
    const bits = peek(at);
    if (bits !== 0) {
      const more = <i32>clz(bits);
      at += more + 1;
      return zeros + more;
    }
    zeros += 64;
    at += 64;
  }
  return zeros;
}

/** Above this parameter four codes seldom fit into 64 bits. */
const FOUR_MAX: i32 = 12;
/** Bits above 32 of any value that was taken. */
let over: u64 = 0;

/**
 * `count` Rice codes of parameter `k`, 0 to 30, unfolded to `into` (RFC 9639 9.2.7.3); false where one has more than 32
 * bits or none are left.
 */
export function takeRice(into: usize, count: i32, k: i32): bool {
  const last = into + ((<usize>count) << 2);
  over = 0;
  let next = k <= FOUR_MAX ? takeByFour(into, last, k) : takeByTwo(into, last, k);
  for (; next < last; next += 4) if (!takeOne(next, k)) return false;
  const one = i32x4.splat(1);
  let n = into;
  for (; n + 16 <= last; n += 16) {
    const folded = v128.load(n);
    v128.store(n, v128.xor(i32x4.shr_u(folded, 1), i32x4.neg(v128.and(folded, one))));
  }
  for (; n < last; n += 4) {
    const folded = load<u32>(n);
    store<i32>(n, <i32>(folded >> 1) ^ -(<i32>(folded & 1)));
  }
  return over >> 32 === 0;
}

/**
 * Codes as long as four at a time are at least left, not unfolded; returns how far. What follows zeros is moved to the top, so that the
 * stop bit is the highest; it is counted among what follows, and one zero less for it.
 */
function takeByFour(begin: usize, last: usize, k: i32): usize {
  const down = <u64>(63 - k);
  const tail = <u64>(k + 1);
  const unit: u64 = (<u64>1) << (<u64>k);
  let into = begin;
  let place = at;
  let seen: u64 = 0;
  while (into + 16 <= last && place <= end) {
    const bits = peek(place);
    const z0 = clz(bits);
    const b0 = bits << z0;
    const r0 = b0 << tail;
    const z1 = clz(r0);
    const b1 = r0 << z1;
    const r1 = b1 << tail;
    const z2 = clz(r1);
    const b2 = r1 << z2;
    const r2 = b2 << tail;
    const z3 = clz(r2);
    const b3 = r2 << z3;
    const length = z0 + z1 + z2 + z3 + 4 * tail;
    if (length <= 64) {
      const v0 = (z0 - 1) * unit + (b0 >> down);
      const v1 = (z1 - 1) * unit + (b1 >> down);
      const v2 = (z2 - 1) * unit + (b2 >> down);
      const v3 = (z3 - 1) * unit + (b3 >> down);
      seen |= v0 | v1 | v2 | v3;
      store<u32>(into, <u32>v0);
      store<u32>(into, <u32>v1, 4);
      store<u32>(into, <u32>v2, 8);
      store<u32>(into, <u32>v3, 12);
      place += <i32>length;
      into += 16;
    } else if (z0 + tail <= 64) {
      const v0 = (z0 - 1) * unit + (b0 >> down);
      seen |= v0;
      store<u32>(into, <u32>v0);
      place += <i32>(z0 + tail);
      into += 4;
    } else {
      at = place;
      if (!takeOne(into, k)) return last + 4;
      place = at;
      into += 4;
    }
  }
  at = place;
  over |= seen;
  return into;
}

/** The same by two. */
function takeByTwo(begin: usize, last: usize, k: i32): usize {
  const down = <u64>(63 - k);
  const tail = <u64>(k + 1);
  const unit: u64 = (<u64>1) << (<u64>k);
  let into = begin;
  let place = at;
  let seen: u64 = 0;
  while (into + 8 <= last && place <= end) {
    const bits = peek(place);
    const z0 = clz(bits);
    const b0 = bits << z0;
    const r0 = b0 << tail;
    const z1 = clz(r0);
    const b1 = r0 << z1;
    const length = z0 + z1 + 2 * tail;
    if (length <= 64) {
      const v0 = (z0 - 1) * unit + (b0 >> down);
      const v1 = (z1 - 1) * unit + (b1 >> down);
      seen |= v0 | v1;
      store<u32>(into, <u32>v0);
      store<u32>(into, <u32>v1, 4);
      place += <i32>length;
      into += 8;
    } else {
      at = place;
      if (!takeOne(into, k)) return last + 4;
      place = at;
      into += 4;
    }
  }
  at = place;
  over |= seen;
  return into;
}

/** One code of any length, not unfolded; false where the bits end. */
function takeOne(into: usize, k: i32): bool {
  const high = <u64>unary();
  if (at > end) {
    over = -1;
    return false;
  }
  const value = (high << (<u64>k)) | <u64>take(k);
  over |= value;
  store<u32>(into, <u32>value);
  return true;
}

/**
 * Whether what comes next are the `count` (up to 4096) Rice codes of parameter `k`, 0 to 30, of the values at `known`,
 * each below 2^31. Where each code begins follows from what is known, so none waits for the one before it. What is
 * looked at behind the end is not told from bits: `intact` tells.
 */
export function holdsRice(known: usize, count: i32, k: i32): bool {
  const last = known + ((<usize>(count & ~1)) << 2);
  const words = wordsAt();
  const tail = <u64>(k + 1);
  const stop: u64 = (<u64>1) << (<u64>k);
  const mask = stop - 1;
  let place = at;
  let wrong: u64 = 0;
  for (; known < last; known += 8) {
    const first = <u64>load<u32>(known);
    const second = <u64>load<u32>(known, 4);
    const short = (second >> <u64>k) + tail;
    const length = (first >> <u64>k) + tail + short;
    if (length > 64) {
      at = place;
      if (!holdsOne(<u32>first, k) || !holdsOne(<u32>second, k)) return false;
      place = at;
      continue;
    }
    const word = words + ((<usize>(place >> 5)) << 2);
    const shift = <u64>(place & 31);
    const bits = (rotl(load<u64>(word), 32) << shift) | (((<u64>load<u32>(word, 8)) << shift) >> 32);
    const both = ((stop | (first & mask)) << short) | (stop | (second & mask));
    wrong |= (bits >> (0 - length)) ^ both;
    place += <i32>length;
  }
  at = place;
  return wrong === 0 && ((count & 1) === 0 || holdsOne(load<u32>(known), k));
}

function holdsOne(value: u32, k: i32): bool {
  return <u32>unary() === value >> k && take(k) === (value & ((1 << k) - 1));
}
