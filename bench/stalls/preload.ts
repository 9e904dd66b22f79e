/** Preloaded into a server of bench/stalls.ts: the threads of its store are started with stamps, and the pauses of its main thread are kept. */
import { appendFileSync } from "node:fs";

const STAMPED = ["thread.ts", "checkpoint_thread.ts"];
const TICK_MS = 2;

const Plain = globalThis.Worker;
globalThis.Worker = class extends Plain {
  constructor(url: string | URL, options?: WorkerOptions) {
    const name = STAMPED.find((one) => String(url).includes("/sqlite/") && String(url).endsWith(`/${one}`));
    super(name === undefined ? url : new URL(`./${name}`, import.meta.url), options);
  }
};

let last = performance.now();
setInterval(() => {
  const now = performance.now();
  const late_ms = now - last - TICK_MS;
  if (late_ms > 4)
    appendFileSync(`${process.env.STALLS}`, `${JSON.stringify({ kind: "main", at: Date.now(), ms: late_ms })}\n`);
  last = now;
}, TICK_MS).unref();
