import type { Plan, PlanSection } from "../plan.ts";
import type { ScoreChord } from "../score.ts";
import { stream as streamOf } from "../stream.ts";

/** A bar, and where it stands. */
export interface Bar {
  /** Where it begins, in beats of the piece. */
  readonly beat: number;
  readonly beats: number;
  readonly section: PlanSection;
  /** Of `section` in the plan. */
  readonly section_index: number;
  /** Within the section, from 0. */
  readonly index: number;
  /** Within the phrase, from 0. */
  readonly phrase_index: number;
  readonly ends_phrase: boolean;
  readonly ends_section: boolean;
  /** The last bar of a piece that ends. */
  readonly ends_piece: boolean;
}

export function barsOf(plan: Plan): Bar[] {
  const length = plan.brief.metre.beats_per_bar;
  const bars: Bar[] = [];
  plan.sections.forEach((section, section_index) => {
    const phrase = Math.max(1, section.phrase_bars);
    for (let index = 0; index < section.bars; index++) {
      const beat = section.beat + index * length;
      bars.push({
        beat,
        beats: length,
        section,
        section_index,
        index,
        phrase_index: index % phrase,
        ends_phrase: index % phrase === phrase - 1 || index === section.bars - 1,
        ends_section: index === section.bars - 1,
        ends_piece: !plan.ring && beat + length >= plan.beats - 1e-6,
      });
    }
  });
  return bars;
}

/** Index of the chord that sounds at `beat`. */
export function chordIndexAt(chords: readonly ScoreChord[], beat: number): number {
  let low = 0;
  let high = chords.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (chords[middle]!.beat <= beat + 1e-6) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A stream of random numbers of its own for each purpose, so that a change in one part leaves the others as they were. */
export function stream(plan: Plan, purpose: string): () => number {
  return streamOf(plan.seed ^ plan.brief.colour, purpose);
}
