/** Rows gathered into bars, the unit that sections are made of. */

import type { Chord } from "../analysis.ts";
import { normalise } from "../harmony/chroma.ts";
import { LOWEST_NOTE, NOTES } from "../harmony/notes.ts";
import { BANDS } from "../timbre/colour.ts";
import type { Grid } from "./grid.ts";
import type { Rows } from "./rows.ts";

/** Rows in a bar where there are no beats: two seconds. */
const ROWS_WITHOUT_BEATS = 4;

export interface Bars {
  readonly count: number;
  /** First row of each bar, and the end of the last. */
  readonly first: readonly number[];
  /** Rows of each bar against those of a whole one: an upbeat counts less. */
  readonly weight: readonly number[];
  /** Whether they are bars, and not spans of two seconds. */
  readonly steady: boolean;
  /** Rows of a whole bar. */
  readonly rows: number;
  /** `width` values a bar: see `colourOf`. */
  readonly colour: Float32Array;
  readonly colour_width: number;
  /** Twelve values a bar, unit length. */
  readonly chroma: Float32Array;
  /** What is played from row to row, for the comparison of bars: `tune_width` values, of unit length. */
  readonly tune: Float32Array;
  readonly tune_width: number;
}

/** Edges of the bars in rows. A first bar of less than half its rows joins the next, a last one the one before. */
function barEdges(grid: Grid): number[] {
  const count = grid.edges.length - 1;
  const size = grid.steady ? grid.bar : ROWS_WITHOUT_BEATS;
  const edges = [0];
  for (let row = 1; row < count; row++) {
    if (grid.steady ? grid.positions[row] === 1 : row % size === 0) edges.push(row);
  }
  edges.push(count);
  if (edges.length > 2 && edges[1]! * 2 < size) edges.splice(1, 1);
  if (edges.length > 2 && (count - edges.at(-2)!) * 2 < size) edges.splice(-2, 1);
  return edges;
}

/** A bar shorter than this may be half of one, seconds: a slow beat is often heard twice as fast. */
const BAR_SECONDS = 2.4;
/** Bars that a chord lasts, half of the time or longer, where two bars are joined. */
const CHORD_BARS = 3.5;

/** Two bars as one where bars are short and chords last for several of them; the first of each pair is where more chords begin. */
function joined(edges: readonly number[], grid: Grid, chords: readonly Chord[]): readonly number[] {
  const count = edges.length - 1;
  const seconds = (grid.edges.at(-1)! - grid.edges[0]!) / count;
  if (!grid.steady || count < 16 || seconds >= BAR_SECONDS || lasting(chords) < CHORD_BARS * seconds) return edges;
  const starts = new Set(chords.map(({ start }) => start));
  const begins = [0, 0];
  for (let bar = 1; bar < count; bar++) if (starts.has(grid.edges[edges[bar]!]!)) begins[bar % 2]!++;
  const odd = begins[1]! > begins[0]! ? 1 : 0;
  return edges.filter((_, bar) => bar === 0 || bar === count || bar % 2 === odd);
}

/** The length, in seconds, that chords reach for half of the time. */
function lasting(chords: readonly Chord[]): number {
  const lengths = chords.map(({ start, end }) => end - start).sort((a, b) => b - a);
  const half = lengths.reduce((sum, length) => sum + length, 0) / 2;
  let sum = 0;
  for (const length of lengths) {
    sum += length;
    if (sum >= half) return length;
  }
  return 0;
}

/** Registers that a tune is heard in: the melody's own octaves unfolded, C4 to B6. */
const [TUNE_LOW, TUNE_HIGH] = [60, 95];
/** How much the melody's octaves count beside the chroma, and the power that lets their strongest notes stand out. */
const [MELODY, MELODY_POWER] = [2, 1.5];
/** Bands quieter than this against the piece's loudest row are not heard, dB. */
const HEARD_DB = -40;
const PITCHES = 12 + (TUNE_HIGH - TUNE_LOW + 1);

export function barsOf(
  grid: Grid,
  rows: Rows,
  chroma: Float32Array,
  notes: Float32Array,
  chords: readonly Chord[],
): Bars {
  const single = barEdges(grid);
  const first = joined(single, grid, chords);
  const count = first.length - 1;
  const size = (grid.steady ? grid.bar : ROWS_WITHOUT_BEATS) * (first === single ? 1 : 2);
  const colour_width = 2 * BANDS + 1;
  const colour = new Float32Array(count * colour_width);
  const bar_chroma = new Float32Array(12 * count);
  const tune_width = PITCHES * size;
  const tune = new Float32Array(count * tune_width);
  const weight: number[] = [];
  for (let bar = 0; bar < count; bar++) {
    const [from, to] = [first[bar]!, first[bar + 1]!];
    const length = to - from;
    weight.push(Math.min(1, length / size));
    for (let row = from; row < to; row++) {
      for (let band = 0; band < BANDS; band++) {
        colour[bar * colour_width + band]! += rows.levels[row * BANDS + band]! / length;
        colour[bar * colour_width + BANDS + band]! += rows.attacks[row * BANDS + band]! / length;
      }
      colour[bar * colour_width + 2 * BANDS]! += rows.width[row]! / length;
      for (let k = 0; k < 12; k++) bar_chroma[12 * bar + k]! += chroma[12 * row + k]!;
      // An upbeat fills the end of its bar.
      const place = row - to + size;
      if (place < 0) continue;
      const at = bar * tune_width + place * PITCHES;
      for (let k = 0; k < 12; k++) tune[at + k] = chroma[12 * row + k]!;
      for (let note = TUNE_LOW; note <= TUNE_HIGH; note++) {
        tune[at + 12 + note - TUNE_LOW] = MELODY * notes[row * NOTES + note - LOWEST_NOTE]! ** MELODY_POWER;
      }
    }
    smooth(colour, bar * colour_width);
    normalise(bar_chroma, 12 * bar, 12);
  }
  centre(tune, count, tune_width);
  for (let bar = 0; bar < count; bar++) normalise(tune, bar * tune_width, tune_width);
  return {
    count,
    steady: grid.steady,
    first,
    weight,
    rows: size,
    colour,
    colour_width,
    chroma: bar_chroma,
    tune,
    tune_width,
  };
}

/** Takes the mean bar away, so that what all bars share does not make them alike. */
function centre(values: Float32Array, count: number, width: number): void {
  for (let k = 0; k < width; k++) {
    let mean = 0;
    for (let bar = 0; bar < count; bar++) mean += values[bar * width + k]! / count;
    for (let bar = 0; bar < count; bar++) values[bar * width + k]! -= mean;
  }
}

/** Levels of one bar from HEARD_DB on, each band blended with its neighbours: a band is narrower than a chord's next inversion is far. */
function smooth(values: Float32Array, at: number): void {
  for (let k = 0; k < BANDS; k++) values[at + k] = Math.max(HEARD_DB, values[at + k]!);
  let before = values[at]!;
  for (let k = 0; k < BANDS; k++) {
    const here = values[at + k]!;
    const after = k + 1 < BANDS ? values[at + k + 1]! : here;
    values[at + k] = 0.25 * before + 0.5 * here + 0.25 * after;
    before = here;
  }
}
