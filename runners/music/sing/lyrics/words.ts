/** A line of text into words that can be said, each with its syllables. */
import { isVowel, type Sound } from "../phonemes.ts";
import { addressed } from "./addresses.ts";
import { english, isEnglish, letterNames } from "./english.ts";
import { figuresIn } from "./figures.ts";
import data from "./languages/english.json" with { type: "json" };
import { foreign, isBorrowed, isSpelled, type Language } from "./languages.ts";
import { NUMBER, wordsOfNumber } from "./numbers.ts";
import { isLatin, transliterate } from "./scripts.ts";
import { type Syllable, syllabify } from "./syllables.ts";
import { writtenIn } from "./written.ts";

export interface Word {
  /** As written; for figures as said. */
  readonly text: string;
  /** At least one. */
  readonly syllables: readonly Syllable[];
  /** In (parentheses): for backing voices. */
  readonly backing: boolean;
  /** A comma, a dash or the like comes after it: a place to breathe. */
  readonly pause: boolean;
  /** What is left of a word whose beginning is in another part of its line. */
  readonly goes_on?: true;
}

const TOKEN = new RegExp(
  `(${NUMBER})|((?:\\p{Lu}\\.){2,}(?:\\p{Lu}(?!\\p{L}))?)|('?[\\p{L}\\p{M}]+(?:['\\u2019][\\p{L}\\p{M}]+)*'?)|(\\d+)|([&@+%=½])|([()（）])|([,;:.!?…—–/]|\\s-+\\s)`,
  "gu",
);
const SIGNS: Readonly<Record<string, string>> = data.signs;
const SHORT: Readonly<Record<string, string>> = data.titles;

/** Takes at most what fits a line; the time is linear in its length. */
export function wordsOf(line: string, language: Language): Word[] {
  const text = addressed(line.normalize("NFC"), language)
    .replace(/[\u2018\u2019\u02bc\u00b4`]/gu, "'")
    .replace(/\p{Cf}/gu, "")
    // Scripts that leave no space after figures.
    .replace(
      /(?<=\d)(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])/gu,
      " ",
    );
  const shouting = !/\p{Ll}/u.test(text);
  // Kana anywhere says that Han characters beside it are Japanese.
  const written = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) ? "japanese" : language;
  const words: { text: string; sounds: Sound[]; backing: boolean; pause: boolean }[] = [];
  let depth = 0;
  const tokens = [...text.matchAll(TOKEN)];
  // A word of consonants alone, as the w of "w nocy", which is said with the next.
  let leans: { text: string; sounds: Sound[] } | undefined;
  const add = (said: string, sounds: Sound[]): void => {
    if (sounds.length === 0) return;
    const before = leans;
    leans = undefined;
    words.push({
      text: before === undefined ? said : `${before.text} ${said}`,
      sounds: before === undefined ? sounds : [...before.sounds, ...sounds],
      backing: depth > 0,
      pause: false,
    });
  };
  for (let n = 0; n < tokens.length; n++) {
    const token = tokens[n]!;
    const [, number, initials, letters, digit, sign, bracket, mark] = token;
    if (number !== undefined || digit !== undefined) {
      const figures = number ?? digit ?? "";
      const said = figuresIn(figures, language);
      if (said !== null)
        for (const word of said) for (const part of say(word, native(language))) add(part.text, part.sounds);
      else for (const word of wordsOfNumber(figures)) add(word, word.length === 1 ? letterNames(word) : english(word));
    } else if (initials !== undefined) {
      add(initials, letterNames(initials.toLowerCase().replace(/[^a-z]/gu, "")));
    } else if (sign !== undefined) {
      const and = sign === "&" ? writtenIn(language)?.and : undefined;
      if (and !== undefined) for (const part of say(and, native(language))) add(part.text, part.sounds);
      else add(SIGNS[sign] ?? sign, english(SIGNS[sign] ?? ""));
    } else if (bracket !== undefined) depth = Math.max(0, depth + (bracket === "(" || bracket === "（" ? 1 : -1));
    else if (mark !== undefined) {
      // The full stop of "Mr." is none.
      if (mark === "." && isShort(tokens[n - 1]?.[3])) continue;
      const last = words.at(-1);
      if (last !== undefined) last.pause = true;
    } else if (letters !== undefined) {
      const dotted = text[token.index + letters.length] === ".";
      const next = tokens[n + (dotted && isShort(letters) ? 2 : 1)]?.[3]?.toLowerCase() ?? "";
      const before = tokens[n - 1]?.[3]?.toLowerCase() ?? "";
      for (const part of say(letters, { language, written, shouting, dotted, before, next })) {
        const alone = language !== "english" && /^\p{L}'?$/u.test(letters) && next !== "" && !part.sounds.some(isSung);
        if (alone) leans = part;
        else add(part.text, part.sounds);
      }
    }
  }
  return words.map(({ text, sounds, backing, pause }) => ({ text, syllables: syllabify(sounds), backing, pause }));
}

function isSung({ phoneme }: Sound): boolean {
  return isVowel(phoneme);
}

function native(language: Language): Context {
  return { language, written: language, shouting: true, dotted: false, before: "", next: "" };
}

interface Context {
  readonly language: Language;
  /** The same for what is in other scripts. */
  readonly written: Language;
  /** The whole line is in capitals, so capitals are no acronym. */
  readonly shouting: boolean;
  readonly dotted: boolean;
  readonly before: string;
  readonly next: string;
}

function say(
  letters: string,
  { language, written, shouting, dotted, before, next }: Context,
): { text: string; sounds: Sound[] }[] {
  const lower = letters.toLowerCase();
  if (!isLatin(letters)) return transliterate(letters, written);
  if (language !== "english" && (isSpelled(language) || language === "other") && !isBorrowed(lower, language)) {
    const bare = lower.replace(/'/gu, "");
    return [{ text: letters, sounds: foreign(lower, language) ?? english(bare) }];
  }
  const short = dotted && next !== "" && Object.hasOwn(SHORT, lower) ? SHORT[lower] : undefined;
  // "A B C", not "a boy".
  if (letters === "A" && /^[b-hj-z]$/u.test(next)) return [{ text: letters, sounds: letterNames("a") }];
  if (short !== undefined && lower !== "no") return [{ text: letters, sounds: english(short) }];
  const plain = lower
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/ß/gu, "ss")
    .replace(/[æ]/gu, "ae")
    .replace(/[øœ]/gu, "oe");
  const ascii = plain.replace(/[^a-z']/gu, "");
  if (!shouting && /^\p{Lu}{2,5}(?:'?s)?$/u.test(letters) && isAcronym(ascii.replace(/'?s$/u, ""))) {
    const sounds = letterNames(ascii.replace(/'/gu, "").slice(0, letters.replace(/'?s$/u, "").length));
    return [{ text: letters, sounds: /s$/u.test(letters) ? [...sounds, { phoneme: "Z", stress: 0 }] : sounds }];
  }
  const sounds = english(ascii, { before, next });
  // Letters without a sound, as "h" in "hm" or a lone accent: said by name, since every word is to be heard.
  return [{ text: letters, sounds: sounds.length > 0 ? sounds : letterNames(ascii.replace(/'/gu, "")) }];
}

function isShort(letters: string | undefined): boolean {
  return letters !== undefined && Object.hasOwn(SHORT, letters.toLowerCase());
}

/** Capitals in a line of small letters are read letter by letter unless they make a word that can be said. */
function isAcronym(letters: string): boolean {
  if (!isEnglish(letters)) return letters.length <= 3 || !/[aeiouy]/u.test(letters);
  return ["us", "pm", "ai", "id", "mc"].includes(letters);
}
