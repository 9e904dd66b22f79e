/** A SoundFont's file without its recordings: they are nearly all of it, and each is read from the disk when it is first played. */
import { closeSync, openSync, readFileSync, readSync } from "node:fs";

export interface FontFile {
  /** For the parser. Where `recording` is given there are no recordings in it, and what it takes for them means nothing. */
  readonly bytes: ArrayBuffer;
  /** Undefined: all of the file is in `bytes`. */
  readonly recording: ((index: number) => FontRecording) | undefined;
}

export interface FontRecording {
  /** Ogg Vorbis where `compressed`, else 16-bit samples. */
  readonly bytes: Uint8Array;
  readonly compressed: boolean;
}

/** A chunk's name and size. */
const HEAD = 8;
/** Of a record of `shdr` (SoundFont 2.04, section 7.10): its bytes, and where in it first, last and kind of a recording are. */
const RECORD = 46;
const [FIRST, LAST, KIND] = [20, 24, 44];
/** Of its kind: SF3 counts first and last in bytes, SoundFont in samples. */
const COMPRESSED = 16;

/** Whole where it is no SF2 or SF3 of the usual order of chunks: the parser knows more kinds, and says what is wrong with others. */
export function readFontFile(path: string): FontFile {
  const file = openSync(path, "r");
  try {
    const read = (from: number, length: number): Buffer => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(file, bytes, 0, length, from));
    };
    const is = (chunk: Buffer, name: string, form?: string): boolean =>
      chunk.toString("latin1", 0, 4) === name &&
      (form === undefined || chunk.toString("latin1", HEAD, HEAD + 4) === form);
    const riff = read(0, HEAD + 4);
    const info = read(12, HEAD + 4);
    if (!is(riff, "RIFF", "sfbk") || !is(info, "LIST", "INFO")) return whole(path);
    const data_at = 12 + HEAD + info.readUInt32LE(4);
    const data = read(data_at, 2 * HEAD + 4);
    if (!is(data, "LIST", "sdta") || data.toString("latin1", HEAD + 4, HEAD + 8) !== "smpl") return whole(path);
    const recordings_at = data_at + data.length;
    const presets_at = data_at + HEAD + data.readUInt32LE(4);
    const presets = read(presets_at, HEAD);
    if (!is(presets, "LIST")) return whole(path);
    const rest = read(presets_at, HEAD + presets.readUInt32LE(4));
    const headers = headersOf(rest);
    if (headers === undefined) return whole(path);
    // The list of recordings has its two heads and nothing in them.
    data.writeUInt32LE(4 + HEAD, 4);
    data.writeUInt32LE(0, data.length - 4);
    const bytes = Buffer.concat([read(0, data_at), data, rest]);
    bytes.writeUInt32LE(bytes.length - HEAD, 4);
    return {
      bytes: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
      recording: (index) => recordingOf(path, recordings_at, headers, index),
    };
  } finally {
    closeSync(file);
  }
}

function whole(path: string): FontFile {
  const { buffer, byteOffset, length } = readFileSync(path);
  const own = byteOffset === 0 && length === buffer.byteLength;
  return {
    bytes: (own ? buffer : buffer.slice(byteOffset, byteOffset + length)) as ArrayBuffer,
    recording: undefined,
  };
}

/** The chunk `shdr` of the list of presets. */
function headersOf(presets: Buffer): Buffer | undefined {
  for (let at = HEAD + 4; at + HEAD <= presets.length; ) {
    const size = presets.readUInt32LE(at + 4);
    if (presets.toString("latin1", at, at + 4) === "shdr") {
      const headers = presets.subarray(at + HEAD, at + HEAD + size);
      // A copy: the rest need not stay for it.
      return headers.length === size ? Buffer.from(headers) : undefined;
    }
    at += HEAD + size + (size % 2);
  }
  return undefined;
}

/** Opened for each: a thread that is ended leaves no file open. */
function recordingOf(path: string, at: number, headers: Buffer, index: number): FontRecording {
  const record = index * RECORD;
  const compressed = (headers.readUInt16LE(record + KIND) & COMPRESSED) !== 0;
  const width = compressed ? 1 : 2;
  const first = width * headers.readUInt32LE(record + FIRST);
  const bytes = new Uint8Array(Math.max(0, width * headers.readUInt32LE(record + LAST) - first));
  const file = openSync(path, "r");
  try {
    const count = readSync(file, bytes, 0, bytes.length, at + first);
    return { bytes: bytes.subarray(0, count), compressed };
  } finally {
    closeSync(file);
  }
}
