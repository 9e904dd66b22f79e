/**
 * Latencies in buckets a thousandth wide, as HdrHistogram has them: exact to 2 ms, then within 0.1 %. Kept as counts,
 * so that two runs can be merged and compared later. What failed is counted apart, and stands behind everything in a
 * percentile: a refusal is never a fast answer.
 */

/** `[bucket, count]`, rising. */
export type Counts = readonly (readonly [bucket: number, count: number])[];

/** Buckets of one width: up to this many microseconds each is one. */
const FINE = 2_048;

export const bucketOf = (us: number): number => {
  const whole = Math.max(0, Math.min(2 ** 40, Math.round(us)));
  if (whole < FINE) return whole;
  const shift = Math.floor(Math.log2(whole)) - 10;
  return shift * 1_024 + Math.floor(whole / 2 ** shift);
};

/** The middle of a bucket, in microseconds. */
export function microsecondsOf(bucket: number): number {
  if (bucket < FINE) return bucket;
  const shift = Math.floor(bucket / 1_024) - 1;
  return (bucket - shift * 1_024 + 0.5) * 2 ** shift;
}

export class Histogram {
  readonly #counts = new Map<number, number>();
  answered = 0;
  failed = 0;

  addMs(ms: number): void {
    const bucket = bucketOf(1_000 * ms);
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + 1);
    this.answered += 1;
  }

  add(counts: Counts): this {
    for (const [bucket, count] of counts) {
      this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + count);
      this.answered += count;
    }
    return this;
  }

  get counts(): Counts {
    return [...this.#counts].sort(([one], [other]) => one - other);
  }
}

/** In milliseconds; Infinity where it lies among those that failed, NaN where there are none at all. */
export function quantileOf(counts: Counts, failed: number, q: number): number {
  const answered = counts.reduce((sum, [, count]) => sum + count, 0);
  const all = answered + failed;
  if (all === 0) return Number.NaN;
  let left = Math.max(1, Math.ceil(q * all));
  for (const [bucket, count] of counts) {
    left -= count;
    if (left <= 0) return microsecondsOf(bucket) / 1_000;
  }
  return Number.POSITIVE_INFINITY;
}

export const mergeCounts = (all: readonly Counts[]): Counts => {
  const merged = new Histogram();
  for (const counts of all) merged.add(counts);
  return merged.counts;
};
