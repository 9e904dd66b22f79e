/** What the composer looks for somebody to do, whatever the genre: who has the lowest number is asked first. */
import { type Static, Type } from "@sinclair/typebox";
import { section } from "../common.ts";

const Turn = Type.Optional(Type.Integer({ minimum: 1 }));

export type Job = keyof Static<typeof Jobs>;
export const Jobs = section({
  /** Plays everything where one player is asked for and the genre knows none. */
  play_alone: Turn,
  /** Sings where voices alone are asked for. */
  sing: Turn,
  /** Plays the chords where nobody else can. */
  hold_harmony: Turn,
  /** Keeps a tempo that was asked for, by arpeggios. */
  keep_time: Turn,
  arpeggiate: Turn,
  add_percussion: Turn,
  /** Sings out a tune that is given. */
  carry_tune: Turn,
  /** Chairs of an orchestra, of chamber music and of a jazz trio. */
  string_section: Turn,
  horns: Turn,
  orchestra_drums: Turn,
  chamber_melody: Turn,
  chamber_bass: Turn,
  trio_bass: Turn,
  trio_drums: Turn,
  /** Plays a single note or chord where no more is said than "guitar", "bell", "FM bell", "synth". */
  single_guitar: Turn,
  single_bell: Turn,
  single_synth_bell: Turn,
  single_synth: Turn,
  /** Play a single chord of a whole orchestra. */
  tutti_brass: Turn,
  tutti_drums: Turn,
  /** Lends other sampled kits the drums that they lack. */
  lend_drums: Turn,
});
