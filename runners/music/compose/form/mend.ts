import type { Brief } from "../brief.ts";
import { sourceOf } from "../melody/words.ts";
import type { PlanSection } from "../plan.ts";
import type { ScoreChord } from "../score.ts";
import { plainness } from "./clarity.ts";
import type { Harmony } from "./numerals.ts";

/** Share of a section that the tonic may take. */
const MOST_HOME = 0.65;
/** Place among the pillars. */
const DOMINANT = 2;
/** Sections of so few beats may stay at home. */
const SHORT = 8;

/**
 * Chords whose key is plainer: where a phrase leads away from home most, the tonic or another pillar of the key takes
 * the chord's place, one place of the phrase after another, in every phrase of the sections of a label alike. First and
 * last chords stay, and so does a chord that is all there is besides the tonic.
 *
 * @param pillars the tonic's chord, the subdominant's, and the dominant's, which comes only where a phrase closes
 * @param enough `plainness` at which to stop
 * @param most places that may change
 * @param driven see `plainness`
 */
export function mended(
  chords: readonly ScoreChord[],
  sections: readonly PlanSection[],
  { key, metre }: Brief,
  pillars: readonly Harmony[],
  { enough, most, driven }: { readonly enough: number; readonly most: number; readonly driven: boolean },
): ScoreChord[] {
  const bar = metre.beats_per_bar;
  const owner = chords.map(({ beat }) => sections.findLastIndex((section) => section.beat <= beat));
  const places = chords.map(({ beat, root }, at) => {
    const { label, beat: start, phrase_bars } = sections[owner[at]!]!;
    return root === pillars[0]!.root || at === 0 || at === chords.length - 1
      ? null
      : `${label} ${(beat - start) % (phrase_bars * bar)} ${root}`;
  });
  const closes = chords.map(({ beat, beats }, at) => {
    const { beat: start, phrase_bars } = sections[owner[at]!]!;
    return (beat + beats - start) % (phrase_bars * bar) === 0;
  });
  const same = alike(chords, sections);
  // Made once: what a chord sounds like is kept by the chord.
  const instead = pillars.map((pillar) => chords.map((chord) => ({ ...chord, ...pillar })));
  let best = [...chords];
  let plainest = plainness(best, key, driven);
  for (let turn = 0; turn < most && plainest < enough; turn++) {
    let found: ScoreChord[] | null = null;
    let gained = plainest + 0.005;
    for (const place of new Set(places)) {
      if (place === null) continue;
      const closing = places.every((one, at) => one !== place || closes[at]);
      for (const [rank, others] of instead.entries()) {
        if (rank === DOMINANT && !closing) continue;
        const tried = best.map((chord, at) => (places[at] === place ? others[at]! : chord));
        if (rank === 0 && !goes(tried, places, place, owner, key.tonic)) continue;
        if (alike(tried, sections) > same) continue;
        const plain = plainness(tried, key, driven);
        if (plain > gained) [found, gained] = [tried, plain];
      }
    }
    if (found === null) break;
    [best, plainest] = [found, gained];
  }
  return joined(best, sections, owner, bar);
}

/** Whether the sections that a place lies in still leave home. */
function goes(
  chords: readonly ScoreChord[],
  places: readonly (string | null)[],
  place: string,
  owner: readonly number[],
  tonic: number,
): boolean {
  const changed = new Set(owner.filter((_, at) => places[at] === place));
  for (const section of changed) {
    let [home, all] = [0, 0];
    for (const [at, { beats, root }] of chords.entries()) {
      if (owner[at] !== section) continue;
      all += beats;
      if (root === tonic) home += beats;
    }
    if (home > MOST_HOME * all && all > SHORT) return false;
  }
  return true;
}

/** Sections that borrow their chords. */
const BORROWING: readonly PlanSection["kind"][] = ["intro", "outro", "build", "break"];

/** How many labels begin with the chords of another: what is told apart by its name should be heard apart. */
export function alike(chords: readonly ScoreChord[], sections: readonly PlanSection[]): number {
  const begun = new Map<string, string>();
  for (const section of sections) {
    const { label, kind, beat: start, beats } = section;
    if (begun.has(label) || BORROWING.includes(kind) || sourceOf(section, sections) !== undefined) continue;
    const half = chords.filter(({ beat }) => beat >= start && beat < start + beats / 2).map(({ root }) => root);
    begun.set(label, half.filter((root, at) => root !== half[at - 1]).join());
  }
  return begun.size - new Set(begun.values()).size;
}

/** What goes on is one chord, though not across phrases. */
function joined(
  chords: readonly ScoreChord[],
  sections: readonly PlanSection[],
  owner: readonly number[],
  bar: number,
): ScoreChord[] {
  const result: ScoreChord[] = [];
  for (const [at, chord] of chords.entries()) {
    const before = result.at(-1);
    const section = sections[owner[at]!]!;
    const opens = (chord.beat - section.beat) % (section.phrase_bars * bar) === 0;
    if (before !== undefined && before.symbol === chord.symbol && !opens)
      result[result.length - 1] = { ...before, beats: before.beats + chord.beats };
    else result.push(chord);
  }
  return result;
}
