/**
 * What distinguishes one kind of music from another here: tempo, metre, feel, patterns and instruments. `styles.json` has
 * them, by name.
 *
 * A pattern is a bar (or two) of steps: `X` loud, `x` plain, `o` soft, `?` plain half of the time, `.` nothing. Spaces count for nothing.
 */
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import given from "./styles.json" with { type: "json" };

/** General-MIDI percussion. */
export const DRUM_KEYS: Readonly<Record<string, number>> = {
  kick: 36,
  snare: 38,
  clap: 39,
  rim: 37,
  hat: 42,
  pedal: 44,
  open: 46,
  ride: 51,
  bell: 53,
  crash: 49,
  tom_low: 45,
  tom_mid: 47,
  tom_high: 50,
  tambourine: 54,
  cowbell: 56,
  shaker: 82,
  maracas: 70,
  claves: 75,
  conga_high: 63,
  conga_low: 64,
  bongo_high: 60,
  bongo_low: 61,
  timbale: 65,
  triangle: 81,
};

const strict = { additionalProperties: false };
const some = <Of extends TSchema>(of: Of) => Type.Array(of, { minItems: 1 });
const range = (minimum: number, maximum: number) => {
  const bound = Type.Number({ minimum, maximum });
  return Type.Tuple([bound, bound]);
};
const Share = Type.Number({ minimum: 0, maximum: 1 });
/** General MIDI, from 0. */
const Program = Type.Integer({ minimum: 0, maximum: 127 });
const Pattern = Type.String({ pattern: "^[Xxo?. ]+$" });
const Drum = Type.String({ pattern: `^(?:${Object.keys(DRUM_KEYS).join("|")})$` });

export type Comp = Static<typeof Comp>;
const Comp = Type.Object(
  {
    programs: some(Program),
    patterns: some(Pattern),
    /** How the chord is played: all at once, note by note, strummed, or held through the bar. */
    manner: Type.Union((["block", "arpeggio", "strum", "pad"] as const).map((name) => Type.Literal(name))),
    /** Length of a note in steps; held to the next hit where absent. */
    length: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    /** Share of pieces that have it. */
    share: Share,
    level_db: Type.Optional(Type.Number({ minimum: -24, maximum: 12 })),
  },
  strict,
);

export type Style = Static<typeof Style>;
const Style = Type.Object(
  {
    /** Beats a minute; the beat is a dotted crotchet where `steps` is 6. */
    tempo: range(20, 300),
    beats_per_bar: Type.Integer({ minimum: 1, maximum: 12 }),
    /** Steps a beat: 4 sixteenths, 3 triplet quavers, 6 sixteenths of a dotted crotchet. */
    steps: Type.Union([Type.Literal(3), Type.Literal(4), Type.Literal(6)]),
    /** Where the second of two quavers (or semiquavers) lies. */
    swing: range(0.5, 0.75),
    swung: Type.Union((["quavers", "semiquavers"] as const).map((name) => Type.Literal(name))),
    /** steady: a machine's; human: wanders by ±2 to 5 % over the piece; rubato: by ±8 % within phrases. */
    time: Type.Union((["steady", "human", "rubato"] as const).map((name) => Type.Literal(name))),
    /** Alternatives; one is drawn for a piece, another may be drawn for the chorus. */
    drums: Type.Array(Type.Record(Drum, Pattern)),
    bass: Type.Array(Pattern),
    bass_programs: Type.Array(Program),
    comps: some(Comp),
    lead_programs: Type.Array(Program),
    /** Share of pieces with a singer. */
    sung: Share,
    bars_per_chord: some(Type.Number({ exclusiveMinimum: 0 })),
    minor: Share,
  },
  strict,
);

export const STYLES: Readonly<Record<string, Style>> = read();

/** Throws where the file is not what the schema says, with the place. */
function read(): Record<string, Style> {
  const styles: unknown = given;
  const schema = Type.Record(Type.String(), Style);
  if (Value.Check(schema, styles)) return styles;
  const { path, message } = Value.Errors(schema, styles).First()!;
  throw new Error(`Cannot read training/material/styles.json: ${path}: ${message}`);
}
