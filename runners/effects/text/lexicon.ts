import type { Recipe } from "../recipe.ts";
import { RECIPES } from "../recipes/all.ts";
import { fold, forms, tokens } from "./fold.ts";
import { FILLERS } from "./words.ts";

interface Term {
  readonly recipe: Recipe;
  readonly words: readonly string[];
  readonly weight: number;
}

/** Terms by each of their words. */
const TERMS: ReadonlyMap<string, readonly Term[]> = index();
/** Words of one term alone, for spelling and unknown words. */
const NAMES: readonly { readonly word: string; readonly recipe: Recipe; readonly grams: ReadonlySet<string> }[] =
  names();

/** Weight of a sound that goes on, where something is counted. */
const UNCOUNTED = 0.75;
const COUNTS: ReadonlySet<string> = new Set(
  "once twice thrice times zweimal dreimal mal fois veces vez volte volta".split(" "),
);

/** What follows these is what the sound is made on, not what sounds: "footsteps up a creaky stair". */
const SURFACES: ReadonlySet<string> = new Set("up down on onto across along upon auf sur sobre".split(" "));
/** What stands before weighs that much more. */
const HEAD = 0.15;

/** Similarity from which an unknown word may be a misspelt one. */
const MISSPELT = 0.5;

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
  const spread = words.map((word) => (FILLERS.has(word) ? [word] : forms(word)));
  const found = new Map<Recipe, { best: number; rest: number; places: Set<number> }>();
  const seen = new Set<Term>();
  words.forEach((_, place) => {
    for (const form of spread[place]!) {
      for (const term of TERMS.get(form) ?? []) {
        if (seen.has(term)) continue;
        const places = term.words.map((word) => spread.findIndex((some) => some.includes(word)));
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

export function knows(word: string): boolean {
  return forms(word).some((form) => TERMS.has(form));
}

/** The name most like `word` by character pairs and triples (Dice), or that it contains, for scripts and compounds without spaces. */
export function nearest(word: string): { readonly recipe: Recipe; readonly word: string; readonly likeness: number } {
  const grams = gramsOf(word);
  let best = NAMES[0]!;
  let likeness = -1;
  for (const name of NAMES) {
    let shared = 0;
    for (const gram of name.grams) if (grams.has(gram)) shared++;
    let value = (2 * shared) / (name.grams.size + grams.size);
    const dense = !/^[a-z]/u.test(name.word);
    if (
      name.word.length >= (dense ? 1 : 4) &&
      (dense ? word.includes(name.word) : word.startsWith(name.word) || word.endsWith(name.word))
    )
      value = Math.max(value, 0.7 + 0.02 * name.word.length);
    if (value > likeness) {
      likeness = value;
      best = name;
    }
  }
  return { recipe: best.recipe, word: best.word, likeness };
}

/** Whether `word` is that name with a slip of the keyboard or two, or has it for a part; "whistle" is no rustle, "bullet" no bulle. */
export function isMisspelt(word: string, near: { readonly word: string; readonly likeness: number }): boolean {
  if (near.likeness < MISSPELT) return false;
  if (!/^[a-z]+$/u.test(word)) return true;
  if (near.word.length >= 5 && near.word.length < word.length && word.includes(near.word)) return true;
  return word[0] === near.word[0] && slips(word, near.word) <= (word.length >= 7 ? 2 : word.length >= 5 ? 1 : 0);
}

/** Letters to change, add, drop or swap with a neighbour (Damerau-Levenshtein, restricted), until one word is the other. */
function slips(one: string, other: string): number {
  let earlier: number[] = [];
  let before = Array.from({ length: other.length + 1 }, (_, n) => n);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      let least = Math.min(before[j]! + 1, row[j - 1]! + 1, before[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) {
        least = Math.min(least, earlier[j - 2]! + 1);
      }
      row.push(least);
    }
    earlier = before;
    before = row;
  }
  return before[other.length]!;
}

function gramsOf(word: string): Set<string> {
  const padded = [..."^".concat(word, "$")];
  const out = new Set<string>();
  for (let n = 0; n + 1 < padded.length; n++) {
    out.add(padded[n]! + padded[n + 1]!);
    if (n + 2 < padded.length) out.add(padded[n]! + padded[n + 1]! + padded[n + 2]!);
  }
  return out;
}

function index(): Map<string, Term[]> {
  const out = new Map<string, Term[]>();
  for (const term of terms()) for (const word of new Set(term.words)) out.set(word, [...(out.get(word) ?? []), term]);
  return out;
}

function* terms(): Generator<Term> {
  for (const recipe of RECIPES) {
    for (const written of [...recipe.words.split(","), recipe.name.replaceAll("_", " ")]) {
      const [text, weight] = written.trim().split(":");
      const words = tokens(fold(text!));
      if (words.length > 0) yield { recipe, words, weight: weight === undefined ? 1 : Number(weight) };
    }
  }
}

function names() {
  const out: { word: string; recipe: Recipe; grams: Set<string> }[] = [];
  for (const { recipe, words, weight } of terms()) {
    if (words.length === 1 && weight >= 0.7) out.push({ word: words[0]!, recipe, grams: gramsOf(words[0]!) });
  }
  return out;
}
