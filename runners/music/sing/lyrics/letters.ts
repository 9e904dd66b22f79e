/**
 * English spelling to sounds, for words that no dictionary has: names, slang, inventions. Ordered rules in the notation
 * of the Naval Research Laboratory's (Elovitz et al. 1976): `left[letters]right`, where `#` is one or more vowels, `:`
 * any consonants, `^` one consonant, `.` a voiced one, `+` a front vowel, `%` a suffix, `&` a sibilant, `@` a consonant
 * after which long u is UW, `_` the edge of the word. The first rule that fits is taken.
 */
import { isVowel, type Phoneme, phonemes, type Sound, type Stress } from "../phonemes.ts";
import data from "./languages/english.json" with { type: "json" };

/** Sounds of a word of the letters a to z and apostrophes, with stress. Empty only for a word without letters. */
export function spell(word: string): Sound[] {
  const found: Phoneme[] = [];
  const text = `_${word.replace(/[^a-z']/gu, "")}_`;
  for (let at = 1; at < text.length - 1; ) {
    const rules = table().get(text[at]!) ?? [];
    const rule = rules.find(({ letters, left, right }) => {
      if (!text.startsWith(letters, at)) return false;
      return left.test(text.slice(Math.max(0, at - 12), at)) && right.test(text.slice(at + letters.length, at + 24));
    });
    if (rule === undefined) {
      at++;
      continue;
    }
    found.push(...rule.sounds);
    at += rule.letters.length;
  }
  const joined = found.filter((phoneme, n) => n === 0 || phoneme !== found[n - 1] || isVowel(phoneme));
  return stressed(joined, word);
}

interface Rule {
  readonly left: RegExp;
  readonly letters: string;
  readonly right: RegExp;
  readonly sounds: readonly Phoneme[];
}

let rules: Map<string, Rule[]> | undefined;

function table(): Map<string, Rule[]> {
  if (rules !== undefined) return rules;
  rules = new Map();
  for (const [text, sounds] of Object.entries(data.spelling)) {
    const parts = /^([^[]*)\[([a-z']+)\](.*)$/u.exec(text);
    if (parts === null) throw new Error(`Cannot read the letter rule "${text}"`);
    const [, left, letters, right] = parts as unknown as [string, string, string, string];
    const rule = {
      left: new RegExp(`${patternOf(left)}$`, "u"),
      letters,
      right: new RegExp(`^${patternOf(right)}`, "u"),
      sounds: phonemes(sounds),
    };
    const list = rules.get(letters[0]!);
    if (list === undefined) rules.set(letters[0]!, [rule]);
    else list.push(rule);
  }
  return rules;
}

const CLASSES: Readonly<Record<string, string>> = {
  "#": "[aeiouy]+",
  ":": "[bcdfghjklmnpqrstvwxz]*",
  "^": "[bcdfghjklmnpqrstvwxz]",
  ".": "[bdvgjlmnrwz]",
  "+": "[eiy]",
  "%": "(?:er|e|es|ed|ing|in|ely|ers)(?:_|')",
  "&": "(?:s|c|g|z|x|j|ch|sh)",
  "@": "(?:t|s|r|d|l|z|n|j|th|ch|sh)",
};

function patternOf(text: string): string {
  return [...text].map((letter) => CLASSES[letter] ?? letter).join("");
}

/**
 * Stress by the shape of the word: before -tion, -ic, -ity and their like, past a light prefix, else on the first of
 * two and the antepenult of more.
 */
function stressed(sounds: readonly Phoneme[], word: string): Sound[] {
  const nuclei = sounds.flatMap((phoneme, n) => (isVowel(phoneme) ? [n] : []));
  const count = nuclei.length;
  let primary = 0;
  if (count >= 2) {
    if (/(?:[tsc]ion|ic|ics|ical|ity|ify|ian|ious|eous|ual)s?$/u.test(word)) {
      primary = count - (/(?:ity|ify|ical|ian|ious|eous|ual)s?$/u.test(word) ? 3 : 2);
    } else if (/(?:ee|eer|ette|esque|oon|ique)s?$/u.test(word)) primary = count - 1;
    else if (/^(?:be|de|re|un|in|im|en|em|ex|con|com|dis|mis|a(?=[bcdfglmnprst]))[a-z]{3,}/u.test(word)) {
      primary = count > 2 || /^(?:be|de|re|un|a)/u.test(word) ? 1 : 0;
    } else if (count >= 3) primary = /[aiou]$/u.test(word) ? count - 2 : count - 3;
  }
  const held = nuclei[Math.min(count - 1, Math.max(0, primary))] ?? -1;
  return sounds.map((phoneme, n) => {
    const stress: Stress = n === held ? 1 : 0;
    return { phoneme: n === held && phoneme === "AX" ? "AH" : phoneme, stress };
  });
}
