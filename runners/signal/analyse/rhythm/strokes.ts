/** What is heard at given moments: attacks in groups of bands, changes of harmony, what the network makes of them. */
import { BANDS } from "./bands.ts";
import { CHANGES } from "./change.ts";
import { FEATURES } from "./features.ts";
import type { Activations } from "./network.ts";
import type { Onset } from "./onsets.ts";
import { FIRST, ROW } from "./settle.ts";

/** What the tracker's earlier stages made of a piece. */
export interface Heard {
  /** Rows of `FEATURES`. */
  readonly rows: Float32Array;
  readonly activations: Activations;
  readonly onsets: readonly Onset[];
}

/** Bands whose attacks are told apart: kick, bass, two of chords and voices, snare, cymbals. */
const GROUPS = [0, 3, 7, 13, 20, 27, BANDS];
/** Columns of the change of chroma and bass over 0.48 s before and after. */
const CHANGE_COLUMNS = [2 * BANDS + CHANGES / 3, 2 * BANDS + CHANGES / 3 + 1];

/** Attacks of each of the six groups at each of `times`. */
export function attacksAt(times: readonly number[], { rows }: Heard): number[][] {
  return GROUPS.slice(1).map((last, n) => highest(grouped(rows, BANDS + GROUPS[n]!, BANDS + last), times, 1));
}

/** Change of chroma, and of bass, at each of `times`. */
export function changesAt(times: readonly number[], { rows }: Heard): number[][] {
  return CHANGE_COLUMNS.map((column) => highest(grouped(rows, column, column + 1), times, 2));
}

/** The largest value within `reach` rows of each of `times`. */
export function highest(values: Float32Array, times: readonly number[], reach: number): number[] {
  const last = values.length - 1;
  return times.map((time) => {
    const row = Math.round((time - FIRST) / ROW);
    let most = Number.NEGATIVE_INFINITY;
    for (let n = row - reach; n <= row + reach; n++) most = Math.max(most, values[Math.max(0, Math.min(last, n))]!);
    return most;
  });
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** Moments halfway from each of `times` to the next. */
export function between(times: readonly number[]): number[] {
  return times.slice(1).map((time, n) => (times[n]! + time) / 2);
}

/** 0 to 1 from what a logistic regression learnt. */
export function likelihood(values: readonly number[], weights: readonly number[], bias = 0): number {
  let sum = bias;
  for (const [n, value] of values.entries()) sum += weights[n]! * value;
  return 1 / (1 + Math.exp(-sum));
}

/** Mean of the columns `first` to `last`, exclusive, in each row. */
function grouped(rows: Float32Array, first: number, last: number): Float32Array {
  const out = new Float32Array(rows.length / FEATURES);
  for (let row = 0; row < out.length; row++) {
    let sum = 0;
    for (let k = first; k < last; k++) sum += rows[row * FEATURES + k]!;
    out[row] = sum / (last - first);
  }
  return out;
}
