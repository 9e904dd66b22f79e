/**
 * Which of two pulses is the beat, the faster or every other of its strokes: what the tracker, which hears beats one by one, takes for each
 * other most often. Read from how the strokes differ and how the music comes back to itself some strokes later.
 */
import type { Onset } from "./onsets.ts";
import weights from "./pulse_weights.json" with { type: "json" };
import { attacksAt, between, changesAt, type Heard, highest, likelihood, mean } from "./strokes.ts";

/** 0 to 1: how likely every other of `strokes` is the beat, not each; undefined where they are too few to say, or no pulse of people's. */
export function everyOther(strokes: readonly number[], heard: Heard): number | undefined {
  const values = pulseFeatures(strokes, heard);
  return values && likelihood(values, weights.weights, weights.bias);
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
/** Strokes after which the music may come back to itself. */
const LAGS = [1, 2, 3, 4, 6, 8, 16];
/** Places in the stroke at which attacks are counted, and how near they have to be. */
const PLACES: readonly (readonly [readonly number[], number])[] = [
  [[0], 0.1],
  [[1 / 2], 0.1],
  [[1 / 4, 3 / 4], 0.08],
  [[1 / 3, 2 / 3], 0.07],
];

/** What `everyOther` judges by; for training/rhythm/pulse.ts. */
export function pulseFeatures(strokes: readonly number[], heard: Heard): number[] | undefined {
  const count = strokes.length;
  if (count < STROKES_MIN) return undefined;
  const pace = paceOf(strokes);
  if (pace < PACE_MIN || pace > PACE_MAX) return undefined;
  const off = between(strokes);
  const on = strokes.slice(0, -1);
  const { activations } = heard;
  const attacks_on = attacksAt(on, heard);
  const attacks_off = attacksAt(off, heard);
  const beat_on = highest(activations.beat, on, 1);
  const down_on = highest(activations.downbeat, on, 1);
  const series = [
    ...attacks_on,
    ...changesAt(on, heard),
    down_on,
    beat_on,
    attacks_off[0]!.map((_, n) => attacks_off.reduce((sum, one) => sum + one[n]!, 0)),
  ];
  const octaves = Math.log2(pace / 100);
  return [
    octaves,
    octaves * octaves,
    ...attacks_on.map(mean),
    ...attacks_off.map(mean),
    mean(beat_on),
    mean(highest(activations.beat, off, 1)),
    mean(down_on),
    mean(highest(activations.downbeat, off, 1)),
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
