/** Measures of beat tracking as mir_eval has them. */

/** Beats before this are not judged, as is the custom. Seconds. */
const TRIMMED = 5;

/** 2 · hits / (true + found), each true beat hit at most once within `tolerance` seconds; the first 5 s left out. */
export function fMeasure(truth: readonly number[], found: readonly number[], tolerance: number): number {
  const real = truth.filter((time) => time >= TRIMMED);
  const mine = found.filter((time) => time >= TRIMMED);
  if (real.length === 0 && mine.length === 0) return 1;
  let hits = 0;
  let from = 0;
  for (const time of real) {
    while (from < mine.length && mine[from]! < time - tolerance) from++;
    if (from < mine.length && mine[from]! <= time + tolerance) {
      hits++;
      from++;
    }
  }
  return (2 * hits) / (real.length + mine.length);
}

/** Of found beats within 70 ms of a true one: mean of the difference (late is positive) and of its size, seconds. */
export function placing(truth: readonly number[], found: readonly number[]): { bias: number; mean: number } {
  let sum = 0;
  let size = 0;
  let count = 0;
  for (const time of found) {
    let nearest = Number.POSITIVE_INFINITY;
    for (const real of truth) if (Math.abs(time - real) < Math.abs(nearest)) nearest = time - real;
    if (Math.abs(nearest) > 0.07) continue;
    sum += nearest;
    size += Math.abs(nearest);
    count++;
  }
  return { bias: sum / Math.max(1, count), mean: size / Math.max(1, count) };
}
