/**
 * The columns that the beat network reads: levels and rises of the bands, changes of harmony; each as far from its mean
 * as the piece varies.
 */
import { BANDS, type Bands } from "./bands.ts";
import { CHANGES } from "./change.ts";

/** Values a frame. */
export const FEATURES: number = 2 * BANDS + CHANGES;

/** Frames of 20 ms: two of the bands' in one, of rises the larger. Row i is centred on (2i + 0.5) · HOP. */
export function features({ frames, level, rise }: Bands, changes: Float32Array): Float32Array {
  const rows = frames >> 1;
  const out = new Float32Array(rows * FEATURES);
  const changes_last = changes.length / CHANGES - 1;
  for (let row = 0; row < rows; row++) {
    const to = row * FEATURES;
    const one = 2 * row * BANDS;
    const two = one + BANDS;
    for (let k = 0; k < BANDS; k++) {
      out[to + k] = 0.5 * (level[one + k]! + level[two + k]!);
      out[to + BANDS + k] = Math.max(rise[one + k]!, rise[two + k]!);
    }
    // The changes come every fourth frame of the bands: the line between the two around the row's centre.
    const at = (2 * row + 0.5) / 4;
    const before = Math.min(changes_last, Math.floor(at));
    const after = Math.min(changes_last, before + 1);
    const part = Math.min(1, at - before);
    for (let k = 0; k < CHANGES; k++) {
      const a = changes[before * CHANGES + k]!;
      out[to + 2 * BANDS + k] = a + part * (changes[after * CHANGES + k]! - a);
    }
  }
  standardise(out, rows);
  return out;
}

/** Least spread that a column is divided by, so that noise in an empty band is not blown up: levels are in log10 of power. */
const SPREAD_MIN = 0.05;

function standardise(rows: Float32Array, count: number): void {
  for (let k = 0; k < FEATURES; k++) {
    let sum = 0;
    let squares = 0;
    for (let n = k; n < rows.length; n += FEATURES) {
      sum += rows[n]!;
      squares += rows[n]! * rows[n]!;
    }
    const mean = sum / Math.max(1, count);
    const spread = Math.sqrt(Math.max(0, squares / Math.max(1, count) - mean * mean));
    const scale = 1 / Math.max(SPREAD_MIN, spread);
    for (let n = k; n < rows.length; n += FEATURES) rows[n] = Math.max(-4, Math.min(6, (rows[n]! - mean) * scale));
  }
}
