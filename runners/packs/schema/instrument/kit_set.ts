/** How the drums of a recorded kit are chosen, tuned and damped for a kind of music. */
import { type Static, Type } from "@sinclair/typebox";
import { Id, section } from "../common.ts";
import { Note } from "./note.ts";

const Program = Type.Integer({ minimum: 0, maximum: 127 });

/** A recorded drum of the bank. */
const Choice = section({
  program: Program,
  /** Its key there, where it is another than the written one. */
  key: Type.Optional(Note),
  /** On which it rings, for drums that are tuned to the key of a piece. */
  hertz: Type.Optional(Type.Number({ minimum: 16, maximum: 4000 })),
  /** Beside the kit's own. */
  db: Type.Optional(Type.Number({ minimum: -24, maximum: 12 })),
});

export type Pieces = Static<typeof Pieces>;
const Pieces = section({
  /** One is taken for a piece, by its seed; the kit's own where absent. */
  choices: Type.Optional(Type.Array(Choice, { minItems: 1 })),
  /** Semitones that they are tuned up, from and to; by the seed. */
  semitones: Type.Optional(
    Type.Tuple([Type.Number({ minimum: -12, maximum: 12 }), Type.Number({ minimum: -12, maximum: 12 })]),
  ),
  /** Factor on the seconds that they ring: cloth and tape shorten them. */
  length: Type.Optional(Type.Number({ minimum: 0.1, maximum: 2 })),
  db: Type.Optional(Type.Number({ minimum: -24, maximum: 12 })),
  /** dB at frequencies in Hz, straight between them over octaves. */
  colour: Type.Optional(
    Type.Array(
      Type.Tuple([Type.Number({ minimum: 20, maximum: 20_000 }), Type.Number({ minimum: -24, maximum: 12 })]),
      {
        minItems: 1,
      },
    ),
  ),
});

export type KitSet = Static<typeof KitSet>;
export const KitSet = section({
  /** Genres that it is for; absent: all others. */
  genres: Type.Optional(Type.Array(Id, { minItems: 1 })),
  kick: Type.Optional(Pieces),
  snare: Type.Optional(Pieces),
  toms: Type.Optional(Pieces),
  hats: Type.Optional(Pieces),
  cymbals: Type.Optional(Pieces),
  /** What the beater adds to a firm kick: where it clicks, and how loud beside a firm stroke's peak. */
  beater: Type.Optional(
    section({ hertz: Type.Number({ minimum: 500, maximum: 8000 }), db: Type.Number({ minimum: -60, maximum: 0 }) }),
  ),
  /** How loud the snare's wires buzz along with kick and toms. */
  buzz_db: Type.Optional(Type.Number({ minimum: -70, maximum: -12 })),
  /** How far the foot lets closed hats open where they are struck hard: 0 to 1. */
  loose: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
});
