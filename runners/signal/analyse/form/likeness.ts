/** How alike two bars of a piece are, note by note, and which stretches repeat. */
import type { Bars } from "./bars.ts";

/**
 * Cosine of the tunes of every pair of bars, -1 to 1, averaged along the diagonal over the bar before and after: `count` × `count`.
 * A repeat shows as a line beside the main diagonal.
 */
export function likeness(bars: Bars): Float32Array {
  const { count, tune, tune_width } = bars;
  const single = new Float32Array(count * count);
  for (let a = 0; a < count; a++) {
    for (let b = a; b < count; b++) {
      let dot = 0;
      for (let k = 0; k < tune_width; k++) dot += tune[a * tune_width + k]! * tune[b * tune_width + k]!;
      single[a * count + b] = dot;
      single[b * count + a] = dot;
    }
  }
  return single;
}

/**
 * For each bar, how it resembles the bars at every lag, smoothed along time: row i, column l is bar i against bar i - l, `count` × `count`.
 * Lags go round the end of the piece, so that every bar has as many to show.
 */
export function lags(alike: Float32Array, count: number, reach: number): Float32Array {
  const out = new Float32Array(count * count);
  for (let bar = 0; bar < count; bar++) {
    for (let lag = 0; lag < count; lag++) {
      let sum = 0;
      let weights = 0;
      for (let d = -reach; d <= reach; d++) {
        const a = bar + d;
        const b = bar < lag ? a - lag + count : a - lag;
        if (a < 0 || b < 0 || a >= count || b >= count) continue;
        const weight = 1 - Math.abs(d) / (reach + 1);
        sum += weight * alike[a * count + b]!;
        weights += weight;
      }
      if (weights > 0) out[bar * count + lag] = Math.max(0, sum / weights);
    }
  }
  return out;
}
