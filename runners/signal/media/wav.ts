import { type FileHandle, open } from "node:fs/promises";
import { Pauses } from "../../breathe.ts";
import { blockFrames } from "./adpcm.ts";
import { type Sink, undecodable } from "./intake.ts";
import { readMp3Part } from "./mp3.ts";
import { fillNow } from "./read_at.ts";
import { readWavHeader, type WavCoding, type WavHeader, type WavPart } from "./wav_header.ts";
import { unpackerOf } from "./wav_samples.ts";

/** Bytes that are read at once, at least one frame or block. */
const READ = 1 << 17;

/**
 * Reads a WAV file into `sink`, block by block. What a file that was cut off still has is taken, up to its last whole frame.
 *
 * @throws SourceError as `readWavHeader`, and what `sink` throws; the signal's reason on abort
 */
export async function readWav(path: string, sink: Sink, signal: AbortSignal): Promise<void> {
  const file = await open(path, "r");
  try {
    const header = await readWavHeader(file);
    const { coding } = header;
    if (coding !== "mp3") return await readSamples(file, { ...header, coding }, sink, signal);
    const [part, ...others] = header.parts;
    if (part === undefined || others.length > 0) throw undecodable("its MP3 comes in parts");
    await readMp3Part(file, part, sink, signal);
  } finally {
    await file.close();
  }
}

type Samples = WavHeader & { readonly coding: WavCoding };

async function readSamples(file: FileHandle, header: Samples, sink: Sink, signal: AbortSignal): Promise<void> {
  const { coding, channels, block_bytes, parts } = header;
  const total = parts.reduce((sum, part) => sum + framesIn(header, part), 0);
  const { sample_rate, mask } = header;
  const finite = coding !== "f32" && coding !== "f64";
  sink.begin({ sample_rate, channels, mask, frames: total, claimed: total, finite });
  if (total === 0) return;
  const unpack = unpackerOf(coding, block_bytes);
  const block = new Uint8Array(Math.max(1, Math.floor(READ / block_bytes)) * block_bytes);
  const room = framesIn(header, { from: 0, to: block.length });
  const planar = Array.from({ length: channels }, () => new Float32Array(room));
  const pauses = new Pauses(signal);
  for (const part of parts) {
    for (let at = part.from; at < part.to; at += block.length) {
      signal.throwIfAborted();
      await pauses.due();
      const bytes = fillNow(file, at, block.subarray(0, Math.min(block.length, part.to - at)));
      const whole = isAdpcm(coding) ? bytes : bytes - (bytes % block_bytes);
      const frames = unpack(block.subarray(0, whole), channels, planar);
      if (frames > 0) sink.push(planar, frames);
    }
  }
}

function framesIn({ coding, channels, block_bytes }: Samples, part: WavPart): number {
  const bytes = part.to - part.from;
  if (!isAdpcm(coding)) return Math.floor(bytes / block_bytes);
  const each = blockFrames(coding, block_bytes, channels);
  if (each === 0) throw undecodable(`its ADPCM has blocks of ${block_bytes} bytes`);
  return Math.floor(bytes / block_bytes) * each + blockFrames(coding, bytes % block_bytes, channels);
}

function isAdpcm(coding: WavCoding): coding is "ima_adpcm" | "ms_adpcm" {
  return coding === "ima_adpcm" || coding === "ms_adpcm";
}
