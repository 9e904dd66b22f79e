import { writeSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";

/** Bytes that are not handed to the disk before so many have come together. */
const SYNC_STEP = 1 << 19;

/**
 * A file that goes to the disk while it is made. Else it all goes at once when it is put into the bucket, and on ext4 everybody's sync,
 * so every submission's too, then waits for all of it. The disk is never waited for in between: a slow one takes larger steps.
 */
export class GrowingFile {
  readonly #handle: FileHandle;
  #unsynced = 0;
  #syncing: Promise<void> | undefined;
  /** What the disk said; told by the next call, for the system tells it only once. */
  #trouble: { readonly error: unknown } | undefined;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** The thread waits: it goes to memory, which costs less than to have another thread do it. */
  write(bytes: Uint8Array, position: number): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#handle.fd, bytes, at, bytes.length - at, position + at);
    if (this.#trouble !== undefined) throw this.#trouble.error;
    this.#unsynced += bytes.length;
    if (this.#unsynced < SYNC_STEP || this.#syncing !== undefined) return;
    this.#unsynced = 0;
    this.#syncing = this.#sync();
  }

  async #sync(): Promise<void> {
    try {
      await this.#handle.datasync();
    } catch (error) {
      this.#trouble = { error };
    } finally {
      this.#syncing = undefined;
    }
  }

  /** Nothing is under way any more. */
  async settled(): Promise<void> {
    await this.#syncing;
    if (this.#trouble !== undefined) throw this.#trouble.error;
  }

  async close(): Promise<void> {
    await this.#syncing;
    await this.#handle.close();
  }
}
