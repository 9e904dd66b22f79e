import { readSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";

/** `length` bytes from `position` on, fewer where the file ends before. */
export async function readAt(file: FileHandle, position: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
  return bytes.subarray(0, await fill(file, position, bytes));
}

/** Reads into `bytes` until it is full or the file ends; returns how many bytes came. */
export async function fill(file: FileHandle, position: number, bytes: Uint8Array): Promise<number> {
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

/**
 * As `fill`, while the thread waits. A file that is read from end to end is so nine times out of ten from memory, and a
 * thread of the runtime's own that fetches it costs more than that.
 */
export function fillNow(file: FileHandle, position: number, bytes: Uint8Array): number {
  let filled = 0;
  while (filled < bytes.length) {
    const count = readSync(file.fd, bytes, filled, bytes.length - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}
