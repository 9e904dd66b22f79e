/** Notes and chords of one instrument. */
import type { ChordSaid } from "../../../language/mod.ts";
import { hasMinorThird } from "../../../notes.ts";
import { type Brief, calledOn, type Instrument, instrumentOf } from "../../compose/mod.ts";
import { MAJOR, MINOR } from "./chord.ts";
import { anyIn, type Clip, type Hold, natureOf, type Reading, STROKE_SECONDS, struck } from "./clip.ts";
import lists from "./words.json" with { type: "json" };

/** C7. */
const SEVENTH_OCTAVE = 96;

export function pitchedIn(reading: Reading): Clip | undefined {
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
  const synth = stabbed && instrumentOf(instrument).family === "bass" && !anyIn(words, lists.basses);
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

export function pitchClass(pitch: number | null | undefined): number | null {
  return pitch === null || pitch === undefined ? null : pitch % 12;
}

function strumIn(said: string): { readonly strum?: "downstroke" | "upstroke" } {
  const strum = (["downstroke", "upstroke"] as const).find((one) => anyIn(said, [one]));
  return strum === undefined ? {} : { strum };
}

export function triadOf({ key: { mode } }: Brief): ChordSaid {
  return hasMinorThird(mode) ? MINOR : MAJOR;
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
  return able.length > 1 && !anyIn(said, lists.plucked_synths)
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
  if (single && !explicit.includes("genre") && !kinds.has("electric") && (anyIn(said, lists.guitars) || strummed)) {
    const guitars = calledOn("single_guitar");
    return able.find((one) => guitars.includes(one)) ?? guitars[0];
  }
  if (able.length > 0) return (kinds.has("chord") ? able.find(polyphonic) : undefined) ?? able[0];
  if (wanted.some((one) => natureOf(one).drums && instrumentOf(one).family === "percussion")) return undefined;
  const sung = heard.some(({ concepts }) => concepts.some((one) => one.startsWith("voice:")));
  if (sung || traits.includes("vocal") || traits.includes("a cappella")) return calledOn("sing")[0];
  if (anyIn(said, lists.synths)) return calledOn("single_synth")[0];
  return kinds.has("chord") ? calledOn("play_alone")[0] : undefined;
}
