import { blockFrames, imaBlock, type MsOrder, msBlock, msOrderOf } from "./adpcm.ts";
import type { WavCoding } from "./wav_header.ts";

/**
 * Turns `bytes` (little-endian, aligned to 8 in their buffer, whole frames or blocks) into channels from the start of `out`, full
 * scale ±1, and returns how many frames they were. Integers of up to 24 bits are exact; 32 bits and 64-bit floats are
 * rounded to the nearest float32.
 */
export type Unpack = (bytes: Uint8Array<ArrayBuffer>, channels: number, out: readonly Float32Array[]) => number;

/** @param block_bytes of one block of ADPCM; the last of a file may be shorter */
export function unpackerOf(coding: WavCoding, block_bytes: number): Unpack {
  switch (coding) {
    case "u8":
      return (bytes, channels, out) => spread(bytes, channels, out, 1 / 128, -1);
    case "s16":
      return (bytes, channels, out) =>
        channels === 2
          ? spreadPairs(new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2), out)
          : spread(new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1), channels, out, 2 ** -15, 0);
    case "s24":
      return spread24;
    case "s32":
      return (bytes, channels, out) =>
        spread(new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2), channels, out, 2 ** -31, 0);
    case "f32":
      return (bytes, channels, out) =>
        spread(new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2), channels, out, 1, 0);
    case "f64":
      return (bytes, channels, out) =>
        spread(new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length >> 3), channels, out, 1, 0);
    case "alaw":
      return (bytes, channels, out) => lookUp(bytes, channels, out, ALAW);
    case "mulaw":
      return (bytes, channels, out) => lookUp(bytes, channels, out, MULAW);
    case "ima_adpcm":
      return (bytes, channels, out) => blocks(bytes, channels, out, block_bytes, coding, imaBlock);
    case "ms_adpcm": {
      // The first block that says it, says it for all.
      let order: MsOrder | undefined;
      return (bytes, channels, out) =>
        blocks(bytes, channels, out, block_bytes, coding, (block, ...others) => {
          order ??= msOrderOf(block, channels);
          return msBlock(block, ...others, order);
        });
    }
  }
}

function spread(
  values: Uint8Array | Int16Array | Int32Array | Float32Array | Float64Array,
  channels: number,
  out: readonly Float32Array[],
  unit: number,
  offset: number,
): number {
  const frames = values.length / channels;
  for (let channel = 0; channel < channels; channel++) {
    const samples = out[channel]!;
    for (let n = 0, at = channel; n < frames; n++, at += channels) samples[n] = values[at]! * unit + offset;
  }
  return frames;
}

/** Two channels of 16 bits, a frame at once: the left sample is the lower half, as on every machine that the runtimes run on. */
function spreadPairs(frames: Int32Array, [left, right]: readonly Float32Array[]): number {
  for (let n = 0; n < frames.length; n++) {
    const both = frames[n]!;
    left![n] = (both << 16) * 2 ** -31;
    right![n] = (both >> 16) * 2 ** -15;
  }
  return frames.length;
}

function spread24(bytes: Uint8Array, channels: number, out: readonly Float32Array[]): number {
  const stride = 3 * channels;
  const frames = bytes.length / stride;
  for (let channel = 0; channel < channels; channel++) {
    const samples = out[channel]!;
    for (let n = 0, at = 3 * channel; n < frames; n++, at += stride)
      samples[n] = ((bytes[at]! << 8) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 24)) * 2 ** -31;
  }
  return frames;
}

function lookUp(bytes: Uint8Array, channels: number, out: readonly Float32Array[], table: Float32Array): number {
  const frames = bytes.length / channels;
  for (let channel = 0; channel < channels; channel++) {
    const samples = out[channel]!;
    for (let n = 0, at = channel; n < frames; n++, at += channels) samples[n] = table[bytes[at]!]!;
  }
  return frames;
}

function blocks(
  bytes: Uint8Array,
  channels: number,
  out: readonly Float32Array[],
  block_bytes: number,
  coding: "ima_adpcm" | "ms_adpcm",
  decode: typeof imaBlock,
): number {
  let frames = 0;
  for (let at = 0; at < bytes.length; at += block_bytes) {
    const block = bytes.subarray(at, at + block_bytes);
    const count = blockFrames(coding, block.length, channels);
    // A block that cannot be is passed over, as players do.
    if (count > 0 && decode(block, channels, count, out, frames)) frames += count;
  }
  return frames;
}

/** ITU-T G.711 in 16 bits: sign, exponent of 3 bits, 4 bits of mantissa, each even bit inverted. */
const ALAW = Float32Array.from({ length: 256 }, (_, code) => {
  const value = code ^ 0x55;
  const exponent = (value >> 4) & 7;
  const mantissa = ((value & 15) << 4) + 8;
  const magnitude = exponent === 0 ? mantissa : (mantissa + 256) << (exponent - 1);
  return (value & 128 ? magnitude : -magnitude) / 32_768;
});

/** The same with all bits inverted and a bias of 33, in units of 14 bits. */
const MULAW = Float32Array.from({ length: 256 }, (_, code) => {
  const value = ~code & 255;
  const magnitude = ((((value & 15) << 3) + 132) << ((value >> 4) & 7)) - 132;
  // Adding 0 turns -0 into 0.
  return (value & 128 ? -magnitude : magnitude) / 32_768 + 0;
});
