/**
 * Memory, processor time and event-loop lag of this process; what prom-client collects of these by itself needs parts
 * of Node that Bun and Deno lack.
 */
import { readdirSync } from "node:fs";
import { setTimeout } from "node:timers";
import { Counter, Gauge, type Registry } from "prom-client";
import { TalliedHistogram } from "./tally.ts";

const LAG_EDGES = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5] as const;
/** How often the event loop is asked how late it is. Two timers a second cost nothing. */
const LAG_MS = 500;

/** The returned function stops the timer. */
export function watchProcess(registry: Registry): () => void {
  const registers = [registry];
  new Gauge({
    name: "process_resident_memory_bytes",
    help: "Resident memory",
    registers,
    collect() {
      this.set(process.memoryUsage().rss);
    },
  });
  new Gauge({
    name: "tonwerk_heap_used_bytes",
    help: "Memory used by this thread's JavaScript heap",
    registers,
    collect() {
      this.set(process.memoryUsage().heapUsed);
    },
  });
  new Counter({
    name: "process_cpu_seconds_total",
    help: "User and system time of all threads",
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  new Gauge({
    name: "process_open_fds",
    help: "Open file descriptors",
    registers,
    collect() {
      const open = countDescriptors();
      if (open !== undefined) this.set(open);
    },
  });
  new Gauge({ name: "process_start_time_seconds", help: "Start, since 1970 UTC", registers }).set(
    Math.round(Date.now() / 1000 - process.uptime()),
  );

  const lag = new TalliedHistogram(
    {
      name: "tonwerk_event_loop_lag_seconds",
      help: "How late a timer fires that is due twice a second",
      labels: [],
    },
    LAG_EDGES,
    registry,
  ).of();
  let due = performance.now() + LAG_MS;
  let timer = setTimeout(tick, LAG_MS);
  timer.unref();
  function tick(): void {
    const now = performance.now();
    lag.observe(Math.max(0, now - due) / 1000);
    due = now + LAG_MS;
    timer = setTimeout(tick, LAG_MS);
    timer.unref();
  }
  return () => clearTimeout(timer);
}

/** Linux only. */
function countDescriptors(): number | undefined {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return undefined;
  }
}
