import { effectReader } from "../../effects/mod.ts";
import type { Ask, Understood } from "../../language/mod.ts";
import { type Brief, composer, type Instrument, instrumentOf, noteName } from "../compose/mod.ts";
import { SYLLABLES } from "./clip/beatbox.ts";
import type { Clip } from "./clip/clip.ts";
import { HITS } from "./clip/drum_words.ts";
import { isElsewhere } from "./clip/kits.ts";
import { PLACE_WORDS } from "./clip/places.ts";
import { readClip } from "./clip/read.ts";
import { readVoice } from "./singer.ts";

/** What is asked for: one of the kinds of clips, a phrase of music, or a sound that is none. */
export async function readSample(
  prompt: string,
  seconds: number,
  loop: boolean,
): Promise<{
  readonly ask: Ask;
  readonly brief: Brief;
  readonly clip: Clip | undefined;
  readonly is_sound: boolean;
  readonly understood: Understood;
}> {
  const { readPrompt, understand, reportOf } = await composer.load();
  // A clip has no time to turn into another kind of music.
  const said: Ask = { ...readPrompt(prompt), turn: null };
  const first = understand(said);
  const clip = readClip(said, first, seconds, loop);
  // The letter alone is the note of one, and the key of all else: "bass loop, 174, F".
  const goes_on = clip === undefined || clip.kind === "drums";
  const tonic = goes_on && said.key === null ? (said.note?.tonic ?? null) : null;
  const ask: Ask = tonic === null ? said : { ...said, key: { tonic, mode: null } };
  const brief = tonic === null ? first : understand(ask);
  const known = isMusical(ask, brief);
  if (clip === undefined && (!known || isOpen(brief))) {
    const { readEffect } = await effectReader.load();
    const { understood } = readEffect(prompt);
    // Where the effects do not know it either, it is music after all.
    const left = understood.not_understood.length;
    if (understood.guessed.length === 0 && understood.sounds.length > 0 && left <= (known ? 0 : 2))
      return { ask, brief, clip, is_sound: true, understood: { ...understood, clip: "sound" } };
  }
  const sung = ask.mentions.some(({ concepts }) => concepts.some((concept) => concept.startsWith("voice:")));
  const single = clip !== undefined && clip.kind !== "drums";
  const report = reportOf(brief);
  const placed = clip?.kind === "drums" && Object.keys(clip.places ?? {}).length > 0;
  const left = report.not_understood.filter(
    (word) => !(single && HITS.includes(word)) && !(placed && (PLACE_WORDS.has(word) || SYLLABLES.has(word))),
  );
  // Noise rings on no note.
  const known_words = ask.tuning !== null && isUntuned(clip) ? [...left, "tuned"] : left;
  const told: Understood = {
    ...report,
    ...{ not_understood: known_words, unknown_words: known_words },
    ...{ times: clip?.kind === "stroke" ? (clip.times ?? null) : null },
    ...{ clip: kindOf(clip, brief), clip_of: clip === undefined ? [] : partsOf(clip), seconds: ask.seconds },
    // What says "hit" is no player.
    instruments: [...new Set([...brief.wanted, ...soloOf(clip, ask)])]
      .filter(
        (one) =>
          clip === undefined ||
          instrumentOf(one).gesture === undefined ||
          clip.kind === "gesture" ||
          clip.kind === "fill",
      )
      .map((one) => one.replaceAll("_", " ")),
    ...{ bars: ask.bars, motion: motionOf(clip), voice: sung ? readVoice(ask) : null },
    ...{ articulation: [...articulationOf(ask), ...tuningOf(clip), ...placesOf(clip)] },
  };
  return { ask, brief, clip, is_sound: false, understood: single ? alone(told) : told };
}

function isUntuned(clip: Clip | undefined): boolean {
  return clip?.kind === "drums" || (clip?.kind === "stroke" && clip.tuned === undefined);
}

const DRUMS = "drum pattern";

/** The guitar that a strum is of, whose name nobody said. */
function soloOf(clip: Clip | undefined, { mentions }: Ask): readonly Instrument[] {
  const strummed = mentions.some(({ concepts, polarity }) => polarity === "wanted" && concepts.includes("clip:strum"));
  return clip?.kind === "chord" && strummed ? [clip.instrument] : [];
}

/** Drums that are no single pieces are drums as well; what has a pitch can be struck. */
function kindOf(clip: Clip | undefined, { wanted }: Brief): string {
  if (clip?.kind === "note" && clip.struck) return "stroke";
  if ((clip?.kind === "note" || clip?.kind === "chord") && clip.swelled) return "swell";
  if (clip?.kind === "note" && clip.repeated !== undefined) return clip.repeated.split(" ")[0]!;
  const drums = wanted.length > 0 && wanted.every((one) => instrumentOf(one).family === "kit" || isDrum(one));
  return clip === undefined ? (drums ? DRUMS : "phrase") : clip.kind === "drums" ? DRUMS : clip.kind;
}

function isDrum(one: Instrument): boolean {
  const { family, drumming } = instrumentOf(one);
  return family === "percussion" && drumming?.tuned !== true;
}

/** How the words want a single sound to end. */
function articulationOf({ mentions }: Ask): string[] {
  const said = mentions.filter(
    ({ polarity, concepts }) =>
      polarity === "wanted" && concepts.some((one) => one === "quality:short" || one === "quality:long"),
  );
  return [...new Set(said.map(({ phrase }) => phrase))];
}

/** "Snare on 2, 4". */
function placesOf(clip: Clip | undefined): string[] {
  if (clip?.kind !== "drums") return [];
  const { places = {}, pieces, every } = clip;
  const placed = Object.entries(places).map(([name, beats]) => `${name} on ${beats.join(", ")}`);
  const even = every === undefined ? [] : pieces.filter(({ name }) => !(name in places));
  return [...placed, ...even.map(({ name }) => `${name}, ${every} a beat`)];
}

/** What a drum is tuned to. */
function tuningOf(clip: Clip | undefined): string[] {
  if (clip?.kind !== "stroke" || clip.tuned === undefined) return [];
  const { tonic, hertz } = clip.tuned;
  return [`tuned to ${tonic === null ? `${hertz} Hz` : noteName(tonic)}`];
}

/** Where the pitch of a clip goes. */
function motionOf(clip: Clip | undefined): string | null {
  if (clip?.kind === "fill") return clip.rising ? "rising" : "falling";
  if (clip?.kind === "note" && clip.repeated?.startsWith("glissando"))
    return clip.repeated.endsWith("up") ? "rising" : "falling";
  if (clip?.kind === "chord" && clip.strum !== undefined) return clip.strum;
  if ((clip?.kind === "note" || clip?.kind === "chord") && clip.reversed) return "reversed";
  const gesture = clip?.kind === "gesture" ? instrumentOf(clip.instrument).gesture : undefined;
  return gesture === "rise" || gesture === "swell"
    ? "rising"
    : gesture === undefined || gesture === "impact"
      ? null
      : "falling";
}

/** The note, the chord or the drums that a clip is of, as musicians write them. */
function partsOf(clip: Clip): string[] {
  switch (clip.kind) {
    case "note":
      return [clip.pitch === undefined ? noteName(clip.tonic) : `${noteName(clip.pitch)}${octaveOf(clip.pitch)}`];
    case "chord":
    case "tutti":
      return [`${noteName(clip.root)}${clip.said.suffix}`];
    case "stroke":
    case "roll":
      return [clip.name.replaceAll("_", " ")];
    case "gesture":
      return [clip.instrument.replaceAll("_", " ")];
    case "fill":
      return clip.toms ? ["toms"] : ["drums"];
    case "drums":
      return clip.pieces.map(({ name }) => name);
    default:
      return [];
  }
}

/** Middle C, 60, is C4. */
function octaveOf(pitch: number): number {
  return Math.floor(pitch / 12) - 1;
}

/** A single sound has no genre, beat or metre but what was said of it; a key is what notes and chords are in. */
function alone(told: Understood): Understood {
  const pitched = (told.clip_of ?? []).some((part) => /^[A-G]/u.test(part));
  const free = ["genre", "tempo_bpm", "metre", ...(pitched ? [] : ["key"])];
  const guessed = told.guessed.filter(({ field }) => free.includes(field) && !told.explicit?.includes(field));
  const none = Object.fromEntries(guessed.map(({ field }) => [field, null]));
  const is_free = "genre" in none ? { second_genre: null } : {};
  return { ...told, ...none, ...is_free, guessed: told.guessed.filter((guess) => !guessed.includes(guess)) };
}

/** Whether what the words name of music may be something else, because not all of them are known: "keyboard typing". */
function isOpen({ explicit, unknown }: Brief): boolean {
  return (
    unknown.length > 0 && !["genre", "bpm", "key", "tonic", "mode", "metre"].some((field) => explicit.includes(field))
  );
}

/**
 * Whether the words name anything of music. A slam among words that are not known may be a door's, a crash a car's, and
 * waves are waves.
 */
function isMusical(ask: Ask, brief: Brief): boolean {
  const { explicit, wanted, unknown } = brief;
  const bang = wanted.every((instrument) => instrumentOf(instrument).gesture === "impact") && unknown.length > 0;
  const nature = wanted.every((instrument) => instrumentOf(instrument).texture !== undefined);
  const none = wanted.length === 0 || bang || nature || isElsewhere(ask, brief);
  const traits = explicit.includes("traits") && brief.traits.some((trait) => trait !== "loop");
  return !none || traits || ["genre", "bpm", "key", "metre"].some((field) => explicit.includes(field));
}
