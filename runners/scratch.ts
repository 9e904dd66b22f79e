/** What a job puts aside on the disk because it would fill memory. Works inside a pool's thread, which has one job at a time. */
import { closeSync, constants, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";

let folder: string | undefined;
let count = 0;

/** Files that are open, each under a number that no other ever has: the system gives the numbers of files that were closed to others. */
const open = new Map<number, number>();

/**
 * Called before each job, by core, and with undefined after it: then what was put aside goes. Without a folder nothing
 * is put on the disk.
 */
export function useScratch(given: string | undefined): void {
  for (const id of open.keys()) close(id);
  folder = given;
}

function close(id: number): void {
  const file = open.get(id);
  open.delete(id);
  if (file !== undefined) closeSync(file);
}

/** Closes the file of a `Scratch` that nobody has any more, though its job goes on. */
const forgotten = new FinalizationRegistry(close);

/**
 * Bytes in a file that has no name any more, so that nothing is left of it when the process ends, however it ends.
 * Where there is no folder, or the disk takes no more, they are in memory instead if that can be.
 */
export class Scratch {
  readonly #bytes: number | undefined;
  readonly #put: typeof writeAll;
  readonly #id = count++;
  #file: number | undefined;
  #memory: Uint8Array | undefined;
  #end = 0;

  /**
   * @param bytes in all; absent: any number, on the disk alone
   * @param put for tests: what a full disk says
   * @throws Error where they are to be on the disk alone, and cannot be
   */
  constructor(bytes?: number, put: typeof writeAll = writeAll) {
    this.#bytes = bytes;
    this.#put = put;
    this.#file = openNameless(this.#id);
    if (this.#file !== undefined) {
      open.set(this.#id, this.#file);
      forgotten.register(this, this.#id, this);
    } else if (bytes !== undefined) this.#memory = new Uint8Array(bytes);
    else throw new Error("Cannot put samples aside: there is no folder for them");
  }

  /**
   * Not more than the bytes in all.
   *
   * @param at absent: behind what was written before. What is passed over is zero
   */
  write(data: Uint8Array, at = this.#end): void {
    if (this.#file !== undefined) {
      try {
        this.#put(this.#file, data, at);
      } catch (error) {
        if (this.#bytes === undefined) throw error;
        this.#intoMemory(this.#file, this.#bytes);
      }
    }
    this.#memory?.set(data, at);
    this.#end = Math.max(this.#end, at + data.length);
  }

  /** Fills `out` with what was written from byte `from` on. */
  read(from: number, out: Uint8Array): void {
    if (this.#memory !== undefined) out.set(this.#memory.subarray(from, from + out.length));
    else readAll(this.#file!, out, from);
  }

  /** Nobody reads it again. */
  close(): void {
    forgotten.unregister(this);
    close(this.#id);
    this.#file = undefined;
    this.#memory = undefined;
  }

  /** The disk is full, or gone: what it has is read back. */
  #intoMemory(file: number, bytes: number): void {
    const memory = new Uint8Array(bytes);
    readAll(file, memory.subarray(0, this.#end), 0);
    this.close();
    this.#memory = memory;
  }
}

function openNameless(id: number): number | undefined {
  if (folder === undefined) return undefined;
  const path = join(folder, `scratch-${process.pid}-${id}`);
  try {
    const file = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
    try {
      unlinkSync(path);
    } catch {
      // Where a file that is open keeps its name, it goes with the job's folder.
    }
    return file;
  } catch {
    return undefined;
  }
}

function writeAll(file: number, data: Uint8Array, position: number): void {
  for (let at = 0; at < data.length; ) at += writeSync(file, data, at, data.length - at, position + at);
}

function readAll(file: number, out: Uint8Array, position: number): void {
  for (let at = 0; at < out.length; ) {
    const read = readSync(file, out, at, out.length - at, position + at);
    if (read === 0) throw new Error(`Cannot read what was put aside: it ends ${out.length - at} bytes early`);
    at += read;
  }
}
