/** A setting as a singer, a score and a report want it. */
import type { Clock, OutlineSection } from "../../compose/mod.ts";
import type { Lyrics } from "../lyrics/lyrics.ts";
import type { SungNote, SungPhrase } from "../voice/notes.ts";
import { lineChords, type SetSyllable, type Setting, wordLines } from "./setting.ts";

/** Notes further apart than this are on separate breaths. Seconds. */
const BREATH = 0.28;

/** What the lead sings, or the backing voices, in frames of `rate` from the first sample. */
export function phrasesOf(setting: Setting, who: "lead" | "backing", clock: Clock, rate: number): SungPhrase[] {
  const frameOf = (beat: number): number => Math.round(clock.seconds(beat) * rate);
  const phrases: SungNote[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  let line_before = -1;
  setting.lines.forEach(({ syllables }, line) => {
    for (const syllable of syllables) {
      if (syllable.backing !== (who === "backing")) continue;
      const frame = frameOf(syllable.beat);
      const note: SungNote = {
        phonemes: syllable.phonemes,
        nucleus: syllable.nucleus,
        frame,
        frames: Math.max(1, frameOf(syllable.beat + syllable.beats) - frame),
        pitches: syllable.pitches.map(({ beat, pitch }) => ({ frame: frameOf(syllable.beat + beat) - frame, pitch })),
        velocity: syllable.velocity,
      };
      if (line !== line_before || frame - end > BREATH * rate) phrases.push([]);
      phrases[phrases.length - 1]!.push(note);
      line_before = line;
      end = note.frame + note.frames;
    }
  });
  return phrases.filter((phrase) => phrase.length > 0);
}

/** One line of the report. Seconds from the beginning of the output. */
export interface LineTiming {
  readonly line: string;
  readonly section: number;
  readonly start: number;
  readonly end: number;
  readonly syllables: number;
  readonly words: readonly { readonly word: string; readonly start: number; readonly end: number }[];
}

export function timingsOf(setting: Setting, clock: Clock): LineTiming[] {
  const seconds = (beat: number): number => Math.round(clock.seconds(beat) * 1000) / 1000;
  return setting.lines.map(({ text, section, syllables }) => {
    const words: SetSyllable[][] = [];
    for (const syllable of syllables) {
      if (syllable.begins || words.length === 0) words.push([]);
      words[words.length - 1]!.push(syllable);
    }
    const endOf = ({ beat, beats }: SetSyllable): number => seconds(beat + beats);
    return {
      line: text,
      section,
      start: seconds(syllables[0]!.beat),
      end: endOf(syllables[syllables.length - 1]!),
      syllables: syllables.length,
      words: words.map((parts) => ({
        word: parts[0]!.word,
        start: seconds(parts[0]!.beat),
        end: endOf(parts[parts.length - 1]!),
      })),
    };
  });
}

/** The form that lyrics ask for, and its words, for a composer's outline; a line that is sung in parts counts as so many. */
export function outlineOf({ sections }: Lyrics): OutlineSection[] {
  return sections.map(({ kind, label, lines, chords: played, bars, usual_bars }) => {
    const words = wordLines(lines);
    const chords = played === undefined ? lineChords(lines) : [played];
    return {
      kind,
      label,
      lines: words.length,
      ...(words.length === 0 ? {} : { words }),
      ...(chords.every(({ length }) => length === 0) ? {} : { chords }),
      ...(bars === undefined ? {} : { bars, exact: true as const }),
      ...(usual_bars === undefined ? {} : { usual_bars }),
    };
  });
}
