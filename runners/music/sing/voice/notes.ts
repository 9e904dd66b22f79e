/** What is given to a singer. */
import type { Phoneme } from "../phonemes.ts";

/** One syllable on one or more pitches. */
export interface SungNote {
  /** At least one; `phonemes[nucleus]` is held. */
  readonly phonemes: readonly Phoneme[];
  readonly nucleus: number;
  /** Where the held sound begins: on the beat. What comes before it in the syllable is sung before. */
  readonly frame: number;
  /** At least 1, until the sound ends (its last consonants come before that), or the next note's `frame` where they touch. */
  readonly frames: number;
  /** In order of `frame`, the first at 0: frames after the note's own, MIDI number. More than one is a melisma. */
  readonly pitches: readonly SungPitch[];
  /** 0 to 1. */
  readonly velocity: number;
}

export interface SungPitch {
  readonly frame: number;
  readonly pitch: number;
}

/** Notes on one breath, in order, not overlapping. */
export type SungPhrase = readonly SungNote[];
