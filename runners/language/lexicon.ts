/** Which words mean what: the one shape that all sources of words fill (genres, instruments, moods, recipes of effects, words of other languages). */
import type { Concept } from "./ask.ts";

export interface Entry {
  /** Words of the phrase in small letters, a blank between. */
  readonly phrase: string;
  /** All that it means; none for words that are known and say nothing ("please"). */
  readonly concepts: readonly Concept[];
}

export interface Lexicon {
  /** Entries by the phrase's words without blanks: "hip hop", "hip-hop" and "hiphop" are one. Foreign words lead to the entry that they mean. */
  readonly exact: ReadonlyMap<string, Entry>;
  /** Every phrase as the lexicon spaces it. */
  readonly spelt: ReadonlySet<string>;
  /** Stems of inflected languages, by their letters: "grustn" for all of "грустный". */
  readonly stems: ReadonlyMap<string, Entry>;
  /** Longest phrase, in words, and longest word of the scripts without spaces, in code units. */
  readonly words_max: number;
  readonly dense_max: number;
}
