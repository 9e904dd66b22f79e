import { open, rm } from "node:fs/promises";
import { GrowingFile } from "../../growing_file.ts";
import { FlacDecoder, type FlacDecoderOptions, type FlacFrame } from "./decode.ts";
import { encodeFlac, type FlacSource } from "./encode.ts";
import type { StreamInfo } from "./metadata.ts";
import { type Workspace, workspace } from "./workspace.ts";

export interface FlacWritten {
  readonly bytes: number;
  readonly info: StreamInfo;
  /** Of the samples of each frame, for a decoder to hold them to. */
  readonly sums: readonly bigint[];
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
 * Encodes to new files, a chunk of each in turn, so that sources which share their work are asked for the same samples one after the
 * other. All are removed again where one fails.
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
    for (let left = files.length; left > 0; ) {
      for (const [index, encoding] of encodings.entries()) {
        if (written[index] !== undefined) continue;
        signal.throwIfAborted();
        const next = encoding.next();
        const file = handles[index]!;
        if (next.done) {
          await file.write(next.value.head, 0);
          await file.settled();
          written[index] = { bytes: bytes[index]!, info: next.value.info, sums: next.value.sums };
          left--;
        } else {
          await file.write(next.value, bytes[index]!);
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
 * Decodes a file, frame by frame, with a few hundred kilobytes in memory.
 *
 * @param onBytes sees every byte of the file in order, for a digest in the same pass
 * @throws FlacError; the signal's reason on abort
 */
export async function* readFlacFile(
  path: string,
  signal: AbortSignal,
  onBytes?: (bytes: Uint8Array) => void,
  options: FlacDecoderOptions = {},
): AsyncGenerator<FlacFrame, void, void> {
  const file = await open(path, "r");
  try {
    const decoder = new FlacDecoder(options);
    const block = new Uint8Array(READ);
    for (let ended = false; !ended; ) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(block, 0, READ);
      ended = bytesRead === 0;
      const bytes = block.subarray(0, bytesRead);
      onBytes?.(bytes);
      decoder.push(bytes);
      if (ended) decoder.end();
      for (let frame = decoder.next(); frame !== undefined; frame = decoder.next()) yield frame;
    }
  } finally {
    await file.close();
  }
}
