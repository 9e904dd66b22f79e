/** Later verses: the first one's tune on their own words, with another end here and there and a higher peak. */
import type { Timed } from "./fit.ts";
import { climaxOf, type Sketch } from "./phrase.ts";
import sung from "./sung.json" with { type: "json" };

/** How the first verse of a label was sung. */
export interface FirstVerse {
  /** Of each line, by beats after its slot's. */
  readonly lines: readonly (readonly { readonly at: number; readonly pitch: number }[])[];
  readonly peak: number;
  readonly mean: number;
}

const { ends, end_syllables: tail, end_height: away, end_rises: rises, peak_over: over } = sung.later_verses;

export function firstVerse(lines: readonly (readonly [Timed, readonly number[]])[]): FirstVerse {
  const pitches = lines.flatMap(([, sungOn]) => sungOn);
  return {
    lines: lines.map(([{ onsets }, sungOn]) => onsets.map((at, n) => ({ at, pitch: sungOn[n]! }))),
    peak: Math.max(...pitches),
    mean: pitches.reduce((sum, pitch) => sum + pitch, 0) / pitches.length,
  };
}

/**
 * What a later verse is to be: at each place like the first, but for the ends of some lines and for the top of the line that rises highest.
 *
 * @param high the singer's highest pitch
 */
export function variedVerse(
  first: FirstVerse,
  lines: readonly Timed[],
  sketch: readonly (readonly Sketch[])[],
  high: number,
  next: () => number,
): Sketch[][] {
  const climax = climaxOf(lines.length);
  const drawn = lines.map(() => next() < ends);
  // Somewhere it is another verse, and where the peak is the end is what it was.
  if (!drawn.some((other, n) => other && n !== climax)) drawn[lines.length - 1] = true;
  return lines.map((line, n) => {
    const model = first.lines[n % first.lines.length]!;
    const count = line.words.syllables.length;
    const from = drawn[n] === true && count > tail ? count - tail : count;
    const top = n === climax && first.peak + over <= high ? topOf(line, from) : undefined;
    const up = next() < rises ? away : -away;
    return sketch[n]!.map((note, k): Sketch => {
      if (k === top) return { ...note, want: null, height: note.height + away, least: first.peak + over };
      if (k >= from) {
        const other = { ...note, want: k === from ? null : note.want, height: note.height + up };
        return k < count - 1 ? other : { ...other, unlike: model.at(-1)!.pitch };
      }
      if (top !== undefined && Math.abs(k - top) === 1) return { ...note, want: null };
      return { ...note, like: soundingAt(model, line.onsets[k]!) };
    });
  });
}

function soundingAt(model: FirstVerse["lines"][number], at: number): number {
  return (model.findLast((note) => note.at <= at + 0.13) ?? model[0]!).pitch;
}

/** The stressed syllable nearest to two thirds of the line, before its end. */
function topOf({ words, onsets }: Timed, until: number): number | undefined {
  const span = onsets.at(-1)! - onsets[0]!;
  const wanted = onsets[0]! + 0.6 * span;
  let best: number | undefined;
  for (let k = 1; k < Math.min(until, words.syllables.length - 1); k++) {
    if (words.syllables[k]!.stress !== 1 || words.syllables[k]!.backing) continue;
    if (best === undefined || Math.abs(onsets[k]! - wanted) < Math.abs(onsets[best]! - wanted)) best = k;
  }
  return best;
}
