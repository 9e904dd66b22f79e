import type { Recipe } from "../recipe.ts";
import { RECIPES } from "../recipes/all.ts";
import { type Forms, fold, forms, tokens } from "./fold.ts";
import { conceptWords, FILLERS, isDense, SURFACES, THINGS, TIMES } from "./words.ts";

interface Term {
  readonly recipe: Recipe;
  readonly words: readonly string[];
  readonly weight: number;
  readonly language: string;
}

/** What a thing does by itself counts less than anything that is said of it. */
const THING_WEIGHT = 0.5;
/** Terms by each of their words. */
const TERMS: ReadonlyMap<string, readonly Term[]> = index();

export function recipeNamed(name: string): Recipe | undefined {
  return RECIPES.find((recipe) => recipe.name === name);
}

export function recipeOf(name: string): Recipe {
  const found = recipeNamed(name);
  if (found === undefined) throw new Error(`Cannot use the effect "${name}": there is no such recipe`);
  return found;
}

/** Weight of a sound that goes on, where something is counted. */
const UNCOUNTED = 0.75;
const COUNTS: ReadonlySet<string> = new Set(["once", "twice", "thrice", "zweimal", "dreimal", ...TIMES]);

/** What stands before a surface weighs that much more. */
const HEAD = 0.15;

export interface Match {
  readonly recipe: Recipe;
  readonly score: number;
  /** Places of the words that named it. */
  readonly places: readonly number[];
}

/** The sound that a clause names, best first by score: words of one term add up, several terms of one recipe do so by half. */
export function match(words: readonly string[]): Match | null {
  const counted = words.some((word) => COUNTS.has(word));
  const surface = words.findIndex((word, place) => place > 0 && SURFACES.has(word));
  // "Being" is no bee.
  const spread = words.map((word): Forms => (FILLERS.has(word) ? [{ form: word, of: null }] : forms(word)));
  const found = new Map<Recipe, { best: number; rest: number; places: Set<number> }>();
  const seen = new Set<Term>();
  words.forEach((_, place) => {
    for (const key of keysOf(spread[place]!)) {
      for (const term of TERMS.get(key) ?? []) {
        if (seen.has(term)) continue;
        const places = term.words.map((word) => spread.findIndex((some) => isOf(some, word, term.language)));
        if (places.includes(-1)) continue;
        seen.add(term);
        // Heads stand last in English: a later word weighs a little more.
        const last = Math.max(...places);
        const place_score = last < surface ? HEAD : (0.06 * last) / words.length;
        const score = term.weight * (1 + 0.35 * (term.words.length - 1)) + place_score;
        const entry = found.get(term.recipe) ?? { best: 0, rest: 0, places: new Set<number>() };
        // Two spellings of one word say nothing more.
        const adds = entry.best > 0 && places.some((at) => !entry.places.has(at));
        if (adds) entry.rest += 0.25 * score;
        entry.best = Math.max(entry.best, score);
        for (const at of places) entry.places.add(at);
        found.set(term.recipe, entry);
      }
    }
  });
  let winner: Match | null = null;
  for (const [recipe, { best, rest, places }] of found) {
    // "Clapping three times" is no applause: what goes on has no number.
    const score = (best + Math.min(0.4, rest)) * (counted && recipe.kind === "bed" ? UNCOUNTED : 1);
    if (winner === null || score > winner.score + 1e-9) winner = { recipe, score, places: [...places] };
  }
  return winner;
}

/** What terms a word may be found under: its forms, and its beginnings, which stems such as "chut*" are. */
function keysOf(some: Forms): readonly string[] {
  const keys = some.map(({ form }) => form);
  const [word = ""] = keys;
  // "Motorcycle" is a word of its own, whatever begins with "motor".
  if (TERMS.has(word)) return keys;
  for (let letters = word.length; letters >= STEM_MIN; letters--) keys.push(`${word.slice(0, letters)}*`);
  return keys;
}

const STEM_MIN = 3;

function isOf(some: Forms, word: string, language: string): boolean {
  if (word.endsWith("*")) return some[0]!.form.startsWith(word.slice(0, -1));
  return some.some(({ form, of }) => form === word && (of === null || of.includes(language)));
}

export function knows(word: string): boolean {
  const some = forms(word);
  return keysOf(some).some((key) => (TERMS.get(key) ?? []).some(({ language }) => isOf(some, key, language)));
}

/** Words of folded text; what scripts without spaces write in one is divided where names are known. */
export function wordsOf(text: string): string[] {
  return tokens(text).flatMap((word) => (isDense(word) ? divided(word) : [word]));
}

function divided(run: string): string[] {
  const out: string[] = [];
  let rest = "";
  for (let at = 0; at < run.length; ) {
    const name = DENSE_NAMES.find((some) => run.startsWith(some, at));
    if (name === undefined) rest += run[at++];
    else {
      if (rest !== "") out.push(rest);
      rest = "";
      out.push(name);
      at += name.length;
    }
  }
  return rest === "" ? out : [...out, rest];
}

/** Longest first. */
const DENSE_NAMES: readonly string[] = [...TERMS.keys()]
  .filter(isDense)
  .sort((one, other) => other.length - one.length);

/**
 * The name that `word` is a slip of the keyboard away from: one letter too many, too few, another, or swapped with its neighbour. A word that
 * may stand for two sounds stands for none.
 */
export function misspelt(word: string): string | null {
  if (word.length < LETTERS_MIN || !/^[a-z]+$/u.test(word)) return null;
  const near = NAMES.filter(
    ({ word: name }) => name.length >= LETTERS_MIN && name[0] === word[0] && isSlip(word, name),
  );
  return near.length > 0 && near.every(({ recipe }) => recipe === near[0]!.recipe) ? near[0]!.word : null;
}

/** Shorter words are other words. */
const LETTERS_MIN = 5;

function isSlip(one: string, other: string): boolean {
  if (one.length > other.length) return isSlip(other, one);
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  if (other.length === one.length + 1) return one.slice(at) === other.slice(at + 1);
  if (one.length !== other.length) return false;
  const swapped = one[at] === other[at + 1] && one[at + 1] === other[at];
  return one.slice(at + 1) === other.slice(at + 1) || (swapped && one.slice(at + 2) === other.slice(at + 2));
}

/** What a German compound is of: "Kirchenglocke" is a bell. Languages that write theirs with spaces need no such thing. */
export function headOf(word: string): string | null {
  const heads = NAMES.filter(
    ({ word: name, language }) =>
      language === "de" && name.length >= HEAD_LETTERS_MIN && word.length >= name.length + 3 && word.endsWith(name),
  );
  return heads.sort((one, other) => other.word.length - one.word.length)[0]?.word ?? null;
}

const HEAD_LETTERS_MIN = 5;

interface Name {
  readonly word: string;
  readonly recipe: Recipe;
  readonly language: string;
}

/** Words that are a term alone and plainly. */
const NAMES: readonly Name[] = [...terms()]
  .filter(({ words, weight }) => words.length === 1 && weight >= 0.7)
  .map(({ words, recipe, language }) => ({ word: words[0]!, recipe, language }));

function index(): Map<string, Term[]> {
  const out = new Map<string, Term[]>();
  for (const term of terms()) for (const word of new Set(term.words)) out.set(word, [...(out.get(word) ?? []), term]);
  return out;
}

function* terms(): Generator<Term> {
  for (const [thing, { sound }] of THINGS) {
    if (sound !== undefined)
      yield { recipe: recipeOf(sound), words: thing.split(" "), weight: THING_WEIGHT, language: "en" };
  }
  for (const recipe of RECIPES) {
    const { name, names, weights = {} } = recipe;
    for (const [language, list] of [...Object.entries(names), ["en", [name.replaceAll("_", " ")]] as const]) {
      for (const written of list) {
        const words = tokens(fold(written));
        if (words.length > 0) yield { recipe, words, weight: weights[written] ?? 1, language };
      }
    }
  }
  for (const [language, name, written] of conceptWords("sound")) {
    const recipe = recipeNamed(name);
    const words = fold(written).match(/\p{L}+\*?/gu) ?? [];
    // French "dé" is written as what joins words.
    const says = words.some((word) => !FILLERS.has(word));
    if (recipe !== undefined && says) yield { recipe, words, weight: 1, language };
  }
}
