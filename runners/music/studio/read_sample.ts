import { effectReader } from "../../effects/mod.ts";
import type { Ask, Understood } from "../../language/mod.ts";
import { DRUM_KEYS } from "../../packs/mod.ts";
import { type Brief, composer, instrumentOf, noteName } from "../compose/mod.ts";
import { type Clip, isElsewhere, readClip } from "./clip/read.ts";
import { isClipWord } from "./clip/write.ts";

/** What is asked for: one of the kinds of clips, a phrase of music, or a sound that is none. */
export async function readSample(
  prompt: string,
  seconds: number,
  loop: boolean,
): Promise<{
  readonly brief: Brief;
  readonly clip: Clip | undefined;
  readonly is_sound: boolean;
  readonly understood: Understood;
}> {
  const { readPrompt, understand, reportOf } = await composer.load();
  const ask = readPrompt(prompt);
  const brief = understand(ask);
  const clip = readClip(ask, brief, seconds, loop);
  if (clip !== undefined) {
    const unknown = brief.unknown.filter((word) => !isClipWord(word));
    const told: Understood = {
      ...reportOf({ ...brief, unknown }),
      ...{ clip: clip.kind, clip_of: partsOf(clip), seconds: ask.seconds },
    };
    return { brief, clip, is_sound: false, understood: clip.kind === "drums" ? told : alone(told) };
  }
  if (!isMusical(ask, brief)) {
    const { readEffect } = await effectReader.load();
    const { understood } = readEffect(prompt);
    // Where the effects do not know it either, it is music after all.
    if (understood.guessed.length === 0 && understood.not_understood.length <= 2)
      return { brief, clip, is_sound: true, understood: { ...understood, clip: "sound" } };
  }
  return { brief, clip, is_sound: false, understood: { ...reportOf(brief), clip: "phrase", seconds: ask.seconds } };
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
      return drumNames([clip.key]);
    case "drums":
      return drumNames(clip.pieces.map(({ key }) => key));
    default:
      return [];
  }
}

/** Middle C, 60, is C4. */
function octaveOf(pitch: number): number {
  return Math.floor(pitch / 12) - 1;
}

function drumNames(keys: readonly number[]): string[] {
  const names = Object.entries(DRUM_KEYS);
  return keys.flatMap((key) => names.find(([, one]) => one === key)?.[0].replaceAll("_", " ") ?? []);
}

/** A single sound has no genre, beat or metre but what was said of it; a key is what notes and chords are in. */
function alone(told: Understood): Understood {
  const pitched = told.clip === "note" || told.clip === "chord" || told.clip === "tutti";
  const free = ["genre", "tempo_bpm", "metre", ...(pitched ? [] : ["key"])];
  const guessed = told.guessed.filter(({ field }) => free.includes(field) && !told.explicit?.includes(field));
  const none = Object.fromEntries(guessed.map(({ field }) => [field, null]));
  const is_free = "genre" in none ? { second_genre: null } : {};
  return { ...told, ...none, ...is_free, guessed: told.guessed.filter((guess) => !guessed.includes(guess)) };
}

/** Whether the words name anything of music. A slam among words that are not known may be a door's, a crash a car's, and waves are waves. */
function isMusical(ask: Ask, brief: Brief): boolean {
  const { explicit, wanted, unknown } = brief;
  const bang = wanted.every((instrument) => instrumentOf(instrument).gesture === "impact") && unknown.length > 0;
  const nature = wanted.every((instrument) => instrumentOf(instrument).texture !== undefined);
  const none = wanted.length === 0 || bang || nature || isElsewhere(ask, brief);
  return !none || ["genre", "bpm", "key", "metre", "traits"].some((field) => explicit.includes(field));
}
