import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { Pauses } from "../../breathe.ts";
import {
  type FlacFile,
  type FlacSource,
  readFlacFile,
  type StreamInfo,
  writeFlacFile,
  writeFlacFiles,
} from "../flac/mod.ts";

export interface Written {
  readonly bytes: number;
  /** Of the file, lower-case hexadecimal. */
  readonly sha256: string;
}

/**
 * Writes FLAC to `path` and proves it: the whole file is read back from there, and each frame must decode to the samples that were
 * meant. Nothing in the file depends on time, machine or runtime.
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
  const { info, sums } = await writeFlacFile(pcm, sample_rate, path, tags, signal);
  try {
    return await verifyFlac(path, info, signal, sums);
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
    for (const [index, { info, sums }] of written.entries()) {
      verified.push(await verifyFlac(files[index]!.path, info, signal, sums));
    }
    return verified;
  } catch (error) {
    for (const { path } of files) await rm(path, { force: true });
    throw error;
  }
}

/** The facts that a file must have. */
export type Meant = Pick<StreamInfo, "sample_rate" | "channels" | "bits" | "frames" | "md5">;

/**
 * Throws unless the file says of itself what is meant, and decoding it to the end gives that many samples, frame by frame of these
 * sums; without sums, of that MD5.
 */
export async function verifyFlac(
  path: string,
  meant: Meant,
  signal: AbortSignal,
  sums?: readonly bigint[],
): Promise<Written> {
  const hash = createHash("sha256");
  const pauses = new Pauses(signal);
  let bytes = 0;
  let frames = 0;
  let info: StreamInfo | undefined;
  const seen = (block: Uint8Array): void => {
    hash.update(block);
    bytes += block.length;
  };
  const decoded = readFlacFile(path, signal, seen, { sums });
  // The decoder itself holds each frame to its CRC, and the samples to the sums or to the MD5 in the header.
  for await (const frame of decoded) {
    info = frame.info;
    frames += frame.count;
    const pause = pauses.due();
    if (pause !== undefined) await pause;
  }
  if (frames !== meant.frames)
    throw new Error(`Cannot verify the FLAC: it decodes to ${frames} samples, ${meant.frames} were meant`);
  for (const fact of ["sample_rate", "channels", "bits", "frames", "md5"] as const) {
    const found = info?.[fact];
    if (info !== undefined && found !== meant[fact])
      throw new Error(`Cannot verify the FLAC: its ${fact} is ${found}, ${meant[fact]} was meant`);
  }
  return { bytes, sha256: hash.digest("hex") };
}
