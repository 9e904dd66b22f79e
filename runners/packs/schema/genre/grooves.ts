/** Which grooves a genre's players choose from: names of files in `grooves/`, of which the seed takes one. */
import { type Static, Type } from "@sinclair/typebox";
import { Id, section } from "../common.ts";

const Names = Type.Array(Id, { minItems: 1 });

export type Grooves = Static<typeof Grooves>;
export const Grooves = section({
  drums: Names,
  latin_percussion: Names,
  hand_drums: Names,
  orchestral_percussion: Names,
  bass: Names,
  /** Chords, by who plays them. */
  keys: Names,
  guitar: Names,
  synth: Names,
  winds: Names,
  strings: Names,
  arpeggio: Names,
});
