/** Names of single notes and chords as musicians write them, and how a hand puts a chord on an instrument. */

export interface ChordSaid {
  /** Pitch class; absent where only the kind of chord is said. */
  readonly root?: number;
  /** Semitones above the root, ascending, from 0. */
  readonly intervals: readonly number[];
  /** "", "m7", "sus4": what stands behind the root. */
  readonly suffix: string;
}

const NATURALS: Readonly<Record<string, number>> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };
const SHIFTS: Readonly<Record<string, number>> = { "#": 1, "♯": 1, b: -1, "♭": -1 };

function classOf(letter: string, shift: string | undefined): number {
  return (NATURALS[letter]! + (SHIFTS[shift ?? ""] ?? 0) + 12) % 12;
}

/** "A4", "f#2", "Bb-1", "middle C" as a MIDI number, C4 = 60; undefined where none stands there. */
export function noteIn(prompt: string): number | undefined {
  // A Hammond B3 is an organ, A4 is paper as well.
  const text = prompt.replace(/\b(?:hammond|organ)\W+b-?3\b|\bb-?3 (?:organ|hammond)\b|\ba4 (?:paper|sheet)/giu, " ");
  if (/\bmiddle c\b/iu.test(text)) return 60;
  const found = /(?<![\p{L}\d])([A-Ga-g])([#♯b♭]?)(-1|[0-8])(?![\p{L}\d./])/u.exec(text);
  if (found === null) return undefined;
  // Not by the class: B#3 is C4, Cb4 is B3.
  const pitch = 12 * (Number(found[3]) + 1) + NATURALS[found[1]!.toUpperCase()]! + (SHIFTS[found[2]!] ?? 0);
  return pitch >= 12 && pitch <= 120 ? pitch : undefined;
}

/** A letter alone that ends what it belongs to, or stands behind "low", "open", "in": its pitch class. */
export function classIn(prompt: string): number | undefined {
  const found =
    /(?<![\p{L}\d#])([A-G])([#♯b♭]?)(?= ?(?:[,.;)]|$))/u.exec(prompt) ??
    /\b(?:low|high|open|in|on|note) ([A-G])([#♯b♭]?)(?![\p{L}\d#]| ?(?:flat|sharp))/u.exec(prompt);
  return found === null ? undefined : classOf(found[1]!, found[2]);
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
  /(?<![\p{L}\d#])([A-G])([#♯b♭]?)(maj|min|m|M(?=\d)|dim|aug|sus2|sus4|sus|\+|°)?(add9|7b5|6|7|9|11|13|5)?(?![\p{L}\d])/gu;

/**
 * The chord that a prompt names: "Em7", "Bbmaj9", "Dsus4", or in words "minor seventh", "power chord". A bare letter counts only beside
 * "chord". Undefined where no more is said than a key says.
 */
export function chordIn(prompt: string): ChordSaid | undefined {
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
export function chordsIn(prompt: string): number {
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

export const MAJOR: ChordSaid = { intervals: TRIADS[""]!, suffix: "" };
export const MINOR: ChordSaid = { intervals: TRIADS.m!, suffix: "m" };

/** How the notes of a chord are laid out. */
export type Hand = "guitar" | "keys" | "section" | "close";

/**
 * MIDI numbers, ascending, of a chord on `root` (a pitch class) within `low` to `high`.
 *
 * `guitar`: the E shape of a barre, root at the bottom string and doubled; `keys`: root an octave below the close chord; `section`: the
 * same without what is doubled; `close`: all within an octave and a third.
 */
export function voiced(
  root: number,
  intervals: readonly number[],
  hand: Hand,
  [low, high]: readonly [number, number],
): readonly number[] {
  const from = (floor: number): number => floor + ((((root - floor) % 12) + 12) % 12);
  const third = intervals[1] ?? 7;
  const fifth = intervals.find((up) => up >= 6 && up <= 8) ?? 7;
  const above = intervals.filter((up) => up > 8);
  const inside = (pitches: readonly number[]): readonly number[] => {
    const moved = pitches.map((pitch) => {
      let at = pitch;
      while (at < low) at += 12;
      while (at > high) at -= 12;
      return at;
    });
    return [...new Set(moved)].sort((a, b) => a - b);
  };
  if (hand === "guitar") {
    const base = from(Math.max(low, 40));
    if (intervals.length === 2) return inside([base, base + 7, base + 12]);
    const seventh = above.find((up) => up <= 11);
    const top = above.find((up) => up > 11);
    return inside([
      base,
      base + fifth,
      base + (seventh ?? 12),
      base + 12 + third,
      base + 12 + fifth,
      base + (top === undefined ? 24 : top + 12),
    ]);
  }
  if (hand === "close") return inside(intervals.map((up) => from(Math.max(low, 55)) + up));
  const base = from(Math.max(low + 12, 55));
  return inside([
    base - 12,
    ...intervals.slice(hand === "section" && intervals.length > 3 ? 1 : 0).map((up) => base + up),
  ]);
}
