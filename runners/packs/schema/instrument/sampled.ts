/** An instrument of the sound bank. */
import { type Static, Type } from "@sinclair/typebox";
import { section } from "../common.ts";
import { KitSet } from "./kit_set.ts";
import { anyOf, flag, Note, NoteRange } from "./note.ts";

const Program = Type.Integer({ minimum: 0, maximum: 127 });
const layer = {
  /** Detuned, so that layers do not cancel. */
  cents: Type.Optional(Type.Number({ minimum: -1200, maximum: 1200 })),
  db: Type.Optional(Type.Number({ minimum: -60, maximum: 12 })),
  /** Added to where the bank places it: -1 to 1. */
  pan: Type.Optional(Type.Number({ minimum: -1, maximum: 1 })),
  /** Written notes at which it sounds. */
  keys: Type.Optional(NoteRange),
  /** Semitones between what is written and what sounds. */
  transpose: Type.Optional(Type.Integer({ minimum: -48, maximum: 48 })),
};
/** General MIDI program counted from 0, which it is where absent, the bank of its variation, and whether it is a kit of drums. */
const preset = { program: Type.Optional(Program), bank: Type.Optional(Program), drum: flag };

/** One sound of the bank, or one of several that sound together. */
export type SampledLayer = Static<typeof SampledLayer>;
const SampledLayer = section({
  /** Recordings of a package in place of the bank: a file of runners/music/play/libraries. */
  library: Type.Optional(anyOf("grand")),
  ...preset,
  ...layer,
});
const Layers = Type.Array(SampledLayer, { minItems: 1 });
const Seconds = Type.Number({ minimum: 0, maximum: 30 });

const Action = anyOf("struck", "plucked", "held", "blown", "kit");
const touch = {
  /** Least and greatest seconds of release, against the bank's own. */
  release: Type.Optional(Type.Tuple([Seconds, Seconds])),
  /** Greatest seconds of attack, where the bank's is too slow for music in time. */
  attack: Type.Optional(Seconds),
  vibrato: Type.Optional(section({ cents: Type.Number(), hertz: Type.Number(), after_seconds: Seconds })),
  /** 0 to 1, for what is blown or bowed. */
  swell: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  /** dB that bring a firm note to a peak near 0.25. Of the shipped bank measured and written by bench/instrument_levels.ts. */
  level_db: Type.Optional(Type.Number({ minimum: -24, maximum: 24 })),
};

export type SampledPack = Static<typeof Sampled>;
export const Sampled = section({
  layers: Layers,
  /** Instead of the layers, where a note asks for it. */
  muted: Type.Optional(Layers),
  short: Type.Optional(Layers),
  trembling: Type.Optional(Layers),
  /** Notes that the instrument can really play; of kits the keys that sound. */
  reach: NoteRange,
  /**
   * How notes behave: struck rings on until its key is let go, plucked likewise but strings are strummed one by one, held lasts as long as
   * the key, blown plays one line that can be tied, kit always rings out.
   */
  action: Action,
  ...touch,
  /** Played clean through an amplifier of ours. */
  amplifier: Type.Optional(anyOf("overdriven", "distorted")),
  /** Hz on which drums ring, by key: strongest partial from 40 ms on. Drums that are named are tuned to the key of a piece. */
  skins_hertz: Type.Optional(Type.Record(Note, Type.Number({ minimum: 16, maximum: 4000 }))),
  /** Which drums of the bank stand in a kit, for which music; the first that names the genre, else the one that names none. */
  sets: Type.Optional(Type.Array(KitSet, { minItems: 1 })),
});

const OwnLayers = Type.Array(
  section({
    file: Type.String({ minLength: 1, maxLength: 500 }),
    ...preset,
    ...layer,
  }),
  { minItems: 1, maxItems: 16 },
);

/** An instrument of an operator's sounds; what the pack says of the shipped bank's does not count for them. */
export type OwnSounds = Static<typeof OwnSounds>;
export const OwnSounds = section({
  layers: OwnLayers,
  muted: Type.Optional(OwnLayers),
  short: Type.Optional(OwnLayers),
  trembling: Type.Optional(OwnLayers),
  /** Those of the pack, unless said here. */
  reach: Type.Optional(NoteRange),
  action: Type.Optional(Action),
  ...touch,
});
