import type { Metre } from "../../signal/analyse/mod.ts";
import type { Genre } from "./genres.ts";
import type { Instrument } from "./instruments.ts";

/**
 * What the composer writes and the orchestra plays. Times are in beats from the first downbeat; a beat is a crotchet,
 * or a dotted crotchet in compound metre. Beats may be negative only in a piece that is not a ring (a pick-up);
 * `lead_in` says how many.
 */
export interface Score {
  /** Beats a minute: the tempo that most of it has. Not a whole number where a loop's length demands it. */
  readonly bpm: number;
  /** How the tempo moves, in order of `beat`; absent, as on every ring: it is `bpm` throughout. Beats become seconds by `clockOf` alone. */
  readonly tempo?: readonly TempoPoint[];
  readonly metre: Metre;
  /** At the beginning. */
  readonly key: Key;
  /** From this beat on the piece is in another key; absent where it stays. */
  readonly key_change?: { readonly beat: number; readonly key: Key };
  /** Length of the written music; on a ring, of the whole loop. Notes may ring on after it. */
  readonly beats: number;
  readonly lead_in: number;
  /** A loop: what sounds past the end sounds at the beginning. */
  readonly ring: boolean;
  /** In order, without gaps, over all `beats`. */
  readonly sections: readonly ScoreSection[];
  /** Place of the off-beat within the beat, already in the notes' beats. */
  readonly swing: number;
  /** In order, without gaps, over all `beats`. */
  readonly chords: readonly ScoreChord[];
  readonly parts: readonly Part[];
  /** What is sung, in order; absent where nobody sings. */
  readonly voice?: readonly VoiceLine[];
  /** What the mixer moves over time. */
  readonly moves: readonly Move[];
  readonly mix: MixCharacter;
  /** dB that a voice over it is to be louder than the genre has it; absent: none. */
  readonly voice_db?: number;
}

/** Between two points tempo goes evenly with the beats; two at one beat are a step; before the first and after the last it stays. */
export interface TempoPoint {
  readonly beat: number;
  /** More than 0. */
  readonly bpm: number;
}

export interface Key {
  /** Pitch class 0 (C) to 11 (B). */
  readonly tonic: number;
  readonly mode: "major" | "minor" | "dorian" | "phrygian" | "lydian" | "mixolydian";
}

export type SectionKind =
  | "intro"
  | "verse"
  | "prechorus"
  | "chorus"
  | "bridge"
  | "solo"
  | "break"
  | "build"
  | "drop"
  | "theme"
  | "outro"
  | "loop";

export interface ScoreSection {
  readonly kind: SectionKind;
  /** Sections of equal label share their material. */
  readonly label: string;
  readonly beat: number;
  readonly beats: number;
  /** 0 to 1, against the piece's own most intense moment. */
  readonly energy: number;
  /** Lines that are sung here; absent for none. */
  readonly lines?: number;
}

export interface ScoreChord {
  readonly beat: number;
  readonly beats: number;
  /** Pitch class. */
  readonly root: number;
  /** Pitch class of the lowest note. */
  readonly bass: number;
  /** Pitch classes, root first. */
  readonly tones: readonly number[];
  /** As musicians write it: "Am7", "F/A". */
  readonly symbol: string;
}

export type Role =
  | "drums"
  | "percussion"
  | "bass"
  | "chords"
  | "pad"
  | "arpeggio"
  | "lead"
  | "counter"
  | "texture"
  | "transition"
  | "vocal"
  | "backing";

export interface Part {
  /** Unique within the score: "bass", "lead 2". */
  readonly name: string;
  readonly role: Role;
  /** Of no meaning for `vocal` and `backing`, which the singer renders. */
  readonly instrument: Instrument;
  /** In order of `beat`. */
  readonly notes: readonly Note[];
  /** -1 (left) to 1 (right); 0 for what must stay in the middle. */
  readonly pan: number;
  /** dB against what the mixer would give the role. */
  readonly level_db: number;
}

/** A line of words on notes, one for each syllable. */
export interface VoiceLine {
  /** Index into the score's sections. */
  readonly section: number;
  /** In rhythm alone: its pitches are those of speech. */
  readonly spoken: boolean;
  /** In order of `beat`, at least one. */
  readonly notes: readonly VoiceNote[];
}

export interface VoiceNote {
  /** Where the syllable's vowel begins; a pick-up's before its section. */
  readonly beat: number;
  readonly beats: number;
  /** Beats after its own, MIDI numbers; the first at 0, more where it is sung on several notes. */
  readonly pitches: readonly { readonly beat: number; readonly pitch: number }[];
  /** 0 to 1. */
  readonly velocity: number;
  readonly stressed: boolean;
  /** For backing voices. */
  readonly backing: boolean;
}

export interface Note {
  readonly beat: number;
  /** Length in beats. */
  readonly beats: number;
  /** MIDI number, 60 = C4; fractions bend. For drum kits a key of the General MIDI percussion map. */
  readonly pitch: number;
  /** 0 to 1; 0.8 is played firmly. */
  readonly velocity: number;
  /** Seconds that the player is late (positive) or early, for groove. */
  readonly shift: number;
  readonly articulation?: Articulation;
}

export type Articulation = "staccato" | "legato" | "accent" | "mute" | "slide" | "tremolo" | "roll";

/**
 * A gesture of the mixer over some beats; fades are from and to silence, and the whole mix's. `amount` 0 to 1. What
 * sounds by itself (a riser, an impact) is a part of role `transition` instead.
 */
export interface Move {
  readonly kind: "filter_open" | "filter_close" | "mute" | "delay_throw" | "fade_in" | "fade_out";
  readonly beat: number;
  readonly beats: number;
  readonly amount: number;
  /** Names of the parts concerned; empty for the whole mix. */
  readonly parts: readonly string[];
}

/** What the mixer should make of it. All 0 to 1. */
export interface MixCharacter {
  /** For targets of balance and spectrum. */
  readonly genre: Genre;
  /** Dry booth to cathedral. */
  readonly space: number;
  readonly brightness: number;
  /** Clean to driven. */
  readonly drive: number;
  /** Loose dynamics to dense. */
  readonly density: number;
  /** Depth of side-chain from the kick. */
  readonly pump: number;
  /** Mono to wide. */
  readonly width: number;
  /** Modern clean to worn tape and vinyl. */
  readonly age: number;
}
