import { open, rm } from "node:fs/promises";
import { Pauses } from "../../breathe.ts";
import { GrowingFile } from "../../growing_file.ts";
import { type FlacSource, packPcm } from "../flac/mod.ts";
import type { Tags } from "./tags.ts";

/** Samples asked of the source at once. */
const ASKED = 1 << 15;

/**
 * Writes a WAV of whole numbers to a new file at `path`, which is removed again where that fails: format, tags as a
 * list of INFO, samples. Plain PCM, whatever the bits: every reader knows it.
 */
export async function writeWav(
  source: FlacSource,
  sample_rate: number,
  path: string,
  tags: Tags,
  signal: AbortSignal,
): Promise<void> {
  const { frames, channels, bits } = source;
  const pauses = new Pauses(signal);
  const file = new GrowingFile(await open(path, "w"));
  try {
    const head = headOf(source, sample_rate, tags);
    file.write(head, 0);
    const floats = Array.from({ length: channels }, () => new Float32Array(ASKED));
    const whole = floats.map(() => new Int32Array(ASKED));
    const bytes = new Uint8Array(ASKED * channels * 3);
    let position = head.length;
    for (let from = 0; from < frames; from += ASKED) {
      const count = Math.min(ASKED, frames - from);
      source.samples(from, from + count, floats);
      const full = 2 ** (bits - 1);
      for (const [channel, samples] of floats.entries()) {
        for (let n = 0; n < count; n++) whole[channel]![n] = samples[n]! * full;
      }
      const packed = packPcm(whole, count, bits, bytes);
      file.write(packed, position);
      position += packed.length;
      await pauses.due();
    }
    // Chunks have an even number of bytes.
    if ((position - head.length) % 2 === 1) file.write(new Uint8Array(1), position);
    await file.settled();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

const INFO: Readonly<Record<keyof Tags, string>> = { TITLE: "INAM", ARTIST: "IART", ALBUM: "IPRD" };

/** All that stands before the first sample. */
function headOf({ frames, channels, bits }: FlacSource, sample_rate: number, tags: Tags): Uint8Array {
  const frame_bytes = (channels * bits) / 8;
  const format = Buffer.alloc(16);
  format.writeUInt16LE(1, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(sample_rate, 4);
  format.writeUInt32LE(sample_rate * frame_bytes, 8);
  format.writeUInt16LE(frame_bytes, 12);
  format.writeUInt16LE(bits, 14);
  const entries = (Object.keys(INFO) as (keyof Tags)[]).flatMap((name) =>
    tags[name] === undefined ? [] : [chunk(INFO[name], Buffer.from(`${tags[name]}\0`, "utf8"))],
  );
  const list = entries.length === 0 ? [] : [chunk("LIST", Buffer.concat([Buffer.from("INFO"), ...entries]))];
  const samples = frames * frame_bytes;
  const body = Buffer.concat([Buffer.from("WAVE"), chunk("fmt ", format), ...list, chunkHead("data", samples)]);
  return Buffer.concat([chunkHead("RIFF", body.length + samples + (samples % 2)), body]);
}

function chunk(id: string, body: Buffer): Buffer {
  return Buffer.concat([chunkHead(id, body.length), body, Buffer.alloc(body.length % 2)]);
}

function chunkHead(id: string, bytes: number): Buffer {
  const head = Buffer.alloc(8);
  head.write(id, "latin1");
  head.writeUInt32LE(bytes, 4);
  return head;
}
