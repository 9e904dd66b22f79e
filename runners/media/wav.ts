import { open } from "node:fs/promises";
import { blockFrames } from "./adpcm.ts";
import { type Sink, undecodable } from "./intake.ts";
import { fill } from "./read_at.ts";
import { readWavHeader, type WavHeader } from "./wav_header.ts";
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
    const { coding, channels, block_bytes, from, to } = header;
    const total = framesIn(header, to - from);
    sink.begin({ sample_rate: header.sample_rate, channels, mask: header.mask, frames: total });
    if (total === 0) return;

    const unpack = unpackerOf(coding, block_bytes);
    const block = new Uint8Array(Math.max(1, Math.floor(READ / block_bytes)) * block_bytes);
    const planar = Array.from({ length: channels }, () => new Float32Array(framesIn(header, block.length)));
    for (let at = from; at < to; at += block.length) {
      signal.throwIfAborted();
      const bytes = await fill(file, at, block.subarray(0, Math.min(block.length, to - at)));
      const frames = unpack(
        block.subarray(0, isAdpcm(coding) ? bytes : bytes - (bytes % block_bytes)),
        channels,
        planar,
      );
      if (frames > 0) sink.push(planar, frames);
    }
  } finally {
    await file.close();
  }
}

function framesIn({ coding, channels, block_bytes }: WavHeader, bytes: number): number {
  if (!isAdpcm(coding)) return Math.floor(bytes / block_bytes);
  const each = blockFrames(coding, block_bytes, channels);
  if (each === 0) throw undecodable(`its ADPCM has blocks of ${block_bytes} bytes`);
  return Math.floor(bytes / block_bytes) * each + blockFrames(coding, bytes % block_bytes, channels);
}

function isAdpcm(coding: WavHeader["coding"]): coding is "ima_adpcm" | "ms_adpcm" {
  return coding === "ima_adpcm" || coding === "ms_adpcm";
}
