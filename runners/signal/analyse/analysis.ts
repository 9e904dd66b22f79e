/**
 * What the ear makes of a piece. One result for every user: the cut, the duck, remixes and reference-guided creation.
 *
 * Times are seconds from the first sample of the source. Curves are sampled at `hop_seconds`; value i describes the hop
 * that begins at i × hop_seconds.
 */
export interface Analysis {
  readonly seconds: number;
  readonly rhythm: Rhythm;
  readonly tonality: Tonality;
  readonly form: Form;
  readonly timbre: Timbre;
}

/** A span of time, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Metre {
  /** Beats counted in a bar: 3 in 3/4, 4 in 4/4, 2 in 6/8 (dotted crotchets). */
  readonly beats_per_bar: number;
  /** How a beat divides: 2 (simple) or 3 (compound, as in 6/8 and 12/8). */
  readonly division: 2 | 3;
}

export interface Rhythm {
  /** Beats a minute, the median over the piece; 0 where there is no beat. */
  readonly tempo_bpm: number;
  /** 0 (free tempo, speech, noise) to 1 (a steady, clear beat). Below `STEADY` beats are not to be relied on. */
  readonly confidence: number;
  /** Every beat, ascending. Empty where there is none. */
  readonly beats: readonly number[];
  /** For each beat its place in the bar, from 1 (a downbeat). Same length as `beats`. */
  readonly positions: readonly number[];
  readonly metre: Metre;
  /** 0 to 1, how clear the place of the bar lines is. */
  readonly downbeat_confidence: number;
  /** Place of the off-beat within the beat: 0.5 straight, 0.67 triplet swing. */
  readonly swing: number;
  /** Note attacks, ascending, placed just where the attack begins. */
  readonly onsets: readonly number[];
}

/** Below this `Rhythm.confidence` the beats are a guess. */
export const STEADY = 0.35;

export type Mode = "major" | "minor";
export type Quality = "maj" | "min" | "dim" | "aug" | "sus" | "7" | "maj7" | "min7" | "none";

export interface Chord extends Span {
  /** Pitch class 0 (C) to 11 (B); null for no chord. */
  readonly root: number | null;
  readonly quality: Quality;
}

export interface Tonality {
  /** Frequency of A4 that the piece is tuned to, Hz, 440 ± half a semitone. */
  readonly tuning_hz: number;
  /** Pitch class 0 (C) to 11 (B). */
  readonly tonic: number;
  readonly mode: Mode;
  /** 0 to 1. */
  readonly confidence: number;
  readonly chords: readonly Chord[];
}

export interface Section extends Span {
  /** Sections of equal label repeat one another: "A", "B" … */
  readonly label: string;
  /** Mean loudness of the section against the whole piece's, dB. */
  readonly level_db: number;
}

export interface Curve {
  readonly hop_seconds: number;
  readonly values: Float32Array;
}

export interface Form {
  readonly sections: readonly Section[];
  /** Perceived energy, 0 to 1 within the piece. */
  readonly energy: Curve;
  /** Momentary loudness (BS.1770, 400 ms), LUFS, -70 at the least. */
  readonly loudness: Curve;
  /**
   * One feature vector a beat (or a half second where there is no beat): chroma (12), then timbre (12), each of unit
   * length. Row i covers `grid[i]` to `grid[i + 1]`.
   */
  readonly features: readonly Float32Array[];
  /** Edges of the rows of `features`, one more than there are rows. */
  readonly grid: readonly number[];
}

export interface Timbre {
  /** Hz, power-weighted mean over the sounding part. */
  readonly centroid_hz: number;
  /** Level of the octave bands around 31.5 Hz to 16 kHz, dB against the whole. */
  readonly octaves_db: readonly number[];
  /** Share of energy that is percussive, 0 to 1. */
  readonly percussive: number;
  /** Attacks a second. */
  readonly onset_density: number;
  /** Energy of the side signal against that of the middle, dB; -Infinity for mono is given as -120. */
  readonly width_db: number;
}
