/** How a genre's tunes go. */
import { type Static, Type } from "@sinclair/typebox";
import { Share, section } from "../common.ts";

const oneOf = <const Names extends readonly string[]>(names: Names) =>
  Type.Union(names.map((name) => Type.Literal(name as Names[number])));

export type Melody = Static<typeof Melody>;
export const Melody = section({
  /**
   * Rhythms of one beat with their weights: "x" begins a note, "-" holds, "." is silent; any number of characters share
   * the beat evenly.
   */
  rhythms: Type.Record(Type.String({ pattern: "^[x.-]{1,8}$" }), Type.Number({ exclusiveMinimum: 0 })),
  /** What feels right; fast and slow tempi choose other rhythms to come near it. */
  notes_per_second: Type.Number({ exclusiveMinimum: 0, maximum: 12 }),
  motif_bars: Type.Union([Type.Literal(1), Type.Literal(2)]),
  /** 0: steps only; 1: broken chords. */
  leaps: Share,
  /** Share of its time that a note sounds. */
  sounding: Share,
  /** Share of motifs that come back unaltered within a phrase: hooks and riffs against spun-out lines. */
  repetition: Share,
  scale: oneOf(["mode", "pentatonic", "blue_notes", "hijaz", "east"]),
  ornament: oneOf(["none", "grace", "bend", "chromatic", "turn", "trill"]),
  /** Seconds that the player lies behind the beat. */
  behind_beat_s: Type.Number({ minimum: 0, maximum: 0.1 }),
  /** Standard deviation of the player's timing; 0 for machines. */
  timing_spread_s: Type.Number({ minimum: 0, maximum: 0.1 }),
});
