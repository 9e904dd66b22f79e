import { writeFile } from "node:fs/promises";
import { Pauses } from "../../breathe.ts";
import type { FlacSource } from "../flac/mod.ts";

/** Most pairs of a file: 256 KB, and a screen's width forty times over. */
const PAIRS_MAX = 1 << 16;

/**
 * Writes the smallest and the largest sample of all channels for each stretch of samples, for waveforms of any width:
 * two whole numbers of 32 bits (samples of each channel, samples of a stretch), then pairs of 16 bits, little-endian.
 */
export async function writeLevels(source: FlacSource, path: string, signal: AbortSignal): Promise<void> {
  const { frames, channels } = source;
  const stretch = 2 ** Math.max(0, Math.ceil(Math.log2(frames / PAIRS_MAX)));
  const pairs = Math.ceil(frames / stretch);
  const out = Buffer.alloc(8 + 4 * pairs);
  out.writeUInt32LE(frames, 0);
  out.writeUInt32LE(stretch, 4);
  const pauses = new Pauses(signal);
  // A whole number of stretches, whatever power of two they are.
  const asked = Math.max(stretch, 1 << 15);
  const planar = Array.from({ length: channels }, () => new Float32Array(asked));
  for (let from = 0; from < frames; from += asked) {
    const count = Math.min(asked, frames - from);
    source.samples(from, from + count, planar);
    for (let begin = 0; begin < count; begin += stretch) {
      let [low, high] = [1, -1];
      for (const samples of planar) {
        for (let n = begin; n < Math.min(count, begin + stretch); n++) {
          low = Math.min(low, samples[n]!);
          high = Math.max(high, samples[n]!);
        }
      }
      const at = 8 + 4 * ((from + begin) / stretch);
      out.writeInt16LE(Math.max(-32_768, Math.floor(low * 32_768)), at);
      out.writeInt16LE(Math.min(32_767, Math.ceil(high * 32_768)), at + 2);
    }
    await pauses.due();
  }
  await writeFile(path, out);
}
