/**
 * Entry point of a pool's child process. Messages arrive on standard input and leave on descriptor 3, so that whatever
 * runners and native libraries print cannot come between them. When standard input ends, the pool's process is gone and
 * this one goes too. Its arguments are the pool's process, by number, and `job` where it is one of that lane.
 */
import { writeSync } from "node:fs";
import { Adopted } from "./adopted.ts";
import { free } from "./buffers.ts";
import { encodeFrame, FrameReader } from "./frames.ts";
import { host } from "./host.ts";
import type { ToHost } from "./messages.ts";
import { JOB } from "./messages.ts";
import { letOthersGoFirst } from "./priority.ts";
import type { ToWatchdog } from "./watchdog.ts";

const FRAMES_OUT = 3;

// First: threads that are started from here on, the runtime's own too, are as nice.
letOthersGoFirst("process");
const adopted = new Adopted();
const watchdog = new Worker(new URL("./watchdog.ts", import.meta.url), { type: "module" });
const tell = (message: ToWatchdog): void => watchdog.postMessage(message);
tell({ type: "watch", owner: Number(process.argv[2]) });

const options = { isolated: true, nests_here: process.argv[3] !== JOB };
const receive = host((message, transfer = []) => {
  if (message.type === "adopt") adopted.add(message.pid);
  if (message.type === "release") adopted.delete(message.pid);
  if (message.type === "adopt" || message.type === "release") tell(message);
  for (const part of encodeFrame(message)) write(part);
  // It is all written.
  free(transfer);
}, options);
const reader = new FrameReader((message) => receive(message as ToHost));

process.stdin.on("data", (chunk: Uint8Array) => reader.push(chunk));
process.stdin.on("end", end);

/** Waits until all is written: what is said just before native code or a loop takes over has to be out. */
function write(part: Uint8Array): void {
  try {
    for (let at = 0; at < part.byteLength; ) at += writeSync(FRAMES_OUT, part, at);
  } catch (error) {
    // Core's log is not to be had here; the line has its form.
    const line = { time: new Date().toISOString(), level: "error", event: "pool.error", error: String(error) };
    console.error(JSON.stringify(line));
    end();
  }
}

/** The pool is gone. */
function end(): never {
  adopted.kill();
  process.exit(1);
}
