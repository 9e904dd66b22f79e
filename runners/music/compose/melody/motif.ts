import { pick, weighted } from "../stream.ts";
import { COMPOUND, type Idiom } from "./idioms.ts";
import { rhythmOf, type Stroke } from "./rhythm.ts";

/** The smallest thing that comes back: a rhythm and a contour. */
export interface Motif {
  readonly beats: number;
  readonly strokes: readonly Stroke[];
  /** Scale steps from the note before; the first is 0. */
  readonly steps: readonly number[];
}

export interface MotifOptions {
  readonly idiom: Idiom;
  readonly beats: number;
  readonly beat_seconds: number;
  readonly compound: boolean;
  /** Factor on the idiom's notes a second. */
  readonly busy: number;
  /** Begins after the downbeat. */
  readonly late?: boolean;
  /** What becomes of its rhythm, where words decide. */
  readonly rhythm?: (strokes: readonly Stroke[]) => Stroke[];
}

/**
 * A fresh motif. With `like`, its contour is that motif's, or its mirror, as far as it reaches: so that the themes of a
 * piece are of one family.
 */
export function motifOf(options: MotifOptions, next: () => number, like?: Motif): Motif {
  const { idiom, beats, beat_seconds, compound, busy } = options;
  const drawn = rhythmOf(
    {
      cells: compound ? COMPOUND : idiom.rhythms,
      beats,
      beat_seconds,
      rate: idiom.notes_per_second * busy,
      downbeat: options.late !== true,
    },
    next,
  );
  const strokes = options.rhythm?.(drawn) ?? drawn;
  const steps = contour(strokes.length, idiom.leaps, next);
  if (like !== undefined && next() < 0.5) {
    const sign = next() < 0.35 ? -1 : 1;
    const shared = Math.min(steps.length, Math.max(2, Math.ceil(like.steps.length / 2)));
    for (let n = 1; n < shared; n++) steps[n] = sign * (like.steps[n] ?? steps[n]!);
  }
  return { beats, strokes, steps };
}

type Shape = "arch" | "fall" | "rise" | "wave" | "bell" | "still";

/** Scale steps between notes: mostly seconds, a leap answered by a step back, all within a seventh or so. */
function contour(notes: number, leap: number, next: () => number): number[] {
  const shape = weighted<Shape>(
    ["arch", "fall", "rise", "wave", "bell", "still"],
    (one) => ({ arch: 3, fall: 1.6, rise: 1.4, wave: 2.4, bell: 1, still: 1 })[one],
    next,
  );
  const steps = [0];
  let height = 0;
  for (let n = 1; n < notes; n++) {
    const t = n / Math.max(1, notes - 1);
    const before = steps[n - 1]!;
    let step: number;
    if (Math.abs(before) >= 3) step = before > 0 ? -1 : 1;
    else {
      const up = upward(shape, t, n, height);
      const size = next() < leap * 0.55 ? pick([2, 2, 3, 4], next) : next() < (shape === "still" ? 0.5 : 0.16) ? 0 : 1;
      step = (next() < up ? 1 : -1) * size;
    }
    if (Math.abs(height + step) > 5) step = -step;
    height += step;
    steps.push(step === 0 ? 0 : step);
  }
  return steps;
}

/** How likely the next step rises. */
function upward(shape: Shape, t: number, n: number, height: number): number {
  const home = height > 2 ? -0.2 : height < -2 ? 0.2 : 0;
  switch (shape) {
    case "arch":
      return (t < 0.55 ? 0.82 : 0.16) + home;
    case "bell":
      return (t < 0.5 ? 0.2 : 0.8) + home;
    case "fall":
      return 0.24 + home;
    case "rise":
      return 0.76 + home;
    case "wave":
      return (n % 4 < 2 ? 0.8 : 0.2) + home;
    case "still":
      return 0.5 + home;
  }
}

/** Upside down. */
export function inverted({ beats, strokes, steps }: Motif): Motif {
  return { beats, strokes, steps: steps.map((step) => (step === 0 ? 0 : -step)) };
}

/** Its end goes elsewhere. */
export function varied({ beats, strokes, steps }: Motif, next: () => number): Motif {
  const from = Math.max(1, Math.ceil(steps.length * 0.6));
  return { beats, strokes, steps: steps.map((step, n) => (n < from ? step : pick([-2, -1, 1, 2, -step], next) || 0)) };
}

/** Its first half, twice, the second time a step on. */
export function fragmented({ beats, strokes, steps }: Motif, up: number): Motif {
  const half = beats / 2;
  const head = strokes
    .filter(({ at }) => at < half)
    .map(({ at, beats: long }) => ({ at, beats: Math.min(long, half - at) }));
  if (head.length === 0 || half % 1 !== 0) return { beats, strokes, steps };
  const first = steps.slice(0, head.length);
  const back = -first.reduce((sum, step) => sum + step, 0) + up;
  return {
    beats,
    strokes: [...head, ...head.map(({ at, beats: long }) => ({ at: at + half, beats: long }))],
    steps: [...first, back, ...first.slice(1)],
  };
}

/** Its first half, and a long note to rest on, with time to breathe after it. */
export function cadential({ beats, strokes, steps }: Motif, breath: number): Motif {
  const half = Math.max(1, Math.floor(beats / 2));
  const head = strokes
    .filter(({ at }) => at < half)
    .map(({ at, beats: long }) => ({ at, beats: Math.min(long, half - at) }));
  return {
    beats,
    strokes: [...head, { at: half, beats: Math.max(0.5, beats - half - breath) }],
    steps: [...steps.slice(0, head.length), head.length > 0 ? -1 : 0],
  };
}

/** Twice as long, as far as there is room: what a climax or an ending does. */
export function augmented({ beats, strokes, steps }: Motif): Motif {
  const kept = strokes.filter(({ at }) => at * 2 < beats);
  return {
    beats,
    strokes: kept.map(({ at, beats: long }) => ({ at: at * 2, beats: Math.min(long * 2, beats - at * 2) })),
    steps: steps.slice(0, kept.length),
  };
}
