/** How a genre is played, beside its grooves. */
import { type Static, Type } from "@sinclair/typebox";
import { Id, Share, section } from "../common.ts";

export type SceneKind = Static<typeof SceneKind>;
/** How sections follow each other: who comes and goes, and with what noise. */
export const SceneKind = Type.Union(
  (["band", "dance", "beat", "acoustic", "orchestral", "floating"] as const).map((kind) => Type.Literal(kind)),
);

const Ratio = Type.Optional(Type.Number({ minimum: 0.3, maximum: 1 }));

export type Time = Static<typeof Time>;
/** How the tempo moves by itself. Tempi are ratios to the piece's own; what is absent does not happen. */
export const Time = section({
  /** Share by which choruses and drops are faster; they are pushed into, and let go of. */
  chorus_lift: Type.Optional(Type.Number({ minimum: 0, maximum: 0.06 })),
  /** From the slowest to the fastest of a phrase, which is slow at its edges: share of the tempo. */
  rubato: Type.Optional(Type.Number({ minimum: 0, maximum: 0.4 })),
  /** Beats a minute up to which there is all of it; from a quarter more on there is none. Absent: at every tempo. */
  rubato_below_bpm: Type.Optional(Type.Number({ minimum: 30, maximum: 300 })),
  /** To which the bar before the last chorus slows. */
  broadens_to: Ratio,
  /** Beats by which the last beat before that chorus is held: a fermata. */
  holds_beats: Type.Optional(Type.Number({ minimum: 0, maximum: 4 })),
  /** To which the last bars slow, up to the last attack. */
  final_tempo: Ratio,
  /** Over how many bars; absent: one. */
  final_bars: Type.Optional(Type.Number({ minimum: 0.5, maximum: 8 })),
  /** Beats by which the last chord is held beyond what is written. */
  final_hold_beats: Type.Optional(Type.Number({ minimum: 0, maximum: 8 })),
});

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
  /** The off-beat follows the tempo as on a ride cymbal of jazz, and soloists play their downbeats behind it. */
  ride_swing: Type.Optional(Type.Boolean()),
  /** Absent: the tempo stays, as on a grid or to a click. */
  time: Type.Optional(Time),
  /** Share of phrases of its strong sections whose first stroke the whole band plays a quaver early. */
  pushes: Type.Optional(Share),
  /** Guitars leave the thirds to those who sing and play over them. */
  power_chords: Type.Optional(Type.Boolean()),
  /** Echoes are thrown from chords and drums every few bars. */
  throws_echoes: Type.Optional(Type.Boolean()),
});
