/** Lyrics on the notes that were written for them: each syllable's sounds, where the composer's tune has it. */
import type { NamedChord } from "../../../language/mod.ts";
import type { VoiceLine, VoiceNote, WordLine, WordSyllable } from "../../compose/mod.ts";
import type { LyricLine, Lyrics } from "../lyrics/lyrics.ts";
import type { Syllable } from "../lyrics/syllables.ts";
import type { Phoneme, Stress } from "../phonemes.ts";
import { partsOf } from "./parts.ts";
import vowels from "./vowels.json" with { type: "json" };

/** Every line in order, every syllable once. */
export interface Setting {
  readonly lines: readonly SetLine[];
}

interface SetLine {
  /** Index into the score's sections. */
  readonly section: number;
  /** Index into the lyrics' sections. */
  readonly part: number;
  readonly text: string;
  /** In order of `beat`, at least one. */
  readonly syllables: readonly SetSyllable[];
}

export interface SetSyllable extends VoiceNote {
  /** The word that it belongs to, and whether it begins it. */
  readonly word: string;
  readonly begins: boolean;
  readonly phonemes: readonly Phoneme[];
  readonly nucleus: number;
  readonly stress: Stress;
}

/** @param voice what a score has for `wordLines` of the lyrics' sections, in order; lines beyond it are not sung */
export function setLyrics({ sections }: Lyrics, voice: readonly VoiceLine[]): Setting {
  const lines: SetLine[] = [];
  let at = 0;
  const written = sections.flatMap((section, part) => section.lines.map((line) => ({ line, part })));
  for (const { line, part: of } of written) {
    const parts = partsOf(line).flatMap((part): SetLine[] => {
      const sung = voice[at++];
      if (sung === undefined) return [];
      const syllables = flat(part).map(({ syllable: { phonemes, nucleus }, word, begins, stress }, n) => ({
        ...sung.notes[n]!,
        ...{ word, begins, phonemes, nucleus, stress },
      }));
      return [{ section: sung.section, part: of, text: line.text, syllables }];
    });
    // A line that is longer than a breath is told as one.
    if (parts.length > 0) lines.push({ ...parts[0]!, syllables: parts.flatMap(({ syllables }) => syllables) });
  }
  return { lines };
}

/** Lines as who writes a tune for them sees them; a line that is longer than a breath is several. */
export function wordLines(lines: readonly LyricLine[]): WordLine[] {
  return lines.flatMap(partsOf).map((line) => ({
    text: line.words.map(({ text }) => text.toLowerCase()).join(" "),
    syllables: flat(line).map(
      ({ stress, begins, pause, backing, syllable }): WordSyllable => ({
        stress,
        begins,
        pause,
        backing,
        carries: CARRIES[syllable.phonemes[syllable.nucleus]!] ?? 0,
      }),
    ),
  }));
}

/** Of each of `wordLines` the chords that are written with it: a line that is several shares them out. */
export function lineChords(lines: readonly LyricLine[]): (readonly NamedChord[])[] {
  return lines.flatMap((line) => {
    const { chords = [] } = line;
    const parts = partsOf(line).length;
    const edge = (part: number): number => Math.round((part * chords.length) / parts);
    return Array.from({ length: parts }, (_, part) => chords.slice(edge(part), edge(part + 1)));
  });
}

/** How well vowels are held; hummed and hissed nuclei, as murmured vowels, are not. */
const CARRIES: Readonly<Record<string, number>> = vowels.carries;

interface FlatSyllable extends Omit<WordSyllable, "carries"> {
  readonly syllable: Syllable;
  readonly word: string;
}

/** Words of one syllable that carry no stress in a sentence. */
const LIGHT: ReadonlySet<string> = new Set(
  "a an the and or but of to in on at as for from by with my your his her its our their i'm is are was were be been am it if so than that this do does did has have had will would can could should i you he she we they me him us them de la le el un une il lo die der das und ein que et y e o".split(
    " ",
  ),
);

function flat({ words }: LyricLine): FlatSyllable[] {
  return words.flatMap(({ text, syllables, backing, goes_on }, n) =>
    syllables.map((syllable, k) => ({
      syllable,
      word: text,
      backing,
      stress: syllables.length === 1 && LIGHT.has(text.toLowerCase()) ? (0 as const) : syllable.stress,
      begins: k === 0 && goes_on === undefined,
      pause: k === 0 && n > 0 && (words[n - 1]!.pause || words[n - 1]!.backing !== backing),
    })),
  );
}
