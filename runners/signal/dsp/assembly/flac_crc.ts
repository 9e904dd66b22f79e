// The checks of FLAC frames, RFC 9639 9.1.8 and 9.3.
import { foldsAt, tablesAt } from "./flac_memory";

/** Fills the tables of `crc16`: table j holds what a byte leaves behind after j more zero bytes. */
export function makeTables(): void {
  for (let byte = 0; byte < 256; byte++) {
    let value = byte << 8;
    for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value & 0x8000 ? 0x18005 : 0);
    put(byte, value);
  }
  for (let at = 256; at < 2048; at++) {
    const before = get(at - 256);
    put(at, ((before & 255) << 8) ^ get(before >> 8));
  }
}

function put(at: i32, value: i32): void {
  store<u16>(tablesAt() + ((<usize>at) << 1), <u16>value);
}
function get(at: i32): i32 {
  return <i32>load<u16>(tablesAt() + ((<usize>at) << 1));
}

/** CRC-8 of `length` bytes, bit by bit: headers are short. */
export function crc8(at: usize, length: i32): i32 {
  let value = 0;
  for (let n = 0; n < length; n++) {
    value ^= <i32>load<u8>(at + n);
    for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value & 0x80 ? 0x107 : 0);
  }
  return value;
}

/**
 * CRC-16 of `length` bytes.
 *
 * The polynomial is x^16 + x^15 + x^2 + 1. Modulo 2 each power of two of it has the same four terms, so x^(16 w) + x^(15 w) + x^(2 w) + 1
 * with w = 128 is a multiple of it: dividing by that first is three exclusive ors for each 16 bytes. What is left, 256 bytes and those
 * that fill no 16, goes through tables.
 */
export function crc16(at: usize, length: i32): i32 {
  const blocks = length >> 4;
  if (blocks <= 32) return byTables(at, length, 0);
  const folds = foldsAt();
  const quotients = blocks - 16;
  let before = i64x2.splat(0);
  for (let n = 0; n < quotients; n++) {
    const to = folds + ((<usize>n) << 4);
    before = v128.xor(before, v128.load(at + ((<usize>n) << 4)));
    if (n >= 14) before = v128.xor(before, v128.load(to - 14 * 16));
    if (n >= 16) before = v128.xor(before, v128.load(to - 16 * 16));
    v128.store(to, before);
  }
  for (let n = quotients; n < blocks; n++) {
    const to = folds + ((<usize>n) << 4);
    let rest = v128.load(at + ((<usize>n) << 4));
    if (n - 1 < quotients) rest = v128.xor(rest, v128.load(to - 16));
    if (n - 14 < quotients) rest = v128.xor(rest, v128.load(to - 14 * 16));
    rest = v128.xor(rest, v128.load(to - 16 * 16));
    v128.store(to, rest);
  }
  const value = byTables(folds + ((<usize>quotients) << 4), 256, 0);
  return byTables(at + ((<usize>blocks) << 4), length & 15, value);
}

function byTables(at: usize, length: i32, begin: i32): i32 {
  let value = begin;
  let n = 0;
  for (; n + 8 <= length; n += 8, at += 8) {
    value =
      get(1792 | ((value >> 8) ^ <i32>load<u8>(at))) ^
      get(1536 | ((value & 255) ^ <i32>load<u8>(at, 1))) ^
      get(1280 | <i32>load<u8>(at, 2)) ^
      get(1024 | <i32>load<u8>(at, 3)) ^
      get(768 | <i32>load<u8>(at, 4)) ^
      get(512 | <i32>load<u8>(at, 5)) ^
      get(256 | <i32>load<u8>(at, 6)) ^
      get(<i32>load<u8>(at, 7));
  }
  for (; n < length; n++, at++) value = ((value & 255) << 8) ^ get((value >> 8) ^ <i32>load<u8>(at));
  return value;
}
