/** What kind of clip a prompt asks for: one stroke, note or chord, a roll, a fill, a riser, single drums of a groove, or music. */
import { type Ask, isDense, wordsOf } from "../../../language/mod.ts";
import { DRUM_KEYS, packs } from "../../../packs/mod.ts";
import {
  type Brief,
  calledOn,
  genrePack,
  gestureOf,
  type Instrument,
  instrumentOf,
  instruments,
} from "../../compose/mod.ts";
import { type ChordSaid, chordIn, chordsIn, classIn, MAJOR, MINOR, noteIn } from "./chord.ts";
import { type DrumWord, piecesIn } from "./drum_words.ts";

export type Clip =
  | { readonly kind: "stroke"; readonly kit: Instrument; readonly key: number }
  | { readonly kind: "roll"; readonly kit: Instrument; readonly key: number }
  | { readonly kind: "fill"; readonly kit: Instrument; readonly toms: boolean }
  | {
      readonly kind: "note";
      readonly instrument: Instrument;
      readonly tonic: number;
      readonly pitch?: number;
      readonly octaves: number;
      readonly hold: Hold;
    }
  | {
      readonly kind: "chord";
      readonly instrument: Instrument;
      readonly root: number;
      readonly said: ChordSaid;
      readonly hold: Hold;
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

/** Longest clip in which even beside a tempo no rhythm fits. */
const ONE_SECOND = 1;

/** What has a pitch that a note or a chord could be of, or not. */
const natureOf = (one: Instrument) => {
  const { family, drumming, gesture, texture } = instrumentOf(one);
  const drums = family === "kit" || (family === "percussion" && drumming?.tuned !== true);
  return { drums, gesture, pitched: !drums && gesture === undefined && texture === undefined };
};

const OUTRIGHT =
  /\bone ?shots?\b|\b(?:single|one|a) (?:\w+ ){0,3}(?:hit|note|chord|stroke|strike|stab|strum|pluck|shake|tap|knock|ping|thump|thud)\b|\bsingle (?:\w+ ){0,2}(?:kick|snare|drum|clap|hat|cymbal|tom|rim|sound|sample)\b/u;
const HIT = /\b(?:hit|strike|stroke|thump|thud|tap|knock|shake|ping|click)\b/u;
/** The charts' hits. */
const CHARTED =
  /\bhit (?:song|single|record|track|tune)\b|\b(?:smash|summer|chart|club|radio|pop|disco|number one|festival) hit\b/u;
const CHORD = /\bchord\b/u;
const STAB = /\b(?:stab|chop)\b/u;
const STRUM = /\b(?:strum|downstroke|upstroke)\b/u;
const NOTE = /\b(?:note|tone|pluck|pizz|pizzicato|harmonic)\b/u;
const SHORT = /\b(?:stab|short|staccato|spiccato|choppy|chop|hit)\b/u;
const HELD = /\b(?:long|sustain(?:ed|ing)?|held|ringing|let ring)\b/u;
/** What goes on, in words. */
const GOES_ON =
  /\b(?:loop(?:s|able|ed|ing)?|beats?|grooves?|patterns?|rhythms?|breaks?|break ?beats?|lines?|basslines?|riffs?|melod(?:y|ies|ic)|tunes?|phrases?|licks?|solos?|arps?|arpeggi\w+|progressions?|chords|notes|hits|stabs|strums|plucks|chops|sequences?|songs?|tracks?|music|bands?|instrumentals?|backing|themes?|ostinatos?|jam|drums|drum kit|drumming|percussion|strumming|walking)\b/u;

interface Reading {
  readonly prompt: string;
  /** In lower case, hyphens blanked, without what is denied. */
  readonly text: string;
  readonly brief: Brief;
  readonly seconds: number;
  /** A single sound is asked for in so many words. */
  readonly outright: boolean;
  readonly goes_on: boolean;
  /** The same without a tempo, which is also said of the piece that one stroke is for. */
  readonly patterned: boolean;
  /** Players who drum nothing. */
  readonly others: readonly Instrument[];
}

/**
 * @param seconds of the clip
 * @param loop whether it is to repeat
 * @returns undefined for music, a phrase, or what is no music at all
 */
export function readClip(ask: Ask, brief: Brief, seconds: number, loop: boolean): Clip | undefined {
  const text = textOf(ask);
  const prompt = ask.text;
  const { wanted, explicit } = brief;
  const timed = explicit.includes("bpm") || explicit.includes("metre");
  const drummed = /\bbass drum\b/u.test(text);
  const reading: Reading = {
    ...{ prompt, text, brief, seconds },
    outright: OUTRIGHT.test(text) && !CHARTED.test(text),
    goes_on: GOES_ON.test(text.replace(/\bmarching band\b/gu, " ")) || timed || loop || chordsIn(prompt) > 1,
    patterned: GOES_ON.test(text) || loop || brief.explicit.includes("metre"),
    others: wanted.filter(
      (one) =>
        !natureOf(one).drums &&
        natureOf(one).gesture === undefined &&
        !(drummed && instrumentOf(one).family === "bass") &&
        !struck(one, text),
    ),
  };
  return rollIn(reading) ?? fillIn(reading) ?? tuttiIn(reading) ?? gestureIn(reading, loop) ?? drumsIn(reading);
}

/** Whether what was taken for a player is what a drum is struck with, or a part of a cymbal. */
function struck(instrument: Instrument, text: string): boolean {
  const { mistaken_by } = instrumentOf(instrument);
  if (mistaken_by === undefined) return false;
  const { words, beside } = mistaken_by;
  return anyIn(text, words) && (beside === undefined || anyIn(text, beside));
}

function anyIn(text: string, words: readonly string[]): boolean {
  return words.some((word) => ` ${text.replace(/[^\p{L}\p{N}]+/gu, " ")} `.includes(` ${word} `));
}

function textOf(ask: Ask): string {
  return (
    `${ask.retold} ${kindsIn(ask)}`
      .toLowerCase()
      .replace(/\s+/gu, " ")
      .replace(/\bmusic(?:al)? box\b/gu, "musicbox")
      // How long it is, and who plays alone, say nothing of a rhythm or a tune.
      .replace(/\b(?:\d+|one|two|four|eight) (?:beats?|bars?|measures?)\b/gu, " ")
      .replace(/(?<=^|, ?|\ban? )solo /gu, " ")
      .trim()
  );
}

/** Names of kinds in word packs, in English. */
const KINDS: Readonly<Record<string, string>> = {
  ...{ loop: "loop", stroke: "single hit", note: "note", chord: "chord", roll: "roll", fill: "drum fill" },
  ...{ riff: "riff", melody: "melody", beat: "beat" },
};

/** What other languages that the prompt speaks call the kinds of clips, in English: "Klavierakkord" is a chord. */
function kindsIn({ text, retold, languages }: Ask): string {
  const words = wordsOf(text.toLowerCase());
  const line = ` ${words.join(" ")} `;
  const says = (phrase: string): boolean => {
    const written = wordsOf(phrase.replace(/\*$/u, "")).join(" ");
    if (isDense(written)) return line.includes(written);
    return phrase.endsWith("*") ? line.includes(` ${written}`) : line.includes(` ${written} `);
  };
  const found = languages.flatMap((language) => {
    if (language === "en") return [];
    const listed = Object.entries(packs("words").get(language)?.words ?? {});
    return listed.flatMap(([concept, phrases]) =>
      concept.startsWith("clip:") && phrases.some(says) ? [KINDS[concept.slice("clip:".length)] ?? ""] : [],
    );
  });
  const drum = /\b(?:timpani|cymbal|tom|kick)\b/u.exec(retold)?.[0] ?? "snare";
  return found.map((kind) => (kind === "roll" ? `${drum} roll` : kind)).join(" ");
}

const ROLLED =
  /\b(snare|drum|tom|hi ?hat|hat|kick|bass drum|cymbal|crash|taiko|conga|bongo|triangle)s? ?rolls?\b|\b(cymbal)s? swell\b/u;

function rollIn({ text, brief, others }: Reading): Clip | undefined {
  if (/\btimpani rolls?\b/u.test(text) && others.every((one) => instrumentOf(one).drumming?.tuned))
    return { kind: "roll", kit: calledOn("tutti_drums")[0]!, key: 40 + ((brief.key.tonic + 8) % 12) };
  const rolled = ROLLED.exec(text);
  if (rolled === null || others.length > 0 || /\b(?:beats?|grooves?|loops?|drums with)\b/u.test(text)) return undefined;
  if (brief.wanted.some((one) => natureOf(one).gesture === "swell")) return undefined;
  const name = rolled[1] ?? rolled[2]!;
  const piece = piecesIn(name)[0];
  return { kind: "roll", kit: kitOf(text, brief), key: piece?.key ?? DRUM_KEYS.snare };
}

function fillIn({ text, brief, others }: Reading): Clip | undefined {
  if (others.length > 0 || !/\b(?:drum|tom|snare|percussion|break)s? fills?\b|^(?:\w+ ){0,3}fill$/u.test(text))
    return undefined;
  return { kind: "fill", kit: kitOf(text, brief), toms: /\btoms?\b/u.test(text) };
}

function tuttiIn({ prompt, text, brief, goes_on }: Reading): Clip | undefined {
  if (goes_on || !/\b(?:orchestral?|orch|tutti|symphonic)(?: \w+)? (?:hit|stab)\b/u.test(text)) return undefined;
  const chord = chordIn(prompt);
  return { kind: "tutti", root: chord?.root ?? brief.key.tonic, said: chord ?? triadOf(brief) };
}

function gestureIn({ text, brief, others }: Reading, loop: boolean): Clip | undefined {
  if (loop || /\b(?:drums|beats?|music|track|song|loops?)\b/u.test(text)) return undefined;
  if (/\brevers(?:e|ed|ing) (?:\w+ )?(?:cymbal|crash|swell)\b/u.test(text) && others.length === 0)
    return { kind: "gesture", instrument: gestureOf("swell") };
  // A bang among words that are not known may be a door's.
  const banged = brief.unknown.length > 0 && !/\b(?:impact|cinematic|trailer|braam|sub|bass)\b/u.test(text);
  const instrument = brief.wanted.find((one) => {
    const { gesture } = natureOf(one);
    return gesture !== undefined && !(gesture === "impact" && banged);
  });
  if (instrument === undefined || !others.every((one) => instrumentOf(one).makes_gestures)) return undefined;
  return { kind: "gesture", instrument };
}

function drumsIn(reading: Reading): Clip | undefined {
  const { text, brief, seconds, outright, goes_on, patterned, others } = reading;
  const pieces = others.length > 0 ? [] : piecesIn(text).filter((piece) => !elsewhere(text, piece, brief));
  const [piece] = pieces;
  if (piece === undefined) {
    const hit = outright || (!goes_on && HIT.test(text));
    if (hit && others.length === 0 && /\bperc(?:ussion|ussive)?\b/u.test(text))
      return {
        kind: "stroke",
        kit: kitOf(text, brief),
        key: DRUM_KEYS[/metal/u.test(text) ? "cowbell" : "open_conga"],
      };
    return pitchedIn(reading);
  }
  if (pieces.length === 1) {
    const said = piece.words.exec(text)?.[0] ?? "";
    const named = piece.one?.test(said) === true && !said.endsWith("s");
    const bare = seconds <= STROKE_SECONDS && named;
    const brief_clip = seconds <= ONE_SECOND && named && !patterned;
    const hit = HIT.test(text) && !CHARTED.test(text);
    if (outright || brief_clip || (!goes_on && (hit || bare || /\bsingle\b/u.test(text))))
      return { kind: "stroke", kit: kitOf(text, brief), key: piece.key };
  }
  // Named beside whole kits, pieces are only mentioned.
  if (/\b(?:drums|drum ?kit|drum ?beat|drum ?break|breaks?|breakbeat|percussion|music|track|full)\b/u.test(text))
    return undefined;
  return { kind: "drums", kit: kitOf(text, brief), pieces, ...everyIn(text) };
}

function pitchedIn({ prompt, text, brief, seconds, outright, goes_on }: Reading): Clip | undefined {
  const instrument = pitched(text, brief);
  if (instrument === undefined) return undefined;
  const alone = namedOf(brief, text).length <= 1;
  const pitch = noteIn(prompt);
  const said = chordsIn(prompt) === 1 ? chordIn(prompt) : undefined;
  const asked = CHORD.test(text) || STAB.test(text) || STRUM.test(text);
  const once = outright || (!goes_on && alone && (HIT.test(text) || NOTE.test(text)) && !CHARTED.test(text));
  const hold: Hold = SHORT.test(text) && !HELD.test(text) ? "short" : "long";
  // The letter alone where no key says more: "ukulele strum F", "low E".
  const tonic = said?.root ?? (brief.explicit.includes("key") ? undefined : classIn(prompt)) ?? brief.key.tonic;
  // A stab of a bass is a chord of the synthesiser that is named after it.
  const synth = STAB.test(text) && instrumentOf(instrument).family === "bass" && !/\bbass\b/u.test(text);
  const player = synth ? calledOn("single_synth")[0]! : instrument;
  if (
    polyphonic(player) &&
    ((asked && (outright || !goes_on)) || (said !== undefined && !goes_on && alone && pitch === undefined))
  ) {
    const chord = said ?? chordIn(prompt) ?? triadOf(brief);
    return { kind: "chord", instrument: player, root: tonic, said: chord, hold };
  }
  const bass =
    instrumentOf(instrument).family === "bass" && struck(instrument, text) && alone && seconds <= STROKE_SECONDS;
  if (!once && (goes_on || !(bass || (alone && (pitch !== undefined || STAB.test(text)))))) return undefined;
  const octaves = /\blow\b/u.test(text) ? -1 : /\bhigh\b/u.test(text) ? 1 : 0;
  return { kind: "note", instrument, tonic, ...(pitch === undefined ? {} : { pitch }), octaves, hold };
}

function everyIn(text: string): { readonly every?: number } {
  if (/\b(?:32 ?nds?|32 notes?|thirty second notes?|demisemiquavers?)\b/u.test(text)) return { every: 8 };
  if (/\b(?:16 ?ths?|16 notes?|sixteenths?|semiquavers?)\b/u.test(text)) return { every: 4 };
  if (/\btriplets?\b/u.test(text)) return { every: 3 };
  if (/\b(?:8 ?ths?|8 notes?|eighths?|quavers?)\b/u.test(text)) return { every: 2 };
  return /\b(?:4 ?ths|quarters?|quarter notes?|crotchets?|(?:four|4) (?:on|to) the floor|(?:on )?every beat)\b/u.test(
    text,
  )
    ? { every: 1 }
    : {};
}

/** Names of drums that are other things as well. */
const AMBIGUOUS = /^(?:kick|clap|crash|ride|splash|rim|triangle|china|claps|kicks|rides)$/u;
/** What only musicians say. */
const STUDIO =
  /\b(?:[89]0[89]|one ?shot|sample|drum|cymbal|hats?|snare|hit|single|tail|decay|transient|layered|four on the floor|pattern|loop|groove|sidechain|reverb|dry)\b/u;
/** What is said of a drum and not known to the lexicon of music; adjectives by their ends. */
const OF_DRUMS =
  /(?:y|ish|ed|ic|al)$|^(?:close|open|tight|fat|phat|huge|thick|thin|wet|sharp|hard|loud|sub|top|end|one|shots?|strikes?|strokes?|sounds?|crash|ride|splash|china|rim|kick|clap|hi|drums|\d+|inch|pedal|foot|half|choke|sizzle|stack|studio|room)$/u;

/** Whether a word that may be a drum is something else here: a car crash, a thunder clap, a bike ride. */
function elsewhere(text: string, { words }: DrumWord, { unknown, scene, explicit, genre }: Brief): boolean {
  const said = words.exec(text)?.[0] ?? "";
  if (!AMBIGUOUS.test(said) || STUDIO.test(text)) return false;
  // A car is of metal as well.
  if (explicit.includes("bpm") || (explicit.includes("genre") && genre !== "metal")) return false;
  return scene.length > 0 || !unknown.every((one) => OF_DRUMS.test(one));
}

/** Whether the drums that were understood are none: what is wanted is a sound, if anybody knows it. */
export function isElsewhere(ask: Ask, brief: Brief): boolean {
  const text = textOf(ask);
  const pieces = piecesIn(text);
  return (
    pieces.length > 0 &&
    brief.wanted.every((one) => natureOf(one).drums) &&
    pieces.every((piece) => elsewhere(text, piece, brief))
  );
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
function namedOf({ wanted }: Brief, text: string): readonly Instrument[] {
  const able = wanted.filter((one) => natureOf(one).pitched);
  return able.length > 1 && !/\bsynth pluck\b/u.test(text)
    ? able.filter((one) => instrumentOf(one).names_a_manner !== true)
    : able;
}

/** Who plays the note: what is named; a choir where voices are asked for, a synthesiser or a piano where nobody is. */
function pitched(text: string, brief: Brief): Instrument | undefined {
  const { wanted, traits, explicit } = brief;
  const able = namedOf(brief, text);
  // A guitar without more is an acoustic one here: a genre that was only guessed for it says nothing.
  if (
    (STRUM.test(text) || CHORD.test(text) || NOTE.test(text)) &&
    !explicit.includes("genre") &&
    /\bguitar\b/u.test(text) &&
    !/electric|distort|overdriv|crunch|lead|fuzz|metal|rock|punk|clean|funk|jazz|muted|power/u.test(text)
  ) {
    const guitars = calledOn("single_guitar");
    return able.find((one) => guitars.includes(one)) ?? guitars[0];
  }
  if (able.length > 0) return (CHORD.test(text) ? able.find(polyphonic) : undefined) ?? able[0];
  if (/\bstring\b/u.test(text)) return calledOn("string_section")[0];
  if (/\bbell\b/u.test(text)) {
    const synthetic = /\b(?:fm|synth|digital)\b/u.test(text);
    return calledOn(synthetic ? "single_synth_bell" : "single_bell")[0];
  }
  if (wanted.some((one) => natureOf(one).drums && instrumentOf(one).family === "percussion")) return undefined;
  if (traits.includes("vocal") || traits.includes("a cappella") || /\b(?:vox|vocal|voice|choir)\b/u.test(text))
    return calledOn("sing")[0];
  if (/\b(?:synth|rave|trance|edm)\b/u.test(text)) return calledOn("single_synth")[0];
  return CHORD.test(text) ? calledOn("play_alone")[0] : undefined;
}

/** Words decide; a genre does where it was named; a kit that a genre was only guessed for says nothing. */
function kitOf(text: string, { wanted, genre, explicit }: Brief): Instrument {
  const turn = (one: Instrument): number => instrumentOf(one).single_drum!.turn;
  const [said] = instruments()
    .filter((one) => anyIn(text, instrumentOf(one).single_drum?.words ?? []))
    .sort((a, b) => turn(a) - turn(b));
  if (said !== undefined) return said;
  const [usual] = calledOn("lend_drums");
  if (!explicit.includes("genre")) return usual!;
  // Not all that drums has the pieces of a kit.
  const { drums = usual! } = genrePack(genre).means ?? {};
  return [...wanted, drums].find((one) => instrumentOf(one).family === "kit") ?? usual!;
}
