/** Beats to seconds and back: the only place that knows how. */
import { exp, log2 } from "../../signal/dsp/exact.ts";
import type { Score, TempoPoint } from "./score.ts";

/**
 * A score's time. Seconds count from the first sample, which lies `lead_in` beats before beat 0; any beat and any
 * second may be asked for.
 */
export interface Clock {
  seconds(beat: number): number;
  beat(seconds: number): number;
  /** At a step, the tempo after it. */
  bpm(beat: number): number;
}

type Timed = Pick<Score, "bpm" | "lead_in" | "tempo">;

/** How long a beat takes at a tempo. Seconds. */
export function beatSeconds(bpm: number): number {
  return 60 / bpm;
}

/** Seconds to beats at a tempo. */
export function beatsIn(bpm: number, seconds: number): number {
  return (seconds * bpm) / 60;
}

const CLOCKS = new WeakMap<Timed, Clock>();

export function clockOf(score: Timed): Clock {
  let clock = CLOCKS.get(score);
  if (clock === undefined) {
    const { bpm, lead_in, tempo } = score;
    clock = tempo === undefined || tempo.length === 0 ? steady(bpm, lead_in) : mapped(tempo, lead_in);
    CLOCKS.set(score, clock);
  }
  return clock;
}

function steady(bpm: number, lead_in: number): Clock {
  return {
    seconds: (beat) => ((beat + lead_in) * 60) / bpm,
    beat: (seconds) => beatsIn(bpm, seconds) - lead_in,
    bpm: () => bpm,
  };
}

/** From `beat` on, `seconds` after the first point: tempo `bpm`, which gains `slope` with each beat. */
interface Stretch extends TempoPoint {
  readonly slope: number;
  readonly seconds: number;
}

function mapped(points: readonly TempoPoint[], lead_in: number): Clock {
  const first = points[0]!;
  const stretches: Stretch[] = [{ ...first, slope: 0, seconds: 0 }];
  let seconds = 0;
  for (const [n, { beat, bpm }] of points.entries()) {
    const next = points[n + 1];
    const beats = (next?.beat ?? beat) - beat;
    if (next !== undefined && beats <= 0) continue;
    const slope = next === undefined ? 0 : (next.bpm - bpm) / beats;
    stretches.push({ beat, bpm, slope, seconds });
    seconds += secondsAfter(bpm, slope, beats);
  }
  const at = (value: number, key: "beat" | "seconds"): Stretch => {
    let low = 0;
    let high = stretches.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (stretches[middle]![key] <= value) low = middle;
      else high = middle - 1;
    }
    return stretches[low]!;
  };
  const fromFirst = (beat: number): number => {
    const { bpm, slope, seconds: before, beat: from } = at(beat, "beat");
    return before + secondsAfter(bpm, slope, beat - from);
  };
  const begins = fromFirst(-lead_in);
  return {
    seconds: (beat) => fromFirst(beat) - begins,
    beat: (after) => {
      const { bpm, slope, seconds: before, beat } = at(after + begins, "seconds");
      return beat + beatsAfter(bpm, slope, after + begins - before);
    },
    bpm: (beat) => {
      const { bpm, slope, beat: from } = at(beat, "beat");
      return bpm + slope * (beat - from);
    },
  };
}

/** Below this change of tempo the closed forms lose digits and their series, to the third term, is exact to 1e-12. */
const SMALL = 1e-4;

/** The integral of 60 / (bpm + slope x) over x from 0 to `beats`: 60 / slope · ln(1 + slope · beats / bpm). */
function secondsAfter(bpm: number, slope: number, beats: number): number {
  const u = (slope * beats) / bpm;
  const plain = (60 * beats) / bpm;
  if (u < SMALL && u > -SMALL) return plain * (1 - u / 2 + (u * u) / 3);
  return (plain * Math.LN2 * log2(1 + u)) / u;
}

/** Its inverse: bpm / slope · (e^(slope · seconds / 60) - 1). */
function beatsAfter(bpm: number, slope: number, seconds: number): number {
  const y = (slope * seconds) / 60;
  const plain = beatsIn(bpm, seconds);
  if (y < SMALL && y > -SMALL) return plain * (1 + y / 2 + (y * y) / 6);
  return (plain * (exp(y) - 1)) / y;
}
