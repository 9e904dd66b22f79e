/** Which genre it is: by which words it is meant, what it is used to, and what speaks for it where nobody names it. */
import { type Static, Type } from "@sinclair/typebox";
import { ByLanguage, byId, Id, Ids, Phrases, Share, section } from "../common.ts";

const Bpm = Type.Number({ minimum: 30, maximum: 300 });
export const Tempo = section({ low: Bpm, usual: Bpm, high: Bpm });

export type Mode = keyof Static<typeof Modes>;
const Weight = Type.Optional(Type.Number({ minimum: 0, maximum: 100 }));
/** How often each comes up, in no unit. */
export const Modes = section({
  major: Weight,
  minor: Weight,
  dorian: Weight,
  phrygian: Weight,
  lydian: Weight,
  mixolydian: Weight,
});

export const MetreName = Type.Union(
  (["2/4", "3/4", "4/4", "5/4", "7/4", "6/8", "9/8", "12/8"] as const).map((name) => Type.Literal(name)),
);
/** Place of the off-beat: 0.5 straight, 0.67 triplets. */
const Swing = Type.Number({ minimum: 0.5, maximum: 0.75 });
const Decade = Type.Integer({ minimum: 1000, maximum: 2100, multipleOf: 10 });
/** How strongly: 1 is the first thought, 0.6 the third. */
const Suggestion = Type.Number({ exclusiveMinimum: 0, maximum: 3 });
const Amount = Type.Optional(Type.Number({ minimum: -1, maximum: 1 }));
/** What is added to a genre's character and temper. */
export const Change = section({
  energy: Amount,
  valence: Amount,
  brightness: Amount,
  density: Amount,
  space: Amount,
  drive: Amount,
  age: Amount,
  /** To the slow or the fast end of its range. */
  tempo: Amount,
  /** To minor or to major. */
  mode: Amount,
});

/** Names outright; those that give way to another genre in the same prompt ("cinematic jazz" is jazz); adjectives that only colour. */
const named = {
  names: Type.Optional(ByLanguage),
  weak_names: Type.Optional(ByLanguage),
  adjectives: Type.Optional(ByLanguage),
};

export type Subgenre = Static<typeof Subgenre>;
/** A name that is no genre of its own: what sets it apart from the genre in whose file it stands. */
export const Subgenre = section({
  id: Id,
  ...named,
  change: Type.Optional(Change),
  tempo_bpm: Type.Optional(Tempo),
  modes: Type.Optional(Modes),
  metre: Type.Optional(MetreName),
  swing: Type.Optional(Swing),
  decade: Type.Optional(Decade),
  /** Instruments that it wants. */
  instruments: Type.Optional(Ids),
  /** Genre that colours it. */
  second_genre: Type.Optional(Id),
  traits: Type.Optional(Phrases),
  scene: Type.Optional(Phrases),
});

export const identity = {
  $schema: Type.Optional(Type.String()),
  /** As a person writes it: "R&B". */
  label: Type.String({ minLength: 1, maxLength: 60 }),
  /** Of its names those that are of players as well, and what these are called where they join other music. */
  players: Type.Optional(Type.Record(Type.String({ minLength: 1 }), Type.String({ minLength: 1 }))),
  ...named,
  /** The member that it means by the name of a group of instruments: by "guitar" a nylon one. */
  means: Type.Optional(byId(Id)),
  /** Genre that it is played like, as far as it does not say itself how. */
  like: Type.Optional(Id),
  tempo_bpm: Tempo,
  modes: Modes,
  metre: MetreName,
  swing: Swing,
  decade: Type.Optional(Decade),
  character: section({
    energy: Share,
    /** Sad to glad. */
    valence: Share,
    brightness: Share,
    density: Share,
    space: Share,
    /** Clean to driven. */
    drive: Share,
    /** Modern to worn. */
    age: Share,
  }),
  /** What recordings of it measure like. */
  heard: section({
    /** Share of the energy that is percussive. */
    percussive: Share,
    attacks_per_second: Type.Number({ minimum: 0, maximum: 20 }),
    /** 63 and 125 Hz against 500 Hz and 1 kHz. */
    bass_db: Type.Number({ minimum: -40, maximum: 40 }),
    /** 4 and 8 kHz against 500 Hz and 1 kHz. */
    treble_db: Type.Number({ minimum: -60, maximum: 20 }),
  }),
  nature: Type.Optional(
    section({
      /** No waltz becomes one. */
      danced_in_four: Type.Optional(Type.Boolean()),
      always_in_three: Type.Optional(Type.Boolean()),
      /** Hardly itself without drums. */
      needs_drums: Type.Optional(Type.Boolean()),
      /** A beat and one sound go on under everything and cover the chords. */
      covers_chords: Type.Optional(Type.Boolean()),
      /** An instrument "solo" plays alone, rather than for eight bars. */
      for_soloists: Type.Optional(Type.Boolean()),
    }),
  ),
  /** Who plays it alone, and what it is where others play along. */
  solo: Type.Optional(section({ instrument: Id, with_others: Id })),
  guessed: section({
    /** Whether a prompt that names no genre may mean it: `often` even where nothing at all is known. */
    from_words: Type.Union([Type.Literal("often"), Type.Literal("sometimes"), Type.Literal("never")]),
    /** Whether a recording may be taken for it: `often` where it is to be one of the genres that many pieces are of. */
    from_sound: Type.Union([Type.Literal("often"), Type.Literal("sometimes"), Type.Literal("never")]),
    /** Whether a remix may turn a piece into it unasked. */
    for_contrast: Type.Boolean(),
  }),
  /** What brings it to mind where no genre is named. */
  suggested_by: Type.Optional(
    section({
      instruments: Type.Optional(byId(Suggestion)),
      /** Names of instruments, whoever plays them: "kora", "bodhrán". */
      instrument_names: Type.Optional(Phrases),
      moods: Type.Optional(byId(Suggestion)),
      scenes: Type.Optional(byId(Suggestion)),
      traits: Type.Optional(Type.Record(Type.String(), Suggestion)),
      decades: Type.Optional(Type.Record(Type.String({ pattern: "^[0-9]{3}0$" }), Suggestion)),
      /** Drums and nothing else. */
      drums_alone: Type.Optional(Type.Boolean()),
    }),
  ),
  /** The genre that is meant where a decade stands beside its name: "seventies pop" is disco. */
  in_decade: Type.Optional(Type.Record(Type.String({ pattern: "^[0-9]{3}0$" }), Id)),
  /** Genres whose weak names say nothing beside this one: a baroque dance is not of electronic dance music. */
  untouched_by: Type.Optional(Ids),
  subgenres: Type.Optional(Type.Array(Subgenre)),
};
