/** Which languages a prompt is in, by its words. */
import { partsOf } from "./compounds.ts";
import { CIRCUMSTANCES, type Grammars } from "./grammar.ts";
import { inflected } from "./inflection.ts";
import type { Lexicon } from "./lexicon.ts";
import { isWord } from "./meaning/mod.ts";
import type { Token } from "./tokens.ts";
import { stemsOf } from "./tongues.ts";

/** Evidence of a language, in words, from which it counts as spoken, and as a share of what is English. */
const SPOKEN = 0.45;
const SPOKEN_SHARE = 0.25;
/** What begins like a word of a language tells less than a word of it; so do little words, which others have as well. */
const STEM_WEIGHT = 0.5;
const SMALL_WEIGHT = 0.4;
const SHARED_WEIGHT = 0.2;
/** From here on a language is spoken even if each of its words is an English one as well. */
const SURE = 2;

/** Languages of the prompt, that of most words first; English is understood everywhere. */
export function languagesOf(all: readonly Token[], grammars: Grammars, lexicon: Lexicon): string[] {
  const { exact } = grammars;
  const counts = new Map<string, number>([["en", SPOKEN]]);
  const told_by = new Map<string, string[]>();
  const count = (word: string, languages: Iterable<string>, weight: number): void => {
    const own = new Set(languages);
    for (const language of own) {
      counts.set(language, (counts.get(language) ?? 0) + weight / Math.min(2, own.size));
      told_by.set(language, [...(told_by.get(language) ?? []), word]);
    }
  };
  for (const word of new Set(all.map((token) => token.word))) {
    const uses = exact.get(word) ?? [];
    const functions = new Set(uses.map(({ language }) => language));
    // "1.5s" is in no language.
    const weight = /^[a-z]$/u.test(word)
      ? SHARED_WEIGHT
      : uses.every(({ role }) => CIRCUMSTANCES.has(role)) || (word.length < 3 && /^[a-z]+$/u.test(word))
        ? SMALL_WEIGHT
        : 1;
    const foreign = (lexicon.tongues.exact.get(word) ?? []).map(({ language }) => language);
    if (functions.has("en")) count(word, ["en"], weight);
    else if (lexicon.exact.has(word)) {
      // What English has as well tells little of another language.
      if (foreign.length + functions.size === 0) count(word, ["en"], STEM_WEIGHT);
      else count(word, [...foreign, ...functions], SHARED_WEIGHT);
    } else if (functions.size > 0) count(word, functions, weight);
    else if (foreign.length > 0) count(word, foreign, 1);
    else {
      const own = languagesOfForm(word, grammars, lexicon);
      // "Rusty" begins like Turkish "rus", and is English all the same.
      const is_english = own.size > 0 && [...own].every((one) => IN_LATIN.has(one)) && isWord(word);
      count(word, is_english ? ["en"] : own, STEM_WEIGHT);
    }
  }
  // Kana are written in Japanese alone.
  if (all.some(({ word }) => /[\p{sc=Hiragana}\p{sc=Katakana}]/u.test(word))) counts.set("zh", 0);
  const least = Math.max(SPOKEN, SPOKEN_SHARE * counts.get("en")!);
  return [...counts]
    .filter(([language, found]) => {
      if (language === "en" || !IN_LATIN.has(language)) return language === "en" || found >= SHARED_WEIGHT;
      // "A pie" is not French, though magpies are "pies" there.
      return found >= least && (found >= SURE || told_by.get(language)!.some((word) => !isWord(word)));
    })
    .sort(([, a], [, b]) => b - a)
    .map(([language]) => language);
}

/** Languages in which a word is a form or a compound of others, or begins like one. */
function languagesOfForm(word: string, grammars: Grammars, lexicon: Lexicon): ReadonlySet<string> {
  const { tongues } = lexicon;
  const out = new Set(stemsOf(word, tongues).map(({ language }) => language));
  for (const language of tongues.endings.keys()) if (inflected([word], language, tongues) !== null) out.add(language);
  if (out.size > 0) return out;
  for (const language of tongues.joints.keys())
    if (partsOf(word, { language, lexicon, grammars })?.every((one) => tongues.exact.has(one.word))) out.add(language);
  return out;
}

/** Languages that share their letters with English: a word of theirs may be an English one that nobody knows. */
export const IN_LATIN: ReadonlySet<string> = new Set("de fr es it pt nl pl tr".split(" "));

/** Where a language stands among those of a prompt, the one with most words first. */
export function rank(languages: readonly string[], language: string): number {
  const at = languages.indexOf(language);
  return at === -1 ? languages.length : at;
}
