import type { Concept, PaceAsked, PlaceAsked, Where } from "../../language/mod.ts";
import type { Metre } from "../../signal/analyse/mod.ts";
import type { Cue, Loudness } from "./cues.ts";
import type { DrumPiece } from "./drum_pieces.ts";
import type { Genre } from "./genres.ts";
import type { Instrument } from "./instruments.ts";
import type { Key, Role } from "./score.ts";

/** What a prompt, or a piece to be like, was understood to ask for. Everything is decided: the composer never looks at words again. */
export interface Brief {
  /** Name in the lexicon of genres, and a second one that colours it. */
  readonly genre: Genre;
  readonly second_genre: Genre | null;
  /** Names in the lexicon of moods, strongest first. */
  readonly moods: readonly string[];
  /** Moods of which little is wanted, in words: "less cheerful", "not too dark". Absent: none. */
  readonly tempered?: readonly string[];
  readonly bpm: number;
  readonly key: Key;
  readonly metre: Metre;
  /** As the prompt writes it, where that says more: 7/8 is seven beats. */
  readonly metre_name?: string;
  /** Length that was asked for, 10 to 300 s; absent where none was. */
  readonly seconds?: number;
  /** Bars that were asked for; absent where none were. */
  readonly bars?: number;
  /** "A short song", "a long one", where no length was said; absent: as usual. */
  readonly extent?: "short" | "long";
  /** Who begins, enters, stays out and ends, and which sections there are, as asked. Absent: nothing was. */
  readonly cues?: readonly Cue[];
  /** How loud players and sections are, as asked. Absent: nothing was. */
  readonly dynamics?: readonly Loudness[];
  /** The music turns into another kind: what it is then, and where; null: nobody said where. Absent: it stays what it is. */
  readonly turn?: { readonly brief: Brief; readonly where: Where | null };
  /** How the tempo goes; absent: it stays, and nothing was said. */
  readonly pace?: PaceAsked;
  /** Where it is to sound as if it were ; absent: nothing was said. */
  readonly place?: PlaceAsked;
  /** Chords that were asked for, bar by bar, as numerals (`chordOf`); every section plays them. Absent: none were. */
  readonly progression?: readonly (readonly string[])[];
  /** Attacks a bar at each sixteenth of a bar of four, of the piece to be like; absent: the genre's own grooves. */
  readonly groove?: readonly number[];
  /** Place of the off-beat: 0.5 straight, 0.67 triplets. */
  readonly swing: number;
  /** 0 to 1 each. */
  readonly energy: number;
  readonly valence: number;
  readonly brightness: number;
  readonly density: number;
  readonly space: number;
  /** Clean to driven. */
  readonly drive: number;
  /** Modern to worn. */
  readonly age: number;
  /** Asked for by name: these must be heard. */
  readonly wanted: readonly Instrument[];
  /** What must not be heard. */
  readonly unwanted: {
    readonly instruments: readonly Instrument[];
    readonly roles: readonly Role[];
    /** Absent: none. */
    readonly drum_pieces?: readonly DrumPiece[];
    /** The same and all else that was denied, in the words of the prompt. Absent: nothing. */
    readonly said?: readonly string[];
  };
  /** Decade such as 1980, where one was named. */
  readonly era: number | null;
  /** Scene words that call for a texture ("rain", "vinyl"). */
  readonly scene: readonly string[];
  /**
   * Asked for by name: "four on the floor", "half time", "acoustic", "orchestral", "solo", "build up", "fade in",
   * "drop" … Names of the lexicon.
   */
  readonly traits: readonly string[];
  /** How long it fades out, where that is said. Absent: as usual. */
  readonly fade?: { readonly bars: number | null; readonly seconds: number | null };
  /** Which of the above the prompt said outright, by name of the field. */
  readonly explicit: readonly string[];
  /** Words that the lexicon knows only by their spelling or their meaning, and what they were taken for. Absent: none. */
  readonly taken_for?: readonly { readonly word: string; readonly phrase: string; readonly concept: Concept }[];
  /** Words that name what stands above by another name. Absent: none. */
  readonly taken?: readonly Taken[];
  /** Words that the lexicon does not know; they steer through `colour`. */
  readonly unknown: readonly string[];
  /** A hash of all words, so that prompts the lexicon cannot tell apart still differ. Unsigned 32 bits; the seed is not in it. */
  readonly colour: number;
}

/** Words of the prompt, and what they are in the brief: "kora" of the wanted is a harp. */
export interface Taken {
  readonly words: string;
  readonly field: "genre" | "wanted" | "moods" | "scene" | "traits";
  readonly value: string;
}
