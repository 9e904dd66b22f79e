/**
 * Which of two pulses is the beat, the faster or every other of its strokes: what the tracker, which hears beats one by one, takes for each
 * other most often. Read from how the strokes differ and how the music comes back to itself some strokes later.
 */
import { BANDS } from "./bands.ts";
import { CHANGES } from "./change.ts";
import { FEATURES } from "./features.ts";
import type { Activations } from "./network.ts";
import type { Onset } from "./onsets.ts";
import weights from "./pulse_weights.json" with { type: "json" };
import { FIRST, ROW } from "./settle.ts";

/** What the tracker's earlier stages made of a piece. */
export interface Heard {
  /** Rows of `FEATURES`. */
  readonly rows: Float32Array;
  readonly activations: Activations;
  readonly onsets: readonly Onset[];
}

/** 0 to 1: how likely every other of `strokes` is the beat, not each; undefined where they are too few to say, or no pulse of people's. */
export function everyOther(strokes: readonly number[], heard: Heard): number | undefined {
  const values = pulseFeatures(strokes, heard);
  if (values === undefined) return undefined;
  let sum = weights.bias;
  for (const [n, value] of values.entries()) sum += weights.weights[n]! * value;
  return 1 / (1 + Math.exp(-sum));
}

/** The same pulse at twice the pace. */
export function doubled(strokes: readonly number[]): number[] {
  return strokes.flatMap((stroke, n) => (n === 0 ? [stroke] : [(strokes[n - 1]! + stroke) / 2, stroke]));
}

/** Fewer say nothing of how the music repeats. */
const STROKES_MIN = 24;
/** Strokes a minute outside of which none is a beat, or every other none. */
const PACE_MIN = 75;
const PACE_MAX = 235;
/** Bands whose attacks are told apart: kick, bass, two of chords and voices, snare, cymbals. */
const GROUPS = [0, 3, 7, 13, 20, 27, BANDS];
/** Columns of the change of chroma and bass over 0.48 s before and after. */
const CHANGE_COLUMNS = [2 * BANDS + CHANGES / 3, 2 * BANDS + CHANGES / 3 + 1];
/** Strokes after which the music may come back to itself. */
const LAGS = [1, 2, 3, 4, 6, 8, 16];
/** Places in the stroke at which attacks are counted, and how near they have to be. */
const PLACES: readonly (readonly [readonly number[], number])[] = [
  [[0], 0.1],
  [[1 / 2], 0.1],
  [[1 / 4, 3 / 4], 0.08],
  [[1 / 3, 2 / 3], 0.07],
];

/** What `everyOther` judges by; for bench/rhythm/pulse.ts. */
export function pulseFeatures(strokes: readonly number[], heard: Heard): number[] | undefined {
  const count = strokes.length;
  if (count < STROKES_MIN) return undefined;
  const pace = paceOf(strokes);
  if (pace < PACE_MIN || pace > PACE_MAX) return undefined;
  const between = strokes.slice(1).map((stroke, n) => (strokes[n]! + stroke) / 2);
  const on = strokes.slice(0, -1);
  const { rows, activations } = heard;
  const attacks = (times: readonly number[]): number[][] =>
    GROUPS.slice(1).map((last, n) => highest(grouped(rows, BANDS + GROUPS[n]!, BANDS + last), times, 1));
  const attacks_on = attacks(on);
  const attacks_between = attacks(between);
  const beat_on = highest(activations.beat, on, 1);
  const down_on = highest(activations.downbeat, on, 1);
  const series = [
    ...attacks_on,
    ...CHANGE_COLUMNS.map((column) => highest(grouped(rows, column, column + 1), on, 2)),
    down_on,
    beat_on,
    attacks_between[0]!.map((_, n) => attacks_between.reduce((sum, one) => sum + one[n]!, 0)),
  ];
  const octaves = Math.log2(pace / 100);
  return [
    octaves,
    octaves * octaves,
    ...attacks_on.map(mean),
    ...attacks_between.map(mean),
    mean(beat_on),
    mean(highest(activations.beat, between, 1)),
    mean(down_on),
    mean(highest(activations.downbeat, between, 1)),
    ...LAGS.flatMap((lag) => series.map((values) => likeness(values, lag))),
    ...placesOf(strokes, heard.onsets),
  ];
}

/** Strokes a minute. */
function paceOf(strokes: readonly number[]): number {
  const spans = strokes
    .slice(4)
    .map((stroke, n) => (stroke - strokes[n]!) / 4)
    .sort((a, b) => a - b);
  return 60 / spans[spans.length >> 1]!;
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

/** The largest value within `reach` rows of each of `times`. */
function highest(values: Float32Array, times: readonly number[], reach: number): number[] {
  const last = values.length - 1;
  return times.map((time) => {
    const row = Math.round((time - FIRST) / ROW);
    let most = Number.NEGATIVE_INFINITY;
    for (let n = row - reach; n <= row + reach; n++) most = Math.max(most, values[Math.max(0, Math.min(last, n))]!);
    return most;
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Pearson's correlation of the values with those `lag` later; 0 where there are too few. */
function likeness(values: readonly number[], lag: number): number {
  const count = values.length - lag;
  if (count < 8) return 0;
  const before = mean(values.slice(0, count));
  const after = mean(values.slice(lag));
  let product = 0;
  let one = 0;
  let two = 0;
  for (let n = 0; n < count; n++) {
    const a = values[n]! - before;
    const b = values[n + lag]! - after;
    product += a * b;
    one += a * a;
    two += b * b;
  }
  return one * two > 1e-18 ? product / Math.sqrt(one * two) : 0;
}

/** Shares of the attacks, by strength, at each of `PLACES`, and attacks a stroke, 4 at the most. */
function placesOf(strokes: readonly number[], onsets: readonly Onset[]): number[] {
  const shares = PLACES.map(() => 0);
  let whole = 0;
  let inside = 0;
  let stroke = 0;
  for (const { time, strength } of onsets) {
    if (time <= strokes[0]! || time >= strokes.at(-1)!) continue;
    while (strokes[stroke + 1]! <= time) stroke++;
    const place = (time - strokes[stroke]!) / (strokes[stroke + 1]! - strokes[stroke]!);
    whole += strength;
    inside++;
    for (const [n, [at, near]] of PLACES.entries())
      if (at.some((one) => Math.abs(place - one - Math.round(place - one)) < near)) shares[n]! += strength;
  }
  return [...shares.map((share) => share / Math.max(1e-9, whole)), Math.min(4, inside / strokes.length)];
}
