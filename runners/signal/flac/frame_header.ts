import type { BitReader } from "./bit_reader.ts";
import { crc8 } from "./crc.ts";

/** Channel assignments: 0 to 7 are 1 to 8 channels, each for itself (RFC 9639 9.1.3). */
export const INDEPENDENT = 0;
export const LEFT_SIDE = 8;
export const RIGHT_SIDE = 9;
export const MID_SIDE = 10;

/** A field of four bits, and the bits in which the header's end spells it out where no code does. */
export interface Code {
  readonly code: number;
  readonly value: number;
  readonly bits: number;
}

/** Hz of codes 1 to 11 (RFC 9639 9.1.2). */
const RATES = [88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000] as const;
/** Bits of a sample by code, 0 where the code says nothing or is reserved (RFC 9639 9.1.4). */
const DEPTHS = [0, 8, 12, 0, 16, 20, 24, 32] as const;

export function rateCode(sample_rate: number): Code {
  const index = (RATES as readonly number[]).indexOf(sample_rate);
  if (index >= 0) return { code: index + 1, value: 0, bits: 0 };
  if (sample_rate % 1000 === 0 && sample_rate < 256_000) return { code: 12, value: sample_rate / 1000, bits: 8 };
  if (sample_rate < 65_536) return { code: 13, value: sample_rate, bits: 16 };
  if (sample_rate % 10 === 0 && sample_rate < 655_360) return { code: 14, value: sample_rate / 10, bits: 16 };
  // Left to STREAMINFO.
  return { code: 0, value: 0, bits: 0 };
}

/** Samples of a block (RFC 9639 9.1.1). */
function blockCode(count: number): Code {
  for (let code = 8; code < 16; code++) if (count === 256 << (code - 8)) return { code, value: 0, bits: 0 };
  return count <= 256 ? { code: 6, value: count - 1, bits: 8 } : { code: 7, value: count - 1, bits: 16 };
}

function bitsCode(bits: number): number {
  return Math.max(0, (DEPTHS as readonly number[]).indexOf(bits));
}

/** A whole number below 2^31 in the way of UTF-8 (RFC 9639 9.1.5). */
function codedNumber(number: number): number[] {
  if (number < 0x80) return [number];
  let following = 1;
  while (number >= 2 ** (6 + 5 * following)) following++;
  const bytes = [((0xff00 >> (following + 1)) & 0xff) | (number >> (6 * following))];
  for (let shift = 6 * (following - 1); shift >= 0; shift -= 6) bytes.push(0x80 | ((number >> shift) & 63));
  return bytes;
}

/**
 * The header of a frame in a stream of equal blocks, less what is known last: the channel assignment, upper half of byte 3, and the check,
 * which comes behind.
 */
export function headerBytes(count: number, number: number, rate: Code, bits: number): number[] {
  const block = blockCode(count);
  const bytes = [0xff, 0xf8, (block.code << 4) | rate.code, bitsCode(bits) << 1, ...codedNumber(number)];
  for (const { value, bits: width } of [block, rate]) {
    if (width === 16) bytes.push(value >> 8);
    if (width > 0) bytes.push(value & 255);
  }
  return bytes;
}

export interface FrameHeader {
  /** Samples of each channel, 1 to 65536. */
  readonly count: number;
  /** Hz; 0: as STREAMINFO says. */
  readonly sample_rate: number;
  /** Channel assignment, 0 to 10. */
  readonly assignment: number;
  /** Of a sample; 0: as STREAMINFO says. */
  readonly bits: number;
  /** Whether `number` counts samples, for blocks of varying size, or frames. Streams from before FLAC 1.1.3 never say so. */
  readonly variable: boolean;
  readonly number: number;
}

/**
 * Reads the header of a frame (RFC 9639 9.1) and leaves the reader behind it.
 *
 * @param bytes that `reader` reads
 * @returns undefined where there is none: the sync code, a reserved value or the check is wrong
 * @throws Starved
 */
export function readFrameHeader(reader: BitReader, bytes: Uint8Array): FrameHeader | undefined {
  const begin = reader.byte;
  if (reader.take(15) !== 0x7ffc) return undefined;
  const variable = reader.take(1) === 1;
  const block = reader.take(4);
  const rate = reader.take(4);
  const assignment = reader.take(4);
  const depth = reader.take(3);
  const reserved = reader.take(1);
  const number = readNumber(reader);
  if (block === 0 || rate === 15 || assignment > MID_SIDE || depth === 3 || reserved !== 0 || number < 0)
    return undefined;
  const count = readCount(reader, block);
  const sample_rate = readRate(reader, rate);
  const end = reader.byte;
  if (reader.take(8) !== crc8(bytes, begin, end)) return undefined;
  return { count, sample_rate, assignment, bits: DEPTHS[depth]!, variable, number };
}

function readCount(reader: BitReader, code: number): number {
  if (code === 1) return 192;
  if (code < 6) return 144 << code;
  if (code === 6) return reader.take(8) + 1;
  return code === 7 ? reader.take(16) + 1 : 256 << (code - 8);
}

function readRate(reader: BitReader, code: number): number {
  if (code === 12) return 1000 * reader.take(8);
  if (code === 13) return reader.take(16);
  return code === 14 ? 10 * reader.take(16) : (RATES[code - 1] ?? 0);
}

/** Up to 36 bits in the way of UTF-8; -1 where they are in none. */
function readNumber(reader: BitReader): number {
  const first = reader.take(8);
  if (first < 0x80) return first;
  const ones = Math.clz32(~(first << 24));
  if (ones < 2 || ones > 7) return -1;
  let number = first & (0x7f >> ones);
  for (let following = ones - 1; following > 0; following--) {
    const byte = reader.take(8);
    if (byte >> 6 !== 2) return -1;
    number = number * 64 + (byte & 63);
  }
  return number;
}
