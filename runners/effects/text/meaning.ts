/** Sounds and things that no name of ours is for, by what the dictionary says they are: a kookaburra is a bird, a hatbox a container. */
import { isWord, meaningOf, thingOf } from "../../language/meaning/mod.ts";
import type { Recipe } from "../recipe.ts";
import { recipeNamed, type Thing } from "./lexicon.ts";
import { isLedBy, type Unit } from "./match.ts";

export interface Meant {
  readonly recipe: Recipe;
  readonly place: number;
  /** What led there: "kookaburra". */
  readonly word: string;
}

/** Further up the hierarchy a word only shares a class with the sound; what is not plainly a noun has to be nearer. */
const NOUN_DISTANCE_MAX = 1.9;
const WORD_DISTANCE_MAX = 0.9;
const LETTERS_MIN = 3;

/** What the nearest of the words at `places` sounds like, with the word before for compounds. */
export function meantBy(units: readonly Unit[], places: readonly number[]): Meant | null {
  let best: Meant | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const place of places) {
    const { word, from } = units[place]!;
    if (word.length < LETTERS_MIN || !isLatin(word)) continue;
    const verb = word.endsWith("ing") || word.endsWith("ed");
    const options = { kinds: ["sound"], word_class: verb ? "verb" : "noun" } as const;
    const before = units[place - 1];
    const touching = before !== undefined && before.to + 1 === from;
    const compound = touching && !verb ? meaningOf(`${before.word} ${word}`, options) : undefined;
    const meaning = compound ?? meaningOf(word, options);
    const recipe = meaning === undefined ? undefined : recipeNamed(meaning.concept.replace("sound:", ""));
    const most = isNounAt(units, place) || isNoun(word) ? NOUN_DISTANCE_MAX : WORD_DISTANCE_MAX;
    if (recipe === undefined || meaning!.distance > most || meaning!.distance >= least) continue;
    best = { recipe, place, word };
    least = meaning!.distance;
  }
  return best;
}

function isLatin(word: string): boolean {
  return /^[a-z ]+$/u.test(word);
}

/** "The tug", "kookaburras", "a rusty tug"; "tug" alone may be a verb. */
export function isNounAt(units: readonly Unit[], place: number): boolean {
  const { word } = units[place]!;
  if (word.endsWith("ing") || word.endsWith("ed")) return false;
  const before = units.slice(Math.max(0, place - 1), place + 1);
  const plural = word.endsWith("s") && !word.endsWith("ss");
  return plural || before.some((unit) => isLedBy(unit, "articles", "single"));
}

/** What can be nothing else: a dachshund, but not a tug. */
export function isNoun(word: string): boolean {
  return isWord(word, ["noun"]) && !isWord(word, ["verb", "adjective", "adverb"]);
}

/** What a thing by itself does, by its class; the others are struck where they have a material. */
const SOUNDS: Readonly<Record<string, string>> = {
  bird: "birds",
  insect: "insect",
  animal: "animal_call",
  aircraft: "propeller_plane",
  vehicle: "engine",
  machine: "small_motor",
  boat: "paddle",
  clothing: "cloth",
  liquid: "stream",
  weather: "wind",
  food: "crunch",
};
const STRUCK: ReadonlySet<string> = new Set(["tool", "weapon", "container", "furniture", "door", "toy", "device"]);
/** They move no air of their own: a vehicle without a motor is rolled. */
const UNPOWERED: Readonly<Record<string, string>> = { vehicle: "rolling_ball", machine: "impact" };

/** Material, size and usual sound of a thing; undefined for what is none. */
export function thingMeant(word: string): Thing | undefined {
  if (word.length < LETTERS_MIN || !isLatin(word)) return undefined;
  const found = thingOf(word);
  if (found === undefined || found.class === "person" || found.class === "place") return undefined;
  const motor = found.powered && STRUCK.has(found.class) ? "small_motor" : undefined;
  const plain = found.powered ? SOUNDS[found.class] : (UNPOWERED[found.class] ?? SOUNDS[found.class]);
  const sound = motor ?? plain ?? (STRUCK.has(found.class) ? "impact" : undefined);
  return {
    size: found.size,
    ...(found.material === null ? {} : { material: found.material as NonNullable<Thing["material"]> }),
    ...(sound === undefined ? {} : { sound }),
  };
}
