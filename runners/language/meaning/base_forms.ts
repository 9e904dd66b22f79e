/** From inflected words to those that a dictionary lists: WordNet's own rules (morphy(7WN)), doubled consonants, and what is irregular. */
import irregular from "./irregular.json" with { type: "json" };
import type { WordClass } from "./wordnet.ts";

/** What `word` may be a form of, itself first; not all of it need exist. */
export function baseForms(word: string, word_class: WordClass): readonly string[] {
  const forms = new Set([word]);
  for (const base of IRREGULAR[word_class]?.get(word) ?? []) forms.add(base);
  for (const [ending, instead] of ENDINGS[word_class]) {
    // Less than two letters are no word: "as" is not a plural, and "ring" no form of "r".
    const stem = word.slice(0, -ending.length);
    if (!word.endsWith(ending) || stem.length < 2) continue;
    forms.add(stem + instead);
    if (instead === "" && DOUBLED.test(stem)) forms.add(stem.slice(0, -1));
  }
  return [...forms];
}

const ENDINGS: Readonly<Record<WordClass, readonly (readonly [ending: string, instead: string])[]>> = {
  noun: [
    ["ies", "y"],
    ["ses", "s"],
    ["ves", "f"],
    ["ves", "fe"],
    ["xes", "x"],
    ["zes", "z"],
    ["ches", "ch"],
    ["shes", "sh"],
    ["oes", "o"],
    ["men", "man"],
    ["s", ""],
  ],
  verb: [
    ["ies", "y"],
    ["ied", "y"],
    ["es", "e"],
    ["es", ""],
    ["s", ""],
    ["ed", "e"],
    ["ed", ""],
    ["ying", "ie"],
    ["ing", "e"],
    ["ing", ""],
  ],
  adjective: [
    ["ier", "y"],
    ["iest", "y"],
    ["er", ""],
    ["est", ""],
    ["er", "e"],
    ["est", "e"],
  ],
  adverb: [],
};

/** "Humming", "bigger": two of the same consonant before the ending. */
const DOUBLED = /([bdgklmnprtz])\1$/u;

/** By class: inflected forms and their words. */
const IRREGULAR: Readonly<Partial<Record<WordClass, ReadonlyMap<string, readonly string[]>>>> = {
  noun: byForm(irregular.nouns),
  verb: byForm(irregular.verbs),
  adjective: byForm(irregular.adjectives),
};

function byForm(table: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, readonly string[]> {
  const out = new Map<string, string[]>();
  for (const [base, forms] of Object.entries(table)) {
    for (const form of forms) out.set(form, [...(out.get(form) ?? []), base]);
  }
  return out;
}
