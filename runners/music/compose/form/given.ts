/** A piece that exists already, as a plan: nothing of it is composed anew but what is not known. */
import { pitchClass } from "../../../notes.ts";
import type { Brief } from "../brief.ts";
import type { Given, GivenChord, PlanSection } from "../plan.ts";
import type { Key, ScoreChord } from "../score.ts";
import { QUALITIES } from "./numerals.ts";
import { spell, tonicLetter } from "./scales.ts";
import type { Draft } from "./templates.ts";

export function givenDrafts({ sections }: Given): Draft[] {
  return sections.map(({ kind, label, bars, energy, lines, words, line_bars, lead }) => ({
    ...(lead === undefined ? {} : { lead }),
    ...(lines === undefined ? {} : { lines }),
    ...(words === undefined ? {} : { words }),
    ...(line_bars === undefined ? {} : { line_bars }),
    kind,
    label,
    bars: Math.max(1, Math.round(bars)),
    energy: Math.min(1, Math.max(0, energy)),
    spare: 0,
    fixed: true,
  }));
}

/** Chords with their tones and names, cut at the edges of sections. */
export function givenChords(
  chords: readonly GivenChord[],
  { key }: Pick<Brief, "key">,
  sections: readonly PlanSection[],
): ScoreChord[] {
  return sections.flatMap((section) => {
    const end = section.beat + section.beats;
    return chords
      .filter(({ beat, beats }) => beat < end && beat + beats > section.beat)
      .map((chord) => {
        const beat = Math.max(section.beat, chord.beat);
        return { beat, beats: Math.min(end, chord.beat + chord.beats) - beat, ...harmonyOf(chord, key) };
      });
  });
}

/** Letters of the scale that lie so many semitones above the tonic. */
const STEPS = [0, 1, 1, 2, 2, 3, 3, 4, 5, 5, 6, 6] as const;

function harmonyOf({ root, suffix }: GivenChord, key: Key): Omit<ScoreChord, "beat" | "beats"> {
  const name = Object.hasOwn(QUALITIES, suffix) ? suffix : "";
  const at = pitchClass(root);
  return {
    root: at,
    bass: at,
    tones: QUALITIES[name]!.map((interval) => pitchClass(at + interval)),
    symbol: spell(at, tonicLetter(key) + STEPS[pitchClass(at - key.tonic)]!) + name,
  };
}
