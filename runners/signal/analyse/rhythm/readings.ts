/**
 * Readings of the same music that the tracker, which hears beats one by one, takes for each other: the off-beat for the
 * beat, and a bar of three beats for one of two that divide in three. Which it is shows over all bars at once.
 */
import weights from "./reading_weights.json" with { type: "json" };
import { attacksAt, between, changesAt, type Heard, highest, likelihood, mean } from "./strokes.ts";

/** Fewer beats, or bars, say nothing. */
const STROKES_MIN = 16;
const BARS_MIN = 6;
/** Under this an activation is none. */
const FLOOR = 0.02;
/** The highest of so many: where bars begin, downbeats are heard at one stroke in two to four. */
const UPPER = 0.85;

/** 0 to 1: how likely `strokes` are the beats, and not what lies halfway between them; undefined where they are too few. */
export function onTheBeat(strokes: readonly number[], heard: Heard): number | undefined {
  const values = phaseFeatures(strokes, heard);
  return values && likelihood(values, weights.phase.weights);
}

/** What `onTheBeat` judges by: each value of the off-beats is the negative. For training/rhythm/readings.ts. */
export function phaseFeatures(strokes: readonly number[], heard: Heard): number[] | undefined {
  if (strokes.length < STROKES_MIN) return undefined;
  const { beat, downbeat } = heard.activations;
  const off = between(strokes);
  const at = (times: readonly number[]): number[] => {
    const beats = highest(beat, times, 1);
    const downs = highest(downbeat, times, 1);
    const upper = downs.toSorted((a, b) => a - b)[Math.floor(downs.length * UPPER)]!;
    return [
      ...[...attacksAt(times, heard), ...changesAt(times, heard), beats, downs].map(mean),
      upper,
      ...[mean(beats), mean(downs), upper].map((value) => Math.log(value + FLOOR)),
      nearness(times, heard),
    ];
  };
  const there = at(off);
  return at(strokes).map((value, n) => value - there[n]!);
}

/** Strength of the attacks within a tenth of the way to the neighbours of one of `times`, as a share of all. */
function nearness(times: readonly number[], { onsets }: Heard): number {
  let near = 0;
  let all = 0;
  let stroke = 0;
  for (const { time, strength } of onsets) {
    if (time < times[0]! || time >= times.at(-1)!) continue;
    while (times[stroke + 1]! <= time) stroke++;
    const place = (time - times[stroke]!) / (times[stroke + 1]! - times[stroke]!);
    all += strength;
    if (place < 0.1 || place > 0.9) near += strength;
  }
  return near / Math.max(1e-9, all);
}

/** 0 to 1: how likely the bars that begin at `downbeats` have three beats that divide in two, and not two that divide in three. */
export function threeInBar(downbeats: readonly number[], heard: Heard): number | undefined {
  const values = barFeatures(downbeats, heard);
  return values && likelihood(values, weights.bar.weights, weights.bar.bias);
}

/** What `threeInBar` judges by: the six quavers of a bar against each other. For training/rhythm/readings.ts. */
export function barFeatures(downbeats: readonly number[], heard: Heard): number[] | undefined {
  if (downbeats.length < BARS_MIN) return undefined;
  const { beat, downbeat } = heard.activations;
  const bars = downbeats.slice(1).map((time, n) => time - downbeats[n]!);
  // [quaver][series]
  const quavers = Array.from({ length: 6 }, (_, quaver) => {
    const times = bars.map((length, n) => downbeats[n]! + (length * quaver) / 6);
    const activations = [highest(beat, times, 1), highest(downbeat, times, 1)];
    return [...attacksAt(times, heard), ...changesAt(times, heard), ...activations].map(mean);
  });
  const values: number[] = [];
  for (const series of quavers[0]!.keys()) {
    const at = (quaver: number): number => quavers[quaver]![series]!;
    const beats = (at(2) + at(4)) / 2;
    const weak = (at(1) + at(5)) / 2;
    values.push(beats - at(3), beats - weak, at(3) - weak, at(0) - at(3));
  }
  for (const series of [8, 9]) {
    const at = (quaver: number): number => quavers[quaver]![series]!;
    values.push(Math.log((at(2) + at(4)) / 2 + FLOOR) - Math.log(at(3) + FLOOR));
  }
  return [...values, Math.log(mean(bars))];
}
