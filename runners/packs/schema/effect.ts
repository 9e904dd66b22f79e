/** A sound effect: what it is called, and when it happens. How it sounds stands in `runners/effects/recipes`. */
import { type Static, Type } from "@sinclair/typebox";
import { Id, Phrases, Share, section } from "./common.ts";

const Seconds = Type.Number({ exclusiveMinimum: 0, maximum: 30 });

const Hertz = Type.Number({ exclusiveMinimum: 0, maximum: 20_000 });
const Gain = Type.Number({ minimum: 0, maximum: 4 });
/** Shares of the length, each with a value. */
const Path = Type.Array(Type.Tuple([Share, Type.Number({ minimum: 0, maximum: 20_000 })]), { minItems: 1 });
const Pass = Type.Union([Type.Literal("low"), Type.Literal("band"), Type.Literal("high")]);
/** It comes before the voice, so to speak; its frequency follows how bright the sound is. */
const aside = { first: Type.Optional(Type.Boolean()), opens: Type.Optional(Type.Boolean()) };
const Swing = section({
  hertz: Hertz,
  low: Type.Number(),
  high: Type.Number(),
  /** A wave; by chance where absent. */
  regular: Type.Optional(Type.Boolean()),
  /** Faster where the sound is asked faster. */
  hurries: Type.Optional(Type.Boolean()),
});

/** A call of a throat, human or not. */
export type Call = Static<typeof Call>;
const Call = section({
  /** All of the event where absent; a range is drawn from; what grows is longer of large throats. */
  length: Type.Optional(
    section({
      seconds_max: Type.Union([Seconds, Type.Tuple([Seconds, Seconds])]),
      grows: Type.Optional(Type.Boolean()),
    }),
  ),
  pitch_hertz: Hertz,
  /** How much the pitch differs from call to call, in octaves. */
  varies: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
  /** Ratios to the pitch over the length. */
  pitch: Path,
  shake: Type.Optional(Swing),
  /** Hz of the first formant as the mouth opens and closes. */
  opening: Type.Optional(Path),
  /** Hz, or a multiple of the opening; quality; gain. */
  formants: Type.Array(Type.Tuple([Type.Union([Hertz, section({ opening: Type.Number() })]), Type.Number(), Gain]), {
    minItems: 1,
  }),
  /** Share of air. */
  breath: Share,
  drive: Type.Optional(Type.Number({ minimum: 0, maximum: 10 })),
  /** How far left or right a call may stand. */
  spread: Type.Optional(Share),
  /** From silence to full; absent: the level says it. */
  attack_seconds: Type.Optional(Seconds),
  level: Path,
  tremble: Type.Optional(Swing),
  noises: Type.Optional(
    Type.Array(
      section({
        ...aside,
        colour: Type.Union([Type.Literal("white"), Type.Literal("pink"), Type.Literal("brown")]),
        pass: Pass,
        hertz: Hertz,
        q: Type.Optional(Type.Number()),
        level: Path,
        gain: Gain,
      }),
    ),
  ),
  /** `at`: a share of the length. */
  bursts: Type.Optional(
    Type.Array(
      section({
        ...aside,
        at: Type.Optional(Share),
        attack: Type.Optional(Seconds),
        t60: Seconds,
        pass: Type.Optional(Pass),
        hertz: Hertz,
        q: Type.Optional(Type.Number()),
        gain: Gain,
      }),
    ),
  ),
});

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
  /** Several make it together: two glasses clink once, and two who walk take more than two steps. */
  together: Type.Optional(Type.Boolean()),
  /** As loud at its end as at its start: it is cut off rather than faded. */
  steady: Type.Optional(Type.Boolean()),
  /** Hz on which it is heard where nothing is said: another frequency tunes it. Absent: it has none. */
  rings_at: Type.Optional(Hertz),
  /** The effect that is meant where a frequency is said. */
  pitched_as: Type.Optional(Id),
  /** Effects that it consists of: without one of them it is the others. */
  contains: Type.Optional(Type.Array(Id)),
  /** What it is called, by language, singular; pictographs under "symbols". A name of several words wants them all. */
  names: Type.Record(Type.String({ pattern: "^(?:[a-z]{2}|symbols)$" }), Phrases),
  /** How much a name counts where that is not 1: less where other sounds share it, more where it must win against its parts. */
  weights: Type.Optional(Type.Record(Type.String(), Type.Number({ exclusiveMinimum: 0, maximum: 4 }))),
  call: Type.Optional(Call),
  /** The effect whose making this one shares; absent: it has its own, or is a call. */
  made_as: Type.Optional(Id),
  /** How it is where the prompt says nothing of it: stuff, size from -1 to 1, factors of speed and pitch, brightness from -1 to 1. */
  traits: Type.Optional(
    section({
      material: Type.Optional(Id),
      size: Type.Optional(Type.Number({ minimum: -1, maximum: 1 })),
      speed: Type.Optional(Type.Number({ minimum: 0.4, maximum: 2.5 })),
      pitch: Type.Optional(Type.Number({ minimum: 0.3, maximum: 3 })),
      bright: Type.Optional(Type.Number({ minimum: -1, maximum: 1 })),
    }),
  ),
});
