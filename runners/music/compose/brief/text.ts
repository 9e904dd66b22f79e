/** One word of a prompt, a number, or a pictograph. */
export interface Token {
  /** Without accents, as written. */
  readonly raw: string;
  /** The same in lower case. */
  readonly word: string;
  /** A comma or the like stands before it. */
  readonly after_break: boolean;
  /** A hyphen joins it to the word before. */
  readonly joined: boolean;
}

/** Where a prompt stops being read: four times the longest that the interface lets through. */
const CODE_POINTS_MAX = 4096;

const DENSE = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\u30fc";
const TOKEN = new RegExp(
  `[${DENSE}]+|\\p{sc=Hangul}+|(?:(?![${DENSE}])\\p{L})+|\\d+(?:\\.\\d+)?|\\p{Extended_Pictographic}|[#&~]|[,;.|\\n!?()\\[\\]:+/、。،]`,
  "gu",
);
const BREAK = /^[,;.|\n!?()[\]:+/、。،]$/u;
const SCRIPT_WITHOUT_SPACES = new RegExp(`^(?:[${DENSE}]+|\\p{sc=Hangul}+)$`, "u");

/** Compatibility forms resolved, accents gone, quotes and hyphens open: how text and lexicon meet. Case stays. */
export function clean(text: string): string {
  const points = Array.from(text.slice(0, 2 * CODE_POINTS_MAX));
  const short = points.length > CODE_POINTS_MAX ? points.slice(0, CODE_POINTS_MAX).join("") : text;
  return short
    .replace(/♯/gu, "#")
    .replace(/♭/gu, "b")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .normalize("NFC")
    .replace(/[ßẞ]/gu, "ss")
    .replace(/[œŒ]/gu, "oe")
    .replace(/[æÆ]/gu, "ae")
    .replace(/[øØ]/gu, "o")
    .replace(/[łŁ]/gu, "l")
    .replace(/['’](?=s(?!\p{L}))/gu, "")
    .replace(/\u2044/gu, "/");
}

/** Tokens of cleaned text. */
export function tokens(cleaned: string): Token[] {
  const out: Token[] = [];
  let after_break = true;
  for (const { 0: found, index } of cleaned.matchAll(TOKEN)) {
    if (BREAK.test(found)) after_break = true;
    else {
      const raw = found === "&" ? "and" : found;
      out.push({ raw, word: raw.toLowerCase(), after_break, joined: cleaned[index - 1] === "-" });
      after_break = false;
    }
  }
  return out;
}

/** Words of an entry of the lexicon. */
export function wordsOf(entry: string): string[] {
  // Most entries are plain, and there are thousands.
  if (/^[a-z]+(?: [a-z]+)*$/u.test(entry)) return entry.split(" ");
  return tokens(clean(entry)).map(({ word }) => word);
}

/** Chinese, Japanese, Korean: words stand together. */
export function isDense(word: string): boolean {
  return SCRIPT_WITHOUT_SPACES.test(word);
}
