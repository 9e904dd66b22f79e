import type { Instrument } from "../instruments.ts";
import type { Role } from "../score.ts";

export type Family =
  | "keys"
  | "organ"
  | "mallet"
  | "guitar"
  | "plucked"
  | "bass"
  | "strings"
  | "choir"
  | "brass"
  | "winds"
  | "lead_synth"
  | "pad_synth"
  | "pluck_synth"
  | "kit"
  | "percussion"
  | "texture"
  | "transition";

export interface Facts {
  readonly family: Family;
  /** MIDI numbers that sound well, inclusive. */
  readonly low: number;
  readonly high: number;
  /** Roles that suit it, best first. */
  readonly roles: readonly Role[];
  readonly polyphonic: boolean;
  /** Rings or holds for as long as it is asked to. */
  readonly sustains: boolean;
  /** Needs no mains. */
  readonly acoustic: boolean;
}

type Row = readonly [family: Family, low: number, high: number, roles: string, marks?: string];

/** Letters in marks: m one note at a time, d decays, e electronic. Ranges: common orchestration handbooks (Adler; Piston), narrowed to the comfortable part. */
const ROWS: Readonly<Record<Instrument, Row>> = {
  piano: ["keys", 28, 96, "chords lead arpeggio bass counter"],
  bright_piano: ["keys", 28, 96, "chords lead arpeggio bass counter"],
  upright_piano: ["keys", 28, 93, "chords lead arpeggio bass counter"],
  electric_piano: ["keys", 33, 92, "chords lead arpeggio counter bass", "e"],
  fm_piano: ["keys", 33, 92, "chords lead arpeggio counter bass", "e"],
  harpsichord: ["keys", 33, 86, "chords arpeggio lead counter bass", "d"],
  clavinet: ["keys", 36, 84, "chords arpeggio lead bass", "de"],
  organ: ["organ", 36, 91, "chords pad lead bass counter arpeggio", "e"],
  church_organ: ["organ", 36, 91, "pad chords lead bass counter"],
  accordion: ["organ", 48, 86, "chords lead counter pad"],
  celesta: ["mallet", 60, 100, "arpeggio lead counter chords", "d"],
  music_box: ["mallet", 60, 98, "lead arpeggio counter chords", "d"],
  vibraphone: ["mallet", 53, 89, "chords lead arpeggio counter"],
  marimba: ["mallet", 45, 91, "arpeggio lead chords counter bass", "d"],
  xylophone: ["mallet", 65, 100, "lead counter arpeggio", "d"],
  glockenspiel: ["mallet", 72, 103, "counter arpeggio lead", "d"],
  tubular_bells: ["mallet", 60, 77, "counter lead chords"],
  dulcimer: ["plucked", 55, 86, "arpeggio lead chords counter", "d"],
  kalimba: ["mallet", 57, 88, "arpeggio lead chords counter", "d"],
  nylon_guitar: ["guitar", 40, 83, "chords arpeggio lead counter bass", "d"],
  steel_guitar: ["guitar", 40, 83, "chords arpeggio lead counter bass", "d"],
  electric_guitar: ["guitar", 40, 86, "chords lead arpeggio counter bass", "e"],
  muted_guitar: ["guitar", 40, 76, "arpeggio chords counter", "de"],
  overdriven_guitar: ["guitar", 40, 86, "chords lead counter", "e"],
  distorted_guitar: ["guitar", 38, 86, "chords lead counter", "e"],
  banjo: ["plucked", 48, 84, "arpeggio chords lead counter", "d"],
  mandolin: ["plucked", 55, 88, "chords lead counter arpeggio", "d"],
  ukulele: ["plucked", 60, 84, "chords lead arpeggio counter", "d"],
  harp: ["plucked", 36, 96, "arpeggio chords lead counter", "d"],
  sitar: ["plucked", 48, 81, "lead arpeggio counter", "d"],
  koto: ["plucked", 50, 84, "lead arpeggio chords counter", "d"],
  upright_bass: ["bass", 28, 55, "bass", "md"],
  electric_bass: ["bass", 28, 55, "bass", "me"],
  picked_bass: ["bass", 28, 55, "bass", "me"],
  slap_bass: ["bass", 28, 55, "bass", "me"],
  synth_bass: ["bass", 28, 55, "bass", "me"],
  sub_bass: ["bass", 28, 47, "bass", "me"],
  acid_bass: ["bass", 31, 55, "bass arpeggio", "me"],
  reese_bass: ["bass", 28, 50, "bass", "me"],
  violin: ["strings", 55, 93, "lead counter pad chords", "m"],
  viola: ["strings", 48, 81, "counter lead pad chords arpeggio", "m"],
  cello: ["strings", 36, 72, "lead counter bass pad", "m"],
  strings: ["strings", 28, 91, "pad chords lead counter bass arpeggio"],
  slow_strings: ["strings", 40, 88, "pad chords counter"],
  pizzicato: ["strings", 40, 84, "arpeggio chords counter bass", "d"],
  tremolo_strings: ["strings", 43, 88, "pad chords"],
  choir: ["choir", 45, 79, "pad chords lead counter"],
  trumpet: ["brass", 55, 82, "lead counter chords", "m"],
  muted_trumpet: ["brass", 55, 82, "lead counter", "m"],
  trombone: ["brass", 41, 70, "counter lead bass chords", "m"],
  french_horn: ["brass", 43, 74, "counter lead pad chords", "m"],
  brass: ["brass", 43, 80, "chords counter lead pad"],
  tuba: ["brass", 28, 55, "bass", "m"],
  soprano_sax: ["winds", 56, 85, "lead counter", "m"],
  alto_sax: ["winds", 50, 80, "lead counter", "m"],
  tenor_sax: ["winds", 45, 75, "lead counter", "m"],
  clarinet: ["winds", 50, 86, "lead counter", "m"],
  oboe: ["winds", 59, 86, "lead counter", "m"],
  bassoon: ["winds", 34, 69, "counter bass lead", "m"],
  flute: ["winds", 60, 93, "lead counter", "m"],
  piccolo: ["winds", 74, 100, "lead counter", "m"],
  pan_flute: ["winds", 60, 88, "lead counter", "m"],
  recorder: ["winds", 65, 91, "lead counter", "m"],
  whistle: ["winds", 67, 93, "lead counter", "m"],
  harmonica: ["winds", 55, 84, "lead counter pad", "m"],
  bagpipes: ["winds", 57, 77, "lead counter", "m"],
  saw_lead: ["lead_synth", 45, 91, "lead counter arpeggio", "e"],
  square_lead: ["lead_synth", 45, 91, "lead counter arpeggio", "e"],
  soft_lead: ["lead_synth", 48, 91, "lead counter pad", "e"],
  supersaw: ["lead_synth", 45, 91, "chords lead pad arpeggio", "e"],
  pluck: ["pluck_synth", 45, 91, "arpeggio chords lead counter", "de"],
  chip_lead: ["lead_synth", 31, 96, "lead arpeggio counter chords bass", "e"],
  warm_pad: ["pad_synth", 40, 86, "pad chords", "e"],
  glass_pad: ["pad_synth", 45, 91, "pad chords arpeggio counter", "e"],
  dark_pad: ["pad_synth", 36, 79, "pad chords", "e"],
  drone: ["pad_synth", 28, 60, "pad bass", "e"],
  bell_synth: ["pluck_synth", 55, 98, "arpeggio lead counter chords", "de"],
  brass_synth: ["lead_synth", 43, 84, "chords lead counter", "e"],
  acoustic_kit: ["kit", 35, 81, "drums"],
  brush_kit: ["kit", 35, 81, "drums"],
  rock_kit: ["kit", 35, 81, "drums"],
  jazz_kit: ["kit", 35, 81, "drums"],
  electronic_kit: ["kit", 35, 81, "drums", "e"],
  house_kit: ["kit", 35, 81, "drums", "e"],
  trap_kit: ["kit", 35, 81, "drums", "e"],
  lofi_kit: ["kit", 35, 81, "drums", "e"],
  breakbeat_kit: ["kit", 35, 81, "drums", "e"],
  orchestral_percussion: ["percussion", 35, 81, "percussion drums"],
  latin_percussion: ["percussion", 35, 81, "percussion drums"],
  hand_drums: ["percussion", 35, 81, "percussion drums"],
  taiko: ["percussion", 35, 81, "percussion drums"],
  timpani: ["percussion", 38, 57, "percussion"],
  vinyl_noise: ["texture", 36, 84, "texture"],
  rain_texture: ["texture", 36, 84, "texture"],
  wind_texture: ["texture", 36, 84, "texture"],
  tape_hiss: ["texture", 36, 84, "texture"],
  sea_texture: ["texture", 36, 84, "texture"],
  crowd_texture: ["texture", 36, 84, "texture"],
  fire_texture: ["texture", 36, 84, "texture"],
  birds_texture: ["texture", 36, 84, "texture"],
  night_texture: ["texture", 36, 84, "texture"],
  city_texture: ["texture", 36, 84, "texture"],
  space_texture: ["texture", 36, 84, "texture"],
  riser: ["transition", 36, 84, "transition"],
  downlifter: ["transition", 36, 84, "transition"],
  impact: ["transition", 36, 84, "transition"],
  sub_drop: ["transition", 36, 84, "transition"],
  reverse_cymbal: ["transition", 36, 84, "transition"],
};

const FACTS = new Map<Instrument, Facts>(
  (Object.keys(ROWS) as Instrument[]).map((instrument) => {
    const [family, low, high, roles, marks = ""] = ROWS[instrument];
    return [
      instrument,
      {
        family,
        low,
        high,
        roles: roles.split(" ") as Role[],
        polyphonic: !marks.includes("m"),
        sustains: !marks.includes("d") && family !== "kit" && family !== "percussion",
        acoustic: !marks.includes("e"),
      },
    ];
  }),
);

export function factsOf(instrument: Instrument): Facts {
  return FACTS.get(instrument)!;
}

/** Where `instrument` sits when it plays `role`, MIDI numbers, inclusive; never empty. */
export function rangeFor(instrument: Instrument, role: Role): readonly [low: number, high: number] {
  const { low, high, family } = factsOf(instrument);
  if (family === "kit" || family === "percussion" || family === "texture" || family === "transition")
    return [low, high];
  const [want_low, want_high] = REGISTERS[role] ?? [low, high];
  // A tune needs an octave and three quarters, everything else a ninth.
  const room = role === "lead" || role === "counter" ? 21 : 14;
  const bottom = Math.max(low, Math.min(want_low, high - room));
  const top = Math.min(high, Math.max(want_high, bottom + room));
  return [bottom, top];
}

/** E1 to G3 for basses; the middle for harmony, so that bass and melody stay free; melody above. */
const REGISTERS: Partial<Record<Role, readonly [number, number]>> = {
  bass: [28, 55],
  chords: [48, 76],
  pad: [48, 79],
  arpeggio: [55, 84],
  lead: [60, 86],
  counter: [53, 81],
};
