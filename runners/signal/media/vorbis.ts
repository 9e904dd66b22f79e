/** Ogg Vorbis of recordings that instruments are made of. The decoder is WebAssembly without imports: same samples everywhere. */
import { type FileHandle, readFile } from "node:fs/promises";
import { StbVorbis } from "stb-vorbis";
import type { Form } from "./intake.ts";
import { readAt } from "./read_at.ts";

/** Bytes of the head of a page before its table of segments (RFC 3533, section 6). */
const PAGE = 27;
/** Bytes of the identification header that count here (Vorbis I, section 4.2.2). */
const IDENTIFICATION = 16;
/** A note of an instrument is no longer. */
const BYTES_MAX = 64 * 2 ** 20;

/** Undefined for what is no Ogg Vorbis. The number of frames is not in its head: 0. */
export async function vorbisForm(file: FileHandle): Promise<Form | undefined> {
  const head = Buffer.from(await readAt(file, 0, PAGE + 255 + IDENTIFICATION));
  if (head.length < PAGE || head.toString("latin1", 0, 4) !== "OggS") return undefined;
  const first = head.subarray(PAGE + head[26]!);
  if (first.length < IDENTIFICATION || first.toString("latin1", 0, 7) !== "\x01vorbis") return undefined;
  return { sample_rate: first.readUInt32LE(12), channels: first[11]!, mask: 0, frames: 0 };
}

/** The first `frames_max` frames of each channel. */
export async function readVorbis(path: string, frames_max: number): Promise<readonly Float32Array[]> {
  const bytes = await readFile(path);
  if (bytes.length > BYTES_MAX) throw new Error(`"${path}" is too long for a note of an instrument`);
  await StbVorbis.ready;
  const { channels } = StbVorbis.decode(bytes.subarray(0, pagesOf(bytes, frames_max)));
  return channels.map((channel) => channel.subarray(0, frames_max));
}

/** Bytes of the pages that hold the first `frames` frames: what is not heard is not decoded. */
function pagesOf(bytes: Buffer, frames: number): number {
  let at = 0;
  while (at + PAGE <= bytes.length && bytes.toString("latin1", at, at + 4) === "OggS") {
    const granule = bytes.readBigInt64LE(at + 6);
    const table = bytes.subarray(at + PAGE, at + PAGE + bytes[at + 26]!);
    at += PAGE + table.length + table.reduce((sum, size) => sum + size, 0);
    if (granule > BigInt(frames)) break;
  }
  return Math.min(at, bytes.length);
}
