/**
 * The thread that hashes passwords, started by passwords.ts as a Web Worker. The runtime's own threads, which the
 * callback form of scrypt takes a third of a second each of, are few and read the files too.
 */
import { type ScryptOptions, scryptSync } from "node:crypto";
import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";

export interface ToHash {
  readonly password: string;
  readonly salt: Uint8Array;
  readonly bytes: number;
  readonly options: ScryptOptions;
}

/** As `nice` without a number: whoever signs in waits a moment rather than everybody else. */
const NICENESS = 10;
try {
  // <process>/task/<thread>: Linux, where each thread has a niceness of its own.
  setPriority(Number(readlinkSync("/proc/thread-self").split("/").at(-1)), NICENESS);
} catch {
  // It is a courtesy.
}

self.onmessage = ({ data }: MessageEvent<ToHash>) => {
  self.postMessage(new Uint8Array(scryptSync(data.password, data.salt, data.bytes, data.options)));
};
