/**
 * A groove: what drums, percussion, bass and hands on chords play, each on its own; genres choose by name. Beats stand
 * between "|" and have as many equal steps as characters: 1, 2 and 4 are straight, 3 and 6 triplets, 8 rolls. Patterns
 * may be longer than a bar.
 */
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { DRUM_KEYS, type Drum } from "../drum_keys.ts";
import { Id, section } from "./common.ts";

const beats = (signs: string) => Type.String({ pattern: `^[${signs}]{1,8}(\\|[${signs}]{1,8})*$` });

/**
 * "base" is of moderate energy, "lift" for choruses and drops, "light" for thin moments; of several the seed chooses.
 * Without lift and light, base is played, and in thin moments little but the time-keeper of it.
 */
const ways = <Pattern extends Parameters<typeof Type.Array>[0]>(pattern: Pattern) => ({
  /** From about half of this it is played twice as fast, from about double half as fast. Absent: as it is. */
  written_for_bpm: Type.Optional(Type.Number({ minimum: 30, maximum: 300 })),
  base: Type.Array(pattern, { minItems: 1 }),
  lift: Type.Optional(Type.Array(pattern, { minItems: 1 })),
  light: Type.Optional(Type.Array(pattern, { minItems: 1 })),
});

const DRUMS = Object.keys(DRUM_KEYS) as readonly Drum[];

/** Rows by drum, at least one; those above are played first. */
const rows = (row: TSchema) =>
  Type.Unsafe<Readonly<Record<string, string>>>(
    Type.Object(Object.fromEntries(DRUMS.map((drum) => [drum, Type.Optional(row)])), {
      additionalProperties: false,
      minProperties: 1,
    }),
  );

/** X accent, x firm, o medium, s soft, g ghost, f flam, r three strokes in the step, q two, "." nothing. */
export type Rows = Static<typeof Rows>;
export const Rows = rows(beats("Xxosgfrq."));
const Kit = section(ways(Rows));

/**
 * X x o g all notes, loud to ghostly; D d strummed down, U u up; m a muted scratch; b the bass note, f its fifth, h the
 * upper notes; p P palm-muted and open power chord; r rolled from below; digits the n-th note of the voicing, going on
 * an octave higher; "-" holds, "." is silent.
 */
const hands = {
  ...ways(beats("XxosgDdUumbfhpPr0-9.-")),
  /** Close led voicings; rootless leaves the root to the bass; power: root, fifth, octave; guitar: six strings; two: hands apart. */
  voicing: Type.Optional(
    Type.Union((["close", "rootless", "power", "guitar", "wide", "two"] as const).map((name) => Type.Literal(name))),
  ),
  /** What is struck rings until the chord changes. */
  pedal: Type.Optional(Type.Boolean()),
  /** Another way in every bar. */
  restless: Type.Optional(Type.Boolean()),
};

export type HandGroove = Static<typeof HandGroove>;
export const HandGroove = section(hands);

export type ChordGroove = Static<typeof ChordGroove>;
export const ChordGroove = section({
  ...hands,
  /** Enough for a distorted guitar, which else plays power chords too. */
  distorted: Type.Optional(Type.Boolean()),
  suits_organ: Type.Optional(Type.Boolean()),
  /** What takes its place on a guitar without distortion, where the genre knows no other. */
  clean_guitar_plays: Type.Optional(Id),
  /** What takes its place on an acoustic guitar. */
  acoustic_guitar_plays: Type.Optional(Id),
  /** What takes its place in bars of three. */
  in_three_play: Type.Optional(Id),
});

/**
 * R r the chord's bass note, firm or less; 8 its octave, 5 the fifth above, l below, 3 7 third and seventh, 6 sixth; w
 * walks; n the root of the chord to come; a leads by a step or half-step into the next note; s slides; g a dead note.
 * "with the kick": where the bass drum falls.
 */
const Bass = section(ways(Type.Union([beats("Rr85l376wnasg.-"), Type.Literal("with the kick")])));

/** One beat of a fill. */
const Beat = rows(Type.String({ pattern: "^[Xxosgr.]{1,8}$" }));

export type FillGroove = Static<typeof FillGroove>;
/** Beats that fills are made of; the last leads into the next bar. */
export const FillGroove = section({
  begins: Type.Array(Beat, { minItems: 1 }),
  goes_on: Type.Array(Beat, { minItems: 1 }),
  ends: Type.Array(Beat, { minItems: 1 }),
  /** Two beats at most, and endings without a crash. */
  short: Type.Optional(Type.Boolean()),
  /** Crashes are softer. */
  soft: Type.Optional(Type.Boolean()),
  /** What keeps the time under a longer fill; absent: the kick. */
  keeps_time_on: Type.Optional(Type.Union(DRUMS.map((drum) => Type.Literal(drum)))),
});

const ASKED = ["four on the floor", "shuffle", "breakbeat", "fast breakbeat", "three beats"] as const;

export type GroovePack = Static<typeof GroovePack>;
export const GroovePack = section({
  /** What drummers answer with it, whatever the genre has: one groove each, the first by its name. */
  asked_as: Type.Optional(Type.Union(ASKED.map((name) => Type.Literal(name)))),
  drums: Type.Optional(Kit),
  percussion: Type.Optional(Kit),
  bass: Type.Optional(Bass),
  chords: Type.Optional(ChordGroove),
  arpeggio: Type.Optional(HandGroove),
  fill: Type.Optional(FillGroove),
});
export type KitGroove = Static<typeof Kit>;
export type BassGroove = Static<typeof Bass>;
