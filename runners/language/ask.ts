/**
 * What a prompt asks, read once: songs, instrumentals, samples, effects, remixes and the singer all work from this, and nothing looks at words
 * again. It says what was said, not what is made of it: which genre is played, which voice sings and which recipe sounds is for those who make it.
 */
import type { Metre } from "../signal/analyse/mod.ts";

/** What a concept is of. The lexicon decides which there are: a word may mean concepts of several kinds ("epic": a genre and a mood). */
export type Kind =
  | "genre"
  | "instrument"
  | "drum"
  | "voice"
  | "sound"
  | "material"
  | "place"
  | "scene"
  | "mood"
  | "tempo"
  | "dynamics"
  | "manner"
  | "trait"
  | "form"
  | "clip"
  | "person"
  | "source";

/** `<kind>:<name>`, such as "instrument:cello" or "mood:calm". */
export type Concept = `${Kind}:${string}`;

export interface Ask {
  /** The prompt as it was read: signs of one form, accents gone. All places are places in it. */
  readonly text: string;
  /** The same in the words of the lexicon, foreign ones in English, and without what must not be there. */
  readonly retold: string;
  /** ISO 639-1 names, the one with most words first; empty where nothing was recognised. */
  readonly languages: readonly string[];
  /** In the order of the text. */
  readonly mentions: readonly Mention[];
  /** Words that mean nothing to the lexicon, each once, in order. They steer nothing but the colour. */
  readonly unknown: readonly Unknown[];
  readonly tempo: TempoAsked | null;
  readonly key: KeyAsked | null;
  readonly metre: Metre | null;
  /** How long it is to be, seconds, as said; whoever makes it knows the bounds. */
  readonly seconds: number | null;
  readonly bars: number | null;
  /** Decade, such as 1980; a century's earliest for what is older. */
  readonly era: number | null;
  readonly form: readonly FormAsked[];
  /** Mentions that it is to be like: "like a seventies film". */
  readonly references: readonly Span[];
  /** Words of grammar that are not English. */
  readonly foreign: readonly ForeignGrammar[];
  /** A hash of all words, so that prompts that the lexicon cannot tell apart still differ. Unsigned 32 bits. */
  readonly colour: number;
}

/** A stretch of the text: first code unit, and one past the last. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * - `wanted`: "a cello", "very calm" (see `degree`), "more cello".
 * - `unwanted`: "no cello", "without", "instead of", "never", "anything but", "cello-free".
 * - `softened`: wanted, but little of it: "not too loud", "not too much reverb".
 * - `less`: less of it than usual: "less cheerful". What it is said of may be there.
 * - `compared`: named only to measure by: "less echo than a church".
 */
export type Polarity = "wanted" | "unwanted" | "softened" | "less" | "compared";

export interface Mention extends Span {
  /** All that the phrase may mean, at least one. */
  readonly concepts: readonly Concept[];
  /** As the lexicon spells it, in small letters; a foreign word as its English. */
  readonly phrase: string;
  /** A word of another language as its list has it, which may be the base form of what was written. */
  readonly listed?: string;
  readonly polarity: Polarity;
  /** 1; more for "very", less for "slightly". */
  readonly degree: number;
  /** "Two knocks", "three times", "a single chord"; null where nothing is counted. */
  readonly count: number | null;
  /** Place in the sequence that "then", "followed by" and the like divide the prompt into, from 0. */
  readonly part: number;
  /** Which clause it stands in, from 0: commas, full stops and the like divide them. */
  readonly clause: number;
  /** It is under all the rest: "with rain in the background". */
  readonly behind: boolean;
  /** Index of the mention that it says something of ("soft" of "piano"), where that is plain. */
  readonly of: number | null;
  /** It stands right behind the mention before it, nothing between: "jazz" and "piano" in "jazz piano". */
  readonly adjacent: boolean;
  /** Nothing else beside it: "only piano", "nothing but hats", "guitar alone". */
  readonly alone: boolean;
  /** Only likened to: "a choir-like organ". */
  readonly likened: boolean;
  /** Made of an ending ("rockish", "jazzy"): a colour rather than a name. */
  readonly derived: boolean;
  /** What it was taken from, where that is not what was written: a misspelling, or a word near in meaning. */
  readonly guessed: "spelling" | "meaning" | null;
}

/** What words of another language's grammar are in English: "puis" is "then"; none where nothing is to be said. */
export interface ForeignGrammar extends Span {
  readonly words: string;
}

export interface Unknown extends Span {
  readonly word: string;
  readonly polarity: Polarity;
}

export interface TempoAsked {
  /** Beats a minute. Of "90 to 100 bpm" the middle. */
  readonly bpm: number;
  /** "A bit faster than 90", "no slower than 110": beyond that number; "at" where it is the number itself. */
  readonly compared: "at" | "faster" | "slower";
}

export type Mode = "major" | "minor" | "dorian" | "phrygian" | "lydian" | "mixolydian";

export interface KeyAsked {
  /** 0 (C) to 11; null where only a mode was said. */
  readonly tonic: number | null;
  readonly mode: Mode | null;
}

/** "Starts with rain", "ends on a C major chord", "drop after the second chorus", "no drums until the last chorus". */
export interface FormAsked {
  readonly event: "starts" | "ends" | "enters" | "leaves";
  /** Indices of the mentions that do so. */
  readonly who: readonly number[];
  /** Where it happens, in the prompt's words: "last chorus"; absent for the beginning and the end. */
  readonly where?: Span;
}
