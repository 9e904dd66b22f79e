import { type FileHandle, open, readFile } from "node:fs/promises";
import { Pauses } from "../../breathe.ts";
import { FreeFormat } from "./free_format.ts";
import { Beyond, type Sink, undecodable } from "./intake.ts";
import { FRAME_BYTES_MAX, frameAt, isAlike, type MpegFrame } from "./mpeg_frame.ts";
import { fill, readAt } from "./read_at.ts";
import { firstFrame } from "./sniff.ts";

/** What of `mpg123-decoder` is used. It always gives two channels; both are the same where the stream has one. */
interface Mpg123 {
  readonly ready: Promise<void>;
  decode(bytes: Uint8Array): Decoded;
  free(): void;
  /** Joins what was decoded: here it does not, see `makeDecoder`. */
  _WASMAudioDecoderCommon: {
    getDecodedAudioMultiChannel(
      errors: unknown,
      parts: Decoded["parts"],
      channels: number,
      samples: number,
      sample_rate: number,
    ): Decoded;
  };
}

interface Decoded {
  /** One after the other; both channels of each. */
  readonly parts: readonly (readonly Float32Array<ArrayBuffer>[])[];
  readonly sample_rate: number;
}

const READ = 1 << 16;
/** Frames beyond what is heard: an encoder's tag, and the delay and padding that this takes away. */
const FRAMES_SPARE = 4;

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
  const found = await firstFrame(file, part.from);
  if (found === undefined || found.at >= part.to) throw undecodable("it is damaged, or not mp3 inside");
  const head = await readAt(file, found.at, FRAME_BYTES_MAX);
  const form = frameAt(head, 0, found.free_bytes)!;
  const { sample_rate, channels, samples } = form;
  const stream: Stream = { file, from: found.at, to: part.to, head, free_bytes: found.free_bytes };
  // Headers alone take a hundredth of decoding, and an encoder's tag may lie.
  const frames = await countFrames(stream, signal);
  const decoder = await makeDecoder();
  try {
    const claimed = Math.max(0, frames - FRAMES_SPARE) * samples;
    sink.begin({ sample_rate, channels, mask: 0, frames: frames * samples, claimed });
    const decode = (bytes: Uint8Array): void => {
      const decoded = decoder.decode(bytes);
      for (const part of decoded.parts) {
        if (decoded.sample_rate !== sample_rate) throw new Beyond("its sample rate changes on the way");
        sink.push(part.slice(0, channels), part[0]!.length);
        // Collectors see the small heads of arrays, and let 100 MB of these lie.
        for (const { buffer } of part) buffer.transfer(0);
      }
    };
    const free = found.free_bytes > 0 ? new FreeFormat(found.free_bytes) : undefined;
    await forEachRun(stream, signal, (run) => decode(free?.convert(run) ?? run));
    if (free !== undefined) decode(free.end());
  } finally {
    decoder.free();
  }
}

/** Frames of layer III in a part of a file. */
interface Stream {
  readonly file: FileHandle;
  readonly from: number;
  readonly to: number;
  /** The first frame's beginning. */
  readonly head: Uint8Array;
  /** As `FirstFrame.free_bytes`. */
  readonly free_bytes: number;
}

async function countFrames(stream: Stream, signal: AbortSignal): Promise<number> {
  let frames = 0;
  await forEachRun(stream, signal, (_, count) => {
    frames += count;
  });
  return frames;
}

/**
 * Calls `take` with whole frames that follow one another without a gap, and how many they are. The bytes are its own
 * only during the call.
 */
async function forEachRun(
  stream: Stream,
  signal: AbortSignal,
  take: (bytes: Uint8Array, frames: number) => void,
): Promise<void> {
  const pauses = new Pauses(signal);
  const block = new Uint8Array(READ);
  for (let at = stream.from; at < stream.to; ) {
    const wanted = block.subarray(0, Math.min(READ, stream.to - at));
    const bytes = wanted.subarray(0, await fill(stream.file, at, wanted));
    const last = at + bytes.length >= stream.to || bytes.length < wanted.length;
    let used = 0;
    for (let run = runOfFrames(bytes, 0, stream); run !== undefined; run = runOfFrames(bytes, used, stream)) {
      take(bytes.subarray(run.from, run.to), run.frames);
      used = run.to;
    }
    if (last) break;
    // A frame that began in this block is read again, with what follows: it is shorter than this.
    at += Math.max(used, bytes.length - FRAME_BYTES_MAX);
    const pause = pauses.due();
    if (pause !== undefined) await pause;
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
  const decoder = new MPEGDecoder() as unknown as Mpg123;
  await decoder.ready;
  // It would copy all parts into one and leave both to the collector.
  decoder._WASMAudioDecoderCommon = {
    getDecodedAudioMultiChannel: (_errors, parts, _channels, _samples, sample_rate) => ({ parts, sample_rate }),
  };
  return decoder;
}

/** The first whole frames from `start` on that follow one another without a gap; undefined where there are none. */
function runOfFrames(
  bytes: Uint8Array,
  start: number,
  stream: Stream,
): { readonly from: number; readonly to: number; readonly frames: number } | undefined {
  let from = start;
  for (; from < bytes.length; from++) {
    const frame = frameOf(bytes, from, stream);
    if (frame === undefined) continue;
    // What looks like a header in the middle of something else is not followed by another.
    const next = from + frame.bytes;
    if (from === start || next + 4 > bytes.length || frameOf(bytes, next, stream) !== undefined) break;
  }
  let to = from;
  let frames = 0;
  for (let frame = frameOf(bytes, to, stream); frame !== undefined; frame = frameOf(bytes, to, stream)) {
    if (to + frame.bytes > bytes.length) break;
    to += frame.bytes;
    frames++;
  }
  return frames > 0 ? { from, to, frames } : undefined;
}

function frameOf(bytes: Uint8Array, at: number, { head, free_bytes }: Stream): MpegFrame | undefined {
  const frame = frameAt(bytes, at, free_bytes);
  return frame !== undefined && isAlike(bytes, at, head) ? frame : undefined;
}
