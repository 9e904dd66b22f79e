import { type FileHandle, open, readFile } from "node:fs/promises";
import { Pauses } from "../breathe.ts";
import { Beyond, type Sink, undecodable } from "./intake.ts";
import { frameAt, isAlike, type MpegFrame } from "./mpeg_frame.ts";
import { fill, readAt } from "./read_at.ts";
import { firstFrame } from "./sniff.ts";

/** What of `mpg123-decoder` is used. It always gives two channels; both are the same where the stream has one. */
interface Mpg123 {
  readonly ready: Promise<void>;
  decode(bytes: Uint8Array): {
    readonly channelData: readonly Float32Array[];
    readonly samplesDecoded: number;
    readonly sampleRate: number;
  };
  free(): void;
}

const READ = 1 << 16;
/** No frame is longer: 320 kbit/s at 32 kHz, padded, are 1,441 bytes. */
const FRAME_BYTES_MAX = 2048;

/**
 * Reads an MP3 file into `sink` by mpg123 in WebAssembly. The delay and the padding that an encoder's tag names are taken away, as ffmpeg
 * does. Only whole frames of one stream reach the decoder: tags of any size and what else is between frames is passed over here.
 *
 * @throws SourceError `source_undecodable`, and what `sink` throws; the signal's reason on abort
 */
export async function readMp3(path: string, sink: Sink, signal: AbortSignal): Promise<void> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    await readMp3Part(file, { from: 0, to: size }, sink, signal);
  } finally {
    await file.close();
  }
}

/** The same for what stands in a part of a file, as a WAV can hold it. */
export async function readMp3Part(
  file: FileHandle,
  part: { readonly from: number; readonly to: number },
  sink: Sink,
  signal: AbortSignal,
): Promise<void> {
  const pauses = new Pauses(signal);
  const decoder = await makeDecoder();
  try {
    const start = await firstFrame(file, part.from);
    if (start === undefined || start >= part.to) throw undecodable("it is damaged, or not mp3 inside");
    const head = await readAt(file, start, FRAME_BYTES_MAX);
    const form = frameAt(head, 0)!;
    const size = part.to;
    const { sample_rate, channels } = form;
    sink.begin({ sample_rate, channels, mask: 0, frames: expected(head, form, size - start) });

    const block = new Uint8Array(READ);
    for (let at = start; at < size; ) {
      const wanted = block.subarray(0, Math.min(READ, size - at));
      const bytes = wanted.subarray(0, await fill(file, at, wanted));
      const last = at + bytes.length >= size || bytes.length < wanted.length;
      let used = 0;
      for (let run = runOfFrames(bytes, 0, head); run !== undefined; run = runOfFrames(bytes, used, head)) {
        const { channelData, samplesDecoded, sampleRate } = decoder.decode(bytes.subarray(run.from, run.to));
        if (samplesDecoded > 0 && sampleRate !== sample_rate) throw new Beyond("its sample rate changes on the way");
        if (samplesDecoded > 0) sink.push(channelData.slice(0, channels), samplesDecoded);
        used = run.to;
      }
      if (last) break;
      // A frame that began in this block is read again, with what follows: it is shorter than this.
      at += Math.max(used, bytes.length - FRAME_BYTES_MAX);
      const pause = pauses.due();
      if (pause !== undefined) await pause;
    }
  } finally {
    decoder.free();
  }
}

/** The version of `mpg123-decoder`; undefined where the package is not installed. */
export async function mpg123(): Promise<string | undefined> {
  try {
    const about = await readFile(new URL("package.json", import.meta.resolve("mpg123-decoder")), "utf8");
    const { version }: { version?: unknown } = JSON.parse(about);
    return typeof version === "string" ? version : undefined;
  } catch {
    // Absent, as optional packages may be.
    return undefined;
  }
}

/** No decoder for MP3 is installed: not the file's fault. */
export class NoDecoder extends Error {
  override readonly name = "NoDecoder";
}

async function makeDecoder(): Promise<Mpg123> {
  if ((await mpg123()) === undefined)
    throw new NoDecoder('Cannot decode MP3: neither package "mpg123-decoder" nor ffmpeg is installed');
  const { MPEGDecoder } = await import("mpg123-decoder");
  const decoder: Mpg123 = new MPEGDecoder();
  await decoder.ready;
  return decoder;
}

/** The first whole frames from `start` on that follow one another without a gap; undefined where there are none. */
function runOfFrames(
  bytes: Uint8Array,
  start: number,
  head: Uint8Array,
): { readonly from: number; readonly to: number } | undefined {
  let from = start;
  for (; from < bytes.length; from++) {
    const frame = frameOf(bytes, from, head);
    if (frame === undefined) continue;
    // What looks like a header in the middle of something else is not followed by another.
    const next = from + frame.bytes;
    if (from === start || next + 4 > bytes.length || frameOf(bytes, next, head) !== undefined) break;
  }
  let to = from;
  for (let frame = frameOf(bytes, to, head); frame !== undefined; frame = frameOf(bytes, to, head)) {
    if (to + frame.bytes > bytes.length) break;
    to += frame.bytes;
  }
  return to > from ? { from, to } : undefined;
}

function frameOf(bytes: Uint8Array, at: number, head: Uint8Array): MpegFrame | undefined {
  const frame = frameAt(bytes, at);
  return frame !== undefined && isAlike(bytes, at, head) ? frame : undefined;
}

/** Frames of sound: what a Xing or Info tag counts, else what the size lets expect. */
function expected(head: Uint8Array, { bytes, samples, tag_at }: MpegFrame, size: number): number {
  const tag = String.fromCharCode(...head.subarray(tag_at, tag_at + 4));
  const counted = (tag === "Xing" || tag === "Info") && (head[tag_at + 7]! & 1) === 1;
  if (!counted) return Math.ceil(size / bytes) * samples;
  const frames = new DataView(head.buffer, head.byteOffset + tag_at + 8).getUint32(0);
  // A frame has 24 bytes at least, whatever is counted.
  return Math.min(frames, Math.ceil(size / 24)) * samples;
}
