/** What a measurement leaves: whole histograms by the second, so that whatever is asked of it later can be answered. */
import type { Generator } from "./generator.ts";
import { quantileOf } from "./histogram.ts";
import type { Knee } from "./knee.ts";
import type { Machine } from "./machine.ts";
import { answersOf, failuresOf, joinSlices, latencyOf, type Run, type Slice } from "./pace.ts";
import type { Slo } from "./slo.ts";

export const FORMAT = 1;

export interface Measured {
  readonly scenario: string;
  readonly sentence: string;
  readonly action: string;
  readonly slo: Slo;
  /** At one rate, each a round. Of a knee: at the knee. */
  readonly runs: readonly Run[];
  readonly knee: Knee | null;
  /** Why the objective was missed, of each run that missed it. */
  readonly missed: readonly string[];
  /** Of this machine while it was measured; null where it does not tell. */
  readonly shares: { readonly stolen: number; readonly idle: number } | null;
  /** What could not be removed from the server, and the like. */
  readonly notes: readonly string[];
}

export interface Result {
  readonly format: typeof FORMAT;
  readonly at: string;
  readonly url: string;
  /** Of the service. */
  readonly version: string;
  readonly is_test_key: boolean;
  readonly machine: Machine;
  readonly generator: Generator;
  readonly notes: readonly string[];
  readonly measured: readonly Measured[];
}

/** Fewer iterations than this beyond a quantile say nothing of it. */
export const FEW = 5;

export const QUANTILES = [0.5, 0.9, 0.95, 0.99, 0.999, 0.9999] as const;
/** `p99.9` */
export const nameOf = (q: number): string => `p${Number((100 * q).toFixed(4))}`;

export interface Figures {
  readonly answered: number;
  readonly failed: number;
  readonly by_reason: Readonly<Record<string, number>>;
  /** Milliseconds by the quantiles above; NaN where too few iterations lie beyond, Infinity among those that failed. */
  readonly latencies: readonly number[];
  readonly most_ms: number;
}

export function figuresOf(slice: Slice): Figures {
  const answered = answersOf(slice);
  const failed = failuresOf(slice);
  return {
    answered,
    failed,
    by_reason: slice.failed,
    latencies: QUANTILES.map((q) =>
      q > 0.5 && (answered + failed) * (1 - q) < FEW - 0.01 ? Number.NaN : latencyOf(slice, q),
    ),
    most_ms: quantileOf(slice.counts, failed, 1),
  };
}

export const sliceOf = (runs: readonly Run[]): Slice => joinSlices(runs.flatMap(({ slices }) => slices));

/** Smallest and largest of the runs, at a quantile. */
export function spreadOf(runs: readonly Run[], q: number): readonly [number, number] {
  const found = runs.map(({ slices }) => latencyOf(joinSlices(slices), q));
  return [Math.min(...found), Math.max(...found)];
}
