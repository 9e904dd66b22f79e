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

/** Other readings of the same music, of which a tracker may have found one. */
const READINGS = {
  double: (beats: readonly number[]) => between(beats, [0, 1 / 2]),
  half: (beats: readonly number[]) => beats.filter((_, n) => n % 2 === 0),
  "half, other": (beats: readonly number[]) => beats.filter((_, n) => n % 2 === 1),
  "off-beat": (beats: readonly number[]) => between(beats, [1 / 2]),
  triple: (beats: readonly number[]) => between(beats, [0, 1 / 3, 2 / 3]),
  third: (beats: readonly number[]) => beats.filter((_, n) => n % 3 === 0),
  "third, second": (beats: readonly number[]) => beats.filter((_, n) => n % 3 === 1),
  "third, last": (beats: readonly number[]) => beats.filter((_, n) => n % 3 === 2),
  "3 for 2": (beats: readonly number[]) =>
    between(
      beats.filter((_, n) => n % 2 === 0),
      [0, 1 / 3, 2 / 3],
    ),
  "2 for 3": (beats: readonly number[]) =>
    between(
      beats.filter((_, n) => n % 3 === 0),
      [0, 1 / 2],
    ),
} as const satisfies Record<string, (beats: readonly number[]) => number[]>;

/** Which other reading the found beats are (F of 0.8 against it), "lost" where none; undefined where they are right. */
export function faultOf(truth: readonly number[], found: readonly number[]): string | undefined {
  if (fMeasure(truth, found, 0.07) >= 0.8) return undefined;
  for (const [name, read] of Object.entries(READINGS)) if (fMeasure(read(truth), found, 0.07) >= 0.8) return name;
  return "lost";
}

function between(beats: readonly number[], places: readonly number[]): number[] {
  const out: number[] = [];
  for (const [n, beat] of beats.entries()) {
    const length = (beats[n + 1] ?? 2 * beat - (beats[n - 1] ?? beat)) - beat;
    for (const place of places) out.push(beat + place * length);
  }
  return out;
}
