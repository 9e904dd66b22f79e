import type { Articulation, Genre, Instrument } from "../compose/mod.ts";

/** Hz. */
export const RATE = 44_100;

/** One part as a player plays it: beats have become frames, and the player is human. */
export interface Performance {
  readonly instrument: Instrument;
  /** In order of `frame`. */
  readonly events: readonly PlayedNote[];
  /** To be rendered: what rings longer is cut. On a ring this is the loop and the tail, which the caller folds back. */
  readonly frames: number;
  /** Frames of the loop; 0 where there is none. What has no beginning (rain, vinyl, a drone) must join at this length. */
  readonly ring: number;
  readonly bpm: number;
  /** Of everything random in the part. */
  readonly seed: number;
  /** Pitch class of the key's tonic, that drums are tuned to; absent: as they are. */
  readonly tonic?: number;
  /** Whose drummers choose and tune their drums so; absent: as for most music. */
  readonly genre?: Genre;
}

export interface PlayedNote {
  /** 0 or later. */
  readonly frame: number;
  /** Frames that the key is held, at least 1. */
  readonly frames: number;
  /** MIDI number, 60 = C4; fractions bend. For kits a key of the General MIDI percussion map. */
  readonly pitch: number;
  /** 0 to 1. */
  readonly velocity: number;
  readonly articulation?: Articulation;
  /** Counts strikes of the same sound, for round robin. */
  readonly turn: number;
}

/**
 * One (mono, in the middle) or two channels of `frames` samples. Level: a note of velocity 0.8 peaks somewhere near
 * 0.25; the desk levels parts by loudness.
 */
export type Stem = readonly [Float32Array] | readonly [Float32Array, Float32Array];
