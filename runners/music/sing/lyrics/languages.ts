/** Which language a text is in, by its letters and commonest words, and the spelling of those that are not English. */
import { isVowel, type Phoneme, phonemes, type Sound } from "../phonemes.ts";
import { isEnglish } from "./english.ts";
import english from "./languages/english.json" with { type: "json" };
import { type Foreign, type Language, SPELLED, type Spelled, WRITTEN } from "./written.ts";

export type { Language } from "./written.ts";

/** English words that songs in other languages borrow and that are none of their own. */
const BORROWED: ReadonlySet<string> = new Set(english.borrowed);

const SCRIPTS: readonly (readonly [RegExp, Language])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, "japanese"],
  [/\p{Script=Han}/gu, "chinese"],
  [/\p{Script=Hangul}/gu, "korean"],
  [/\p{Script=Cyrillic}/gu, "russian"],
  [/\p{Script=Greek}/gu, "greek"],
  [/\p{Script=Hebrew}/gu, "hebrew"],
  [/\p{Script=Arabic}/gu, "arabic"],
  [/\p{Script=Devanagari}/gu, "hindi"],
  [/\p{Script=Thai}/gu, "thai"],
];

/**
 * Of a whole text: by its script where that is not Latin, else by distinct common words and marks of spelling; English
 * unless another has clearly more. "La la la" is no Spanish.
 */
export function languageOf(text: string): Language {
  const scripted = scriptOf(text);
  if (scripted !== null) return scripted;
  const words = wordsIn(text);
  const scores = scoresOf(text, words);
  let best: Language = "english";
  let most = Math.max(1.9, scores.get("english")! + 0.5);
  for (const language of SPELLED) {
    const score = scores.get(language)!;
    if (language !== "english" && score > most) [best, most] = [language, score];
  }
  if (best !== "english") return best;
  const marked = [...words].filter((word) => bareOf(word).length < word.normalize("NFD").length).length;
  if (words.size >= 3 && marked >= 0.3 * words.size) return "other";
  if (words.size < 5) return best;
  const known = [...words].filter((word) => isEnglish(bareOf(word))).length;
  return scores.get("english")! < 0.12 * words.size && known < 0.5 * words.size ? "other" : "english";
}

/** Of a line in a text that is in `text`'s language: another one only where the line is plainly in that. */
export function lineLanguage(line: string, language: Language): Language {
  const scripted = scriptOf(line);
  if (scripted !== null) return scripted === "chinese" && language === "japanese" ? language : scripted;
  const own: Spelled | null = language === "other" ? null : isSpelled(language) ? language : "english";
  const scores = scoresOf(line, wordsIn(line));
  let best = language;
  let most = Math.max(2.8, own === null ? 0 : 2.5 * scores.get(own)!);
  for (const other of SPELLED) if (scores.get(other)! > most) [best, most] = [other, scores.get(other)!];
  return best;
}

export function isSpelled(language: Language): language is Spelled {
  return (SPELLED as readonly string[]).includes(language);
}

/** Whether a lower-case word among words of `language` is English. */
export function isBorrowed(word: string, language: Language): boolean {
  return BORROWED.has(word) && !(isSpelled(language) && WRITTEN[language].common.includes(word));
}

function scriptOf(text: string): Language | null {
  const count = (pattern: RegExp): number => (text.match(pattern) ?? []).length;
  const latin = count(/\p{Script=Latin}/gu);
  // A sign of these scripts is worth two letters.
  const found = SCRIPTS.map(([pattern, language]) => ({ language, signs: count(pattern) })).filter(
    ({ signs }) => signs > 0,
  );
  const all = found.reduce((sum, { signs }) => sum + signs, 0);
  if (2 * all <= latin) return null;
  const kana = found.find(({ language }) => language === "japanese");
  // Kana is a Japanese text's grammar, however many kanji it has.
  if (kana !== undefined && kana.signs > 0.15 * all) return "japanese";
  const { language } = found.reduce((most, one) => (one.signs > most.signs ? one : most));
  if (language === "russian" && /[іїєґ]/iu.test(text)) return "ukrainian";
  if (language === "arabic" && /[پچژگ]/u.test(text)) return "persian";
  return language;
}

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(
    text
      .toLowerCase()
      .normalize("NFC")
      .replace(/’/gu, "'")
      .match(/[\p{Script=Latin}\p{M}']+/gu) ?? [],
  );
}

function bareOf(word: string): string {
  return word.normalize("NFD").replace(/[^a-z']/gu, "");
}

/** A syllable of romaji: open, or closed by n; consonants may be doubled. */
const ROMAJI =
  /^(?:(?:(?:([kstpgdbz])(?=\1))?(?:[kgnhbpmr]y|sh|ts|t?ch|[kgsztdnhbpmyrwfj])?[aiueoāīūēō]|n(?![aiueoyāīūēō])))+$/u;

function scoresOf(text: string, words: ReadonlySet<string>): ReadonlyMap<Spelled, number> {
  const lower = text.toLowerCase().normalize("NFC").replace(/’/gu, "'");
  return new Map(
    SPELLED.map((language) => {
      const common = WRITTEN[language].common.filter((word) => words.has(word)).length;
      if (language === "english") return [language, common];
      if (language === "japanese") {
        const shaped = [...words].filter((word) => ROMAJI.test(word)).length;
        return [language, words.size >= 3 && shaped >= 0.9 * words.size ? 0.95 * common + 0.8 : 0];
      }
      const marks = new Set(lower.match(new RegExp(WRITTEN[language].marks ?? "(?!)", "gu")) ?? []).size;
      return [language, 0.95 * common + 1.2 * Math.min(3, marks)];
    }),
  );
}

/** Sounds of a lower-case word by the spelling of `language`; null where it has none of its letters. */
export function foreign(word: string, language: Foreign): Sound[] | null {
  const { rules, stress } = compiled(language);
  const found: Phoneme[] = [];
  let accented = -1;
  for (let at = 0; at < word.length; ) {
    const rule = rules.find(({ pattern }) => {
      pattern.lastIndex = at;
      return pattern.test(word);
    });
    if (rule === undefined) {
      // Letters that the language has not are taken without their marks.
      const bare = word[at]!.normalize("NFD").replace(/\p{M}/gu, "");
      if (bare !== word[at] && /^[a-z]$/u.test(bare))
        return foreign(word.slice(0, at) + bare + word.slice(at + 1), language);
      at++;
      continue;
    }
    if (rule.accent && rule.sounds.some(isVowel)) accented = found.length + rule.sounds.findLastIndex(isVowel);
    found.push(...rule.sounds);
    at = Math.max(at + 1, rule.pattern.lastIndex);
  }
  let kept = found.filter((phoneme, n) => isVowel(phoneme) || phoneme !== found[n - 1]);
  if (kept.length === 0) return null;
  // A word of a glide alone, as "y" in a language that has it so, is its vowel.
  if (!kept.some(isVowel)) kept = kept.map((phoneme) => (phoneme === "Y" ? "IY" : phoneme === "W" ? "UW" : phoneme));
  const nuclei = kept.flatMap((phoneme, n) => (isVowel(phoneme) ? [n] : []));
  const counted = found.slice(0, accented + 1).filter(isVowel).length - 1;
  const held = nuclei[Math.max(0, stressed(word, kept, nuclei, stress, counted))];
  return kept.map((phoneme, n) => ({ phoneme, stress: n === held ? 1 : 0 }));
}

/** Which of a word's nuclei has the stress; `accented` is the one with an accent in writing, -1 for none. */
function stressed(
  word: string,
  sounds: readonly Phoneme[],
  nuclei: readonly number[],
  stress: Spelling["stress"],
  accented: number,
): number {
  const last = nuclei.length - 1;
  switch (stress) {
    case "first": {
      // A schwa has no stress, nor has ver- and its like.
      const full = nuclei.findIndex((at) => sounds[at] !== "AX");
      return last > 0 && /^(?:ver|zer|ent(?!e)|emp)/u.test(word) ? Math.max(1, full) : full;
    }
    case "last":
      return last;
    case "penult always":
      return last - 1;
    case "penult":
      return accented >= 0 ? accented : last - 1;
    default:
      return accented >= 0 ? accented : endsOpen(word) ? last - 1 : last;
  }
}

/** Spanish and Portuguese stress the last syllable but one of what ends in a vowel, n, s or m. */
function endsOpen(word: string): boolean {
  return /[aeonsm]$/u.test(word);
}

interface Rule {
  readonly pattern: RegExp;
  readonly sounds: readonly Phoneme[];
  readonly accent: boolean;
}

interface Spelling {
  readonly rules: readonly Rule[];
  readonly stress: string;
}

const made = new Map<Foreign, Spelling>();

function compiled(language: Foreign): Spelling {
  let spelling = made.get(language);
  if (spelling === undefined) {
    const { stress = "", spelling: rules = {} } = WRITTEN[language];
    spelling = {
      stress,
      rules: Object.entries(rules).map(([pattern, sounds]) => ({
        pattern: new RegExp(
          pattern
            .replace(/V/gu, "[aeiouyáéíóúýàèìòùâêîôûäöüãõœąęěůåøæāēīōūıőű]")
            .replace(/C/gu, "[bcdfghjklmnpqrstvwxzçñßčšžřťďňłśćźżńğş]"),
          "vy",
        ),
        sounds: phonemes(sounds),
        accent: /[áéíóúàèìòùâêôãõ]/u.test(pattern),
      })),
    };
    made.set(language, spelling);
  }
  return spelling;
}
