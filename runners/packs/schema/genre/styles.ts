/** How a genre is played, beside its grooves. */
import { type Static, Type } from "@sinclair/typebox";
import { Id, section } from "../common.ts";

export type SceneKind = Static<typeof SceneKind>;
/** How sections follow each other: who comes and goes, and with what noise. */
export const SceneKind = Type.Union(
  (["band", "dance", "beat", "acoustic", "orchestral", "floating"] as const).map((kind) => Type.Literal(kind)),
);

export type Styles = Static<typeof Styles>;
export const Styles = section({
  scene: SceneKind,
  /** The groove whose fills drummers play; "none" for no fills. */
  fills: Id,
  /** No hand moves a note. */
  sequenced: Type.Boolean(),
  /** Place of the second semiquaver within its quaver, 0.5 straight. */
  sixteenth_swing: Type.Number({ minimum: 0.5, maximum: 0.75 }),
  snare_late_ms: Type.Number({ minimum: -30, maximum: 60 }),
  /** Guitars leave the thirds to those who sing and play over them. */
  power_chords: Type.Optional(Type.Boolean()),
  /** Echoes are thrown from chords and drums every few bars. */
  throws_echoes: Type.Optional(Type.Boolean()),
});
