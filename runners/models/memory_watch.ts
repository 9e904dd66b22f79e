/**
 * A thread beside the sessions, for they keep the main one busy until a run is over. No resource limit of the system does this: both
 * runtimes reserve far more address space than they use, and Linux limits nothing else for one process.
 */
import { writeSync } from "node:fs";
import process from "node:process";
import { heldBytes, type Watch } from "./memory.ts";

/** A graph that fills memory writes at most some 10 GB/s, mostly far less. */
const POLL_MS = 50;

let timer: ReturnType<typeof setInterval> | undefined;

(globalThis as unknown as { onmessage: (event: MessageEvent<Watch>) => void }).onmessage = ({
  data: { bytes_max, peak },
}) => {
  clearInterval(timer);
  timer = setInterval(() => {
    const bytes = heldBytes();
    if (bytes > peak[0]!) peak[0] = bytes;
    if (bytes <= bytes_max) return;
    const [held, most] = [bytes, bytes_max].map((bytes) => Math.round(bytes / 1e6));
    writeSync(2, `The model's process held ${held} MB and may hold ${most} MB (TONWERK_MODEL_MB)\n`);
    process.kill(process.pid, "SIGKILL");
  }, POLL_MS);
};
