import { exp2 } from "../../../signal/dsp/exact.ts";
import { weighted } from "../stream.ts";
import type { Idiom } from "./idioms.ts";

/** A note without a pitch. Beats from the beginning of its motif. */
export interface Stroke {
  readonly at: number;
  readonly beats: number;
}

export interface RhythmOptions {
  readonly cells: Idiom["rhythms"];
  readonly beats: number;
  readonly beat_seconds: number;
  /** Notes a second. */
  readonly rate: number;
  /** The first beat begins with a note. */
  readonly downbeat: boolean;
}

/** Seconds; faster than this nobody sings or plays a tune. */
const FASTEST = 0.085;

/** A rhythm of whole beats, strung from an idiom's cells. Holds at least one note. */
export function rhythmOf({ cells, beats, beat_seconds, rate, downbeat }: RhythmOptions, next: () => number): Stroke[] {
  const playable = cells.filter(([cell]) => attacks(cell) < 2 || (beat_seconds / cell.length) * gapOf(cell) >= FASTEST);
  const wanted = rate * beat_seconds;
  let text: string[] = [];
  for (let beat = 0; beat < beats; beat++) {
    const first = beat === 0 && downbeat;
    const able = playable.filter(([cell]) => (first ? cell[0] === "x" : beat > 0 || cell[0] !== "-"));
    const had = text.join("");
    const lacking = wanted * (beat + 1) - attacks(had);
    const [cell] = weighted(
      able.length > 0 ? able : ([["x---", 1]] as const),
      ([one, weight]) => weight * exp2(-1.1 * Math.abs(attacks(one) - Math.max(0, lacking))),
      next,
    );
    text.push(cell);
  }
  if (!text.some((cell) => cell.includes("x"))) text = ["x---", ...text.slice(1).map(() => "----")];
  return strokesOf(text);
}

function strokesOf(text: readonly string[]): Stroke[] {
  const strokes: { at: number; beats: number }[] = [];
  let open = false;
  for (const [beat, cell] of text.entries()) {
    const step = 1 / cell.length;
    for (let n = 0; n < cell.length; n++) {
      const at = beat + n * step;
      if (cell[n] === "x") {
        strokes.push({ at, beats: step });
        open = true;
      } else if (cell[n] === ".") open = false;
      else if (open) strokes.at(-1)!.beats = at + step - strokes.at(-1)!.at;
    }
  }
  return strokes;
}

function attacks(cell: string): number {
  let count = 0;
  for (const mark of cell) if (mark === "x") count++;
  return count;
}

/** Characters between the nearest two notes of a cell. */
function gapOf(cell: string): number {
  let [gap, last] = [cell.length, -cell.length];
  for (let n = 0; n < cell.length; n++) {
    if (cell[n] !== "x") continue;
    gap = Math.min(gap, n - last);
    last = n;
  }
  return gap;
}
