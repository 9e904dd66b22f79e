import { createHash } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { ffmpeg } from "./ffmpeg.ts";
import { launch } from "./launch.ts";

/** What is to be written: `frames` of `channels` in whole steps of 2^(1 - bits). */
export interface Pcm {
  readonly frames: number;
  readonly channels: number;
  readonly bits: 16 | 24;
  /** Samples `from` to `to` at full scale ±1, into `out` from its start; asked once, in order. */
  samples(from: number, to: number, out: readonly Float32Array[]): void;
}

export interface Written {
  readonly bytes: number;
  /** Of the file, lower-case hexadecimal. */
  readonly sha256: string;
}

/** Frames at a time: about what a pipe holds. */
const BLOCK = 8192;
const MEMORY_BYTES = 2 ** 30;

/**
 * Writes FLAC to `path` and proves it: STREAMINFO must carry the MD5 of the samples that were meant, and decoding the whole file
 * must give that MD5 again. Nothing in the file depends on time, machine or version of the encoder's name.
 *
 * @param tags Vorbis comments, the only ones in the file
 * @throws Error where the file could not be written or is not what was meant; there is no file then
 */
export async function encodeFlac(
  pcm: Pcm,
  sample_rate: number,
  path: string,
  tags: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Written> {
  try {
    const md5 = await write(pcm, sample_rate, path, tags, signal);
    await verifyFlac(pcm, sample_rate, path, md5, signal);
    return await digest(path, signal);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** Returns the MD5 of the samples as FLAC counts them: interleaved, little-endian, in as few bytes as the bits need. */
async function write(
  pcm: Pcm,
  sample_rate: number,
  path: string,
  tags: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<string> {
  const { path: program } = await ffmpeg();
  const hash = createHash("md5");
  const seconds = pcm.frames / sample_rate;
  const ended = await launch({
    program,
    args: [
      ...["-hide_banner", "-loglevel", "error", "-y", "-protocol_whitelist", "file,pipe"],
      ...["-f", raw(pcm), "-ar", String(sample_rate), "-ac", String(pcm.channels), "-i", "pipe:0"],
      ...["-map", "0:a:0", "-map_metadata", "-1", ...comments(tags)],
      ...["-c:a", "flac", "-threads", "1", "-compression_level", "5"],
      ...(pcm.bits === 24 ? ["-sample_fmt", "s32", "-bits_per_raw_sample", "24"] : ["-sample_fmt", "s16"]),
      ...["-fflags", "+bitexact", "-flags:a", "+bitexact", "-f", "flac", `file:${path}`],
    ],
    // FLAC is never much larger than its samples: frames that do not shrink are stored as they are.
    allowance: {
      wall_s: 120 + seconds,
      cpu_s: Math.ceil(60 + seconds / 4),
      memory_bytes: MEMORY_BYTES,
      file_bytes: 2 * pcm.frames * pcm.channels * (pcm.bits / 8) + 2 ** 20,
    },
    signal,
    input: async (send) => {
      const block = Array.from({ length: pcm.channels }, () => new Float32Array(BLOCK));
      for (let from = 0; from < pcm.frames; from += BLOCK) {
        const to = Math.min(pcm.frames, from + BLOCK);
        pcm.samples(from, to, block);
        const bytes = interleave(block, to - from, pcm.bits);
        hash.update(bytes);
        await send(bytes);
      }
    },
  });
  if (ended.code !== 0) throw failed("write the FLAC", ended.killed_by, ended.complaint);
  return hash.digest("hex");
}

/** Throws unless the file's header is that of `pcm` and carries `md5`, and decoding it to the end gives `md5` again. */
export async function verifyFlac(
  pcm: Pcm,
  sample_rate: number,
  path: string,
  md5: string,
  signal: AbortSignal,
): Promise<void> {
  const info = await streamInfo(path);
  const facts: [string, unknown, unknown][] = [
    ["sample rate", info.sample_rate, sample_rate],
    ["channels", info.channels, pcm.channels],
    ["bits", info.bits, pcm.bits],
    ["samples", info.frames, pcm.frames],
    ["MD5", info.md5, md5],
    ["MD5 of the decoded samples", await decodedMd5(pcm, path, signal), md5],
  ];
  for (const [name, found, meant] of facts) {
    if (found !== meant) throw new Error(`Cannot verify the FLAC: its ${name} is ${found}, ${meant} was meant`);
  }
}

/** MD5 of every sample that the file decodes to. */
async function decodedMd5(pcm: Pcm, path: string, signal: AbortSignal): Promise<string> {
  const { path: program } = await ffmpeg();
  let answer = "";
  const seconds = 120 + pcm.frames / 44_100;
  const ended = await launch({
    program,
    args: [
      ...["-nostdin", "-hide_banner", "-loglevel", "error", "-xerror", "-protocol_whitelist", "file,pipe"],
      ...["-threads", "1", "-f", "flac", "-i", `file:${path}`, "-map", "0:a:0"],
      ...["-c:a", `pcm_${raw(pcm)}`, "-f", "md5", "pipe:1"],
    ],
    allowance: { wall_s: seconds, cpu_s: Math.ceil(seconds), memory_bytes: MEMORY_BYTES, file_bytes: 0 },
    signal,
    output: (bytes) => {
      answer += Buffer.from(bytes).toString("latin1");
    },
  });
  if (ended.code !== 0) throw failed("read the FLAC back", ended.killed_by, ended.complaint);
  return /MD5=([0-9a-f]{32})/.exec(answer)?.[1] ?? "missing";
}

interface StreamInfo {
  readonly sample_rate: number;
  readonly channels: number;
  readonly bits: number;
  readonly frames: number;
  readonly md5: string;
}

/** The first metadata block of a FLAC file, RFC 9639 8.2. */
export async function streamInfo(path: string): Promise<StreamInfo> {
  const file = await open(path, "r");
  try {
    const bytes = Buffer.alloc(42);
    const { bytesRead } = await file.read(bytes, 0, 42, 0);
    if (bytesRead < 42 || bytes.toString("latin1", 0, 4) !== "fLaC")
      throw new Error("Cannot verify the FLAC: it has no header");
    const packed = bytes.readBigUInt64BE(18);
    return {
      sample_rate: Number(packed >> 44n),
      channels: Number((packed >> 41n) & 7n) + 1,
      bits: Number((packed >> 36n) & 31n) + 1,
      frames: Number(packed & 0xfffffffffn),
      md5: bytes.toString("hex", 26, 42),
    };
  } finally {
    await file.close();
  }
}

async function digest(path: string, signal: AbortSignal): Promise<Written> {
  const file: FileHandle = await open(path, "r");
  try {
    const hash = createHash("sha256");
    const block = new Uint8Array(1 << 20);
    let bytes = 0;
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(block, 0, block.length, bytes);
      if (bytesRead === 0) return { bytes, sha256: hash.digest("hex") };
      hash.update(block.subarray(0, bytesRead));
      bytes += bytesRead;
    }
  } finally {
    await file.close();
  }
}

function interleave(block: readonly Float32Array[], frames: number, bits: 16 | 24): Uint8Array {
  const channels = block.length;
  const full = 2 ** (bits - 1);
  if (bits === 16) {
    const bytes = new Uint8Array(2 * frames * channels);
    for (let channel = 0; channel < channels; channel++) {
      const samples = block[channel]!;
      for (let n = 0, at = 2 * channel; n < frames; n++, at += 2 * channels) {
        const step = samples[n]! * full;
        bytes[at] = step;
        bytes[at + 1] = step >> 8;
      }
    }
    return bytes;
  }
  const bytes = new Uint8Array(3 * frames * channels);
  for (let channel = 0; channel < channels; channel++) {
    const samples = block[channel]!;
    for (let n = 0, at = 3 * channel; n < frames; n++, at += 3 * channels) {
      const step = samples[n]! * full;
      bytes[at] = step;
      bytes[at + 1] = step >> 8;
      bytes[at + 2] = step >> 16;
    }
  }
  return bytes;
}

function raw(pcm: Pcm): "s16le" | "s24le" {
  return pcm.bits === 16 ? "s16le" : "s24le";
}

function comments(tags: Readonly<Record<string, string>>): string[] {
  return Object.entries(tags).flatMap(([name, value]) => ["-metadata", `${name}=${value}`]);
}

function failed(what: string, killed_by: string | null, complaint: string): Error {
  const why = killed_by === null ? complaint.trim() || "no reason given" : `ended by ${killed_by}`;
  return new Error(`Cannot ${what}: ffmpeg: ${why}`);
}
