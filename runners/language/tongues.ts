/** Words of all languages but English, together in one table; the prompt decides which of them it speaks. */
import type { WordsPack } from "../packs/mod.ts";
import { endingsOf } from "./inflection.ts";
import { type Endings, type Entry, type Foreign, NO_TONGUES, type Tongues } from "./lexicon.ts";
import { clean, isDense, wordsOf } from "./tokens.ts";
import type { Writing } from "./writing.ts";

/** Letters of a stem, at least and at most. */
const STEM_MIN = 2;
const STEM_MAX = 24;

/**
 * @param packs words by concept, such as "mood:calm", of each language; of a word with several meanings the first counts
 * @param entryOf the entry of a concept; null leaves its words out
 */
export function tonguesOf(
  packs: Iterable<Pick<WordsPack, "language" | "words" | "endings" | "joints">>,
  entryOf: (concept: string) => Entry | null,
): Tongues {
  const exact = new Map<string, Foreign[]>();
  const stems = new Map<string, Foreign[]>();
  const endings = new Map<string, Endings>();
  const joints = new Map<string, readonly string[]>();
  const beginnings = new Set<string>();
  let words_max = 1;
  let dense_max = 0;
  for (const { language, words = {}, ...forms } of packs) {
    if (forms.endings !== undefined) endings.set(language, endingsOf(forms.endings));
    if (forms.joints !== undefined)
      joints.set(
        language,
        forms.joints.map((joint) => clean(joint)),
      );
    for (const [concept, phrases] of Object.entries(words)) {
      const entry = entryOf(concept);
      if (entry === null) continue;
      for (const phrase of phrases)
        for (const written of spellings(phrase, language)) {
          const parts = wordsOf(written.replace(/\*$/u, ""));
          const key = parts.join(" ");
          if (key === "") continue;
          words_max = Math.max(words_max, parts.length);
          for (let length = 1; length < parts.length; length++) beginnings.add(parts.slice(0, length).join(" "));
          if (isDense(key)) dense_max = Math.max(dense_max, key.length);
          put(exact, key, language, entry);
          if (written.endsWith("*")) put(stems, key, language, entry);
        }
    }
  }
  return { exact, stems, endings, joints, beginnings, words_max, dense_max };
}

/** The same for each writing when it is first asked for: who reads English alone keeps no words of other languages. */
export function speaksOf(
  packs: (writing: Writing) => Iterable<Pick<WordsPack, "language" | "words" | "endings" | "joints">>,
  entryOf: (concept: string) => Entry | null,
): (writing: Writing) => Tongues {
  const known = new Map<Writing, Tongues>([["english", NO_TONGUES]]);
  return (writing) => {
    const found = known.get(writing);
    if (found !== undefined) return found;
    const made = tonguesOf(packs(writing), entryOf);
    known.set(writing, made);
    return made;
  };
}

function put(table: Map<string, Foreign[]>, key: string, language: string, entry: Entry): void {
  const some = table.get(key);
  const at = some?.findIndex((one) => one.language === language) ?? -1;
  if (some === undefined) table.set(key, [{ language, entry }]);
  else if (at === -1) some.push({ language, entry });
  else {
    // "Tief" is a mood, and says how somebody sings.
    const { phrase, concepts } = some[at]!.entry;
    some[at] = { language, entry: { phrase, concepts: [...new Set([...concepts, ...entry.concepts])] } };
  }
}

/** Words that begin with a stem, the longest stem first; those of scripts without spaces are divided from what is around them instead. */
export function stemsOf(phrase: string, tongues: Tongues): readonly Foreign[] {
  if (isDense(phrase)) return [];
  const out: Foreign[] = [];
  const last = phrase.lastIndexOf(" ") + 1;
  for (let length = Math.min(last + STEM_MAX, phrase.length); length >= last + STEM_MIN; length--)
    out.push(...(tongues.stems.get(phrase.slice(0, length)) ?? []));
  if (out.length > 0 || !ARABIC_PREFIX.test(phrase)) return out;
  const bare = phrase.replace(ARABIC_PREFIX, "");
  return tongues.exact.get(bare) ?? stemsOf(bare, tongues);
}

/** Article, conjunction and prepositions, written with the word that they stand before. */
const ARABIC_PREFIX = /^(?:[وف]?(?:[بك]?ال|لل)|[وفبلك])(?=\p{sc=Arabic}{3})/u;

/** Germans without umlauts on their keyboard write "froehlich"; Koreans write with a blank or without. */
function spellings(phrase: string, language: string): string[] {
  if (language === "ko") return [...new Set([phrase, phrase.replaceAll(" ", "")])];
  const spelt = phrase.replace(/[äöü]/gu, (letter) => ({ ä: "ae", ö: "oe", ü: "ue" })[letter]!);
  return language === "de" && spelt !== phrase ? [phrase, spelt] : [phrase];
}
