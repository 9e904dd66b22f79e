/** What lyrics are set on, and what becomes of them. */
import { musicOf } from "../../../packs/mod.ts";
import type { Genre, Key, Score, ScoreChord, ScoreSection } from "../../compose/mod.ts";
import type { Phoneme, Stress } from "../phonemes.ts";

/** Of a plan or a score, what singing needs to know. Beats as in a score: from the first downbeat. */
export interface Frame {
  readonly bpm: number;
  readonly metre: Score["metre"];
  readonly key: Key;
  /** Place of the off-beat within the beat: 0.5 straight. */
  readonly swing: number;
  readonly genre: Genre;
  /** In order. `lines` says where singing is meant to be; absent everywhere, the kind decides. */
  readonly sections: readonly (ScoreSection & { readonly lines?: number })[];
  /** In order. */
  readonly chords: readonly ScoreChord[];
  /** A tune that lines should stay near to, in order of `beat`. MIDI numbers; octaves are the singer's. */
  readonly tune?: readonly { readonly beat: number; readonly beats: number; readonly pitch: number }[];
}

/** Lyrics on notes: every line in order, every syllable once. */
export interface Setting {
  readonly lines: readonly SetLine[];
}

export interface SetLine {
  /** Index into the frame's sections. */
  readonly section: number;
  readonly text: string;
  /** In order of `beat`, at least one. */
  readonly syllables: readonly SetSyllable[];
}

export interface SetSyllable {
  /** The word that it belongs to, and whether it begins it. */
  readonly word: string;
  readonly begins: boolean;
  readonly phonemes: readonly Phoneme[];
  readonly nucleus: number;
  readonly stress: Stress;
  /** For backing voices. */
  readonly backing: boolean;
  /** Where its vowel begins. */
  readonly beat: number;
  readonly beats: number;
  /** Beats after its own, MIDI numbers; the first at 0. */
  readonly pitches: readonly { readonly beat: number; readonly pitch: number }[];
  /** 0 to 1. */
  readonly velocity: number;
}

/** Whether a section is spoken in rhythm, as verses of some genres are. */
export function isSpoken(genre: Genre, kind: ScoreSection["kind"]): boolean {
  return musicOf(genre).singing.rapped === true && kind !== "chorus" && kind !== "prechorus" && kind !== "bridge";
}
