// Bits of a file that is read, the highest first, out of 32-bit words in the order of this machine.
import { inputAt, wordsAt } from "./flac_memory";

/** In bits, from the first byte of the input. */
let at: i32 = 0;
let end: i32 = 0;

/** Turns `length` bytes of the input into words. Up to 16 more are touched. */
export function turnRound(length: i32): void {
  const from = inputAt();
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

/** `count` Rice codes of parameter `k`, 0 to 30, unfolded to `into` (RFC 9639 9.2.7.3); false where one has more than 32 bits. */
export function takeRice(into: usize, count: i32, k: i32): bool {
  const last = into + ((<usize>count) << 2);
  const down = <u64>(63 - k);
  const wide = <u64>k;
  let place = at;
  let over: u64 = 0;
  while (into < last) {
    const bits = peek(place);
    const zeros = clz(bits);
    const length = zeros + 1 + wide;
    const rest = bits << length;
    const zeros_next = clz(rest);
    const both = length + zeros_next + 1 + wide;
    if (both <= 64 && into + 8 <= last) {
      // The stop bit is the highest that is left, and is taken off again.
      const first = ((zeros - 1) << wide) + ((bits << zeros) >> down);
      const second = ((zeros_next - 1) << wide) + ((rest << zeros_next) >> down);
      over |= first | second;
      store<i32>(into, <i32>(<u32>first >> 1) ^ -(<i32>first & 1));
      store<i32>(into, <i32>(<u32>second >> 1) ^ -(<i32>second & 1), 4);
      place += <i32>both;
      into += 8;
      continue;
    }
    at = place;
    const high = <u64>unary();
    if (at > end) return false;
    const value = (high << wide) | <u64>take(k);
    over |= value;
    store<i32>(into, <i32>(<u32>value >> 1) ^ -(<i32>value & 1));
    place = at;
    into += 4;
  }
  at = place;
  return over >> 32 === 0;
}
