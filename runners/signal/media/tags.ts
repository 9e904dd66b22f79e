import { type FileHandle, open } from "node:fs/promises";
import type { Tags } from "../../../core/ports/mod.ts";
import { readComments as commentsIn } from "../flac/mod.ts";
import { readAt } from "./read_at.ts";

export type { Tags } from "../../../core/ports/mod.ts";

type Entries = readonly (readonly [name: string, value: string])[];

/** Most characters of a tag; what is longer is cut. */
const CHARACTERS_MAX = 200;
/** Bytes of a tag that are looked at, and chunks before it: pictures come behind the words. */
const BYTES_MAX = 1 << 20;
const CHUNKS_MAX = 200;
const VORBIS_COMMENT = 4;

/**
 * Title, artist and album that a WAV, MP3 or FLAC says of itself: Vorbis comments, ID3 of any version, a list of INFO.
 * Only text, on one line, bounded; where a name comes twice, the first counts. What cannot be read is no tag.
 */
export async function readTags(path: string): Promise<Tags> {
  const file = await open(path, "r");
  try {
    const head = latin(await readAt(file, 0, 12));
    if (/^(?:RIFF|RF64|BW64)....WAVE/su.test(head)) return tagsAmong(await inWav(file));
    const [id3, end] = head.startsWith("ID3") ? await inId3(file, 0) : [[], 0];
    const magic = latin(await readAt(file, end, 4));
    const others = magic === "fLaC" ? await inFlac(file, end) : await inId3v1(file);
    // In a FLAC its own comments come first; an ID3v1 has room for 30 characters.
    return tagsAmong(magic === "fLaC" ? [...others, ...id3] : [...id3, ...others]);
  } finally {
    await file.close();
  }
}

/** Every Vorbis comment of a FLAC of ours, in the order of the file. */
export async function readComments(path: string): Promise<Readonly<Record<string, string>>> {
  const file = await open(path, "r");
  try {
    return Object.fromEntries(await inFlac(file, 0));
  } finally {
    await file.close();
  }
}

export function tagsAmong(entries: Entries): Tags {
  const tags: { TITLE?: string; ARTIST?: string; ALBUM?: string } = {};
  for (const name of ["TITLE", "ARTIST", "ALBUM"] as const) {
    for (const [found, value] of entries) {
      const text = found === name ? plain(value) : "";
      if (text === "" || tags[name] !== undefined) continue;
      tags[name] = text;
    }
  }
  return tags;
}

/** Without controls and line ends, halves of characters, and what is too much. */
function plain(value: string): string {
  const [first = ""] = value.split("\0");
  const text = first
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\uFFFD]+/gu, " ")
    .trim();
  return [...text].slice(0, CHARACTERS_MAX).join("").trim();
}

async function inFlac(file: FileHandle, start: number): Promise<Entries> {
  let at = start + 4;
  for (let blocks = 0; blocks < CHUNKS_MAX; blocks++) {
    const head = await readAt(file, at, 4);
    if (head.length < 4) break;
    const length = (head[1]! << 16) | (head[2]! << 8) | head[3]!;
    if ((head[0]! & 127) === VORBIS_COMMENT) return commentsIn(await readAt(file, at + 4, Math.min(length, BYTES_MAX)));
    if (head[0]! > 127) break;
    at += 4 + length;
  }
  return [];
}

const INFO: Readonly<Record<string, string>> = { INAM: "TITLE", IART: "ARTIST", IPRD: "ALBUM" };

async function inWav(file: FileHandle): Promise<Entries> {
  const found: (readonly [string, string])[] = [];
  let at = 12;
  for (let chunks = 0; chunks < CHUNKS_MAX; chunks++) {
    const head = await readAt(file, at, 12);
    if (head.length < 8) break;
    const size = viewOf(head).getUint32(4, true);
    const id = latin(head.subarray(0, 4));
    if (id === "LIST" && latin(head.subarray(8, 12)) === "INFO")
      found.push(...inInfo(await readAt(file, at + 12, Math.max(0, Math.min(size, BYTES_MAX) - 4))));
    if (id.toLowerCase() === "id3 ") found.push(...(await inId3(file, at + 8))[0]);
    at += 8 + size + (size & 1);
  }
  return found;
}

function inInfo(list: Uint8Array): Entries {
  const found: (readonly [string, string])[] = [];
  for (let at = 0; at + 8 <= list.length; ) {
    const size = viewOf(list).getUint32(at + 4, true);
    const name = INFO[latin(list.subarray(at, at + 4))];
    if (name !== undefined) found.push([name, text8(list.subarray(at + 8, at + 8 + size))]);
    at += 8 + size + (size & 1);
  }
  return found;
}

const FRAMES: Readonly<Record<string, string>> = {
  ...{ TIT2: "TITLE", TPE1: "ARTIST", TALB: "ALBUM" },
  ...{ TT2: "TITLE", TP1: "ARTIST", TAL: "ALBUM" },
};

/** The words of the ID3v2 tag at `start`, and where it ends. */
async function inId3(file: FileHandle, start: number): Promise<readonly [Entries, number]> {
  const head = await readAt(file, start, 10);
  if (head.length < 10 || latin(head.subarray(0, 3)) !== "ID3") return [[], start];
  const [version, flags] = [head[3]!, head[5]!];
  const size = sevens(head, 6);
  const end = start + 10 + size + (flags & 0x10 ? 10 : 0);
  let body: Uint8Array = await readAt(file, start + 10, Math.min(size, BYTES_MAX));
  // Before version 4 a tag is unsynchronised as a whole.
  if (flags & 0x80 && version < 4) body = body.filter((byte, index) => byte !== 0 || body[index - 1] !== 0xff);
  let at = 0;
  // The extended header tells its length, with itself from version 4 on.
  if (flags & 0x40 && version > 2 && body.length >= 4)
    at = version === 4 ? sevens(body, 0) : 4 + viewOf(body).getUint32(0);
  const [name_bytes, head_bytes] = version === 2 ? [3, 6] : [4, 10];
  const found: (readonly [string, string])[] = [];
  for (let frames = 0; frames < CHUNKS_MAX && at + head_bytes < body.length; frames++) {
    const view = viewOf(body);
    const bytes =
      version === 2 ? view.getUint32(at + 2) & 0xffffff : version === 4 ? sevens(body, at + 4) : view.getUint32(at + 4);
    const name = FRAMES[latin(body.subarray(at, at + name_bytes))];
    const content = body.subarray(at + head_bytes, at + head_bytes + bytes);
    if (name !== undefined && content.length > 1) found.push([name, id3Text(content)]);
    if (body[at] === 0 || bytes === 0) break;
    at += head_bytes + bytes;
  }
  return [found, end];
}

/** The byte before the text says how it is written. */
function id3Text(content: Uint8Array): string {
  const [encoding, text] = [content[0], content.subarray(1)];
  if (encoding === 0) return new TextDecoder("latin1").decode(text);
  if (encoding === 3) return text8(text);
  const is_little = encoding === 1 && text[0] === 0xff && text[1] === 0xfe;
  return new TextDecoder(is_little ? "utf-16le" : "utf-16be").decode(text.subarray(0, text.length & ~1));
}

async function inId3v1(file: FileHandle): Promise<Entries> {
  const { size } = await file.stat();
  const tag = await readAt(file, Math.max(0, size - 128), 128);
  if (tag.length < 128 || latin(tag.subarray(0, 3)) !== "TAG") return [];
  return ["TITLE", "ARTIST", "ALBUM"].map((name, index) => {
    const from = 3 + 30 * index;
    return [name, text8(tag.subarray(from, from + 30))] as const;
  });
}

/** UTF-8 where it is that, else Latin-1, which older programs wrote. */
function text8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("latin1").decode(bytes);
  }
}

/** 28 bits, seven a byte. */
function sevens(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at]! & 127) << 21) | ((bytes[at + 1]! & 127) << 14) | ((bytes[at + 2]! & 127) << 7) | (bytes[at + 3]! & 127)
  );
}

const latin = (bytes: Uint8Array): string => String.fromCharCode(...bytes);
const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
