// Bits, the highest first, into 64-bit words in the order of this machine; turned round once the frame is complete.

/** Bits that wait are its lowest; above them lies what was stored already, or nothing. */
let word: u64 = 0;
/** How many wait, 0 to 63. */
let fill: i32 = 0;
let to: usize = 0;
let start: usize = 0;

export function beginBits(at: usize): void {
  start = at;
  to = at;
  word = 0;
  fill = 0;
}

/** The lowest `bits` (0 to 32) of `value`. */
export function putBits(value: i32, bits: i32): void {
  if (bits === 0) return;
  put(<u64>(<u32>value) & (<u64>-1 >> <u64>(64 - bits)), bits);
}

/** `bits` (1 to 63) in which `value` fits. */
function put(value: u64, bits: i32): void {
  const all = fill + bits;
  if (all >= 64) {
    store<u64>(to, (word << (<u64>(64 - fill))) | (value >> <u64>(all - 64)));
    to += 8;
  }
  word = (word << (<u64>bits)) | value;
  fill = all & 63;
}

export function putZeros(count: i32): void {
  for (; count > 0; count -= 32) putBits(0, min(32, count));
}

/** `count` values from `at` on, each below 2^31, in Rice code of parameter `k`, 0 to 30 (RFC 9639 9.2.7.3). */
export function putRice(at: usize, count: i32, k: i32): void {
  const last = at + ((<usize>(count & ~1)) << 2);
  const stop: u64 = (<u64>1) << (<u64>k);
  const mask = stop - 1;
  const tail = <u64>(k + 1);
  let gathered = word;
  let waiting: u64 = fill;
  let next = to;
  // Two codes become one, and that is stored each time, kept only when 64 bits are there: a branch would be guessed wrong too often.
  for (; at < last; at += 8) {
    const first = <u64>load<u32>(at);
    const second = <u64>load<u32>(at, 4);
    const short = (second >> <u64>k) + tail;
    const bits = (first >> <u64>k) + tail + short;
    if (bits > 63) {
      word = gathered;
      fill = <i32>waiting;
      to = next;
      putLong(first, k);
      putLong(second, k);
      gathered = word;
      waiting = fill;
      next = to;
      continue;
    }
    const both = ((stop | (first & mask)) << short) | (stop | (second & mask));
    const all = waiting + bits;
    // Shifts go by the lowest six bits of their distance.
    store<u64>(next, (gathered << (0 - waiting)) | (both >> all));
    gathered = (gathered << bits) | both;
    next += (<usize>(all >> 6)) << 3;
    waiting = all & 63;
  }
  word = gathered;
  fill = <i32>waiting;
  to = next;
  if (count & 1) putLong(load<u32>(at), k);
}

/** One code of any length. */
function putLong(value: u64, k: i32): void {
  putZeros(<i32>(value >> <u64>k));
  putBits(<i32>(((<u64>1) << (<u64>k)) | (value & (((<u64>1) << (<u64>k)) - 1))), 1 + k);
}

/** Fills the last byte with zeros, turns the words round and returns where the bytes end. */
export function endBits(): usize {
  putBits(0, -fill & 7);
  const end = to + <usize>(fill >> 3);
  if (fill > 0) store<u64>(to, word << (<u64>(64 - fill)));
  for (let at = start; at < end; at += 16) {
    const four = v128.load(at);
    v128.store(at, v128.shuffle<u8>(four, four, 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
  }
  return end;
}
