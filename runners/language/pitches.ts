/** Names of single notes and chords as musicians write them. */
import { pitchClass } from "../notes.ts";
import { midiOf } from "../packs/mod.ts";
import type { ChordSaid, NoteSaid } from "./ask.ts";
import data from "./figures/figures.json" with { type: "json" };

export interface PitchesSaid {
  readonly note: NoteSaid | null;
  readonly chord: ChordSaid | null;
  readonly chords: number;
}

/** @param cleaned as `clean` leaves it */
export function readPitches(cleaned: string): PitchesSaid {
  const pitch = noteIn(cleaned) ?? null;
  const tonic = classIn(cleaned) ?? null;
  return {
    note: pitch === null && tonic === null ? null : { pitch, tonic },
    chord: chordIn(cleaned) ?? null,
    chords: chordsIn(cleaned),
  };
}

/** @param shift "#", "b" or nothing: cleaned text has no others */
function classOf(letter: string, shift = ""): number {
  return pitchClass(midiOf(`${letter}${shift}0`));
}

/** "A4", "f#2", "Bb-1", "middle C" as a MIDI number, C4 = 60; undefined where none stands there. */
function noteIn(prompt: string): number | undefined {
  // A Hammond B3 is an organ, A4 is paper as well.
  const text = prompt.replace(/\b(?:hammond|organ)\W+b-?3\b|\bb-?3 (?:organ|hammond)\b|\ba4 (?:paper|sheet)/giu, " ");
  if (/\bmiddle c\b/iu.test(text)) return 60;
  const [found] = /(?<![\p{L}\d])[A-Ga-g][#b]?(?:-1|[0-8])(?![\p{L}\d./])/u.exec(text) ?? [];
  if (found === undefined) return undefined;
  const pitch = midiOf(found[0]!.toUpperCase() + found.slice(1));
  return pitch >= 12 && pitch <= 120 ? pitch : undefined;
}

/** In Latin and Cyrillic letters, and in kana as they are read here, without voicing marks. */
const SYLLABLES: Readonly<Record<string, number>> = {
  ...data.solfege,
  ...{ ト: 0, レ: 2, ミ: 4, ファ: 5, ソ: 7, ラ: 9, シ: 11 },
};
const SYLLABLE =
  /(?:(?<=\b(?:nota|note|notas)(?: de)? )|(?<=(?:ноту|нота) ))(do|re|mi|fa|sol|la|si|до|ре|ми|фа|соль|ля|си)(?!\p{L})|(?<=^|[,.、] ?)(re|mi|fa|sol|ре|ми|фа|соль|ト|レ|ミ|ファ|ソ|ラ|シ|(?:do|la|si)(?= \p{L}))(?= (?:grave|aigu|agud[oa]|bass[oa]|acut[oa]|alto|low|high)|[,.、。]|$)/iu;

/** A letter alone that ends what it belongs to, or stands behind "low", "open", "in"; "C sharp", "nota re": its pitch class. */
function classIn(prompt: string): number | undefined {
  const found =
    /(?<![\p{L}\d#])([A-G]) ?(#|b|sharp|flat)(?![\p{L}\d])/u.exec(prompt) ??
    /(?<![\p{L}\d#])([A-G])(#?)(?= ?(?:[,.;)]|$))/u.exec(prompt) ??
    /\b(?:low|high|tuned to|note|pitched at|single|open|on|in|an?) ([a-g])(#?)(?= ?(?:[,.;)]|$))/u.exec(prompt) ??
    /\b(?:low|high|open|in|on|note|tuned to|auf|nota|au|tiefes|hohes) ([A-G])(#?)(?![\p{L}\d#]| ?(?:flat|sharp))/u.exec(
      prompt,
    ) ??
    /(?<!\p{L})(?:an?|one|single|ein|eine|einen|un|una|een|um) ([A-G])(#?)(?= (?:on|auf|sur|en|op|su|na|no|from|vom|de|al?|do|in) )/iu.exec(
      prompt,
    );
  if (found !== null) return classOf(found[1]!.toUpperCase(), { sharp: "#", flat: "b" }[found[2]!] ?? found[2]);
  const syllable = SYLLABLE.exec(prompt);
  return syllable === null ? undefined : SYLLABLES[(syllable[1] ?? syllable[2])!.toLowerCase()];
}

const TRIADS: Readonly<Record<string, readonly number[]>> = {
  "": [0, 4, 7],
  m: [0, 3, 7],
  dim: [0, 3, 6],
  aug: [0, 4, 8],
  sus2: [0, 2, 7],
  sus4: [0, 5, 7],
  "5": [0, 7],
};

/** What is put on top of a triad, by its name. The ninth and what is above it stand on a seventh. */
function extended(triad: string, number: string, large: boolean): readonly number[] {
  const base = TRIADS[triad]!;
  const seventh = triad === "dim" ? 9 : large ? 11 : 10;
  switch (number) {
    case "6":
      return [...base, 9];
    case "7b5":
      return [0, 3, 6, 10];
    case "7":
      return [...base, seventh];
    case "9":
      return [...base, seventh, 14];
    case "11":
      return [...base, seventh, 14, 17];
    case "13":
      return [...base, seventh, 14, 21];
    case "add9":
      return [...base, 14];
    default:
      return base;
  }
}

const SYMBOL =
  /(?<![\p{L}\d#])([A-G])([#b]?)(maj|min|m|M(?=\d)|dim|aug|sus2|sus4|sus|\+|°)?(add9|7b5|6|7|9|11|13|5)?(?![\p{L}\d])/gu;

/**
 * The chord that a prompt names: "Em7", "Bbmaj9", "Dsus4", or in words "minor seventh", "power chord". A bare letter counts only beside
 * "chord". Undefined where no more is said than a key says.
 */
function chordIn(said: string): ChordSaid | undefined {
  // "Organ stab, c7".
  const prompt = /\b(?:chord|stab)/iu.test(said)
    ? said.replace(/(?<=, ?|^|\bin )[a-g](?=[#b]?(?:m|min|maj)?(?:5|6|7|9|11|13) *(?:$|[,.;]))/u, (letter) =>
        letter.toUpperCase(),
      )
    : said;
  for (const found of prompt.matchAll(SYMBOL)) {
    const [all, letter, shift, quality = "", number = ""] = found;
    const bare = quality === "" && number === "";
    const after = prompt.slice(found.index + all.length);
    const before = prompt.slice(0, found.index);
    if (bare && !/^ (?:power )?chord\b/iu.test(after) && !/\bchord(?: of| in)? $/iu.test(before)) continue;
    // "Chord in E minor", "E flat": the key says it.
    if (bare && /^ ?(?:flat|sharp|maj|min|dur|moll)/iu.test(after)) continue;
    const power = bare && /\bpower chord\b/iu.test(prompt);
    const said = bare && !power ? kindIn(prompt.toLowerCase()) : undefined;
    if (said !== undefined) return { ...said, root: classOf(letter!, shift) };
    const large = quality === "maj" || quality === "M";
    const triad =
      number === "5" || power
        ? "5"
        : quality === "m" || quality === "min"
          ? "m"
          : quality === "sus"
            ? "sus4"
            : quality === "+"
              ? "aug"
              : quality === "°"
                ? "dim"
                : large
                  ? ""
                  : quality;
    const above = number === "5" ? "" : number;
    return {
      root: classOf(letter!, shift),
      intervals: extended(triad, above, large),
      suffix: `${large && above !== "" ? "maj" : triad}${above}`,
    };
  }
  return kindIn(prompt.toLowerCase());
}

/** How many chords are named by symbols that no key could be; one where none is. */
function chordsIn(prompt: string): number {
  let count = 0;
  for (const [, , , quality = "", number = ""] of prompt.matchAll(SYMBOL))
    if (number !== "" && !(quality === "" && /^[569]$/u.test(number)) ? true : /^(?:dim|aug|sus)/u.test(quality))
      count++;
  return count === 0 && chordIn(prompt) !== undefined ? 1 : count;
}

/** Kinds in words, the longer first. */
const KINDS: readonly (readonly [words: RegExp, triad: string, number: string, large: boolean])[] = [
  [/\bmajor (?:7|7th|seventh|seven)\b|\bmaj ?7\b/u, "", "7", true],
  [/\bmajor (?:9|9th|ninth|nine)\b|\bmaj ?9\b/u, "", "9", true],
  [/\bminor (?:7|7th|seventh|seven)\b|\bmin ?7\b/u, "m", "7", false],
  [/\bminor (?:9|9th|ninth|nine)\b|\bmin ?9\b/u, "m", "9", false],
  [/\b(?:dominant|dom)(?: ?(?:7|7th|seventh|seven))?\b/u, "", "7", false],
  [/\bdiminished\b|\bdim\b/u, "dim", "", false],
  [/\baugmented\b|\baug\b/u, "aug", "", false],
  [/\b(?:sus|suspended) ?(?:2|second)\b/u, "sus2", "", false],
  [/\b(?:sus|suspended)\b/u, "sus4", "", false],
  [/\bpower chord\b/u, "5", "", false],
];

function kindIn(text: string): ChordSaid | undefined {
  for (const [words, triad, number, large] of KINDS)
    if (words.test(text))
      return {
        intervals: extended(triad, number, large),
        suffix: `${large && number !== "" ? "maj" : triad}${number}`,
      };
  return undefined;
}
