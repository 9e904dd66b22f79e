/**
 * What a prompt asks, read once: songs, instrumentals, samples, effects, remixes and the singer all work from this, and
 * nothing looks at words again. It says what was said, not what is made of it: which genre is played, which voice sings
 * and which recipe sounds is for those who make it.
 */
import type { Metre } from "../signal/analyse/mod.ts";
import type { Role } from "./roles.ts";

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
  | "source"
  | "interval"
  | "quality"
  | "distance"
  | "motion"
  | "direction"
  | "thing"
  | "word";

/** `<kind>:<name>`, such as "instrument:cello" or "mood:calm". */
export type Concept = `${Kind}:${string}`;

export interface Ask {
  /** The prompt as it was read: signs of one form, accents gone. All places are places in it. */
  readonly text: string;
  /** ISO 639-1 names, the one with most words first; empty where nothing was recognised. */
  readonly languages: readonly string[];
  /** In the order of the text. */
  readonly mentions: readonly Mention[];
  /** Words that mean nothing to the lexicon, each once, in order. They steer nothing but the colour. */
  readonly unknown: readonly Unknown[];
  readonly tempo: TempoAsked | null;
  readonly key: KeyAsked | null;
  readonly metre: Metre | null;
  /** As it is written: 7/8 is played as seven beats. */
  readonly metre_name: string | null;
  readonly note: NoteSaid | null;
  readonly tuning: TuningAsked | null;
  /** The first chord, and how many are named. */
  readonly chord: ChordSaid | null;
  readonly chords: number;
  /** Chords one after another; null where there are none. */
  readonly progression: ProgressionAsked | null;
  /** How long it is to be, seconds, as said; whoever makes it knows the bounds. */
  readonly seconds: number | null;
  readonly bars: number | null;
  /** How long it takes to fade out, where that is said. */
  readonly fade: FadeAsked | null;
  /** Lengths and pauses in the order of the text. */
  readonly times: readonly TimeAsked[];
  /** Decade, such as 1980; a century's earliest for what is older. */
  readonly era: number | null;
  readonly form: readonly FormAsked[];
  /** Where the music turns into another kind; null where it stays what it is. */
  readonly turn: TurnAsked | null;
  readonly dynamics: readonly DynamicsAsked[];
  readonly pace: PaceAsked | null;
  readonly place: PlaceAsked | null;
  /** Mentions that it is to be like: "like a seventies film". */
  readonly references: readonly Span[];
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
  readonly polarity: Polarity;
  /** 1; more for "very", less for "slightly". */
  readonly degree: number;
  /** "Two knocks", "three times", "a single chord"; null where nothing is counted. */
  readonly count: number | null;
  /** Place in the sequence that "then", "followed by" and the like divide the prompt into, from 0. */
  readonly part: number;
  /** Which clause it stands in, from 0: commas, full stops and the like divide them. */
  readonly clause: number;
  /** What the words of grammar between it and what was read before do, in their order: "and", "on", "into". */
  readonly led_by: readonly Led[];
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

export interface Unknown extends Span {
  readonly word: string;
  readonly polarity: Polarity;
  readonly part: number;
  readonly clause: number;
  readonly led_by: readonly Led[];
}

/** A word of grammar: its role, and its value where it is a number. */
export interface Led {
  readonly role: Role;
  readonly value: number;
}

/**
 * - `length`: "two seconds of rain", "for five seconds".
 * - `after`: "after three seconds", "three seconds later": from the beginning of what is before.
 * - `pause`: "three seconds of silence", "after a pause of three seconds": from its end.
 * - `every`: "every two seconds".
 */
export interface TimeAsked extends Span {
  readonly seconds: number;
  readonly how: "length" | "after" | "pause" | "every";
  /** It ends its clause, and is said of what stands before it there: "a scream after three seconds". */
  readonly closing: boolean;
  /** From what is named behind it: "thunder, four seconds after the lightning". */
  readonly from_next?: true;
}

/** Bars of chords, to be played again and again. */
export interface ProgressionAsked extends Span {
  readonly bars: readonly (readonly NamedChord[])[];
}

/**
 * A chord by its root and its bass, pitch classes with C = 0, and the suffix that music writes ("m7"); or by a degree
 * of the key as numerals or figures write it: "vi", "bVII7", "4".
 */
export type NamedChord =
  | { readonly root: number; readonly bass: number; readonly suffix: string }
  | { readonly degree: string };

export interface TempoAsked {
  /** Beats a minute. Of "90 to 100 bpm" the middle. */
  readonly bpm: number;
  /** "A bit faster than 90", "no slower than 110": beyond that number; "at" where it is the number itself. */
  readonly compared: "at" | "faster" | "slower";
}

export interface NoteSaid {
  /** "A4" as a MIDI number, C4 = 60. */
  readonly pitch: number | null;
  /** "A low D": 0 (C) to 11. */
  readonly tonic: number | null;
}

/** "Tuned to F", "pitched at 200 Hz": a pitch class, with an octave (C4 is middle C) where it was said, or a frequency. */
export interface TuningAsked {
  readonly tonic: number | null;
  readonly octave: number | null;
  readonly hertz: number | null;
}

/** Of both one is said. */
export interface FadeAsked {
  readonly bars: number | null;
  readonly seconds: number | null;
}

/** "Em7", "Bbmaj9", "minor seventh". */
export interface ChordSaid {
  /** Pitch class; absent where only the kind of chord is said. */
  readonly root?: number;
  /** Semitones above the root, ascending, from 0. */
  readonly intervals: readonly number[];
  /** "", "m7", "sus4": what stands behind the root. */
  readonly suffix: string;
}

export type Mode = "major" | "minor" | "dorian" | "phrygian" | "lydian" | "mixolydian";

export interface KeyAsked {
  /** 0 (C) to 11; null where only a mode was said. */
  readonly tonic: number | null;
  readonly mode: Mode | null;
}

/** "Starts with rain", "ends on a C major chord", "drop after the second chorus", "no drums until the last chorus", "no intro". */
export interface FormAsked {
  /**
   * - `starts`, `ends`: who begins or is left at the end; of an end `what` may say how: "abrupt", "fade out", "C major chord".
   * - `enters`, `leaves`: from there on, and no more from there on.
   * - `rests`, `only`: silent there, and nowhere but there.
   * - `has`, `lacks`: a section or turn of the music by name, with its bars where they were said.
   */
  readonly event: "starts" | "ends" | "enters" | "leaves" | "rests" | "only" | "has" | "lacks";
  /** Indices of the mentions concerned; empty: all that play. */
  readonly who: readonly number[];
  readonly what: string | null;
  /** Null for the beginning, the end and the whole. */
  readonly where: Where | null;
  /** Bars of a section, or how many hits end it. */
  readonly bars: number | null;
}

/** "Starts as jazz, becomes techno": what is said from there on is said of what comes later. */
export interface TurnAsked {
  /** Code unit of the text where the word stands that says so. */
  readonly at: number;
  /** Where in the piece; null where that was not said. */
  readonly where: Where | null;
}

/** A place in a piece: exactly one of section, share, seconds and bar. */
export interface Where {
  readonly edge: "at" | "after" | "before" | "until";
  /** "verse", "chorus", … */
  readonly section?: string;
  /** Which of these sections: from 1 on, -1 the last, 0 each. */
  readonly nth?: number;
  /** 0 the beginning, 1 the end. */
  readonly share?: number;
  readonly seconds?: number;
  /** From 1 on. */
  readonly bar?: number;
}

/** How loud something is, by itself or against something else. */
export interface DynamicsAsked {
  /** Indices of the mentions concerned; empty: all that is heard, or all of a section. */
  readonly who: readonly number[];
  /** "verse", "chorus", …, "start" or "end"; null for the whole. */
  readonly section: string | null;
  readonly level:
    | "loud"
    | "soft"
    | "louder"
    | "softer"
    | "up front"
    | "in the background"
    | "same"
    | "crescendo"
    | "decrescendo"
    | "soft, then loud"
    | "loud, then soft";
  /** Indices of what it is measured by. */
  readonly than: readonly number[];
}

/** How the tempo goes, beside its number. */
export type PaceAsked =
  | "getting faster"
  | "getting slower"
  | "faster"
  | "slower"
  | "same"
  | "not faster"
  | "not slower";

/** Where it sounds as if it were. */
export interface PlaceAsked {
  /** Of the places that packs of words name: "church", "bathroom", "dry". */
  readonly name: string;
  /** In the prompt's word where that is English: "stairwell". */
  readonly said: string;
}
