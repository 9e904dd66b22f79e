import type { FileHandle } from "node:fs/promises";
import { SourceError } from "../source_error.ts";

export type Format = "wav" | "mp3" | "flac";

export const CONTENT_TYPES: Readonly<Record<Format, string>> = {
  wav: "audio/wav",
  mp3: "audio/mpeg",
  flac: "audio/flac",
};

/** Bytes after tags and zeros in which the first MPEG frame must begin; encoders leave less than a frame of remains there. */
const SEARCH_BYTES = 8192;

/** Zeros that may stand before the first MPEG frame. */
const ZEROS_MAX = 1 << 20;

/** ID3v2 tags in a row; some taggers prepend one without removing the last. */
const TAGS_MAX = 8;

/**
 * Which of the three formats the content is; name and headers of a request are never asked.
 *
 * WAV: `RIFF` or `RF64` with `WAVE`. FLAC: `fLaC`, also behind ID3v2. MP3: behind ID3v2 of any size, or at once, MPEG layer III
 * frame headers that follow one another at the distance that each of them says.
 *
 * @throws SourceError `source_unsupported_format` for anything else: playlists, pages, Ogg, AAC, video, nothing
 */
export async function sniff(file: FileHandle): Promise<Format> {
  const head = await read(file, 0, 12);
  const magic = text(head, 0, 4);
  if (magic === "RIFF" || magic === "RF64") {
    if (text(head, 8, 12) === "WAVE") return "wav";
    throw unsupported();
  }
  const start = await afterTags(file);
  if (text(await read(file, start, 4), 0, 4) === "fLaC") return "flac";
  if (await hasFrames(file, start)) return "mp3";
  throw unsupported();
}

function unsupported(): SourceError {
  return new SourceError("source_unsupported_format", "Cannot read the source: its content is not WAV, MP3 or FLAC");
}

/** Where the ID3v2 tags end. Sizes are 28 bits, seven a byte. */
async function afterTags(file: FileHandle): Promise<number> {
  let at = 0;
  for (let tags = 0; tags < TAGS_MAX; tags++) {
    const head = await read(file, at, 10);
    if (head.length < 10 || text(head, 0, 3) !== "ID3") break;
    const size = (head[6]! << 21) | (head[7]! << 14) | (head[8]! << 7) | head[9]!;
    const footer = head[5]! & 0x10 ? 10 : 0;
    at += 10 + size + footer;
  }
  return at;
}

async function hasFrames(file: FileHandle, start: number): Promise<boolean> {
  const first = await afterZeros(file, start);
  const window = await read(file, first, SEARCH_BYTES);
  // Without a tag before it the first frame stands at the very beginning: anything else may be any file.
  const last = start === 0 ? 1 : window.length;
  for (let at = 0; at < last; at++) {
    const length = frameLength(window, at);
    if (length === 0) continue;
    if (await followed(file, first + at, length)) return true;
  }
  return false;
}

/** Two more frames of the same kind, or the end of the file after one. */
async function followed(file: FileHandle, start: number, length: number): Promise<boolean> {
  const first = await read(file, start, 4);
  let at = start + length;
  for (let frames = 0; frames < 2; frames++) {
    const head = await read(file, at, 4);
    // Cut off within the frame or right behind it, or a closing ID3v1 tag.
    if (head.length < 4 || text(head, 0, 3) === "TAG") return true;
    const next = frameLength(head, 0);
    // Version, layer and sample rate stay the same within a stream.
    if (next === 0 || (head[1]! & 0x1e) !== (first[1]! & 0x1e) || (head[2]! & 0x0c) !== (first[2]! & 0x0c))
      return false;
    at += next;
  }
  return true;
}

async function afterZeros(file: FileHandle, start: number): Promise<number> {
  for (let at = start; at < start + ZEROS_MAX; ) {
    const block = await read(file, at, 4096);
    const place = block.findIndex((byte) => byte !== 0);
    if (place !== -1) return at + place;
    if (block.length === 0) break;
    at += block.length;
  }
  return start;
}

const KBITS_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320] as const;
const KBITS_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160] as const;

/** Bytes of the MPEG layer III frame whose header is at `at`; 0 where there is none. ISO 11172-3 2.4.1.3, ISO 13818-3, MPEG 2.5. */
function frameLength(bytes: Uint8Array, at: number): number {
  if (at + 4 > bytes.length || bytes[at] !== 0xff) return 0;
  const second = bytes[at + 1]!;
  const third = bytes[at + 2]!;
  const version = (second >> 3) & 3;
  // ADTS (AAC) has layer bits 00 here.
  if ((second & 0xe0) !== 0xe0 || version === 1 || ((second >> 1) & 3) !== 1) return 0;
  const rate = [44_100, 48_000, 32_000][(third >> 2) & 3];
  const kbits = (version === 3 ? KBITS_1 : KBITS_2)[third >> 4];
  if (rate === undefined || kbits === undefined || kbits === 0) return 0;
  const sample_rate = version === 3 ? rate : version === 2 ? rate / 2 : rate / 4;
  return Math.floor(((version === 3 ? 144 : 72) * kbits * 1000) / sample_rate) + ((third >> 1) & 1);
}

function text(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}

async function read(file: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
