/** Files that are small to send and large to decode. */
import { music, wav } from "../../test/audio.ts";

const SECONDS = 3_600;
const RATE = 192_000;
const CHANNELS = 8;

/** 84 bytes that claim `frames` of silence in a list of waves, and hold four samples. */
export function silentWavesWav(frames = SECONDS * RATE, sample_rate = RATE, channels = CHANNELS): Uint8Array {
  const body = Buffer.concat([
    chunk("fmt ", words([1, 2], [channels, 2], [sample_rate, 4], [sample_rate * channels, 4], [channels, 2], [8, 2])),
    Buffer.from("LIST"),
    words([24, 4]),
    Buffer.from("wavl"),
    chunk("slnt", words([frames, 4])),
    chunk("data", Buffer.alloc(16, 128)),
  ]);
  return Buffer.concat([Buffer.from("RIFF"), words([body.length + 4, 4]), Buffer.from("WAVE"), body]);
}

/**
 * A valid FLAC file of constant subframes (RFC 9639): 28 bytes for each block of 65,535 samples of 8 channels, so an hour at 192 kHz is 300 KB.
 * `value`, -128 to 127, makes files that decode alike but are not the same.
 */
export function constantFlac({
  seconds = SECONDS,
  sample_rate = RATE,
  channels = CHANNELS,
  value = 0,
}: {
  readonly seconds?: number;
  readonly sample_rate?: number;
  readonly channels?: number;
  readonly value?: number;
} = {}): Uint8Array {
  const size = 65_535;
  const blocks = Math.ceil((seconds * sample_rate) / size);
  const packed =
    (BigInt(sample_rate) << 44n) | (BigInt(channels - 1) << 41n) | (7n << 36n) | (BigInt(blocks) * BigInt(size));
  const info = Buffer.alloc(34);
  info.writeUInt16BE(size, 0);
  info.writeUInt16BE(size, 2);
  info.writeBigUInt64BE(packed, 10);
  const pieces = [Buffer.from("fLaC"), Buffer.from([0x80, 0, 0, 34]), info];
  for (let block = 0; block < blocks; block++) {
    // Sync and fixed block size; size in 16 bits, rate of the stream's head; channels, 8 bits; number; size - 1; CRC-8.
    const head = [0xff, 0xf8, 0x70, ((channels - 1) << 4) | 2, ...numbered(block), (size - 1) >> 8, (size - 1) & 255];
    const frame = [...head, crc(head, 8, 0x07)];
    for (let channel = 0; channel < channels; channel++) frame.push(0, value & 255);
    const check = crc(frame, 16, 0x8005);
    pieces.push(Buffer.from([...frame, check >> 8, check & 255]));
  }
  return Buffer.concat(pieces);
}

/** Honest audio of 8 bits, but long: an hour at 8 kHz has 28.8 MB, and so have ten minutes at 48. */
export function longWav(seconds = SECONDS, value = 0, sample_rate = 8_000): Uint8Array {
  return wav([new Float32Array(seconds * sample_rate).fill(value)], { samples: "u8", sample_rate });
}

/** Too short for every action that takes a whole track, so that its operation fails at once and is refunded. */
export const shortWav = (): Uint8Array => wav([new Float32Array(441)]);

/** A second of something like music, 88 KB. */
export const secondOfMusic = (seed = 1): Uint8Array => wav([music(seed, 1)[0]]);

function chunk(id: string, body: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(id), words([body.length, 4]), body]);
}

/** Little-endian numbers of 2 or 4 bytes. */
function words(...all: readonly (readonly [value: number, bytes: 2 | 4])[]): Buffer {
  return Buffer.concat(
    all.map(([value, bytes]) => {
      const word = Buffer.alloc(bytes);
      word.writeUIntLE(value, 0, bytes);
      return word;
    }),
  );
}

/** The number of a frame as FLAC writes it: UTF-8, here up to three bytes. */
function numbered(value: number): readonly number[] {
  if (value < 0x80) return [value];
  if (value < 0x800) return [0xc0 | (value >> 6), 0x80 | (value & 63)];
  return [0xe0 | (value >> 12), 0x80 | ((value >> 6) & 63), 0x80 | (value & 63)];
}

function crc(bytes: readonly number[], bits: 8 | 16, polynomial: number): number {
  let state = 0;
  for (const byte of bytes) {
    state ^= byte << (bits - 8);
    for (let bit = 0; bit < 8; bit++) state = (state << 1) ^ (state & (1 << (bits - 1)) ? polynomial : 0);
    state &= 2 ** bits - 1;
  }
  return state;
}
