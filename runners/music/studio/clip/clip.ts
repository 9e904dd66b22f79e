/** Kinds of clips, and what was read of one. */
import type { Ask, ChordSaid, Mention } from "../../../language/mod.ts";
import { type Brief, type Instrument, instrumentOf } from "../../compose/mod.ts";
import type { DrumWord } from "./drum_words.ts";
import type { Places } from "./places.ts";

export type Clip =
  | {
      readonly kind: "stroke" | "roll";
      readonly kit: Instrument;
      readonly key: number;
      readonly name: string;
      /** How often a stroke is struck, where that is said. */
      readonly times?: number;
      /** What it is to ring on. */
      readonly tuned?: Tuned;
    }
  | {
      readonly kind: "fill";
      readonly kit: Instrument;
      /** Of toms alone, unless others are named. */
      readonly toms: boolean;
      readonly rising: boolean;
      /** Named beside toms: it begins on the snare, ends on a crash. */
      readonly snare?: true;
      readonly crash?: true;
    }
  | {
      readonly kind: "note";
      readonly instrument: Instrument;
      readonly tonic: number;
      readonly pitch?: number;
      readonly octaves: number;
      readonly hold: Hold;
      readonly reversed: boolean;
      /** From nothing to loud. */
      readonly swelled: boolean;
      /** A stroke is asked for, of what has a pitch. */
      readonly struck: boolean;
      /** Again and again: with the note above it, or by itself; or on through an octave. */
      readonly repeated?: "trill" | "tremolo" | "glissando up" | "glissando down";
    }
  | {
      readonly kind: "chord";
      readonly instrument: Instrument;
      readonly root: number;
      readonly said: ChordSaid;
      readonly hold: Hold;
      readonly reversed: boolean;
      readonly swelled: boolean;
      /** Which way the hand goes across the strings, where that is said. */
      readonly strum?: "downstroke" | "upstroke";
    }
  | { readonly kind: "tutti"; readonly root: number; readonly said: ChordSaid }
  | { readonly kind: "gesture"; readonly instrument: Instrument }
  /** A groove of which these pieces are heard; `every`: as many even strokes a beat where the words say so. */
  | {
      readonly kind: "drums";
      readonly kit: Instrument;
      readonly pieces: readonly DrumWord[];
      readonly every?: number;
      /** Beats of a bar on which a piece is struck, where they are said. */
      readonly places?: Places;
      /** The others of the kit play as well: "drum loop, snare on 2 and 4". */
      readonly whole?: boolean;
    };

/** A pitch class in whatever octave is nearest, a frequency in Hz; `rings`: between which the drum can be heard to ring. */
export interface Tuned {
  readonly tonic: number | null;
  readonly hertz: number | null;
  readonly rings: readonly [low: number, high: number];
}

/** Stabs and strokes end at once; the rest rings or is held. */
export type Hold = "short" | "long";

/** Longest clip, seconds, for which the bare name of a drum means one stroke of it. */
export const STROKE_SECONDS = 5;

/** What has a pitch that a note or a chord could be of, or not. */
export function natureOf(one: Instrument): Nature {
  const { family, drumming, gesture, texture } = instrumentOf(one);
  const drums = family === "kit" || (family === "percussion" && drumming?.tuned !== true);
  return { drums, gesture, pitched: !drums && gesture === undefined && texture === undefined };
}

interface Nature {
  readonly drums: boolean;
  readonly pitched: boolean;
  readonly gesture: ReturnType<typeof instrumentOf>["gesture"];
}

export interface Reading {
  readonly ask: Ask;
  readonly brief: Brief;
  readonly seconds: number;
  /** What is wanted. */
  readonly heard: readonly Mention[];
  /** Kinds of clips that are named: "note", "roll", "short". */
  readonly kinds: ReadonlySet<string>;
  /** Their words in English, a blank between and around. */
  readonly said: string;
  /** A single sound is asked for in so many words. */
  readonly outright: boolean;
  readonly goes_on: boolean;
  /** The same without a tempo, which is also said of the piece that one stroke is for. */
  readonly patterned: boolean;
  /** Players who drum nothing. */
  readonly others: readonly Instrument[];
}

/** Whether what was taken for a player is what a drum is struck with, or a part of a cymbal. */
export function struck(instrument: Instrument, said: string, pieces: readonly DrumWord[]): boolean {
  const { mistaken_by } = instrumentOf(instrument);
  if (mistaken_by === undefined) return false;
  const { words, beside } = mistaken_by;
  return anyIn(said, words) && (beside === undefined || pieces.length > 0 || anyIn(said, beside));
}

export function anyIn(said: string, words: readonly string[]): boolean {
  return words.some((word) => said.includes(` ${word} `));
}
