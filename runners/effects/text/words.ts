/** Words that are not sounds, from their files: how something is, how often, where, and what joins one sound to the next. */

import { packs } from "../../packs/mod.ts";
import { readShades, readThings, readWords, type Shade, type Thing, type WordsFile } from "../pack.ts";
import { BODIES } from "../recipes/bodies.ts";
import type { Material } from "../voice.ts";
import { type Forms, fold } from "./fold.ts";

export type Environment =
  | "dry"
  | "room"
  | "bathroom"
  | "hall"
  | "church"
  | "cave"
  | "outdoors"
  | "canyon"
  | "street"
  | "underwater"
  | "wall"
  | "radio"
  | "space";

export type Pan = "left to right" | "right to left" | "left" | "right";

const FILES: readonly WordsFile[] = readWords();
const SHADE_VALUES: Readonly<Record<string, Shade>> = readShades();
const THINGS_FILE: Readonly<Record<string, Thing>> = readThings();

/** Single words and what they mean, in any of their forms; the file that has a word first decides. */
export class Words<Value> {
  readonly #values = new Map<string, { readonly value: Value; readonly language: string }>();

  add(word: string, value: Value, language: string): void {
    const folded = fold(word).trim();
    if (!this.#values.has(folded)) this.#values.set(folded, { value, language });
  }

  get(word: string): Value | undefined {
    return this.#values.get(word)?.value;
  }

  has(word: string): boolean {
    return this.#values.has(word);
  }

  /** In any form that its language has. */
  find(forms: Forms): Value | undefined {
    for (const { form, of } of forms) {
      const found = this.#values.get(form);
      if (found !== undefined && (of === null || of.includes(found.language))) return found.value;
    }
    return undefined;
  }

  /** Of one language where one is named. */
  keys(language?: string): string[] {
    if (language === undefined) return [...this.#values.keys()];
    return [...this.#values].flatMap(([word, value]) => (value.language === language ? [word] : []));
  }
}

function named<Value>(group: string, meaningOf: (name: string) => Value | undefined, phrases = false): Words<Value> {
  const out = new Words<Value>();
  // English first: what two languages share means what it means there.
  for (const file of ordered()) {
    for (const [name, list] of Object.entries((file[group] ?? {}) as Readonly<Record<string, readonly string[]>>)) {
      const value = meaningOf(name);
      if (value === undefined)
        throw new Error(`Cannot use packs/effect_words/${file.language}.json: no ${group} "${name}"`);
      for (const word of list) if (fold(word).trim().includes(" ") === phrases) out.add(word, value, file.language);
    }
  }
  return out;
}

function ordered(): readonly WordsFile[] {
  return [...FILES].sort((one, other) => Number(other.language === "en") - Number(one.language === "en"));
}

export const SHADES: Words<Shade> = named("shades", (name) => SHADE_VALUES[name]);
export const MATERIALS: Words<Material> = named("materials", (name) => name as Material);
for (const [language, name, written] of conceptWords("material"))
  if (name in BODIES) MATERIALS.add(written, name as Material, language);
/** Things that are mostly of one material: another that is named outright counts for more ("a stone floor"). */
export const MOSTLY: Words<Material> = named("mostly", (name) => name as Material);
export const ENVIRONMENTS: Words<Environment> = named("environments", (name) => name as Environment);
/** Of several words; looked for in the folded text before it is divided. */
export const PLACES: Words<Environment> = named("environments", (name) => name as Environment, true);
/** Words of a kind of concept in the files of languages: "sound" has ["de", "thunder", "Donner"]. */
export function* conceptWords(kind: string): Generator<readonly [language: string, name: string, written: string]> {
  for (const [language, { words = {} }] of packs("words")) {
    for (const [concept, list] of Object.entries(words)) {
      if (!concept.startsWith(`${kind}:`)) continue;
      for (const written of list) yield [language, concept.slice(kind.length + 1), written];
    }
  }
}

/** An English word for a shade, to say it with. */
export function wordFor(shade: string): string {
  return FILES.find(({ language }) => language === "en")!.shades![shade]![0]!;
}

export const THINGS: ReadonlyMap<string, Thing> = new Map(Object.entries(THINGS_FILE));
const ROOMS: ReadonlySet<string> = new Set(FILES.flatMap(({ environments = {} }) => Object.keys(environments)));
for (const [language, name, written] of conceptWords("place")) {
  const places = fold(written).includes(" ") ? PLACES : ENVIRONMENTS;
  if (ROOMS.has(name)) places.add(written, name as Environment, language);
}
const FAR_AWAY = named("shades", (name) => name, true);

export const NUMBERS = new Words<number>();
for (const file of ordered())
  for (const [word, value] of Object.entries(file.numbers ?? {})) NUMBERS.add(word, value, file.language);

/** Words and phrases of a list in all languages, longest first. */
export function listed(name: string): readonly string[] {
  const all = FILES.flatMap((file) => (file[name] ?? []) as readonly string[]);
  return [...new Set(all.map((word) => fold(word).trim()))].sort((one, other) => other.length - one.length);
}

/** A pattern for any of `phrases` between borders of words; scripts without spaces have none. */
export function anyOf(phrases: readonly string[]): string {
  const dense = phrases.filter(isDense);
  const spaced = phrases.filter((phrase) => !isDense(phrase));
  const spelt = spaced.length === 0 ? [] : [`(?<![\\p{L}\\d])(?:${spaced.join("|")})(?![\\p{L}\\d])`];
  return [...spelt, ...dense].join("|") || "(?!)";
}

const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Of a script that writes words without spaces, or hangs particles on them. */
export function isDense(text: string): boolean {
  return DENSE.test(text);
}

function phrasesOf<Name extends string>(group: string): readonly (readonly [words: RegExp, name: Name])[] {
  const names = new Set(FILES.flatMap((file) => Object.keys((file[group] ?? {}) as object)));
  return [...names].map((name) => {
    const lists = FILES.flatMap(
      (file) => ((file[group] ?? {}) as Readonly<Record<string, readonly string[]>>)[name] ?? [],
    );
    const folded = lists.map((word) => fold(word).trim()).sort((one, other) => other.length - one.length);
    return [new RegExp(anyOf(folded), "gu"), name as Name] as const;
  });
}

/** How a sound moves, of several words or one; taken out of the text that is searched for names. */
export const MOTIONS = phrasesOf<"nearer" | "away">("motions");
/** Which way a sound crosses, taken out of the text. */
export const CROSSINGS = phrasesOf<Pan>("crossings");
export const UNITS = phrasesOf<"milliseconds" | "seconds" | "minutes">("units");
/** "In the distance" and the like, of several words. */
export const FAR_PHRASES = new RegExp(anyOf(FAR_AWAY.keys()), "gu");

const setOf = (name: string): ReadonlySet<string> => new Set(listed(name));

/** Also numbers, where no sound of that name stands before. */
export const ARTICLES = setOf("articles");
export const TIMES = setOf("times");
export const MORE = setOf("more");
export const WET = setOf("wet");
/** How a thing sounds or moves: alone beside a sound that is named, they are said of that one. */
export const MANNERS = setOf("manners");
/** Said of the prompt itself, or of nothing. */
export const FILLERS = setOf("fillers");
/** What follows these is what the sound is made on, not what sounds: "footsteps up a creaky stair". */
export const SURFACES = setOf("surfaces");

/** Counts of scripts without spaces: "三回", "两声". */
const DENSE_NUMBERS = NUMBERS.keys().filter(isDense);
export const DENSE_COUNTS = new RegExp(
  `(${DENSE_NUMBERS.join("|")})(?:${listed("times").filter(isDense).join("|")})`,
  "gu",
);

/** What begins a sequence's next part. Tried longest first. */
export const SEQUENCE = new RegExp(`${anyOf(listed("then"))}|[;→\\n。]|->|=>|[.!?] `, "gu");
/** What joins simultaneous sounds. "Game over" joins nothing. */
export const TOGETHER = new RegExp(`(?<!game )(?:${anyOf(listed("together"))})|[&+]`, "gu");
/** What a place is told by, where it is itself a sound that goes on: "a cat by the fireplace", "footsteps in the rain". */
export const AT = new RegExp(anyOf(listed("at")), "gu");
/** What stands for a sound that was named before: "two explosions far and one near", "three knocks, another one louder". */
export const AGAIN = new RegExp(`^\\s*(?:(?:the|a) )?(?:${anyOf(listed("again"))})`, "u");
export const BACKGROUND = new RegExp(anyOf(listed("background")), "u");
/** "Quieter than the cicadas": what is compared with sounds, too. */
export const LOUDER_THAN = comparison("louder_than");
export const SOFTER_THAN = comparison("softer_than");

function comparison(name: string): RegExp {
  return new RegExp(
    `(?:[,،、，]\\s*)?(?:(?:but|and|is|are|much|a bit|a little|slightly)\\s+)*(?:${anyOf(listed(name))})`,
    "gu",
  );
}
