// Bits, the highest first, into 32-bit words in the order of this machine; turned round once the frame is complete.

let word: u64 = 0;
/** Bits that wait in `word`, lowest, 0 to 31. */
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
  word = (word << (<u64>bits)) | (<u64>(<u32>value) & (<u64>-1 >> <u64>(64 - bits)));
  fill += bits;
  if (fill < 32) return;
  fill -= 32;
  store<u32>(to, <u32>(word >> <u64>fill));
  to += 4;
}

export function putZeros(count: i32): void {
  for (; count > 0; count -= 32) putBits(0, min(32, count));
}

/** `count` values from `at` on, each below 2^31, in Rice code of parameter `k`, 0 to 30 (RFC 9639 9.2.7.3). */
export function putRice(at: usize, count: i32, k: i32): void {
  const stop: u32 = 1 << k;
  const mask = stop - 1;
  const end = at + ((<usize>count) << 2);
  let gathered = word;
  let waiting = fill;
  let next = to;
  for (; at < end; at += 4) {
    const value = load<u32>(at);
    const bits = <i32>(value >> k) + 1 + k;
    if (bits > 32) {
      word = gathered;
      fill = waiting;
      to = next;
      putZeros(bits - 1 - k);
      putBits(<i32>(stop | (value & mask)), 1 + k);
      gathered = word;
      waiting = fill;
      next = to;
      continue;
    }
    gathered = (gathered << (<u64>bits)) | <u64>(stop | (value & mask));
    waiting += bits;
    // Stored each time, kept only when 32 bits are there: a branch would be guessed wrong too often.
    store<u32>(next, <u32>(gathered >> <u64>(waiting - 32)));
    next += <usize>((waiting >> 5) << 2);
    waiting &= 31;
  }
  word = gathered;
  fill = waiting;
  to = next;
}

/** Fills the last byte with zeros, turns the words round and returns where the bytes end. */
export function endBits(): usize {
  putBits(0, -fill & 7);
  const end = to + <usize>(fill >> 3);
  if (fill > 0) store<u32>(to, <u32>(word << (<u64>(32 - fill))));
  for (let at = start; at < end; at += 16) {
    const four = v128.load(at);
    v128.store(at, v128.shuffle<u8>(four, four, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
  }
  return end;
}
