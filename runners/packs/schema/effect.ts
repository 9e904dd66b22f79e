/** A sound effect: what it is called, and when it happens. How it sounds stands in `runners/effects/recipes`. */
import { type Static, Type } from "@sinclair/typebox";
import { Id, Phrases, Share, section } from "./common.ts";

const Seconds = Type.Number({ exclusiveMinimum: 0, maximum: 30 });

export type EffectPack = Static<typeof EffectPack>;
export const EffectPack = section({
  $schema: Type.Optional(Type.String()),
  /** What it is of: "impact", "animal". */
  group: Id,
  /** `event`: happens once or several times; `sweep`: takes as long as it is given; `bed`: goes on. */
  kind: Type.Union([Type.Literal("event"), Type.Literal("sweep"), Type.Literal("bed")]),
  /** Natural length of one event, or of the whole where no duration is asked. */
  seconds: Seconds,
  /** Events where no count is asked; 1 where absent. */
  events: Type.Optional(Type.Integer({ minimum: 1, maximum: 60 })),
  /** Seconds from one event to the next; `seconds` where absent. */
  every: Type.Optional(Seconds),
  /** How much that varies, as a share of it. */
  jitter: Type.Optional(Share),
  /** It happens once: a long duration holds one with its tail, not one after another. */
  once: Type.Optional(Type.Boolean()),
  /** Effects that it consists of: without one of them it is the others. */
  contains: Type.Optional(Type.Array(Id)),
  /** What it is called, by language, singular; pictographs under "symbols". A name of several words wants them all. */
  names: Type.Record(Type.String({ pattern: "^(?:[a-z]{2}|symbols)$" }), Phrases),
  /** How much a name counts where that is not 1: less where other sounds share it, more where it must win against its parts. */
  weights: Type.Optional(Type.Record(Type.String(), Type.Number({ exclusiveMinimum: 0, maximum: 4 }))),
  /** The effect whose making this one shares; absent: it has its own. */
  made_as: Type.Optional(Id),
});
