import { readSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { Pauses } from "../../breathe.ts";
import { GrowingFile } from "../../growing_file.ts";
import { byteSum } from "./byte_sum.ts";
import { FlacDecoder, type FlacDecoderOptions, type FlacFrame } from "./decode.ts";
import { encodeFlac, type FlacSource, type FrameSums } from "./encode.ts";
import type { StreamInfo } from "./metadata.ts";
import { type Workspace, workspace } from "./workspace.ts";

export interface FlacWritten {
  readonly bytes: number;
  readonly info: StreamInfo;
  /** The bytes before the first frame. */
  readonly head: Uint8Array;
  readonly frames: FrameSums;
}

/** One of several files. */
export interface FlacFile {
  readonly source: FlacSource;
  readonly path: string;
  /** Vorbis comments, the only ones in the file. */
  readonly tags: Readonly<Record<string, string>>;
}

const READ = 1 << 18;

/**
 * Encodes to a new file at `path`, which is removed again where that fails.
 *
 * @param kernels null: the plain form, slower
 * @throws RangeError and TypeError as `encodeFlac`; the signal's reason on abort
 */
export async function writeFlacFile(
  source: FlacSource,
  sample_rate: number,
  path: string,
  tags: Readonly<Record<string, string>>,
  signal: AbortSignal,
  kernels: Workspace | null = workspace(),
): Promise<FlacWritten> {
  return (await writeFlacFiles([{ source, path, tags }], sample_rate, signal, kernels))[0]!;
}

/**
 * Encodes to new files, a chunk of each in turn, so that sources which share their work are asked for the same samples
 * one after the other. All are removed again where one fails.
 *
 * @throws as `writeFlacFile`
 */
export async function writeFlacFiles(
  files: readonly FlacFile[],
  sample_rate: number,
  signal: AbortSignal,
  kernels: Workspace | null = workspace(),
): Promise<readonly FlacWritten[]> {
  const handles: GrowingFile[] = [];
  const opened: string[] = [];
  try {
    for (const { path } of files) {
      handles.push(new GrowingFile(await open(path, "w")));
      opened.push(path);
    }
    const encodings = files.map(({ source, tags }) => encodeFlac(source, sample_rate, tags, kernels));
    const bytes = files.map(() => 0);
    const written: FlacWritten[] = [];
    const pauses = new Pauses(signal);
    for (let left = files.length; left > 0; ) {
      for (const [index, encoding] of encodings.entries()) {
        if (written[index] !== undefined) continue;
        signal.throwIfAborted();
        await pauses.due();
        const next = encoding.next();
        const file = handles[index]!;
        if (next.done) {
          file.write(next.value.head, 0);
          await file.settled();
          written[index] = { bytes: bytes[index]!, ...next.value };
          left--;
        } else {
          file.write(next.value, bytes[index]!);
          bytes[index]! += next.value.length;
        }
      }
    }
    return written;
  } catch (error) {
    for (const path of opened) await rm(path, { force: true });
    throw error;
  } finally {
    for (const file of handles) await file.close();
  }
}

/**
 * Reads a file back that was just written: resolves where it holds, byte for byte, the head and the frames that were
 * proven while they were at hand, and nothing else.
 *
 * @param onBytes sees every byte of the file in order, for a digest in the same pass
 * @throws Error where it does not; the signal's reason on abort
 */
export async function readBack(
  path: string,
  { head, frames: { lengths, sums } }: Pick<FlacWritten, "head" | "frames">,
  signal: AbortSignal,
  onBytes: (bytes: Uint8Array) => void,
  kernels: Workspace | null = workspace(),
): Promise<void> {
  const file = await open(path, "r");
  try {
    const found = readNext(file, new Uint8Array(head.length));
    if (Buffer.compare(found, head) !== 0) throw new Error("Cannot verify the FLAC: its head is not what was written");
    onBytes(found);
    const block = new Uint8Array(READ);
    const pauses = new Pauses(signal);
    for (let frame = 0; frame < lengths.length; ) {
      signal.throwIfAborted();
      await pauses.due();
      let bytes = 0;
      let last = frame;
      while (last < lengths.length && bytes + lengths[last]! <= READ) bytes += lengths[last++]!;
      const part = readNext(file, block.subarray(0, bytes));
      onBytes(part);
      kernels?.putBytes(part);
      for (let at = 0; frame < last; at += lengths[frame++]!) {
        const length = lengths[frame]!;
        const sum = kernels?.kernels.flacSumOf(1, at, length) ?? byteSum(part.subarray(at, at + length));
        if (at + length > part.length) throw new Error("Cannot verify the FLAC: it ends within a frame");
        if (sum !== sums[frame]) throw new Error(`Cannot verify the FLAC: frame ${frame} is not what was written`);
      }
    }
    if (readNext(file, block.subarray(0, 1)).length > 0)
      throw new Error("Cannot verify the FLAC: it goes on behind its last frame");
  } finally {
    await file.close();
  }
}

/** Fills `into`, or as much of it as the file still has, and returns that. Reads as `fillNow` of media/read_at.ts does. */
function readNext(file: FileHandle, into: Uint8Array): Uint8Array {
  let filled = 0;
  while (filled < into.length) {
    const count = readSync(file.fd, into, filled, into.length - filled, null);
    if (count === 0) break;
    filled += count;
  }
  return into.subarray(0, filled);
}

/**
 * Decodes a file, frame by frame, with a few hundred kilobytes in memory.
 *
 * @throws FlacError; the signal's reason on abort
 */
export async function* readFlacFile(
  path: string,
  signal: AbortSignal,
  options: FlacDecoderOptions = {},
): AsyncGenerator<FlacFrame, void, void> {
  const file = await open(path, "r");
  try {
    const decoder = new FlacDecoder(options);
    const block = new Uint8Array(READ);
    for (let ended = false; !ended; ) {
      signal.throwIfAborted();
      const bytes = readNext(file, block);
      ended = bytes.length === 0;
      decoder.push(bytes);
      if (ended) decoder.end();
      for (let frame = decoder.next(); frame !== undefined; frame = decoder.next()) yield frame;
    }
  } finally {
    await file.close();
  }
}
