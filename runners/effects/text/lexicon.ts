/** Which words name which sound, and how things and sounds may be: one lexicon for the shared reading. */
import { isWord, meaningOf } from "../../language/meaning/mod.ts";
import {
  type Concept,
  type Entry,
  kindOf,
  type Lexicon,
  lexiconOf,
  listIn,
  speaksOf,
  type Writing,
  wordsFor,
  wordsOf,
} from "../../language/mod.ts";
import { derived, packs, type WordsPack } from "../../packs/mod.ts";
import type { Recipe } from "../recipe.ts";
import { recipes } from "../recipes/all.ts";
import type { Material } from "../voice.ts";
import things from "./things.json" with { type: "json" };

/** What is known of a thing that has no sound of its own: what it is of, how large, and what sounds where nothing else is said of it. */
export interface Thing {
  readonly material?: Material;
  readonly size?: number;
  /** Name of a recipe. */
  readonly sound?: string;
}

export const THINGS: ReadonlyMap<string, Thing> = new Map(Object.entries(things as Readonly<Record<string, Thing>>));

export function recipeNamed(name: string): Recipe | undefined {
  return recipes().find((recipe) => recipe.name === name);
}

export function recipeOf(name: string): Recipe {
  const found = recipeNamed(name);
  if (found === undefined) throw new Error(`Cannot use the effect "${name}": there is no such recipe`);
  return found;
}

export interface Term {
  readonly recipe: Recipe;
  /** Stems of its words, all of which have to be there. */
  readonly stems: readonly string[];
  readonly words: readonly string[];
  readonly weight: number;
}

/** What a thing does by itself counts less than anything that is said of it. */
const THING_WEIGHT = 0.5;

/** Terms by each of their words' stems. */
export const termsByStem = derived((): ReadonlyMap<string, readonly Term[]> => {
  const out = new Map<string, Term[]>();
  for (const term of terms()) for (const stem of new Set(term.stems)) out.set(stem, [...(out.get(stem) ?? []), term]);
  return out;
});

function* terms(): Generator<Term> {
  for (const [thing, { sound }] of THINGS)
    if (sound !== undefined) yield { recipe: recipeOf(sound), ...wordsIn(thing), weight: THING_WEIGHT };
  for (const recipe of recipes()) {
    for (const name of namesOf(recipe)) yield { recipe, ...wordsIn(name), weight: recipe.weights?.[name] ?? 1 };
    yield { recipe, words: [recipe.name], stems: [stemOf(recipe.name)], weight: 1 };
  }
}

/** In English, and as pictographs. */
function namesOf({ name, names }: Recipe): string[] {
  return [...(names.en ?? []), ...(names.symbols ?? []), name.replaceAll("_", " ")];
}

function wordsIn(phrase: string): Pick<Term, "stems" | "words"> {
  const words = wordsOf(phrase);
  return { words, stems: words.map(stemOf) };
}

const ENDINGS = ["ing", "ed", "es", "s", "e"];
const STEM_MIN = 3;

/** One form for "breaks", "breaking" and "break". */
export function stemOf(word: string): string {
  if (word.endsWith("ss")) return word;
  const ending = ENDINGS.find((some) => word.endsWith(some) && word.length - some.length >= STEM_MIN);
  let stem = word.slice(0, word.length - (ending?.length ?? 0));
  if ((ending === "ing" || ending === "ed") && stem.at(-1) === stem.at(-2) && !/[ls]$/u.test(stem))
    stem = stem.slice(0, -1);
  return stem.length > STEM_MIN - 1 && stem.endsWith("y") ? `${stem.slice(0, -1)}i` : stem;
}

/** What a word alone means; none where it is known as part of names only. */
export function conceptsOfWord(word: string): readonly Concept[] {
  return effectLexicon().exact.get(word)?.concepts ?? [];
}

/** What is said of sounds, of the concepts in `packs/words`. */
const KINDS: ReadonlySet<string> = new Set(
  "sound thing word material place quality dynamics motion direction person".split(" "),
);

/** The reading itself tells what is behind. */
const BEHIND: ReadonlySet<string> = new Set(["place:background", "dynamics:back", "dynamics:front"]);

export const effectLexicon = derived((): Lexicon => {
  const { grammar = {}, words = {} } = packs("words").get("en") ?? {};
  const silent = ["small_words", "effect_small_words"].flatMap((list) => listIn(grammar[list]));
  const spoken = new Set(Object.values(grammar).flatMap((list) => (Array.isArray(list) ? list : Object.keys(list))));
  const english: (readonly [Concept, readonly string[]])[] = [
    ...recipes().map((recipe) => {
      return [`sound:${recipe.name}`, namesOf(recipe).flatMap((name) => withForms(name, spoken))] as const;
    }),
    ...[...THINGS.keys()].map((thing) => [`thing:${thing.replaceAll(" ", "_")}`, [thing]] as const),
    ...Object.entries(words)
      .filter(([concept]) => KINDS.has(kindOf(concept)) && !BEHIND.has(concept))
      .map(([concept, phrases]) => [concept as Concept, phrases] as const),
    ["distance:far", listIn(grammar.far)],
    ["distance:near", listIn(grammar.near)],
  ];
  // "A car that skids" names what "car skid" does: each of its words is known alone.
  const parts = recipes()
    .flatMap((recipe) => namesOf(recipe).map((name) => wordsOf(name)))
    .filter((some) => some.length > 1)
    .flat()
    .filter((word) => word.length > 2 && !spoken.has(word));
  const own = lexiconOf([...english, ...[...new Set(parts)].map((word) => [`word:${word}`, [word]] as const)], silent);
  const entries = new Map<string, Entry>();
  for (const [concept, [phrase]] of english)
    if (phrase !== undefined) entries.set(concept, { phrase: phraseOf(concept, phrase), concepts: [concept] });
  for (const word of parts) entries.set(`word:${word}`, { phrase: word, concepts: [`word:${word}`] });
  const foreign = (writing: Writing) =>
    wordsFor(writing)
      .filter(({ language }) => language !== "en")
      .map((pack) => ({ ...pack, words: foreignWords(pack) }));
  const entryOf = (concept: string): Entry | null => entries.get(concept) ?? null;
  return {
    ...own,
    speak: speaksOf(foreign, entryOf),
    nearest: (word) => placeNear(word, entryOf),
    compound: (words) => compoundNear(words, entryOf),
  };
});

/** Further away a word is neither that place nor that sound. */
const DISTANCE_MAX = 0.75;

/** A crypt is a cave; a tent, which flaps, is no room. */
function placeNear(word: string, entryOf: (concept: string) => Entry | null): Entry | null {
  const place = meaningOf(word, { kinds: ["place"], word_class: "noun" });
  if (place === undefined || place.distance > DISTANCE_MAX) return null;
  const sound = meaningOf(word, { kinds: ["sound"], word_class: "noun" });
  if (sound !== undefined && sound.distance <= place.distance) return null;
  const entry = entryOf(place.concept);
  return entry && { ...entry, phrase: word };
}

/** An egg timer dings, and has nothing of an egg. */
function compoundNear(words: string, entryOf: (concept: string) => Entry | null): Entry | null {
  if (!isWord(words, ["noun"])) return null;
  const sound = meaningOf(words, { kinds: ["sound"], word_class: "noun" });
  return sound === undefined || sound.distance > COMPOUND_DISTANCE_MAX ? null : entryOf(sound.concept);
}

const COMPOUND_DISTANCE_MAX = 1.5;

/** "Power down" is also "powering down". */
function withForms(name: string, spoken: ReadonlySet<string>): string[] {
  const [verb = "", particle, ...more] = name.split(" ");
  if (particle === undefined || more.length > 0 || !spoken.has(particle)) return [name];
  const stem = verb.endsWith("e") ? verb.slice(0, -1) : verb;
  return [name, ...[`${verb}s`, `${stem}ed`, `${stem}ing`].map((form) => `${form} ${particle}`)];
}

/** A sound of another language is called by its own name, which is one word: "door_creak" is no more than "creak" is. */
function phraseOf(concept: string, phrase: string): string {
  return kindOf(concept) === "sound" ? concept.slice("sound:".length) : phrase;
}

type Lists = Record<string, string[]>;

/** A language's words of sounds, with the names that stand beside recipes. */
function foreignWords({ language, grammar = {}, words = {} }: WordsPack): Lists {
  const out: Lists = {
    "distance:far": [...listIn(grammar.far)],
    "distance:near": [...listIn(grammar.near)],
    "quality:loud": [...listIn(grammar.louder)],
    "quality:soft": [...listIn(grammar.softer)],
  };
  for (const [concept, phrases] of Object.entries(words))
    if (KINDS.has(kindOf(concept)) && !BEHIND.has(concept)) out[concept] = [...(out[concept] ?? []), ...phrases];
  for (const { name, names } of recipes()) {
    const written = names[language] ?? [];
    if (written.length > 0) out[`sound:${name}`] = [...(out[`sound:${name}`] ?? []), ...written];
  }
  return out;
}
