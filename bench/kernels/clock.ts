/** Times one run again and again within a fresh process, as the warm thread of a pool has it. */
import { readFile, writeFile } from "node:fs/promises";
import { median, ownCpuSeconds, peakBytes } from "../measure.ts";

export interface Timed {
  /** Median processor seconds of the warm runs. */
  readonly cpu_s: number;
  /** Of the first run, in which the compiler learns. */
  readonly first_s: number;
  /** Highest resident memory of the process while the first run lasted, and what it was before that run. */
  readonly peak_bytes: number;
  readonly before_bytes: number;
}

/** At least this many warm runs, and more while they are short; one where they are long: whole songs. */
const RUNS_MIN = 3;
const LONG_SECONDS = 8;
const RUNS_MAX = 15;
const SECONDS_MAX = 2;

/** @param warm_max warm runs at most, where one must do */
export async function timed(run: () => unknown, warm_max = RUNS_MAX): Promise<Timed> {
  // Forgets the peak of the set-up (Linux: Documentation/filesystems/proc.rst, clear_refs).
  await writeFile("/proc/self/clear_refs", "5").catch(() => undefined);
  const before_bytes = await residentBytes();
  const first_s = await once(run);
  const peak_bytes = await peakBytes();
  const warm: number[] = [];
  const isEnough = (total: number): boolean =>
    warm.length >= (total >= LONG_SECONDS ? 1 : Math.min(warm_max, total < SECONDS_MAX ? RUNS_MAX : RUNS_MIN));
  for (let total = 0; !isEnough(total); ) {
    const took = await once(run);
    warm.push(took);
    total += took;
  }
  return { cpu_s: median(warm), first_s, peak_bytes, before_bytes };
}

async function once(run: () => unknown): Promise<number> {
  const before = ownCpuSeconds();
  await run();
  return ownCpuSeconds() - before;
}

async function residentBytes(): Promise<number> {
  const status = await readFile("/proc/self/status", "latin1");
  return Number(/VmRSS:\s+(\d+)/u.exec(status)?.[1] ?? Number.NaN) * 1024;
}
