/** Sections, energy and loudness of a piece. */
import type { Chord, Form, Rhythm, Section } from "../analysis.ts";
import type { Chroma } from "../harmony/chroma.ts";
import type { Colour } from "../timbre/colour.ts";
import { type Bars, barsOf } from "./bars.ts";
import { boundaries } from "./boundaries.ts";
import { energyOf, loudnessOf, meanLoudness } from "./curves.ts";
import { featuresOf } from "./features.ts";
import type { Grid } from "./grid.ts";
import { labelsOf } from "./labels.ts";
import { likeness } from "./likeness.ts";
import { rowsOf } from "./rows.ts";
import { settled } from "./settled.ts";

/** @param notes activations of the rows' notes, as `notesOf` gives them */
export function form(
  colour: Colour,
  chroma: Chroma,
  notes: Float32Array,
  chords: readonly Chord[],
  grid: Grid,
  rhythm: Rhythm,
  seconds: number,
): Form {
  const rows = rowsOf(colour, grid);
  const bars = barsOf(grid, rows, chroma.treble, notes, chords);
  const alike = likeness(bars);
  const phrases = boundaries(bars, alike);
  const { starts, labels } = merged(
    phrases,
    labelsOf(phrases, bars, alike),
    bars,
    (bar) => grid.edges[bars.first[bar]!]!,
  );
  const loudness = loudnessOf(colour);
  const whole = meanLoudness(loudness, 0, seconds);
  const first = grid.steady
    ? starts.map((bar) => bars.first[bar]!)
    : settled(
        starts.map((bar) => bars.first[bar]!),
        rows,
      );
  const edges = [...first.map((row) => grid.edges[row]!), seconds];
  const sections = labels.map((label, index): Section => {
    const [start, end] = [edges[index]!, edges[index + 1]!];
    return { start, end, label, level_db: meanLoudness(loudness, start, end) - whole };
  });
  return {
    sections,
    energy: energyOf(colour, loudness, rhythm, seconds),
    loudness,
    features: featuresOf(grid, rows, chroma.treble),
    grid: grid.edges,
  };
}

/**
 * What a phrase said twice in a row makes one section of, at the most: eight bars, or a little more than that lasts at
 * 100 beats a minute.
 */
const [SECTION_BARS, SECTION_SECONDS] = [8, 21];

/** Joins neighbours of equal label while they are no longer than a section: phrases of one verse, not two verses. */
function merged(
  starts: readonly number[],
  labels: readonly string[],
  { count, steady }: Bars,
  secondsOf: (bar: number) => number,
): { starts: number[]; labels: string[] } {
  const kept: { start: number; label: string }[] = [];
  for (const [index, start] of starts.entries()) {
    const before = kept.at(-1);
    const end = starts[index + 1] ?? count;
    if (before !== undefined && before.label === labels[index]) {
      // Without bars nothing tells a repeat from more of the same.
      if (!steady || end - before.start <= SECTION_BARS || secondsOf(end) - secondsOf(before.start) <= SECTION_SECONDS)
        continue;
    }
    kept.push({ start, label: labels[index]! });
  }
  return { starts: kept.map(({ start }) => start), labels: kept.map(({ label }) => label) };
}
