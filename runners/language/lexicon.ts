/**
 * Which words mean what: the one shape that all sources of words fill (genres, instruments, moods, recipes of effects,
 * words of other languages).
 */
import type { Concept, Kind } from "./ask.ts";
import { isDense, spacedOf } from "./tokens.ts";
import type { Writing } from "./writing.ts";

export interface Entry {
  /** Words of the phrase in small letters, a blank between. */
  readonly phrase: string;
  /** All that it means; none for words that are known and say nothing ("please"). */
  readonly concepts: readonly Concept[];
}

export function kindOf(concept: string): Kind {
  return concept.slice(0, concept.indexOf(":")) as Kind;
}

/** A word of a language, and the entry that it leads to. */
export interface Foreign {
  readonly language: string;
  readonly entry: Entry;
}

/** What base forms end with, by what a form of theirs ends with. */
export interface Endings {
  readonly bases: ReadonlyMap<string, readonly string[]>;
  readonly letters_max: number;
}

export interface Tongues {
  /** By the words, a blank between. */
  readonly exact: ReadonlyMap<string, readonly Foreign[]>;
  /** By what a word begins with: "grustn" for all of "грустный". */
  readonly stems: ReadonlyMap<string, readonly Foreign[]>;
  /** How words change, and what joins the parts of compounds, by language. */
  readonly endings: ReadonlyMap<string, Endings>;
  readonly joints: ReadonlyMap<string, readonly string[]>;
  /** What phrases of several words begin with: all their words but the last, the last two, and so on. */
  readonly beginnings: ReadonlySet<string>;
  readonly words_max: number;
  readonly dense_max: number;
}

export interface Lexicon {
  /** Entries by the phrase's words without blanks: "hip hop", "hip-hop" and "hiphop" are one. */
  readonly exact: ReadonlyMap<string, Entry>;
  /** How phrases are spaced otherwise than their entries have them. */
  readonly spelt: ReadonlySet<string>;
  /** Words of the other languages that the text may be in; none until `speak` was asked for them. */
  readonly tongues: Tongues;
  readonly speak?: (writing: Writing) => Tongues;
  /** Longest phrase, in words, and longest word of the scripts without spaces, in code units. */
  readonly words_max: number;
  readonly dense_max: number;
  /** What an English word that stands in no list means by what it is; null where nothing known is near. Absent: nothing is sought. */
  readonly nearest?: (word: string) => Entry | null;
  /** What two English words are that the dictionary has as one thing: "egg timer"; null where they are none. Absent: nothing is sought. */
  readonly compound?: (words: string) => Entry | null;
}

export const NO_TONGUES: Tongues = {
  ...{ exact: new Map(), stems: new Map(), endings: new Map(), joints: new Map(), beginnings: new Set() },
  ...{ words_max: 1, dense_max: 0 },
};

/**
 * A lexicon of concepts and their phrases; concepts that share a phrase share its entry.
 * @param silent words that are known and say nothing
 */
export function lexiconOf(
  words: Iterable<readonly [concept: Concept, phrases: readonly string[]]>,
  silent: readonly string[] = [],
): Lexicon {
  const exact = new Map<string, { phrase: string; concepts: Concept[] }>();
  const spelt = new Set<string>();
  let words_max = 1;
  let dense_max = 0;
  for (const [concept, phrases] of words)
    for (const written of phrases) {
      const phrase = spacedOf(written);
      const key = phrase.replaceAll(" ", "");
      if (key === "") continue;
      words_max = Math.max(words_max, 1 + phrase.length - key.length);
      if (isDense(key)) dense_max = Math.max(dense_max, key.length);
      const entry = exact.get(key);
      if (entry === undefined) exact.set(key, { phrase, concepts: [concept] });
      else if (!entry.concepts.includes(concept)) entry.concepts.push(concept);
      if (entry !== undefined && entry.phrase !== phrase) spelt.add(phrase);
    }
  for (const word of silent) {
    const key = spacedOf(word).replaceAll(" ", "");
    if (key !== "" && !exact.has(key)) exact.set(key, { phrase: word, concepts: [] });
  }
  return { exact, spelt, tongues: NO_TONGUES, words_max, dense_max };
}
