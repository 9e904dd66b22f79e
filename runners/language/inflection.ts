/** What a word may be a form of, by the endings that its language's words take: "ladrando" of "ladrar", "Hörnern" of "Horn". */
import type { Endings, Foreign, Tongues } from "./lexicon.ts";
import { clean } from "./tokens.ts";

/** Letters that are left of a word without its ending, at least. */
const STEM_MIN = 2;

/** @param written endings of forms, by that of the base form: { "ar": ["a", "ando"] } */
export function endingsOf(written: Readonly<Record<string, readonly string[]>>): Endings {
  const bases = new Map<string, string[]>();
  for (const [base, endings] of Object.entries(written))
    for (const ending of endings.map((one) => clean(one))) {
      const some = bases.get(ending);
      if (some === undefined) bases.set(ending, [clean(base)]);
      else some.push(clean(base));
    }
  return { bases, letters_max: Math.max(0, ...Array.from(bases.keys(), ({ length }) => length)) };
}

/** Base forms that a word may have, the longest ending first. */
function basesOf(word: string, { bases, letters_max }: Endings): string[] {
  const out: string[] = [];
  for (let letters = Math.min(letters_max, word.length - STEM_MIN); letters > 0; letters--) {
    const stem = word.slice(0, -letters);
    for (const base of bases.get(word.slice(-letters)) ?? []) out.push(stem + base);
  }
  return out;
}

/** What a phrase that is in no list is a form of in a language; null for none. */
export function inflected(
  words: readonly string[],
  language: string,
  { exact, endings, beginnings }: Tongues,
): Foreign | null {
  const own = endings.get(language);
  if (own === undefined) return null;
  let phrases: string[] = [""];
  for (const [at, word] of words.entries()) {
    const forms = [word, ...basesOf(word, own)];
    const longer = phrases.flatMap((before) => forms.map((form) => (before === "" ? form : `${before} ${form}`)));
    phrases = at === words.length - 1 ? longer : longer.filter((phrase) => beginnings.has(phrase));
    if (phrases.length === 0) return null;
  }
  for (const phrase of phrases) {
    const found = exact.get(phrase)?.find((one) => one.language === language);
    if (found !== undefined) return found;
  }
  return null;
}
