/**
 * Scripts other than Latin. Those that write sounds are read letter by letter (Cyrillic, Greek, kana, Hangul, and
 * roughly Arabic, Hebrew and Devanagari, which leave vowels out or imply them), Han characters by a table of the
 * commonest; what cannot be read is sung on open syllables, one for each character of Han, one for every two letters of
 * the rest.
 */
import { isVowel, type Phoneme, phonemes, type Sound } from "../phonemes.ts";
import { kanjiAt, mandarinOf } from "./han.ts";
import { foreign, type Language } from "./languages.ts";
import data from "./scripts.json" with { type: "json" };

export function isLatin(word: string): boolean {
  return !/[^\p{Script=Latin}\p{M}']/u.test(word);
}

/** One or more words of a text in `language`: scripts without spaces are parted into short ones. Every word has at least one sound. */
export function transliterate(word: string, language: Language): { text: string; sounds: Sound[] }[] {
  const parts = word.replace(/'/gu, "").match(RUNS) ?? [word];
  return parts.flatMap((part): { text: string; sounds: Sound[] }[] => {
    if (/\p{Script=Han}/u.test(part)) return language === "japanese" ? kanji([...part]) : [...part].map(hanzi);
    if (/[\p{Script=Hiragana}\p{Script=Katakana}ー]/u.test(part)) return [{ text: part, sounds: stressed(kana(part)) }];
    if (/\p{Script=Hangul}/u.test(part)) return [{ text: part, sounds: stressed(hangul(part)) }];
    const read = ALPHABETS.find(({ letters }) => letters.test(part));
    const sounds = read === undefined ? [] : read.read(part.toLowerCase());
    // A preposition of one consonant is left as it is, for the word after it.
    const whole = sounds.some(isVowel) || (/^[\p{Script=Cyrillic}\p{Script=Greek}]$/u.test(part) && sounds.length > 0);
    return [{ text: part, sounds: stressed(whole ? sounds : [...sounds, ...vocalise(part)]) }];
  });
}

const RUNS =
  /\p{Script=Han}+|[\p{Script=Hiragana}\p{Script=Katakana}ー]+|\p{Script=Hangul}+|[\p{Script=Latin}']+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}\p{Script=Latin}']+/gu;

/** On the last syllable but one, as in most of these languages' own songs it may be. */
function stressed(sounds: readonly Phoneme[]): Sound[] {
  const nuclei = sounds.flatMap((phoneme, n) => (isVowel(phoneme) ? [n] : []));
  const held = nuclei[Math.max(0, nuclei.length - 2)];
  return sounds.map((phoneme, n) => ({ phoneme, stress: n === held ? 1 : 0 }));
}

function hanzi(sign: string): { text: string; sounds: Sound[] } {
  const sounds = mandarinOf(sign);
  return { text: sign, sounds: stressed(sounds.length > 0 ? sounds : vocalise(sign)) };
}

function kanji(signs: readonly string[]): { text: string; sounds: Sound[] }[] {
  const found: { text: string; sounds: Sound[] }[] = [];
  for (let at = 0; at < signs.length; ) {
    const reading = kanjiAt(signs, at);
    const count = reading?.count ?? 1;
    const text = signs.slice(at, at + count).join("");
    found.push({ text, sounds: (reading && foreign(reading.romaji, "japanese")) ?? stressed(vocalise(text)) });
    at += count;
  }
  return found;
}

const OPEN = data.open_syllables.map(phonemes);

/** An open syllable for every two letters, the same for the same sign. */
function vocalise(text: string): Phoneme[] {
  const signs = [...text];
  const count = Math.min(8, Math.max(1, Math.round(signs.length / 2)));
  return Array.from(
    { length: count },
    (_, n) => OPEN[(signs[Math.min(signs.length - 1, 2 * n)]!.codePointAt(0) ?? 0) % OPEN.length]!,
  ).flat();
}

function tableOf(letters: Readonly<Record<string, string>>): ReadonlyMap<string, readonly Phoneme[]> {
  return new Map(Object.entries(letters).map(([letter, sounds]) => [letter, phonemes(sounds)]));
}

/** Longest match first; letters that the table has not are looked up without their marks, and else are silent. */
function readBy(table: ReadonlyMap<string, readonly Phoneme[]>, text: string): Phoneme[] {
  const found: Phoneme[] = [];
  for (let at = 0; at < text.length; ) {
    const two = table.get(text.slice(at, at + 2));
    const one = two ?? table.get(text[at]!) ?? table.get(text[at]!.normalize("NFD")[0]!);
    if (one !== undefined) found.push(...one);
    at += two === undefined ? 1 : 2;
  }
  return found;
}

const CYRILLIC = tableOf(data.cyrillic);
const GREEK = tableOf(data.greek);
const HEBREW = tableOf(data.hebrew);
const ARABIC = tableOf(data.arabic);
const DEVANAGARI = tableOf(data.devanagari);

const ALPHABETS: readonly { readonly letters: RegExp; readonly read: (text: string) => Phoneme[] }[] = [
  { letters: /\p{Script=Cyrillic}/u, read: cyrillic },
  { letters: /\p{Script=Greek}/u, read: (text) => readBy(GREEK, text) },
  { letters: /\p{Script=Hebrew}/u, read: (text) => voweled(readBy(HEBREW, text)) },
  { letters: /\p{Script=Arabic}/u, read: (text) => voweled(readBy(ARABIC, gliding(text))) },
  { letters: /\p{Script=Devanagari}/u, read: devanagari },
];

/** After a consonant Russian е, ё, ю and я are plain vowels. */
function cyrillic(text: string): Phoneme[] {
  const sounds = readBy(CYRILLIC, text);
  return sounds.filter(
    (phoneme, n) => !(phoneme === "Y" && n > 0 && !isVowel(sounds[n - 1]!) && isVowel(sounds[n + 1] ?? "Y")),
  );
}

/** Waw and ya are w and y where a word begins with them and beside a long vowel; else they are vowels. */
function gliding(text: string): string {
  return text.replace(/^و|(?<=[اأآ])و|و(?=[اأآيىو])/gu, "\ue000").replace(/^ي|(?<=[اأآ])ي|ي(?=[اأآوة])/gu, "\ue001");
}

/** Between consonants that stand together a short vowel is said that nobody writes. */
function voweled(sounds: readonly Phoneme[]): Phoneme[] {
  return sounds.flatMap((phoneme, n): Phoneme[] => {
    const next = sounds[n + 1];
    const after = sounds[n + 2];
    const bare = !isVowel(phoneme) && next !== undefined && !isVowel(next);
    return bare && (n === 0 || after === undefined || !isVowel(after)) ? [phoneme, "A"] : [phoneme];
  });
}

/** A consonant has an a of its own unless a vowel sign, a virama or the word's end follows. */
function devanagari(text: string): Phoneme[] {
  const signs = [...text.replace(/\u093c/gu, "")];
  return signs.flatMap((sign, n): readonly Phoneme[] => {
    const sounds = DEVANAGARI.get(sign) ?? [];
    const consonant = /[\u0915-\u0939]/u.test(sign);
    const next = signs[n + 1];
    const implied = consonant && next !== undefined && !/[\u093e-\u094d]/u.test(next);
    return implied ? [...sounds, "AX"] : sounds;
  }) as Phoneme[];
}

const KANA_VOWELS: Readonly<Record<string, string>> = data.kana.vowels;
/** Rows of the table of sounds in the order of the code points from U+3041; small letters too. */
const KANA = data.kana.signs;
const KANA_ONSETS: Readonly<Record<string, string>> = data.kana.onsets;

function kana(text: string): Phoneme[] {
  const found: Phoneme[] = [];
  const signs = [...text];
  for (let n = 0; n < signs.length; n++) {
    const code = signs[n]!.codePointAt(0)!;
    const at = (code >= 0x30a1 ? code - 0x60 : code) - 0x3041;
    // A long mark prolongs what is there; the small tsu doubles what comes.
    if (signs[n] === "ー" || at === 34) continue;
    const roman = KANA[at];
    if (roman === undefined) continue;
    if (roman === "n") {
      found.push("N");
      continue;
    }
    let onset = roman.slice(0, -1);
    let vowel = roman.at(-1)!;
    const small =
      signs[n + 1] === undefined
        ? -1
        : signs[n + 1]!.codePointAt(0)! - (signs[n + 1]!.codePointAt(0)! >= 0x30a1 ? 0x60 : 0) - 0x3041;
    let glide = "";
    if ([66, 68, 70].includes(small) || (small >= 0 && small <= 8 && small % 2 === 0)) {
      // A small ya, yu, yo joins what ends in i; a small vowel replaces the vowel.
      vowel = KANA[small]!.at(-1)!;
      glide = small >= 66 && !["sh", "ch", "j"].includes(onset) ? "Y" : "";
      if (onset === "" && small < 66) onset = "w";
      n++;
    }
    found.push(...phonemes(`${KANA_ONSETS[onset] ?? ""} ${glide} ${KANA_VOWELS[vowel]}`));
  }
  return found;
}

const INITIALS = data.hangul.initials.map(phonemes);
const MEDIALS = data.hangul.medials.map(phonemes);
const FINALS = data.hangul.finals.map(phonemes);

/** Syllable blocks taken apart by their place in Unicode (chapter 3.12). */
function hangul(text: string): Phoneme[] {
  return [...text].flatMap((sign) => {
    const at = sign.codePointAt(0)! - 0xac00;
    if (at < 0 || at >= 11_172) return [];
    const initial = Math.floor(at / 588);
    return [...INITIALS[initial]!, ...MEDIALS[Math.floor((at % 588) / 28)]!, ...FINALS[at % 28]!];
  });
}
