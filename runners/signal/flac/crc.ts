/** CRC-8 of a frame header: x^8 + x^2 + x + 1, from 0 (RFC 9639 9.1.8). */
export function crc8(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) value = BYTE[value ^ bytes[at]!]!;
  return value;
}

/** CRC-16 of a whole frame: x^16 + x^15 + x^2 + 1, from 0 (RFC 9639 9.3). */
export function crc16(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  let at = from;
  // Eight bytes a step: table 256 j holds what a byte leaves behind after j more zero bytes.
  for (const last = to - 8; at <= last; at += 8) {
    value =
      WORD[1792 | ((value >> 8) ^ bytes[at]!)]! ^
      WORD[1536 | ((value & 255) ^ bytes[at + 1]!)]! ^
      WORD[1280 | bytes[at + 2]!]! ^
      WORD[1024 | bytes[at + 3]!]! ^
      WORD[768 | bytes[at + 4]!]! ^
      WORD[512 | bytes[at + 5]!]! ^
      WORD[256 | bytes[at + 6]!]! ^
      WORD[bytes[at + 7]!]!;
  }
  for (; at < to; at++) value = ((value & 255) << 8) ^ WORD[(value >> 8) ^ bytes[at]!]!;
  return value;
}

const BYTE = new Uint8Array(256);
const WORD = new Uint16Array(8 * 256);
for (let byte = 0; byte < 256; byte++) {
  let short = byte;
  let long = byte << 8;
  for (let bit = 0; bit < 8; bit++) {
    short = (short << 1) ^ (short & 0x80 ? 0x107 : 0);
    long = (long << 1) ^ (long & 0x8000 ? 0x18005 : 0);
  }
  BYTE[byte] = short;
  WORD[byte] = long;
}
for (let at = 256; at < WORD.length; at++) {
  const before = WORD[at - 256]!;
  WORD[at] = ((before & 255) << 8) ^ WORD[before >> 8]!;
}
