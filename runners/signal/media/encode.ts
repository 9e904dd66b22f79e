import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import {
  FlacDecoder,
  type FlacFile,
  type FlacSource,
  type FlacWritten,
  readBack,
  writeFlacFile,
  writeFlacFiles,
} from "../flac/mod.ts";

export interface Written {
  readonly bytes: number;
  /** Of the file, lower-case hexadecimal. */
  readonly sha256: string;
}

/**
 * Writes FLAC to `path` and proves it: each frame must decode to the samples that were meant, and the whole file, read
 * back from there, must hold these frames. Nothing in the file depends on time, machine or runtime.
 *
 * @param tags Vorbis comments, the only ones in the file
 * @throws Error where the file could not be written or is not what was meant; there is no file then
 */
export async function encodeFlac(
  pcm: FlacSource,
  sample_rate: number,
  path: string,
  tags: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Written> {
  const written = await writeFlacFile(pcm, sample_rate, path, tags, signal);
  try {
    return await verifyFlac(path, written, signal);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** As `encodeFlac`, for files that are written side by side: all of them, or none. */
export async function encodeFlacs(
  files: readonly FlacFile[],
  sample_rate: number,
  signal: AbortSignal,
): Promise<readonly Written[]> {
  const written = await writeFlacFiles(files, sample_rate, signal);
  try {
    const verified: Written[] = [];
    for (const [index, { path }] of files.entries()) verified.push(await verifyFlac(path, written[index]!, signal));
    return verified;
  } catch (error) {
    for (const { path } of files) await rm(path, { force: true });
    throw error;
  }
}

/**
 * Throws unless the file holds what was written, which was proven as it was made, and a decoder finds in its head what
 * is meant. Exported for tests.
 */
export async function verifyFlac(path: string, written: FlacWritten, signal: AbortSignal): Promise<Written> {
  const hash = createHash("sha256");
  let bytes = 0;
  await readBack(path, written, signal, (block) => {
    hash.update(block);
    bytes += block.length;
  });
  const decoder = new FlacDecoder();
  decoder.push(written.head);
  decoder.next();
  for (const fact of ["sample_rate", "channels", "bits", "frames", "md5"] as const) {
    const [found, meant] = [decoder.info?.[fact], written.info[fact]];
    if (found !== meant) throw new Error(`Cannot verify the FLAC: its ${fact} is ${found}, ${meant} was meant`);
  }
  return { bytes, sha256: hash.digest("hex") };
}
