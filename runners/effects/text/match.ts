/** The recipe that the words of a clause name. */
import { type Concept, kindOf, type Led, type Mention, type Polarity, type Unknown } from "../../language/mod.ts";
import type { Recipe } from "../recipe.ts";
import { conceptsOfWord, stemOf, type Term, termsByStem } from "./lexicon.ts";

/** One word of what was read: a mention has one or several, one that the lexicon does not know is one. */
export interface Unit {
  readonly word: string;
  /** The whole mention as the prompt has it: "perro" and "ladra" are both of a dog, and heard once. */
  readonly written: string;
  /** What names are found by; none where it names no sound. A foreign word for a creaking door tells of doors and of creaking. */
  readonly stems: readonly string[];
  /** Of the mention, and of the word by itself what it is made of. */
  readonly concepts: readonly Concept[];
  readonly mention: Mention | null;
  readonly polarity: Polarity;
  readonly part: number;
  readonly clause: number;
  readonly from: number;
  readonly to: number;
  /** Of the first word of a mention. */
  readonly led_by: readonly Led[];
  /** How often, by the first word. */
  readonly count: number | null;
}

/** @param text that it was read in */
export function unitsOf(read: Mention | Unknown, text: string): readonly Unit[] {
  const mention = "word" in read ? null : read;
  const { polarity, part, clause, from, to } = read;
  const words = "word" in read ? [read.word] : read.phrase.split(" ");
  const written = text.slice(from, to).toLowerCase();
  return words.map((word, n) => ({
    ...{ word, written, mention, polarity, part, clause, from, to },
    stems: mention !== null && !isHeard(mention, word) ? [] : stemsOf(word),
    concepts: mention === null ? [] : words.length === 1 ? mention.concepts : withStuff(mention, word),
    led_by: n === 0 ? read.led_by : [],
    count: n === 0 ? (mention?.count ?? null) : null,
  }));
}

function stemsOf(word: string): string[] {
  return word.includes("_") ? [stemOf(word), ...word.split("_").map(stemOf)] : [stemOf(word)];
}

/** "Galloping away" is heard galloping, "flying away" is no fly. */
function isHeard({ concepts }: Mention, word: string): boolean {
  const moves = concepts.every((concept) => kindOf(concept) === "motion" || kindOf(concept) === "direction");
  // "Stomps away".
  const treads = conceptsOfWord(word.replace(/(?:ing|ed|s)$/u, "")).includes("sound:footsteps");
  const sounds = conceptsOfWord(word).some((concept) => kindOf(concept) === "sound");
  return !moves || treads || sounds || isVerb({ concepts });
}

/** What names are made of with what is spoken of: an engine tries, and starts. */
export function isVerb({ concepts }: Pick<Unit, "concepts">): boolean {
  return concepts.some((concept) => concept === "motion:starting" || concept === "motion:trying");
}

/** A "wine glass" is of glass. */
function withStuff({ concepts }: Mention, word: string): Concept[] {
  // "Then leaves" has nothing of a tree.
  if (concepts.every((concept) => kindOf(concept) === "motion")) return [...concepts];
  return [...concepts, ...conceptsOfWord(word).filter((concept) => STUFF.has(kindOf(concept)))];
}

const STUFF: ReadonlySet<string> = new Set(["material", "thing"]);

export function isLedBy({ led_by }: Unit, ...roles: readonly Led["role"][]): boolean {
  return led_by.some(({ role }) => roles.includes(role));
}

export interface Match {
  readonly recipe: Recipe;
  readonly score: number;
  /** Places of the words that named it. */
  readonly places: readonly number[];
}

/** Weight of a sound that goes on, where something is counted. */
const UNCOUNTED = 0.75;
const INFLECTED = 0.75;
/** A firework that rises is no riser. */
const MOVING = 0.6;
const MOTIONS: ReadonlySet<string> = new Set(["motion:rising", "motion:descending", "motion:passing"]);
/** What stands before a surface weighs that much more. */
const HEAD = 0.15;

export function isMoving({ concepts }: Unit): boolean {
  return concepts.some((concept) => MOTIONS.has(concept));
}

/** The sound that a clause names, best first by score: words of one term add up, several terms of one recipe do so by half. */
export function match(units: readonly Unit[]): Match | null {
  // "Clapping three times" is no applause: what goes on has no number.
  const counted = units.some((unit) => unit.count !== null && !isLedBy(unit, "number"));
  const surface = units.findIndex((unit, place) => place > 0 && isLedBy(unit, "on", "into"));
  const found = new Map<Recipe, { best: number; rest: number; places: Set<number> }>();
  const seen = new Set<Term>();
  for (const key of units.flatMap(({ stems }) => stems)) {
    for (const term of termsByStem().get(key) ?? []) {
      if (seen.has(term)) continue;
      seen.add(term);
      const places = term.stems.map((stem) => units.findIndex(({ stems }) => stems.includes(stem)));
      if (places.includes(-1) || new Set(places).size < new Set(term.stems).size) continue;
      // Heads stand last in English: a later word weighs a little more.
      const last = Math.max(...places);
      const place_score = (last < surface ? HEAD : 0) + (0.06 * last) / units.length;
      const moves = isMoving(units[last]!);
      // "Coins" are several.
      const exact = places.every((at, n) => units[at]!.word === term.words[n]);
      const score =
        (exact ? 1 : INFLECTED) *
        (term.weight * (1 + 0.35 * (term.stems.length - 1)) + place_score) *
        (moves ? MOVING : 1);
      const entry = found.get(term.recipe) ?? { best: 0, rest: 0, places: new Set<number>() };
      // Two spellings of one word say nothing more.
      const adds = entry.best > 0 && places.some((at) => !entry.places.has(at));
      if (adds) entry.rest += 0.25 * score;
      entry.best = Math.max(entry.best, score);
      for (const at of places) entry.places.add(at);
      found.set(term.recipe, entry);
    }
  }
  let winner: Match | null = null;
  for (const [recipe, { best, rest, places }] of found) {
    const score = (best + Math.min(0.4, rest)) * (counted && recipe.kind === "bed" ? UNCOUNTED : 1);
    if (winner === null || score > winner.score + 1e-9) winner = { recipe, score, places: [...places] };
  }
  return winner;
}
