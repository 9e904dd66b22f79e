/** What this process holds, and its end when that is more than it may. */
import { readFileSync } from "node:fs";
import process from "node:process";

/** The largest that was seen, bytes. */
const peak = new Float64Array(new SharedArrayBuffer(8));
let watcher: Worker | undefined;

export interface Watch {
  readonly bytes_max: number;
  readonly peak: Float64Array;
}

/** Ends this process when it holds more than it may. */
export function boundMemory(model_mb: number): void {
  watcher ??= new Worker(new URL("./memory_watch.ts", import.meta.url), { type: "module" });
  watcher.postMessage({ bytes_max: model_mb * 1e6, peak } satisfies Watch);
  // It must not keep the process alive; only some runtimes' workers have this.
  (watcher as { unref?: () => void }).unref?.();
}

/**
 * Bytes of this process that no file holds. Weights that the runtime maps from a file beside the graph are the system's to drop when memory is short,
 * so that gigabytes of them do not count. Where the system does not tell them apart, all that is resident.
 */
export function heldBytes(): number {
  try {
    const status = readFileSync("/proc/self/status", "latin1");
    const kib = [/^RssAnon:\s+(\d+)/m, /^RssShmem:\s+(\d+)/m].map((line) => Number(line.exec(status)![1]));
    return 1024 * kib.reduce((a, b) => a + b);
  } catch {
    return process.memoryUsage().rss;
  }
}

export function peakBytes(): number {
  return Math.max(peak[0]!, heldBytes());
}
