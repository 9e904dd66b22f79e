/** Sound and sound files for tests: signals by formula, WAV of any kind byte by byte, FLAC of silence without an encoder. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { music, seeded } from "../cli/bench/audio.ts";
import type { Making, Output } from "../contract/mod.ts";

export { music, seeded };

/** A sine of `amplitude` (1 is full scale); `phase` in radians. */
export function sine(hertz: number, seconds: number, sample_rate = 44_100, amplitude = 0.5, phase = 0): Float32Array {
  return Float32Array.from(
    { length: Math.round(seconds * sample_rate) },
    (_, n) => amplitude * Math.sin((2 * Math.PI * hertz * n) / sample_rate + phase),
  );
}

/** White noise, uniform in ±`amplitude`. */
export function noise(seed: number, seconds: number, sample_rate = 44_100, amplitude = 0.5): Float32Array {
  const next = seeded(seed);
  return Float32Array.from({ length: Math.round(seconds * sample_rate) }, () => amplitude * (2 * next() - 1));
}

export function silence(seconds: number, sample_rate = 44_100): Float32Array {
  return new Float32Array(Math.round(seconds * sample_rate));
}

/** Raised-cosine fades of `seconds` at both ends, so that a tone begins without a click. */
export function faded(samples: Float32Array, seconds: number, sample_rate = 44_100): Float32Array {
  const length = Math.round(seconds * sample_rate);
  return samples.map((sample, n) => {
    const edge = Math.min(n, samples.length - 1 - n);
    return edge >= length ? sample : sample * (0.5 - 0.5 * Math.cos((Math.PI * edge) / length));
  });
}

export function joined(...parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export type WavSamples = "u8" | "s16" | "s24" | "s32" | "f32" | "f64";

export interface WavOptions {
  readonly samples?: WavSamples;
  readonly sample_rate?: number;
  /** Speaker mask; makes the header WAVEFORMATEXTENSIBLE. */
  readonly mask?: number;
  /** What the header claims, where it lies. */
  readonly riff_size?: number;
  readonly data_size?: number;
  readonly claimed_channels?: number;
  readonly claimed_rate?: number;
}

const BITS: Readonly<Record<WavSamples, number>> = { u8: 8, s16: 16, s24: 24, s32: 32, f32: 32, f64: 64 };

/** A WAV file. Integers are rounded and clipped; floats are stored as they are, NaN included. */
export function wav(channels: readonly Float32Array[], options: WavOptions = {}): Uint8Array {
  const kind = options.samples ?? "s16";
  const bytes_per_sample = BITS[kind] / 8;
  const frames = channels[0]?.length ?? 0;
  const count = options.claimed_channels ?? channels.length;
  const rate = options.claimed_rate ?? options.sample_rate ?? 44_100;
  const float = kind === "f32" || kind === "f64";
  const fmt = options.mask === undefined ? 16 : 40;
  const data = frames * channels.length * bytes_per_sample;
  const file = new Uint8Array(28 + fmt + data);
  const view = new DataView(file.buffer);
  const text = (at: number, value: string): void => {
    for (let n = 0; n < value.length; n++) file[at + n] = value.charCodeAt(n);
  };
  text(0, "RIFF");
  view.setUint32(4, options.riff_size ?? file.length - 8, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, fmt, true);
  view.setUint16(20, options.mask === undefined ? (float ? 3 : 1) : 0xfffe, true);
  view.setUint16(22, count, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * count * bytes_per_sample, true);
  view.setUint16(32, count * bytes_per_sample, true);
  view.setUint16(34, BITS[kind], true);
  if (options.mask !== undefined) {
    view.setUint16(36, 22, true);
    view.setUint16(38, BITS[kind], true);
    view.setUint32(40, options.mask, true);
    view.setUint16(44, float ? 3 : 1, true);
    file.set([0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71], 46);
  }
  text(20 + fmt, "data");
  view.setUint32(24 + fmt, options.data_size ?? data, true);
  let at = 28 + fmt;
  for (let n = 0; n < frames; n++) {
    for (const channel of channels) {
      put(view, at, kind, channel[n]!);
      at += bytes_per_sample;
    }
  }
  return file;
}

function put(view: DataView, at: number, kind: WavSamples, sample: number): void {
  const step = (bits: number): number => {
    const full = 2 ** (bits - 1);
    return Math.max(-full, Math.min(full - 1, Math.round(sample * full)));
  };
  switch (kind) {
    case "u8":
      view.setUint8(at, step(8) + 128);
      return;
    case "s16":
      view.setInt16(at, step(16), true);
      return;
    case "s24":
      view.setUint16(at, step(24) & 0xffff, true);
      view.setInt8(at + 2, step(24) >> 16);
      return;
    case "s32":
      view.setInt32(at, step(32), true);
      return;
    case "f32":
      view.setFloat32(at, sample, true);
      return;
    case "f64":
      view.setFloat64(at, sample, true);
      return;
  }
}

/**
 * A valid FLAC file of 16-bit silence, a few bytes for every 1.5 s: ten hours are some 300 KB. RFC 9639: constant subframes in
 * blocks of 65,535 samples.
 */
export function silentFlac(seconds: number, channels: 1 | 2 = 1, sample_rate: 44_100 | 48_000 = 44_100): Uint8Array {
  const size = 65_535;
  const blocks = Math.ceil((seconds * sample_rate) / size);
  const bytes: number[] = [...Buffer.from("fLaC"), 0x80, 0, 0, 34, size >> 8, size & 255, size >> 8, size & 255];
  bytes.push(0, 0, 0, 0, 0, 0);
  const total = BigInt(blocks) * BigInt(size);
  const packed = (BigInt(sample_rate) << 44n) | (BigInt(channels - 1) << 41n) | (15n << 36n) | total;
  for (let shift = 56n; shift >= 0n; shift -= 8n) bytes.push(Number((packed >> shift) & 255n));
  for (let n = 0; n < 16; n++) bytes.push(0);
  for (let block = 0; block < blocks; block++) {
    // Sync, fixed block size; size in 16 bits and rate; channels, 16 bits; number; size - 1; CRC-8; constant 0 each; CRC-16.
    const frame = [
      0xff,
      0xf8,
      sample_rate === 44_100 ? 0x79 : 0x7a,
      ((channels - 1) << 4) | 8,
      ...utf8(block),
      (size - 1) >> 8,
      (size - 1) & 255,
    ];
    frame.push(crc(frame, 8, 0x07));
    for (let channel = 0; channel < channels; channel++) frame.push(0, 0, 0);
    const check = crc(frame, 16, 0x8005);
    bytes.push(...frame, check >> 8, check & 255);
  }
  return Uint8Array.from(bytes);
}

function utf8(value: number): number[] {
  if (value < 0x80) return [value];
  if (value < 0x800) return [0xc0 | (value >> 6), 0x80 | (value & 63)];
  return [0xe0 | (value >> 12), 0x80 | ((value >> 6) & 63), 0x80 | (value & 63)];
}

function crc(bytes: readonly number[], bits: 8 | 16, polynomial: number): number {
  const top = 1 << (bits - 1);
  const mask = 2 ** bits - 1;
  let value = 0;
  for (const byte of bytes) {
    value ^= byte << (bits - 8);
    for (let bit = 0; bit < 8; bit++) value = ((value << 1) ^ (value & top ? polynomial : 0)) & mask;
  }
  return value;
}

/** Runs `body` with a fresh folder that is removed afterwards, whatever happens. */
export async function inFolder<T>(body: (path: (name: string) => string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-test-"));
  try {
    return await body((name) => join(folder, name));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** 20 log10. */
export function decibel(ratio: number): number {
  return 20 * Math.log10(ratio);
}

/** Amplitude of the component at `hertz` over `from` to `to`, by correlation under a Hann window. */
export function toneLevel(samples: Float32Array, hertz: number, sample_rate: number, from: number, to: number): number {
  let real = 0;
  let imaginary = 0;
  let weight = 0;
  for (let n = from; n < to; n++) {
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * (n - from + 0.5)) / (to - from));
    const angle = (2 * Math.PI * hertz * n) / sample_rate;
    real += window * samples[n]! * Math.cos(angle);
    imaginary += window * samples[n]! * Math.sin(angle);
    weight += window;
  }
  return (2 * Math.hypot(real, imaginary)) / weight;
}

/** All variations of a piece, one after another, kept: for short ones. */
export async function makeAll(produced: readonly (Output | Making)[]): Promise<readonly Output[]> {
  const outputs: Output[] = [];
  for (const one of produced) outputs.push(typeof one === "function" ? await one() : one);
  return outputs;
}
