import type { Span } from "./ask.ts";

/** One word of a prompt, a number, or a pictograph. */
export interface Token extends Span {
  /** Without accents, as written. */
  readonly raw: string;
  /** The same in lower case. */
  readonly word: string;
  /** A comma or the like stands before it. */
  readonly after_break: boolean;
  /** What stands before it ends a sentence and not just an item. */
  readonly after_stop: boolean;
  /** What stands before it was asked: "drums? no". */
  readonly after_question?: boolean;
  /** A colon stands before it: "without: …". */
  readonly after_colon: boolean;
  /** A hyphen joins it to the word before. */
  readonly joined: boolean;
}

/** Where a prompt stops being read: four times the longest that the interface lets through. */
const CODE_POINTS_MAX = 4096;

const DENSE = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\u30fc";
/**
 * Accents of letters that are the same without them. Kana with and without voice marks are others, and so are signs of
 * vowels in Devanagari.
 */
const ACCENTS = /(?![\u3099\u309a\u0900-\u0903\u093e-\u094d])\p{M}/gu;
/** "ヴァイオリン" and "バイオリン" are one. */
const V_AS_B: Readonly<Record<string, string>> = { "": "ブ", ァ: "バ", ィ: "ビ", ェ: "ベ", ォ: "ボ" };
const TOKEN = new RegExp(
  `[${DENSE}]+|\\p{sc=Hangul}+|(?:(?![${DENSE}\\p{sc=Hangul}])\\p{L}\\p{M}*)+|\\d+(?:\\.\\d+)?|\\p{Extended_Pictographic}|[#&~]|[,;.|\\n!?()\\[\\]:+/、。،]`,
  "gu",
);
const BREAK = /^[,;.|\n!?()[\]:+/、。،]$/u;
const STOP = /^[;.|\n!?:。]$/u;
const SCRIPT_WITHOUT_SPACES = new RegExp(`^(?:[${DENSE}]+|\\p{sc=Hangul}+)$`, "u");

/** Compatibility forms resolved, accents gone, quotes and hyphens open: how text and lexicon meet. Case stays. */
export function clean(text: string): string {
  const points = Array.from(text.slice(0, 2 * CODE_POINTS_MAX));
  const short = points.length > CODE_POINTS_MAX ? points.slice(0, CODE_POINTS_MAX).join("") : text;
  const plain = short
    .replace(/♯/gu, "#")
    .replace(/♭/gu, "b")
    .normalize("NFKD")
    .replace(ACCENTS, "")
    .normalize("NFC")
    .replace(/[ßẞ]/gu, "ss")
    .replace(/[œŒ]/gu, "oe")
    .replace(/[æÆ]/gu, "ae")
    .replace(/[øØ]/gu, "o")
    .replace(/[łŁ]/gu, "l")
    .replace(/ı/gu, "i")
    .replace(/ヴ([ァィェォ])?/gu, (_, vowel: string | undefined) => V_AS_B[vowel ?? ""]!)
    .replace(/\u2044/gu, "/")
    .replace(/\bw\/o\b/giu, "without")
    .replace(/\bw\/(?=\s?[a-z])/giu, "with ");
  // Thousands of entries of the lexicon have neither quotes nor dashes.
  if (!/['’´`–—-]/u.test(plain)) return plain;
  return (
    plain
      .replace(/['’](?=s(?!\p{L}))/gu, "")
      // "Don't", "isn't": one word, that denies.
      .replace(/(?<=\p{L}n)['’´`](?=t(?!\p{L}))/giu, "")
      // Turkish endings of names and figures: "hi-hat'siz", "80'den".
      .replace(/(?<=\p{L})['’](?=s[iuü]z(?!\p{L}))/giu, "-")
      .replace(/(?<=\d)['’](?:[dt][ea]n?|y?[eai])(?!\p{L})/giu, "")
      // A dash between words divides them; one between figures does not.
      .replace(/(?<!\d\s)(?<=\s)[-–—](?=\s)(?!\s\d)|(?<!\d)—(?!\d)/gu, ",")
  );
}

/** Tokens of cleaned text. */
export function tokens(cleaned: string): Token[] {
  const out: Token[] = [];
  let after_break = true;
  let after_stop = true;
  let after_colon = false;
  let after_question = false;
  for (const { 0: found, index } of cleaned.matchAll(TOKEN)) {
    if (BREAK.test(found)) {
      after_break = true;
      after_stop ||= STOP.test(found);
      after_colon = found === ":";
      after_question = /^[?？]$/u.test(found);
      continue;
    }
    const raw = found === "&" ? "and" : found;
    const joined = cleaned[index - 1] === "-";
    out.push({
      ...{ raw, word: raw.toLowerCase(), after_break, after_stop, after_colon, after_question, joined },
      ...{ from: index, to: index + found.length },
    });
    after_break = false;
    after_stop = false;
    after_colon = false;
    after_question = false;
  }
  return out;
}

/** Most entries of lexicons are plain, and there are thousands. */
const PLAIN = /^[a-z]+(?: [a-z]+)*$/u;

/** Words of an entry of the lexicon. */
export function wordsOf(entry: string): string[] {
  return PLAIN.test(entry) ? entry.split(" ") : tokens(clean(entry)).map(({ word }) => word);
}

/** The same with a blank between. */
export function spacedOf(entry: string): string {
  return PLAIN.test(entry) ? entry : wordsOf(entry).join(" ");
}

/** Chinese, Japanese, Korean: words stand together. */
export function isDense(word: string): boolean {
  return SCRIPT_WITHOUT_SPACES.test(word);
}
