/** What kind of clip a prompt asks for: one stroke, note or chord, a roll, a fill, a riser, single drums of a groove, or music. */
import { isWord } from "../../../language/meaning/mod.ts";
import type { Ask, ChordSaid, Mention } from "../../../language/mod.ts";
import { DRUM_KEYS } from "../../../packs/mod.ts";
import {
  type Brief,
  calledOn,
  genrePack,
  gestureOf,
  type Instrument,
  instrumentOf,
  instruments,
} from "../../compose/mod.ts";
import { MAJOR, MINOR } from "./chord.ts";
import { CLOSED_HAT, type DrumWord, HITS, piecesIn } from "./drum_words.ts";

export type Clip =
  | {
      readonly kind: "stroke" | "roll";
      readonly kit: Instrument;
      readonly key: number;
      readonly name: string;
      /** How often a stroke is struck, where that is said. */
      readonly times?: number;
    }
  | { readonly kind: "fill"; readonly kit: Instrument; readonly toms: boolean; readonly rising: boolean }
  | {
      readonly kind: "note";
      readonly instrument: Instrument;
      readonly tonic: number;
      readonly pitch?: number;
      readonly octaves: number;
      readonly hold: Hold;
      readonly reversed: boolean;
      /** From nothing to loud. */
      readonly swelled: boolean;
      /** A stroke is asked for, of what has a pitch. */
      readonly struck: boolean;
      /** Again and again: with the note above it, or by itself; or on through an octave. */
      readonly repeated?: "trill" | "tremolo" | "glissando up" | "glissando down";
    }
  | {
      readonly kind: "chord";
      readonly instrument: Instrument;
      readonly root: number;
      readonly said: ChordSaid;
      readonly hold: Hold;
      readonly reversed: boolean;
      readonly swelled: boolean;
      /** Which way the hand goes across the strings, where that is said. */
      readonly strum?: "downstroke" | "upstroke";
    }
  | { readonly kind: "tutti"; readonly root: number; readonly said: ChordSaid }
  | { readonly kind: "gesture"; readonly instrument: Instrument }
  /** A groove of which these pieces are heard; `every`: as many even strokes a beat where the words say so. */
  | {
      readonly kind: "drums";
      readonly kit: Instrument;
      readonly pieces: readonly DrumWord[];
      readonly every?: number;
    };

/** Stabs and strokes end at once; the rest rings or is held. */
export type Hold = "short" | "long";

/** Longest clip, seconds, for which the bare name of a drum means one stroke of it. */
const STROKE_SECONDS = 5;

/** C7. */
const SEVENTH_OCTAVE = 96;

/** Longest clip in which even beside a tempo no rhythm fits. */
const ONE_SECOND = 1;

/** What has a pitch that a note or a chord could be of, or not. */
const natureOf = (one: Instrument) => {
  const { family, drumming, gesture, texture } = instrumentOf(one);
  const drums = family === "kit" || (family === "percussion" && drumming?.tuned !== true);
  return { drums, gesture, pitched: !drums && gesture === undefined && texture === undefined };
};

interface Reading {
  readonly ask: Ask;
  readonly brief: Brief;
  readonly seconds: number;
  /** What is wanted. */
  readonly heard: readonly Mention[];
  /** Kinds of clips that are named: "note", "roll", "short". */
  readonly kinds: ReadonlySet<string>;
  /** Their words in English, a blank between and around. */
  readonly said: string;
  /** A single sound is asked for in so many words. */
  readonly outright: boolean;
  readonly goes_on: boolean;
  /** The same without a tempo, which is also said of the piece that one stroke is for. */
  readonly patterned: boolean;
  /** Players who drum nothing. */
  readonly others: readonly Instrument[];
}

/** What goes on, among kinds of clips. */
const GOING_ON = ["loop", "beat", "riff", "melody", "several", "whole", "kit"];
/** What may be a single one. */
const SINGLE = /^(?:drum:.*|instrument:.*|clip:(?:stroke|note|chord|strum|stab|tutti|percussive))$/u;
/** "Flexatone, one", "just one, dry". */
const ONE_ALONE = /(?:^|[,.;:] *)(?:just |only )?(?:one|single) *(?:$|[,.;!])/iu;

/**
 * @param seconds of the clip
 * @param loop whether it is to repeat
 * @returns undefined for music, a phrase, or what is no music at all
 */
export function readClip(ask: Ask, brief: Brief, seconds: number, loop: boolean): Clip | undefined {
  // "I play my own hats, so no hi-hats": a drum that must not be there is only mentioned elsewhere.
  const unwanted = new Set(
    ask.mentions.flatMap(({ polarity, concepts }) => (polarity === "unwanted" ? concepts.filter(isDrumWord) : [])),
  );
  const heard = ask.mentions.filter(
    ({ polarity, likened, concepts }) =>
      polarity !== "unwanted" &&
      polarity !== "compared" &&
      !likened &&
      !concepts.some((concept) => unwanted.has(concept)),
  );
  // "4 beats" is a length.
  const concepts = heard.flatMap((one) =>
    one.count !== null && one.concepts.includes("clip:beat") ? [] : one.concepts,
  );
  const kinds = new Set(
    concepts.flatMap((one) => (/^(?:clip|quality):/u.test(one) ? [one.slice(one.indexOf(":") + 1)] : [])),
  );
  const said = ` ${[...heard.map(({ phrase }) => phrase), ...ask.unknown.map(({ word }) => word)].join(" ")} `;
  const { wanted, explicit } = brief;
  // What a hit sounds like says that there is one: "daxophone yelp".
  const strange = ask.unknown.filter(({ polarity }) => polarity === "wanted").map(({ word }) => word);
  if (anyIn(` ${[...heard.map(({ phrase }) => phrase), ...strange].join(" ")} `, HITS)) kinds.add("stroke");
  const going_on = GOING_ON.some((kind) => kinds.has(kind));
  const timed = explicit.includes("bpm") || explicit.includes("metre");
  const pieces = piecesIn(heard);
  // "Perc, 1 bar"; a chord or a long note may last that long.
  const barred = ask.bars !== null && !["chord", "note", "long", "swell"].some((kind) => kinds.has(kind));
  // "One hit", "a single piano chord", "just once"; not "a 4 bar loop".
  const counted = heard.some((one) => one.count === 1 && one.concepts.some((concept) => SINGLE.test(concept)));
  const reading: Reading = {
    ...{ ask, brief, seconds, heard, kinds, said },
    outright:
      kinds.has("one_shot") ||
      (ONE_ALONE.test(ask.text) && !going_on) ||
      (counted && !kinds.has("loop") && (!kinds.has("beat") || kinds.has("stroke"))),
    goes_on: going_on || timed || barred || loop || ask.chords > 1,
    patterned: going_on || loop || explicit.includes("metre"),
    others: wanted.filter(
      (one) => !natureOf(one).drums && natureOf(one).gesture === undefined && !struck(one, said, pieces),
    ),
  };
  return rollIn(reading) ?? fillIn(reading) ?? tuttiIn(reading) ?? gestureIn(reading, loop) ?? drumsIn(reading);
}

function isDrumWord(concept: string): boolean {
  return concept.startsWith("drum:");
}

/** Whether what was taken for a player is what a drum is struck with, or a part of a cymbal. */
function struck(instrument: Instrument, said: string, pieces: readonly DrumWord[]): boolean {
  const { mistaken_by } = instrumentOf(instrument);
  if (mistaken_by === undefined) return false;
  const { words, beside } = mistaken_by;
  return anyIn(said, words) && (beside === undefined || pieces.length > 0 || anyIn(said, beside));
}

function anyIn(said: string, words: readonly string[]): boolean {
  return words.some((word) => said.includes(` ${word} `));
}

function rollIn({ kinds, brief, heard, others, said }: Reading): Clip | undefined {
  const swelled = kinds.has("swell") && !brief.wanted.some((one) => natureOf(one).gesture === "swell");
  if (!kinds.has("roll") && !(swelled && piecesIn(heard).length > 0)) return undefined;
  if (["beat", "kit", "loop", "whole"].some((kind) => kinds.has(kind))) return undefined;
  const [tuned] = brief.wanted.filter((one) => instrumentOf(one).drumming?.tuned === true);
  if (tuned !== undefined && others.every((one) => one === tuned))
    return { kind: "roll", kit: tuned, name: tuned, key: 40 + ((brief.key.tonic + 8) % 12) };
  if (others.length > 0) return undefined;
  const [piece] = piecesIn(heard);
  const { kit = kitOf(said, brief), key, name } = piece ?? { key: DRUM_KEYS.snare, name: "snare" };
  return { kind: "roll", kit, key, name };
}

function fillIn({ kinds, brief, heard, others, said }: Reading): Clip | undefined {
  if (others.length > 0 || !kinds.has("fill")) return undefined;
  const toms = heard.some(({ concepts, phrase }) => concepts.includes("drum:tom") || /\btoms?\b/u.test(phrase));
  return { kind: "fill", kit: kitOf(said, brief), toms, rising: kinds.has("rising") && !kinds.has("falling") };
}

function tuttiIn({ ask, kinds, brief, goes_on }: Reading): Clip | undefined {
  if (goes_on || !kinds.has("tutti")) return undefined;
  return { kind: "tutti", root: ask.chord?.root ?? brief.key.tonic, said: ask.chord ?? triadOf(brief) };
}

function gestureIn({ kinds, brief, heard, others, said }: Reading, loop: boolean): Clip | undefined {
  if (loop || ["kit", "whole", "loop"].some((kind) => kinds.has(kind))) return undefined;
  const cymbals = heard.some(({ concepts }) => concepts.some((one) => one === "drum:cymbal" || one === "drum:crash"));
  if (kinds.has("reverse") && (cymbals || kinds.has("swell")) && others.length === 0)
    return { kind: "gesture", instrument: gestureOf("swell") };
  // A bang among words that are not known may be a door's.
  const counted = kinds.has("several") && piecesIn(heard).length > 0;
  const banged =
    (brief.unknown.length > 0 || counted) && !anyIn(said, ["impact", "cinematic", "trailer", "braam", "sub", "bass"]);
  const instrument = brief.wanted.find((one) => {
    const { gesture } = natureOf(one);
    return gesture !== undefined && !(gesture === "impact" && banged);
  });
  if (instrument === undefined || !others.every((one) => instrumentOf(one).makes_gestures)) return undefined;
  const turned = natureOf(instrument).gesture === "rise" && kinds.has("falling") && !kinds.has("rising");
  return { kind: "gesture", instrument: turned ? gestureOf("fall") : instrument };
}

function drumsIn(reading: Reading): Clip | undefined {
  const { brief, seconds, heard, kinds, said, outright, goes_on, patterned, others } = reading;
  const pieces = others.length > 0 || isElsewhere(reading.ask, brief) ? [] : piecesIn(heard);
  const is_closed = anyIn(said, ["close", "closed"]) && pieces[0]?.key === CLOSED_HAT.key;
  const piece = is_closed ? CLOSED_HAT : pieces[0];
  const hit = kinds.has("stroke") || kinds.has("percussive");
  if (piece === undefined) {
    const drummer = brief.wanted.find((one) => natureOf(one).drums);
    const struck_once = others.length === 0 && (outright || (!goes_on && hit));
    if (struck_once && (kinds.has("percussive") || drummer !== undefined)) {
      const metal = heard.some(({ concepts }) => concepts.includes("material:metal")) || / metal(?:lic)? /u.test(said);
      const kit = drummer ?? kitOf(said, brief);
      const { cowbell, low_mid_tom, open_conga } = DRUM_KEYS;
      const key = metal
        ? cowbell
        : drummer !== undefined && instrumentOf(kit).family === "kit"
          ? low_mid_tom
          : open_conga;
      return { kind: "stroke", kit, key, name: drummer ?? "percussion" };
    }
    return pitchedIn(reading);
  }
  const kit = piece.kit ?? kitOf(said, brief);
  if (pieces.length === 1) {
    const times = timesIn(heard);
    const named = !piece.only_in_rhythm && (!kinds.has("several") || times !== undefined);
    const bare = seconds <= STROKE_SECONDS && named;
    const brief_clip = seconds <= ONE_SECOND && named && !patterned;
    const struck_so = { kind: "stroke", kit, key: piece.key, name: piece.name } as const;
    // "Three wood block hits".
    if (
      times !== undefined &&
      !["loop", "beat", "kit", "whole"].some((kind) => kinds.has(kind)) &&
      !reading.brief.explicit.includes("bpm")
    )
      return { ...struck_so, times };
    if (
      outright ||
      brief_clip ||
      (!goes_on && (bare || is_closed || ["stroke", "short", "long"].some((kind) => kinds.has(kind))))
    )
      return struck_so;
  }
  // Named beside whole kits, pieces are only mentioned.
  if (kinds.has("kit")) return undefined;
  return { kind: "drums", kit, pieces, ...everyIn(kinds) };
}

/** More strokes than these are a rhythm. */
const TIMES_MAX = 12;

/** "Three hits", "five times", of a drum. */
function timesIn(heard: readonly Mention[]): number | undefined {
  return heard.find(
    ({ count, concepts }) =>
      count !== null &&
      count > 1 &&
      count <= TIMES_MAX &&
      concepts.some((one) => isDrumWord(one) || one === "clip:stroke" || one === "clip:several"),
  )?.count as number | undefined;
}

function pitchedIn(reading: Reading): Clip | undefined {
  const { ask, brief, seconds, kinds, said: words, outright, goes_on } = reading;
  const instrument = pitched(reading);
  if (instrument === undefined) return undefined;
  const alone = namedOf(brief, words).length <= 1;
  const said = ask.chords === 1 ? (ask.chord ?? undefined) : undefined;
  const stabbed = kinds.has("stab");

  const repeated = kinds.has("glissando")
    ? anyIn(words, DOWN) && !anyIn(words, ["up"])
      ? "glissando down"
      : "glissando up"
    : kinds.has("trill")
      ? "trill"
      : kinds.has("tremolo") || kinds.has("roll")
        ? "tremolo"
        : undefined;
  const swelled = kinds.has("swell");
  const struck_once = kinds.has("stroke") || kinds.has("note") || swelled || repeated !== undefined;
  const once = outright || (!goes_on && alone && struck_once);
  const hold: Hold = (kinds.has("short") || kinds.has("stroke")) && !kinds.has("long") ? "short" : "long";
  // The letter alone where no key says more: "ukulele strum F", "low E".
  const letter = brief.explicit.includes("key") ? null : (ask.note?.tonic ?? pitchClass(ask.note?.pitch));
  const tonic = said?.root ?? letter ?? brief.key.tonic;
  // "G7" is a chord where no flute can go.
  const high = said?.root !== undefined && (ask.note?.pitch ?? 0) >= SEVENTH_OCTAVE && !kinds.has("note");
  const pitch = high ? undefined : (ask.note?.pitch ?? undefined);
  const asked = kinds.has("chord") || kinds.has("strum") || (stabbed && pitch === undefined);
  // A stab of a bass is a chord of the synthesiser that is named after it.
  const synth = stabbed && instrumentOf(instrument).family === "bass" && !/ bass /u.test(words);
  const player = synth ? calledOn("single_synth")[0]! : instrument;
  const reversed = kinds.has("reverse");
  if (
    polyphonic(player) &&
    ((asked && (outright || !goes_on)) || (said !== undefined && !goes_on && pitch === undefined))
  )
    return {
      kind: "chord",
      instrument: player,
      root: tonic,
      said: said ?? ask.chord ?? triadOf(brief),
      hold,
      reversed,
      swelled,
      ...strumIn(words),
    };
  const bass =
    instrumentOf(instrument).family === "bass" && struck(instrument, words, []) && alone && seconds <= STROKE_SECONDS;
  // "Musical saw, A4, 3 s", "a low D on cello".
  const keyed = brief.explicit.includes("tonic") || brief.explicit.includes("key");
  const named = pitch !== undefined || (ask.note !== null && !keyed);
  if (!once && (goes_on || !(bass || (alone && (named || stabbed || reversed))))) return undefined;
  // A timpani and a bell are struck, also where somebody wants their note.
  const hit =
    ["stroke", "one_shot"].some((kind) => kinds.has(kind)) ||
    brief.wanted.some((one) => natureOf(one).gesture === "impact");
  const isStroke = kinds.has("stroke") || (hit && instrumentOf(instrument).family === "percussion");
  const octaves = kinds.has("low") ? -1 : kinds.has("high") ? 1 : 0;
  return {
    ...{ kind: "note", instrument, tonic, octaves, hold, reversed, swelled, struck: isStroke },
    ...(pitch === undefined ? {} : { pitch }),
    ...(repeated === undefined ? {} : { repeated }),
  };
}

const DOWN = ["down", "falling", "descending", "downwards", "downward"];

function pitchClass(pitch: number | null | undefined): number | null {
  return pitch === null || pitch === undefined ? null : pitch % 12;
}

function strumIn(said: string): { readonly strum?: "downstroke" | "upstroke" } {
  const strum = (["downstroke", "upstroke"] as const).find((one) => anyIn(said, [one]));
  return strum === undefined ? {} : { strum };
}

const EVERY: readonly (readonly [kind: string, every: number])[] = [
  ["thirty_seconds", 8],
  ["sixteenths", 4],
  ["triplets", 3],
  ["eighths", 2],
  ["quarters", 1],
];

function everyIn(kinds: ReadonlySet<string>): { readonly every?: number } {
  const found = EVERY.find(([kind]) => kinds.has(kind));
  return found === undefined ? {} : { every: found[1] };
}

/** What only musicians say beside a drum. */
const STUDIO = /^(?:quality:short|clip:(?!several|whole)|genre:(?!metal)|trait:)/u;

/** Whether the drums that were understood are none: a car crash, a thunder clap, a bike ride. What is wanted is a sound, if anybody knows it. */
export function isElsewhere({ mentions, unknown }: Ask, { wanted, scene, explicit }: Brief): boolean {
  const heard = mentions.filter(({ polarity }) => polarity === "wanted");
  const pieces = piecesIn(heard);
  if (pieces.length === 0 || !pieces.every((piece) => piece.also_a_sound) || explicit.includes("bpm")) return false;
  if (!wanted.every((one) => natureOf(one).drums)) return false;
  if (heard.some(({ concepts, count }) => count === 1 || concepts.some((one) => STUDIO.test(one)))) return false;
  if (kitCalled(` ${heard.map(({ phrase }) => phrase).join(" ")} `, []) !== undefined) return false;
  return scene.length > 0 || unknown.some(({ word }) => !HITS.includes(word) && isWord(word, ["noun"]));
}

function triadOf({ key: { mode } }: Brief): ChordSaid {
  return mode === "minor" || mode === "dorian" || mode === "phrygian" ? MINOR : MAJOR;
}

/** Plays one line by itself. */
export function isMonophonic(instrument: Instrument): boolean {
  return instrumentOf(instrument).notes_at_once !== undefined;
}

/** A lead that is told to play a chord is a polyphonic synthesiser. */
function polyphonic(instrument: Instrument): boolean {
  return instrumentOf(instrument).notes_at_once !== "one";
}

/** Who has a pitch and is named. A guitar's pluck is no synthesiser, a bass that is plucked no section of strings. */
function namedOf({ wanted }: Brief, said: string): readonly Instrument[] {
  const able = wanted.filter((one) => natureOf(one).pitched);
  return able.length > 1 && !anyIn(said, ["synth pluck", "pluck synth"])
    ? able.filter((one) => instrumentOf(one).names_a_manner !== true)
    : able;
}

/** Who plays the note: what is named; a choir where voices are asked for, a synthesiser or a piano where nobody is. */
function pitched({ brief, heard, kinds, said }: Reading): Instrument | undefined {
  const { wanted, traits, explicit } = brief;
  const able = namedOf(brief, said);
  const single = ["strum", "chord", "note"].some((kind) => kinds.has(kind));
  // "Strum an acoustic".
  const strummed = kinds.has("strum") && able.length === 0 && traits.includes("acoustic");
  // A guitar without more is an acoustic one here: a genre that was only guessed for it says nothing.
  if (single && !explicit.includes("genre") && !kinds.has("electric") && (anyIn(said, ["guitar"]) || strummed)) {
    const guitars = calledOn("single_guitar");
    return able.find((one) => guitars.includes(one)) ?? guitars[0];
  }
  if (able.length > 0) return (kinds.has("chord") ? able.find(polyphonic) : undefined) ?? able[0];
  if (wanted.some((one) => natureOf(one).drums && instrumentOf(one).family === "percussion")) return undefined;
  const sung = heard.some(({ concepts }) => concepts.some((one) => one.startsWith("voice:")));
  if (sung || traits.includes("vocal") || traits.includes("a cappella")) return calledOn("sing")[0];
  if (anyIn(said, ["synth", "rave", "trance", "edm"])) return calledOn("single_synth")[0];
  return kinds.has("chord") ? calledOn("play_alone")[0] : undefined;
}

/** The kit that words call, of those that have single drums. */
function kitCalled(said: string, wanted: readonly Instrument[]): Instrument | undefined {
  const turn = (one: Instrument): number => instrumentOf(one).single_drum!.turn;
  const [called] = instruments()
    .filter((one) => {
      const { single_drum, family } = instrumentOf(one);
      const named = family !== "kit" && wanted.includes(one);
      return single_drum !== undefined && (named || anyIn(said, single_drum.words));
    })
    .sort((a, b) => turn(a) - turn(b));
  return called;
}

/** Words decide; a genre does where it was named; a kit that a genre was only guessed for says nothing. */
function kitOf(said: string, { wanted, genre, explicit }: Brief): Instrument {
  const called = kitCalled(said, wanted);
  if (called !== undefined) return called;
  const [usual] = calledOn("lend_drums");
  if (!explicit.includes("genre")) return usual!;
  // Not all that drums has the pieces of a kit.
  const { drums = usual! } = genrePack(genre).means ?? {};
  return [...wanted, drums].find((one) => instrumentOf(one).family === "kit") ?? usual!;
}
