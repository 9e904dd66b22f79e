import { type FileHandle, open, rm } from "node:fs/promises";
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
  const file = await open(path, "w");
  try {
    const encoding = encodeFlac(source, sample_rate, tags, kernels);
    let bytes = 0;
    for (;;) {
      signal.throwIfAborted();
      const next = encoding.next();
      if (next.done) {
        await writeAll(file, next.value.head, 0);
        return { bytes, info: next.value.info, sums: next.value.sums };
      }
      await writeAll(file, next.value, bytes);
      bytes += next.value.length;
    }
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
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

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    at += (await file.write(bytes, at, bytes.length - at, position + at)).bytesWritten;
  }
}
