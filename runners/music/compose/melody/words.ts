/** The words of a section as its tune sees them: where each line stands, how fast they are, which of them is the title. */
import type { PlanSection, WordLine } from "../plan.ts";
import { paceOf } from "./syllables.ts";

export interface LineSlot {
  readonly beat: number;
  readonly beats: number;
}

/** A line has at most this many bars of a long slot, so that words do not crawl. */
const BARS_MAX = 4;

/** Equal room for every line, in whole or half bars where they suffice. */
export function slotsOf({ beat, beats, words = [] }: PlanSection, bar: number): LineSlot[] {
  const count = words.length;
  const unit =
    [2 * bar, bar, bar / 2].find((size) => Math.floor(beats / size + 1e-6) >= count) ?? beats / Math.max(1, count);
  // Lines have equal units; what is over is rest at the end, unless it makes every line longer.
  const each = Math.max(unit, Math.floor(beats / unit / Math.max(1, count) + 1e-6) * unit);
  return words.map((_, n) => ({ beat: beat + n * each, beats: each }));
}

/** Of a slot, what words are sung in. */
export function sungBeats({ beats }: LineSlot, bar: number): number {
  return Math.min(beats, BARS_MAX * bar);
}

/** Index of the line that a song is called by: the one that its hook says most often, else the first. */
export function titleOf(words: readonly WordLine[]): number {
  const times = ({ text }: WordLine): number => words.filter((other) => other.text === text).length;
  let title = 0;
  for (const [n, line] of words.entries()) if (times(line) > times(words[title]!)) title = n;
  return title;
}

/** A pick-up is no longer than this share of its line, nor than so many beats. */
const [UPBEAT_SHARE, UPBEAT_MAX] = [0.25, 2];
/** Syllables of a pick-up; what has more begins on the bar. */
const UPBEAT_SYLLABLES = 4;

/** Beats before the bar for the syllables before a line's first stress, so that this falls on it. */
export function upbeatOf({ syllables }: WordLine, beats: number, seconds: number): number {
  const count = syllables.findIndex(({ stress }) => stress === 1);
  if (count <= 0 || count > UPBEAT_SYLLABLES) return 0;
  const pace = paceOf(syllables.length, { to: beats, seconds, spoken: false });
  return Math.min(Math.ceil(2 * count * pace) / 2, UPBEAT_MAX, Math.floor(2 * UPBEAT_SHARE * beats) / 2);
}

/** The section that a piece is remembered by: the first chorus, or drop, or theme; of a song, the first that is sung. */
export function hookOf(sections: readonly PlanSection[]): PlanSection {
  const sung = sections.filter(({ words }) => words !== undefined);
  const some = sung.length > 0 ? sung : sections;
  const peak = some.find(({ kind }) => kind === "chorus" || kind === "drop");
  const theme = some.find(({ kind }) => kind === "theme" || kind === "loop" || kind === "verse");
  return peak ?? theme ?? some[0]!;
}

/** Sections that are there to be without a tune. */
const BARE: ReadonlySet<PlanSection["kind"]> = new Set(["break", "build", "bridge"]);

/**
 * The sung section whose tune and chords the band has where nobody sings: of the same label, else the hook; undefined
 * where there is none.
 */
export function sourceOf(section: PlanSection, sections: readonly PlanSection[]): PlanSection | undefined {
  if (section.words !== undefined || BARE.has(section.kind)) return undefined;
  const sung = sections.filter(({ words }) => words !== undefined);
  const same = sung.find(({ label }) => label === section.label);
  // A verse is none of the hook's: what leads to it is something else.
  if (same !== undefined || section.kind === "verse") return same;
  return sung.length === 0 ? undefined : hookOf(sections);
}
