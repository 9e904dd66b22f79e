/**
 * Load that arrives whatever the server does: iterations begin at a fixed rate, and each one's latency counts from the
 * moment that it was due. So neither a slow server nor a late generator can hide (no coordinated omission).
 */
import { type Counts, Histogram, mergeCounts, quantileOf } from "./histogram.ts";

/** What became of one iteration. */
export interface Outcome {
  /** Why it failed: a status such as `429`, or `timeout`; absent: it did not. */
  readonly failed?: string | undefined;
  /** Of a mixed scenario: which of its parts it was. */
  readonly part?: string;
}

export interface Load {
  /** Iterations a second. */
  readonly rate: number;
  readonly seconds: number;
  /** Before that, at the same rate; not counted. A fresh process is slow while its compiler works, on both sides. */
  readonly warm_up_s: number;
  /** After this long without an end, what is still open counts as `never ended`. */
  readonly patience_ms: number;
}

/** Iterations that were due within one second of the run. */
export interface Slice {
  readonly counts: Counts;
  /** By reason. */
  readonly failed: Readonly<Record<string, number>>;
}

export interface Run {
  readonly rate: number;
  readonly seconds: number;
  /** Iterations that ended well, a second: from the first that was due to the last that ended. */
  readonly achieved: number;
  readonly slices: readonly Slice[];
  /** By part, of a mixed scenario. */
  readonly parts: Readonly<Record<string, Slice>>;
  /** How much later than due the generator itself began an iteration. */
  readonly late: Counts;
}

/** `begin` gets the number of the iteration, and must not throw. */
export async function runAtPace(
  begin: (index: number) => Promise<Outcome>,
  { rate, seconds, warm_up_s, patience_ms }: Load,
): Promise<Run> {
  const warm_up = Math.round(rate * warm_up_s);
  const total = warm_up + Math.max(1, Math.round(rate * seconds));
  const tallies = Array.from({ length: Math.max(1, Math.ceil(seconds)) }, newTally);
  const parts = new Map<string, Tally>();
  const late = new Histogram();
  const open = new Set<number>();
  const started = performance.now() + 20;
  const dueOf = (index: number): number => started + (index / rate) * 1_000;
  const tallyOf = (index: number): Tally =>
    tallies[Math.min(tallies.length - 1, Math.floor((dueOf(index) - dueOf(warm_up)) / 1_000))]!;
  let sent = 0;
  let succeeded = 0;
  let last = started;
  const end = (index: number, { failed, part }: Outcome): void => {
    // Too late, and counted already.
    if (!open.delete(index)) return;
    last = performance.now();
    if (index < warm_up) return;
    const ms = last - dueOf(index);
    succeeded += failed === undefined ? 1 : 0;
    count(tallyOf(index), failed, ms);
    if (part === undefined) return;
    const tally = parts.get(part) ?? newTally();
    parts.set(part, tally);
    count(tally, failed, ms);
  };
  const isAllDone = (): boolean => sent === total && open.size === 0;
  while (!isAllDone()) {
    const now = performance.now();
    for (; sent < total && dueOf(sent) <= now; sent++) {
      const index = sent;
      if (index >= warm_up) late.addMs(now - dueOf(index));
      open.add(index);
      void begin(index).then((outcome) => end(index, outcome));
    }
    if (sent === total && performance.now() > Math.max(last, dueOf(total)) + patience_ms) break;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  for (const index of open) if (index >= warm_up) count(tallyOf(index), "never ended", 0);
  return {
    rate,
    seconds,
    achieved: succeeded / Math.max(seconds, (last - dueOf(warm_up)) / 1_000),
    slices: tallies.map(sliceOf),
    parts: Object.fromEntries([...parts].map(([part, tally]) => [part, sliceOf(tally)])),
    late: late.counts,
  };
}

interface Tally {
  readonly histogram: Histogram;
  readonly failed: Record<string, number>;
}
const newTally = (): Tally => ({ histogram: new Histogram(), failed: {} });
const sliceOf = ({ histogram, failed }: Tally): Slice => ({ counts: histogram.counts, failed });

function count({ histogram, failed }: Tally, why: string | undefined, ms: number): void {
  if (why === undefined) histogram.addMs(ms);
  else failed[why] = (failed[why] ?? 0) + 1;
}

/** Of all slices together. */
export function joinSlices(slices: readonly Slice[]): Slice {
  const failed: Record<string, number> = {};
  for (const slice of slices)
    for (const [why, times] of Object.entries(slice.failed)) failed[why] = (failed[why] ?? 0) + times;
  return { counts: mergeCounts(slices.map(({ counts }) => counts)), failed };
}

export const failuresOf = ({ failed }: Slice): number => Object.values(failed).reduce((sum, times) => sum + times, 0);
export const answersOf = ({ counts }: Slice): number => counts.reduce((sum, [, times]) => sum + times, 0);
/** In milliseconds; Infinity where so many failed that it lies among those. */
export const latencyOf = (slice: Slice, q: number): number => quantileOf(slice.counts, failuresOf(slice), q);
