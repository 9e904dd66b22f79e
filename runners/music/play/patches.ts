/** Which sounds of the bank each instrument is played with, and how. */
import type { Instrument } from "../compose/mod.ts";
import type { Program } from "./bank.ts";

/** One sound of a patch. */
export interface Layer extends Program {
  /** Detuned, so that layers do not cancel. */
  readonly cents?: number;
  readonly db?: number;
  /** Added to where the bank places it: -1 to 1. */
  readonly pan?: number;
  /** Keys within which it sounds, inclusive. */
  readonly keys?: readonly [low: number, high: number];
  /** Semitones between what is written and what sounds. */
  readonly transpose?: number;
}

export interface Patch {
  readonly layers: readonly Layer[];
  /** Instead of the layers, where a note asks for it. */
  readonly muted?: readonly Layer[];
  readonly short?: readonly Layer[];
  readonly trembling?: readonly Layer[];
  /** Keys that the instrument can really play, inclusive; of kits the keys that sound. */
  readonly range: readonly [low: number, high: number];
  readonly kind: Kind;
  /** Least and greatest seconds of release, against the bank's own. */
  readonly release?: readonly [least: number, greatest: number];
  /** Greatest seconds of attack, where the bank's is too slow for music in time. */
  readonly attack?: number;
  /** Cents, Hz, seconds until it is there. */
  readonly vibrato?: readonly [cents: number, hertz: number, onset: number];
  /** 0 to 1, for what is blown or bowed. */
  readonly swell?: number;
  /** Played clean through an amplifier of ours. */
  readonly amp?: "overdriven" | "distorted";
}

/** What a kit lacks is taken from the plainest one. */
export const STANDARD_KIT: Layer = { program: 0, drum: true };

/** Where the drums of a kit stand for who listens: key, -1 to 1. What is not named stands in the middle. */
export const DRUM_PAN: Readonly<Record<number, number>> = {
  42: 0.22,
  44: 0.22,
  46: 0.22,
  41: -0.4,
  43: -0.3,
  45: -0.12,
  47: 0.05,
  48: 0.18,
  50: 0.3,
  49: -0.35,
  51: 0.35,
  52: -0.45,
  53: 0.35,
  54: 0.3,
  55: -0.25,
  56: 0.2,
  57: 0.42,
  59: 0.35,
  60: -0.25,
  61: -0.15,
  62: 0.3,
  63: 0.3,
  64: 0.2,
  65: -0.35,
  66: -0.25,
  67: 0.4,
  68: 0.35,
  69: -0.3,
  70: -0.35,
  75: 0.25,
  76: -0.3,
  77: -0.2,
  82: 0.35,
};

/**
 * How notes of an instrument behave: struck rings on until its key is let go, plucked likewise but strings are strummed one by one, held
 * lasts as long as the key, blown plays one line that can be tied, kit always rings out.
 */
export type Kind = "struck" | "plucked" | "held" | "blown" | "kit";

const strings = (program: number): readonly Layer[] => [
  { program, cents: -3, pan: -0.1 },
  // The slow section under the quick one: width, and no two players at one pitch.
  { program: 49, cents: 4, db: -5, pan: 0.1 },
];

/** What the bank plays; instruments that synthesis plays better are not here. */
export const PATCHES: Readonly<Partial<Record<Instrument, Patch>>> = {
  piano: { layers: [{ program: 0 }], range: [21, 108], kind: "struck" },
  bright_piano: { layers: [{ program: 1 }], range: [21, 108], kind: "struck" },
  upright_piano: { layers: [{ program: 0, bank: 8 }], range: [21, 108], kind: "struck" },
  harpsichord: { layers: [{ program: 6 }], range: [29, 89], kind: "struck" },
  organ: { layers: [{ program: 16 }, { program: 17, db: -8 }], range: [36, 96], kind: "held", release: [0.03, 0.15] },
  church_organ: { layers: [{ program: 19, bank: 8 }], range: [36, 96], kind: "held" },
  accordion: { layers: [{ program: 21, bank: 8 }], range: [41, 93], kind: "held", release: [0.05, 0.2], swell: 0.5 },
  celesta: { layers: [{ program: 8 }], range: [60, 108], kind: "struck" },
  music_box: { layers: [{ program: 10 }], range: [60, 100], kind: "struck" },
  vibraphone: { layers: [{ program: 11 }], range: [53, 89], kind: "struck" },
  marimba: { layers: [{ program: 12 }], range: [45, 96], kind: "struck" },
  xylophone: { layers: [{ program: 13 }], range: [65, 108], kind: "struck" },
  glockenspiel: { layers: [{ program: 9 }], range: [72, 108], kind: "struck" },
  tubular_bells: { layers: [{ program: 14 }], range: [60, 77], kind: "struck", release: [2, 6] },
  dulcimer: { layers: [{ program: 15 }], range: [48, 86], kind: "struck" },
  kalimba: { layers: [{ program: 108 }], range: [57, 90], kind: "struck" },

  nylon_guitar: { layers: [{ program: 24 }], range: [40, 83], kind: "plucked" },
  steel_guitar: { layers: [{ program: 25 }], range: [40, 86], kind: "plucked" },
  electric_guitar: { layers: [{ program: 27 }], muted: [{ program: 28 }], range: [40, 88], kind: "plucked" },
  muted_guitar: { layers: [{ program: 28 }], range: [40, 84], kind: "plucked" },
  overdriven_guitar: {
    layers: [{ program: 27 }],
    muted: [{ program: 28 }],
    range: [38, 88],
    kind: "plucked",
    release: [0.05, 0.14],
    amp: "overdriven",
  },
  distorted_guitar: {
    layers: [{ program: 27 }],
    muted: [{ program: 28 }],
    range: [36, 88],
    kind: "plucked",
    release: [0.05, 0.14],
    amp: "distorted",
  },
  banjo: { layers: [{ program: 105 }], range: [48, 86], kind: "plucked", release: [0.1, 0.6] },
  mandolin: { layers: [{ program: 25, bank: 16 }], range: [55, 93], kind: "plucked" },
  ukulele: { layers: [{ program: 24, bank: 8 }], range: [55, 86], kind: "plucked" },
  harp: { layers: [{ program: 46 }], range: [24, 103], kind: "struck", release: [1, 3] },
  sitar: { layers: [{ program: 104 }], range: [43, 86], kind: "plucked", release: [0.3, 1.5] },
  koto: { layers: [{ program: 107 }], range: [43, 88], kind: "plucked" },

  upright_bass: { layers: [{ program: 32 }], range: [28, 60], kind: "plucked" },
  electric_bass: { layers: [{ program: 33 }], range: [28, 64], kind: "plucked" },
  picked_bass: { layers: [{ program: 34 }], range: [28, 64], kind: "plucked" },
  slap_bass: { layers: [{ program: 36 }], range: [28, 64], kind: "plucked" },

  violin: bowed(40, [55, 100]),
  viola: bowed(41, [48, 88]),
  cello: bowed(42, [36, 81]),
  strings: {
    layers: strings(48),
    short: [{ program: 48 }, { program: 45, db: -9 }],
    trembling: [{ program: 44 }],
    range: [28, 100],
    kind: "held",
    attack: 0.09,
    release: [0.2, 0.6],
    swell: 0.7,
  },
  slow_strings: {
    layers: [
      { program: 49, cents: -3, pan: -0.1 },
      { program: 48, cents: 4, db: -6, pan: 0.1 },
    ],
    trembling: [{ program: 44 }],
    range: [28, 100],
    kind: "held",
    attack: 0.35,
    release: [0.4, 1.2],
    swell: 0.9,
  },
  pizzicato: {
    // The bank's low violas are a quarter of a semitone sharp (measured).
    layers: [
      { program: 45, keys: [0, 41] },
      { program: 45, keys: [42, 56], cents: -22 },
      { program: 45, keys: [57, 127] },
    ],
    range: [28, 100],
    kind: "plucked",
    release: [0.3, 2],
  },
  tremolo_strings: {
    layers: [{ program: 44 }],
    range: [28, 100],
    kind: "held",
    attack: 0.1,
    release: [0.2, 0.6],
    swell: 0.9,
  },
  choir: {
    layers: [
      { program: 52, cents: -3 },
      { program: 53, cents: 5, db: -6 },
    ],
    range: [40, 84],
    kind: "held",
    attack: 0.15,
    release: [0.3, 1],
    swell: 0.9,
  },

  trumpet: blown(56, [54, 86], 8, 5.6),
  muted_trumpet: blown(59, [54, 84], 9, 5.6),
  trombone: blown(57, [40, 74], 7, 5.2),
  french_horn: blown(60, [41, 77], 4, 5),
  brass: { layers: [{ program: 61 }], range: [40, 88], kind: "held", release: [0.06, 0.3], swell: 0.8 },
  tuba: blown(58, [28, 62], 4, 5),
  soprano_sax: blown(64, [56, 88], 12, 5.4),
  alto_sax: blown(65, [49, 81], 12, 5.2),
  tenor_sax: blown(66, [44, 76], 12, 5),
  clarinet: blown(71, [50, 91], 4, 5),
  oboe: blown(68, [58, 91], 8, 5.4),
  bassoon: blown(70, [34, 74], 6, 5.2),
  flute: blown(73, [60, 96], 9, 5.2),
  piccolo: blown(72, [74, 106], 8, 5.6),
  pan_flute: blown(75, [55, 91], 8, 5),
  recorder: blown(74, [65, 98], 6, 5),
  whistle: { ...blown(78, [65, 100], 12, 5.5), layers: [{ program: 78, cents: -10 }] },
  harmonica: {
    layers: [{ program: 22 }],
    range: [48, 93],
    kind: "held",
    vibrato: [10, 5.5, 0.5],
    release: [0.05, 0.2],
    swell: 0.8,
  },
  bagpipes: { layers: [{ program: 109 }], range: [46, 82], kind: "held", release: [0.04, 0.1] },

  acoustic_kit: { layers: [{ program: 0, drum: true }], range: [35, 81], kind: "kit" },
  brush_kit: { layers: [{ program: 40, drum: true }], range: [35, 81], kind: "kit" },
  rock_kit: { layers: [{ program: 16, drum: true }], range: [35, 81], kind: "kit" },
  jazz_kit: { layers: [{ program: 32, drum: true }], range: [35, 81], kind: "kit" },
  orchestral_percussion: { layers: [{ program: 48, drum: true }], range: [35, 81], kind: "kit" },
  latin_percussion: { layers: [{ program: 0, drum: true }], range: [35, 81], kind: "kit" },
  hand_drums: { layers: [{ program: 0, drum: true }], range: [35, 81], kind: "kit" },
  taiko: {
    layers: [
      { program: 116, keys: [35, 36], transpose: 12 },
      { program: 116, bank: 8, keys: [35, 36], transpose: 4, db: -4 },
      { program: 48, drum: true, keys: [37, 40] },
      { program: 116, keys: [41, 50], transpose: 12 },
      { program: 48, drum: true, keys: [51, 81] },
    ],
    range: [35, 81],
    kind: "kit",
  },
  timpani: { layers: [{ program: 47 }], range: [36, 57], kind: "struck", release: [1, 4] },
};

function bowed(program: number, range: readonly [number, number]): Patch {
  return {
    layers: [{ program }],
    short: [{ program }, { program: 45, db: -14 }],
    trembling: [{ program: 44 }],
    range,
    kind: "blown",
    release: [0.12, 0.3],
    vibrato: [11, 5.6, 0.5],
    swell: 0.9,
  };
}

function blown(program: number, range: readonly [number, number], cents: number, hertz: number): Patch {
  return {
    layers: [{ program }],
    range,
    kind: "blown",
    release: [0.05, 0.18],
    vibrato: [cents, hertz, 0.6],
    swell: 0.7,
  };
}
