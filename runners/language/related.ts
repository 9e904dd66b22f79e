/** An entry for a word that the lexicon has in another form: inflected, with an ending, as a compound, or misspelt. */
import type { Concept, Mention } from "./ask.ts";
import type { Entry, Lexicon } from "./lexicon.ts";
import { comesFrom } from "./meaning/mod.ts";
import { correct } from "./spelling.ts";
import { isDense } from "./tokens.ts";

export interface Related {
  readonly entry: Entry;
  readonly derived: boolean;
  readonly guessed: Mention["guessed"];
}

const ENDINGS = [
  ...["s", "es", "ish", "esque", "like", "ly", "y", "ey", "ic", "er", "est", "ness", "ed", "ing", "ian", "style"],
];
/** What has one of these is of the kind of a thing, and not the thing itself. */
const DERIVING = new Set(["ish", "esque", "like", "y", "ey", "ic", "ly", "style"]);
/** Whose stem may have lost a vowel: "rising", "happiest". */
const SWALLOWING = new Set(["ing", "ed", "er", "est", "y"]);
const INFLECTING = new Set(["ing", "ed"]);
/** Where a "y" gave way: "melodic". */
const REPLACING_Y = new Set(["ic", "ish", "ness", "ly"]);
/** What compounds begin or end with, and is no part of what they mean. */
const AFFIXES = [
  ["ال", ""],
  ["", "musik"],
  ["", "music"],
  ["", "muziek"],
  ["", "beats"],
  ["", "beat"],
] as const;

/** @param languages that the prompt is in, that of most words first */
export function related(word: string, lexicon: Lexicon, languages: readonly string[]): Related | null {
  const english = languages[0] === "en";
  const { exact } = lexicon;
  const says = (key: string): Entry | undefined => {
    const entry = exact.get(key);
    return entry === undefined || entry.concepts.length === 0 ? undefined : entry;
  };
  const found = (entry: Entry, derived = false): Related => ({ entry, derived, guessed: null });
  const direct = exact.get(word);
  if (direct !== undefined) return found(direct);
  if (isDense(word)) return null;
  for (const ending of ENDINGS) {
    if (!word.endsWith(ending) || word.length - ending.length < 3) continue;
    const stem = word.slice(0, -ending.length);
    const forms = SWALLOWING.has(ending)
      ? [stem, `${stem}e`, `${stem}y`]
      : [stem, ...(ending === "es" ? [`${stem}e`] : REPLACING_Y.has(ending) ? [`${stem}y`] : [])];
    // "Drier", "happiest".
    if (SWALLOWING.has(ending) && stem.endsWith("i")) forms.push(`${stem.slice(0, -1)}y`);
    if (/(.)\1$/u.test(stem)) forms.push(stem.slice(0, -1));
    for (const form of forms) {
      const entry = says(form);
      // What "wobbles" or is "dubbed" is no music of that name.
      if (entry === undefined || (INFLECTING.has(ending) && entry.concepts.every(isGenre))) continue;
      // An "adder" adds nothing, and "easing" is not easy: the dictionary has them as words of their own.
      const is_plural = ending === "s" && form === stem;
      if (is_plural || !english || comesFrom(word, form)) return found(entry, DERIVING.has(ending));
    }
  }
  const plural = word.endsWith("ies") ? exact.get(`${word.slice(0, -3)}y`) : undefined;
  if (plural !== undefined) return found(plural);
  for (const [start, end] of AFFIXES) {
    if (!word.startsWith(start) || !word.endsWith(end)) continue;
    const inner = word.slice(start.length, word.length - end.length);
    const entry = inner.length < 3 ? undefined : says(inner);
    if (entry !== undefined) return found(entry);
  }
  const meant = correct(word, lexicon, languages);
  return meant === null ? null : { entry: meant, derived: false, guessed: "spelling" };
}

function isGenre(concept: Concept): boolean {
  return concept.startsWith("genre:");
}
