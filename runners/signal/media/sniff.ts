import type { FileHandle } from "node:fs/promises";
import { SourceError } from "../../source_error.ts";
import { FRAME_BYTES_MAX, frameAt, freeBytesAt, isAlike } from "./mpeg_frame.ts";
import { readAt } from "./read_at.ts";

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
 * WAV: `RIFF`, `RF64` or `BW64` with `WAVE`. FLAC: `fLaC`, also behind ID3v2. MP3: behind ID3v2 of any size, at once, or behind the rest of
 * one frame, MPEG layer III frame headers that follow one another at the distance that each of them says or, in free format, all have.
 *
 * @throws SourceError `source_unsupported_format` for anything else: playlists, pages, Ogg, AAC, video, nothing
 */
export async function sniff(file: FileHandle): Promise<Format> {
  const head = await readAt(file, 0, 12);
  const magic = text(head, 0, 4);
  if (magic === "RIFF" || magic === "RF64" || magic === "BW64") {
    if (text(head, 8, 12) === "WAVE") return "wav";
    throw unsupported();
  }
  const start = await afterTags(file);
  if (text(await readAt(file, start, 4), 0, 4) === "fLaC") return "flac";
  if ((await firstFrame(file)) !== undefined) return "mp3";
  throw unsupported();
}

function unsupported(): SourceError {
  return new SourceError("source_unsupported_format", "Cannot read the source: its content is not WAV, MP3 or FLAC");
}

/** Where the ID3v2 tags end that begin at `from`. Sizes are 28 bits, seven a byte. */
async function afterTags(file: FileHandle, from = 0): Promise<number> {
  let at = from;
  for (let tags = 0; tags < TAGS_MAX; tags++) {
    const head = await readAt(file, at, 10);
    if (head.length < 10 || text(head, 0, 3) !== "ID3") break;
    const size = (head[6]! << 21) | (head[7]! << 14) | (head[8]! << 7) | head[9]!;
    const footer = head[5]! & 0x10 ? 10 : 0;
    at += 10 + size + footer;
  }
  return at;
}

/** Where a stream of MPEG layer III begins. */
export interface FirstFrame {
  readonly at: number;
  /** Bytes of its frames without padding where it is of free format, else 0. */
  readonly free_bytes: number;
}

/** The first of several MPEG layer III frames, behind tags and zeros from `from` on; undefined where there are none. */
export async function firstFrame(file: FileHandle, from = 0): Promise<FirstFrame | undefined> {
  const start = await afterTags(file, from);
  const first = await afterZeros(file, start);
  const window = await readAt(file, first, SEARCH_BYTES);
  // Without a tag before it a stream may have been cut out of a longer one: the rest of a frame, then more frames than chance has.
  const cut = start === 0;
  const last = cut ? Math.min(window.length, FRAME_BYTES_MAX) : window.length;
  for (let at = 0; at < last; at++) {
    const free_bytes = freeBytesAt(window, at);
    const header = frameAt(window, at, free_bytes);
    if (header === undefined) continue;
    const found = { at: first + at, free_bytes };
    if (await followed(file, found, header.bytes, cut && at > 0 ? CUT_FRAMES : 2)) return found;
  }
  return undefined;
}

/** Frames that must follow the first one of a stream that begins within a frame. */
const CUT_FRAMES = 8;

/** So many more frames of the same kind, or the end of the file after one or two. */
async function followed(file: FileHandle, { at: start, free_bytes }: FirstFrame, length: number, count: number) {
  const first = await readAt(file, start, 4);
  let at = start + length;
  for (let frames = 0; frames < count; frames++) {
    const head = await readAt(file, at, 4);
    // Cut off within the frame or right behind it, or a closing ID3v1 tag.
    if (head.length < 4 || text(head, 0, 3) === "TAG") return count === 2;
    const next = frameAt(head, 0, free_bytes);
    if (next === undefined || !isAlike(head, 0, first)) return false;
    at += next.bytes;
  }
  return true;
}

async function afterZeros(file: FileHandle, start: number): Promise<number> {
  for (let at = start; at < start + ZEROS_MAX; ) {
    const block = await readAt(file, at, 4096);
    const place = block.findIndex((byte) => byte !== 0);
    if (place !== -1) return at + place;
    if (block.length === 0) break;
    at += block.length;
  }
  return start;
}

function text(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}
