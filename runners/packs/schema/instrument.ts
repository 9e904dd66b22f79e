/** An instrument: what it is called, what it can play, what it is asked for, how it sounds. */
import { type Static, Type } from "@sinclair/typebox";
import { ByLanguage, Id, Ids, Phrases, section } from "./common.ts";
import { Jobs } from "./instrument/jobs.ts";
import { anyOf, flag, Note, NoteRange } from "./instrument/note.ts";
import { Sampled } from "./instrument/sampled.ts";
import { DrumMachine, Synthesiser } from "./instrument/synthesised.ts";

const Role = anyOf(
  "drums",
  "percussion",
  "bass",
  "chords",
  "pad",
  "arpeggio",
  "lead",
  "counter",
  "texture",
  "transition",
);

export type Family = Static<typeof Family>;
const Family = anyOf(
  "keys",
  "organ",
  "mallet",
  "guitar",
  "plucked",
  "bass",
  "strings",
  "choir",
  "brass",
  "winds",
  "lead_synth",
  "pad_synth",
  "pluck_synth",
  "kit",
  "percussion",
  "texture",
  "transition",
);

/** Patterns of the hand in place of the style's own, where the piece is like this. */
const Habit = section({
  role: anyOf("chords", "arpeggio"),
  patterns: Type.Array(Id, { minItems: 1 }),
  /** Kind of music: acoustic, dance, ... */
  in: Type.Optional(Id),
  not_in: Type.Optional(Id),
  /** Where the style's keyboards play these. */
  where_keys_play: Type.Optional(Id),
});

/** How a player of percussion without a groove of drums plays along. */
const Drumming = section({
  /** The style's patterns for hand drums, latin or orchestral percussion ... */
  follows: Type.Optional(anyOf("hand_drums", "latin_percussion", "orchestral_percussion")),
  /** ... or always this one. */
  pattern: Type.Optional(Id),
  /** Struck on the first beat of an orchestral piece that begins loud. */
  opens_with: Type.Optional(Note),
  /** Tuned drums, that play the bass note. */
  tuned: flag,
});

export type InstrumentPack = Static<typeof InstrumentPack>;
export const InstrumentPack = section({
  $schema: Type.Optional(Type.String()),
  about: Type.Optional(Type.String()),
  names: ByLanguage,
  /** Words among its names that mean a drum or what it is struck with, always or beside these others. */
  mistaken_by: Type.Optional(section({ words: Phrases, beside: Type.Optional(Phrases) })),
  /** Its name is a manner of playing others as well: a guitar's pluck is no synthesiser. */
  names_a_manner: flag,
  family: Family,
  /** Where it stands in a list of instruments; those without come last, by their ids. */
  order: Type.Optional(Type.Integer({ minimum: 1 })),
  /** What it may play, best first. */
  roles: Type.Array(Role, { minItems: 1, uniqueItems: true }),
  /** Lowest and highest note that sound well. For drums: their keys on the General MIDI percussion map. */
  range: NoteRange,
  /** `one_or_many`: a lead that plays a line unless it is told to play a chord. Many where absent. */
  notes_at_once: Type.Optional(anyOf("one", "many", "one_or_many")),
  /** Held until the player lets go, ringing on by itself, or soon gone. */
  tone: anyOf("held", "ringing", "short"),
  /** Needs mains. */
  electric: flag,
  /** At home in an orchestra although its family is not. */
  orchestral: flag,
  /** Played by a sequencer, on the grid. */
  sequenced: flag,
  /** Of long tones it plays the root alone, through all chords. */
  holds_root: flag,
  /** Kept out of the high-pass that clears room for the bass. */
  low_end: flag,
  /** What a riser or a drop may be made of. */
  makes_gestures: flag,
  /** A synthesiser that hands play. */
  by_hand: flag,
  /** How a guitar's chords are voiced: clean ones never in power chords only, driven ones often. */
  guitar: Type.Optional(anyOf("clean", "driven", "muted")),
  /** Long chords are written with this. */
  pad_articulation: Type.Optional(anyOf("tremolo")),
  habits: Type.Optional(Type.Array(Habit)),
  /** Arpeggios without the picking of strings. */
  even_arpeggios: flag,
  drumming: Type.Optional(Drumming),
  /** How the hand lies in a single chord, and in one that is cut short. */
  single_chord: Type.Optional(anyOf("guitar", "close", "section", "keys")),
  short_chord: Type.Optional(anyOf("guitar", "close", "section", "keys")),
  /** Groups that it joins, beside those that name it. */
  groups: Type.Optional(Ids),
  /** The genre of a groove that is asked for with this kit and without a genre. */
  groove_genre: Type.Optional(Id),
  /** Words beside a single drum that mean this kit's; who has the lowest number is heard first. */
  single_drum: Type.Optional(section({ turn: Type.Integer({ minimum: 1 }), words: Phrases })),
  /** Nearest relatives of another kind, for pieces that it may not play in. */
  replaced_by: Type.Optional(Ids),
  jobs: Type.Optional(Jobs),
  /** What leads from section to section: rises to an arrival, swells into it, falls away, drops under it, or strikes. */
  gesture: Type.Optional(anyOf("rise", "swell", "fall", "drop", "impact")),
  /** A recipe of synthesis, and the scene that it paints. */
  texture: Type.Optional(
    anyOf("vinyl", "rain", "wind", "tape", "sea", "crowd", "fire", "birds", "night", "city", "space"),
  ),
  /** One of these says how it sounds, where it is no texture and no gesture. */
  sampled: Type.Optional(Sampled),
  synthesiser: Type.Optional(Synthesiser),
  /** Or the name of the kit whose machine it is. */
  drum_machine: Type.Optional(Type.Union([DrumMachine, Id])),
  /** A model of an instrument, written for it. */
  model: Type.Optional(anyOf("long_kick", "acid", "reese", "drone", "tine_piano", "dx_piano", "clavinet", "bell")),
});

export type InstrumentGroup = Static<typeof InstrumentGroup>;
/** A word for several instruments: "guitar". */
export const InstrumentGroup = section({
  $schema: Type.Optional(Type.String()),
  names: ByLanguage,
  /** The first is meant where a genre's `means` has no other; all are unwanted where the group is. */
  members: Type.Array(Id, { minItems: 1, uniqueItems: true }),
  /** A whole role is meant: "drums". */
  roles: Type.Optional(Type.Array(Role)),
  /** Meant where the prompt asks for acoustic music. */
  if_acoustic: Type.Optional(Id),
  /** Speak for genres in place of the first. */
  speakers: Type.Optional(Ids),
  /** Unwanted with it, unless they are asked for by name. */
  shuns: Type.Optional(Ids),
});
