import { type Rhythm, STEADY } from "../analysis.ts";

/** Seconds a row where there is no beat to go by. */
const ROW_SECONDS = 0.5;
/** A beat longer than this is halved: a chord may change within it. */
const BEAT_SECONDS_MAX = 1.5;

/** Rows of time that features are taken over, and what of the bar is known of each. */
export interface Grid {
  /** Seconds, one more than there are rows: row i is edges[i] to edges[i + 1]. From 0 to the end of the piece. */
  readonly edges: readonly number[];
  /** For each row its place in the bar from 1, or 0 where that is not known. */
  readonly positions: readonly number[];
  /** Whether the rows are beats. */
  readonly steady: boolean;
  /** Rows a bar; 0 where rows are not beats. */
  readonly bar: number;
}

/**
 * One row a beat, with the time before the first and after the last beat filled with rows of the same length; half seconds where the
 * rhythm is not steady.
 */
export function gridOf(rhythm: Rhythm, seconds: number): Grid {
  const { beats, positions, metre } = rhythm;
  if (rhythm.confidence < STEADY || beats.length < 4) return even(seconds);
  const edges: number[] = [];
  const places: number[] = [];
  const count = metre.beats_per_bar;
  const place = (position: number): number => ((((position - 1) % count) + count) % count) + 1;
  const lead = beats[1]! - beats[0]!;
  const before = Math.floor(beats[0]! / lead + 0.25);
  for (let k = before; k > 0; k--) {
    edges.push(Math.max(0, beats[0]! - k * lead));
    places.push(place(positions[0]! - k));
  }
  for (let k = 0; k < beats.length; k++) {
    if (beats[k]! >= seconds) break;
    edges.push(beats[k]!);
    places.push(place(positions[k]!));
    const next = Math.min(seconds, beats[k + 1] ?? seconds);
    const length = next - beats[k]!;
    // A hole in the beats, or the time after the last one.
    const period = k > 0 ? Math.min(BEAT_SECONDS_MAX, beats[k]! - beats[k - 1]!) : lead;
    const rows = Math.max(1, Math.round(length / period));
    for (let row = 1; row < rows; row++) {
      edges.push(beats[k]! + (row * length) / rows);
      places.push(place(positions[k]! + row));
    }
  }
  edges[0] = 0;
  edges.push(seconds);
  return { edges, positions: places, steady: true, bar: count };
}

function even(seconds: number): Grid {
  const rows = Math.max(1, Math.round(seconds / ROW_SECONDS));
  const edges = Array.from({ length: rows + 1 }, (_, k) => (k === rows ? seconds : k * ROW_SECONDS));
  return { edges, positions: new Array<number>(rows).fill(0), steady: false, bar: 0 };
}
