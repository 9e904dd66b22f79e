/** What is known of a source in bars of another length, and with an end. */
import { hasMinorThird } from "../../notes.ts";
import type { Brief, Given, GivenChord } from "../compose/mod.ts";

/** Finest division of a beat that notes are brought to in another metre. */
const DIVISION = 4;
/** A piece from this many bars on that breaks off is given one bar more to end on. */
const BARS_MIN = 4;

/** Bar for bar, each bar stretched or pressed to the other length. */
export function rebarred(given: Given, from: number, to: number): Given {
  if (from === to) return given;
  const chord_at = (beat: number): number => Math.floor(beat / from) * to + Math.round(((beat % from) * to) / from);
  const note_at = (beat: number): number =>
    Math.floor(beat / from) * to + Math.round(((beat % from) * to * DIVISION) / from) / DIVISION;
  return {
    sections: given.sections,
    ...(given.chords === undefined
      ? {}
      : {
          chords: given.chords
            .map((chord) => ({
              ...chord,
              beat: chord_at(chord.beat),
              beats: chord_at(chord.beat + chord.beats) - chord_at(chord.beat),
            }))
            .filter(({ beats }) => beats > 0),
        }),
    tune: given.tune
      .map((note) => ({
        ...note,
        beat: note_at(note.beat),
        beats: note_at(note.beat + note.beats) - note_at(note.beat),
      }))
      .filter(({ beats }, index, all) => beats > 0 && all[index - 1]?.beat !== all[index]!.beat),
  };
}

/** The last chord is home: the source's own where it ends there, else in a bar of its own. */
export function withEnding(given: Given, { key, metre }: Pick<Brief, "key" | "metre">): Given {
  const { chords, sections, tune } = given;
  const bars = sections.reduce((sum, section) => sum + section.bars, 0);
  const last = chords?.at(-1);
  if (chords === undefined || last === undefined || last.root === key.tonic || bars < BARS_MIN) return given;
  const dark = hasMinorThird(key.mode);
  const beat = bars * metre.beats_per_bar;
  const home: GivenChord = { beat, beats: metre.beats_per_bar, root: key.tonic, suffix: dark ? "m" : "" };
  const tonic = 60 + key.tonic;
  return {
    sections: sections.map((section, index) =>
      index === sections.length - 1 ? { ...section, bars: section.bars + 1 } : section,
    ),
    chords: [...chords, home],
    tune:
      tune.length === 0
        ? tune
        : [...tune, { beat, beats: metre.beats_per_bar, pitch: nearest(tune.at(-1)!.pitch, tonic) }],
  };
}

/** `pitch` in the octave that is nearest to `to`. */
function nearest(to: number, pitch: number): number {
  return pitch + 12 * Math.round((to - pitch) / 12);
}
