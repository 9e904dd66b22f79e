/** Who may play a genre. */
import { type Static, Type } from "@sinclair/typebox";
import { Id, section } from "../common.ts";

export const Role = Type.Union(
  (
    ["drums", "percussion", "bass", "chords", "pad", "arpeggio", "lead", "counter", "texture", "transition"] as const
  ).map((role) => Type.Literal(role)),
);

export type Player = Static<typeof Player>;
export const Player = section({
  role: Role,
  /** The seed chooses one. */
  instruments: Type.Array(Id, { minItems: 1 }),
  /** A sparse piece leaves him out. */
  guest: Type.Optional(Type.Boolean()),
});

export type Lineup = Static<typeof Lineup>;
export const Lineup = section({
  /** Several bands, the most important players first; what a prompt asks for, and the seed, choose one. */
  bands: Type.Array(Type.Array(Player, { minItems: 1 }), { minItems: 1 }),
  /** A trio is one of chamber music, with a melody and a bass, and without drums. */
  chamber: Type.Optional(Type.Boolean()),
  /** What plays the bass where who plays it cannot go low: an orchestra's strings, where they are there anyway, or a double bass. */
  low_end: Type.Optional(Id),
  /** The same where somebody beats time. */
  low_end_with_drums: Type.Optional(Id),
  /**
   * Who comes in for choruses that nobody in the band beats along with; what they play there is of `grooves`. Absent:
   * who does in another band.
   */
  for_choruses: Type.Optional(Id),
});
