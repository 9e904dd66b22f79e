/**
 * In which letters languages and texts are written: words of other languages are read from their files only for a text
 * that may have them.
 */
import { packs, type WordsPack } from "../packs/mod.ts";
import type { Grammars } from "./grammar.ts";
import { isWord } from "./meaning/mod.ts";
import type { Token } from "./tokens.ts";

/** `english`: Latin letters, and no word that English does not know. `mixed`: several, so that any language may be meant. */
export type Writing = "english" | "latin" | "cyrillic" | "arabic" | "devanagari" | "east" | "mixed";

const WRITINGS: Readonly<Record<string, Writing>> = {
  ...{ Latn: "latin", Cyrl: "cyrillic", Arab: "arabic", Deva: "devanagari" },
  ...{ Jpan: "east", Hans: "east", Hant: "east", Kore: "east" },
};

const LETTERS: readonly (readonly [letters: RegExp, writing: Writing])[] = [
  [/^\p{sc=Latin}/u, "latin"],
  [/^\p{sc=Cyrillic}/u, "cyrillic"],
  [/^\p{sc=Arabic}/u, "arabic"],
  [/^\p{sc=Devanagari}/u, "devanagari"],
  [/^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u30fc]/u, "east"],
];

/** Words of the languages that a text of a writing may be in. */
export function wordsFor(writing: Writing): WordsPack[] {
  const all = packs("words");
  return [...all.keys()].filter((language) => mayBeIn(language, writing)).map((language) => all.get(language)!);
}

/** Whether a text of a writing may be in a language. */
export function mayBeIn(language: string, writing: Writing): boolean {
  if (language === "en" || writing === "mixed" || writing === "english")
    return language === "en" || writing === "mixed";
  const script = new Intl.Locale(language).maximize().script ?? "";
  return writing === (WRITINGS[script] ?? "mixed");
}

/** The entries of an English lexicon. */
interface Known {
  readonly exact: ReadonlyMap<string, unknown>;
}

/** @param english grammar of English alone */
export function writingOf(all: readonly Token[], known: Known, english: Grammars): Writing {
  const found = new Set<Writing>();
  for (const { word } of all) {
    if (!/^\p{L}/u.test(word)) continue;
    const writing = LETTERS.find(([letters]) => letters.test(word))?.[1] ?? "mixed";
    if (writing !== "latin") found.add(writing);
  }
  if (!isEnglish(all, known, english)) found.add("latin");
  const [first = "english"] = found;
  return found.size > 1 ? "mixed" : first;
}

/** Words that the lexicon has only with others: "bossa nova". */
const PHRASE_MAX = 4;
/** Shorter ones that a dictionary has are words of grammar elsewhere: "sin" denies in Spanish, "mit" is "with" in German. */
const WORD_MIN = 4;

function isEnglish(all: readonly Token[], { exact }: Known, { exact: functions, plain }: Grammars): boolean {
  for (let at = 0; at < all.length; ) {
    const { word } = all[at]!;
    let length = Math.min(PHRASE_MAX, all.length - at);
    const key = (): string =>
      all
        .slice(at, at + length)
        .map((one) => one.word)
        .join("");
    while (length > 0 && !exact.has(key())) length--;
    const known = length > 0 || !/^\p{sc=Latin}/u.test(word) || plain.has(word) || functions.has(word);
    if (!known && word.length > 1 && (word.length < WORD_MIN || !isWord(word))) return false;
    at += Math.max(1, length);
  }
  return true;
}
