/** Settings of the subtractive synthesiser and of the drum machine. Times are in seconds, gains are amplitudes. */
import { type Static, Type } from "@sinclair/typebox";
import { section } from "../common.ts";
import { anyOf, flag } from "./note.ts";

const Amount = Type.Number();
const Some = Type.Optional(Amount);

/** `sustain` is a level. Decay and release fall by 60 dB in their time, attack is straight. */
const Adsr = section({ attack: Amount, decay: Amount, sustain: Amount, release: Amount });

export type SynthLayer = Static<typeof SynthLayer>;
const SynthLayer = section({
  wave: anyOf("sine", "saw", "square", "triangle", "organ", "reed", "glass", "hollow", "pulse"),
  /** Semitones and cents above the note. */
  semitones: Some,
  cents: Some,
  gain: Amount,
  /** -1 to 1; of no meaning in a mono patch. */
  pan: Some,
  /** Of a pulse: where its width begins, how far it sways and how fast. */
  width: Some,
  sway: Some,
  sway_hertz: Some,
  /** Turns at which it begins; random where absent. */
  phase: Some,
});

export type SynthFilter = Static<typeof SynthFilter>;
const SynthFilter = section({
  /** Cut-off for C4 at velocity 0.8 with the envelope at rest. */
  hertz: Amount,
  /** Share by which it follows the pitch. */
  key: Amount,
  /** Octaves that the envelope and full velocity (against 0.8: a quarter of it) open it by. */
  envelope: Amount,
  velocity: Amount,
  q: Amount,
  /** dB an octave. */
  slope: Type.Union([Type.Literal(12), Type.Literal(24)]),
  adsr: Adsr,
  /** Octaves up and down of a slow motion, and its cycles a second. */
  sway: Some,
  sway_hertz: Some,
  /** Hz of a high-pass against mud, as a share of the note's own. */
  floor: Some,
});

export type SynthPatch = Static<typeof SynthPatch>;
const SynthPatch = section({
  layers: Type.Array(SynthLayer, { minItems: 1 }),
  filter: SynthFilter,
  amp: Adsr,
  gain: Amount,
  /** Two channels. */
  stereo: flag,
  /** Cents that each layer wanders. */
  drift: Some,
  /** Seconds to glide to the next note of a line, and where a note asks to slide. */
  glide: Some,
  slide: Some,
  vibrato: Type.Optional(section({ hertz: Amount, cents: Amount, delay: Amount })),
  /** A fall of pitch at the attack: seconds to fall by 60 dB. */
  blip: Type.Optional(section({ semitones: Amount, seconds: Amount })),
});

export type SynthesiserPack = Static<typeof Synthesiser>;
export const Synthesiser = section({
  patch: SynthPatch,
  /** One voice in the middle that glides; many where absent. */
  one_voice: flag,
  /** Widths of pulses, of which each piece has one, as sound chips do; the settings stay as they are. */
  chip_widths: Type.Optional(Type.Array(Amount, { minItems: 1 })),
  /** Of a note that falls silent by itself. */
  seconds_max: Some,
  /** Strokes of the same force that sound different. */
  turns: Type.Optional(Type.Integer({ minimum: 1, maximum: 8 })),
  /** The ensemble of string machines behind it. */
  ensemble: Type.Optional(
    section({
      delay: Amount,
      depth: Amount,
      slow: Amount,
      fast: Amount,
      flutter: Amount,
      dry: Amount,
      wet: Amount,
    }),
  ),
});

export type Kick = Static<typeof Kick>;
const Kick = section({
  /** Hz that it settles at: its note. */
  hertz: Amount,
  /** Octaves of the fast drop that makes the beater, and of the slow one under it; seconds of each to fall by 60 dB. */
  snap: Amount,
  snap_seconds: Amount,
  bend: Amount,
  bend_seconds: Amount,
  t60: Amount,
  /** Level of the click, and Hz above which it lies. */
  click: Amount,
  click_hertz: Amount,
  drive: Amount,
});

export type Snare = Static<typeof Snare>;
const Snare = section({
  /** Hz of the membrane's two modes, and seconds that they fall by 60 dB in. */
  low: Amount,
  high: Amount,
  t60: Amount,
  shell: Amount,
  /** Wires: level, seconds, Hz of the high-pass. */
  wires: Amount,
  wires_t60: Amount,
  wires_hertz: Amount,
  snap: Amount,
  drive: Amount,
});

export type Clap = Static<typeof Clap>;
/** Hz of the band's middle, seconds between its hands, and of its tail. */
const Clap = section({ hertz: Amount, spread: Amount, tail: Amount, bright: Amount });

export type Hat = Static<typeof Hat>;
const Hat = section({
  /** Hz of the squares that clash; `metal`: their share against noise. */
  cluster: Type.Array(Amount, { minItems: 1 }),
  tune: Amount,
  metal: Amount,
  /** Hz of the high-pass. */
  low: Amount,
  /** Seconds of each stroke. */
  closed: Amount,
  pedal: Amount,
  open: Amount,
});

export type DrumMachinePack = Static<typeof DrumMachine>;
export const DrumMachine = section({
  kick: Kick,
  second_kick: Kick,
  snare: Snare,
  second_snare: Snare,
  clap: Clap,
  hat: Hat,
  rim: section({ low_hertz: Amount, high_hertz: Amount }),
  /** The lowest tom; `skin`: share of the skin. */
  tom: section({ hertz: Amount, t60: Amount, skin: Amount, drive: Amount }),
  /** Factors on the length and on the pitch of cymbals. */
  cymbals: section({ length: Amount, tune: Amount }),
  /** What every sound goes through: nothing, a sampler of twelve bits and tape, or a small room that is pressed hard. */
  finish: anyOf("clean", "dusty", "roomy"),
});
