/** Preloaded into a server of bench/stalls.ts: the thread of its store is started with stamps, and the pauses of its main thread are kept. */
import { appendFile } from "node:fs/promises";

const TICK_MS = 2;

const Plain = globalThis.Worker;
globalThis.Worker = class extends Plain {
  constructor(url: string | URL, options?: WorkerOptions) {
    super(String(url).endsWith("/sqlite/thread.ts") ? new URL("./thread.ts", import.meta.url) : url, options);
  }
};

let last = performance.now();
setInterval(() => {
  const now = performance.now();
  const late_ms = now - last - TICK_MS;
  // Not in this thread: where the disk stalls, it would be the next pause.
  if (late_ms > 4)
    void appendFile(`${process.env.STALLS}`, `${JSON.stringify({ kind: "main", at: Date.now(), ms: late_ms })}\n`);
  last = now;
}, TICK_MS).unref();
