/** A tune on the syllables of a line. */
import type { WordLine } from "../plan.ts";
import type { Sketch } from "./phrase.ts";
import type { LineSlot } from "./words.ts";

/** A line in time, beats as written. */
export interface Timed {
  /** Index of its section. */
  readonly section: number;
  /** Lines of equal names are sung alike: the label of their section, which verse it is, and the words. */
  readonly name: string;
  readonly spoken: boolean;
  readonly words: WordLine;
  readonly slot: LineSlot;
  /** Where each syllable belongs, and where it begins: a push comes early. Beats after the slot's. */
  readonly onsets: readonly number[];
  readonly starts: readonly number[];
  readonly lengths: readonly number[];
  readonly sketch: readonly Sketch[];
}

/** Beats that a syllable may be before the note of the tune that it takes. */
export const EARLY = 0.13;
/** Semitones by which the middle of a line lies over its ends. */
const ARCH = 8;
/** Steps that a voice takes at once where notes of the tune have no syllable. */
const STEPS_MAX = 2;

/**
 * The tune on syllables: each takes the note that sounds then, what shares a note repeats it or passes to the next, and
 * what is left out is stepped over.
 */
export function fitted({ words, slot, onsets, lengths, sketch }: Timed, others: readonly Timed[]): Sketch[] {
  const takes = onsets.map((at) => sketch.findLastIndex(({ beat }) => beat <= slot.beat + at + EARLY));
  const first = onsets[0]!;
  const span = Math.max(1, onsets.at(-1)! - first);
  const own = takes.map((at, k) =>
    k === 0 || at < 0 || takes[k - 1]! < 0 ? null : stepsOf(sketch, takes[k - 1]!, at),
  );
  return words.syllables.map((_, k): Sketch => {
    const [at, beat] = [takes[k]!, slot.beat + onsets[k]!];
    const note = sketch[Math.max(0, at)]!;
    const passes = (n: number): boolean => n > 0 && takes[n] === takes[n - 1] && Math.abs(own[n + 1] ?? 0) >= 2;
    let want = own[k]!;
    if (want === 0 && passes(k)) want = own[k + 1]! > 0 ? 1 : -1;
    else if (want !== null && passes(k - 1)) want -= want > 0 ? 1 : -1;
    const t = (onsets[k]! - first) / span;
    const sounds = at >= 0 && beat < note.beat + note.beats + EARLY;
    const like = sounds ? note.like : undefined;
    const also = others.map((other) => other.slot.beat + other.onsets[k]!);
    return {
      beat,
      beats: lengths[k]!,
      want,
      height: note.height + ARCH * (4 * t * (1 - t) - 0.6),
      cadence: k === words.syllables.length - 1 ? sketch.at(-1)!.cadence : null,
      ...(like === undefined ? {} : { like }),
      ...(also.length === 0 ? {} : { also }),
    };
  });
}

/** Steps of the scale from one note of a tune to another; null where it begins anew between them. */
function stepsOf(sketch: readonly Sketch[], from: number, to: number): number | null {
  let sum = 0;
  for (let n = from + 1; n <= to; n++) {
    const { want } = sketch[n]!;
    if (want === null) return null;
    sum += want;
  }
  return to - from > 1 ? Math.max(-STEPS_MAX, Math.min(STEPS_MAX, sum)) : sum;
}
