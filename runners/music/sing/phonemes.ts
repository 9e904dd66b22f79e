/** The sounds that the singer knows: ARPAbet without stress digits, and what other languages add to it. */

/** Nuclei of syllables. After ARPAbet: AX as in "a-bout", A of Spanish "casa", EE of German "See", OO of "so", UE of "über", OE of "schön", nasal AN ON EN. */
export const VOWELS = [
  "AA",
  "AE",
  "AH",
  "AO",
  "AW",
  "AX",
  "AY",
  "EH",
  "ER",
  "EY",
  "IH",
  "IY",
  "OW",
  "OY",
  "UH",
  "UW",
  "A",
  "EE",
  "OO",
  "UE",
  "OE",
  "AN",
  "ON",
  "EN",
] as const;

/** Margins of syllables. After ARPAbet: RR trilled or tapped, RX uvular r, KH of "Bach" and "jota", NY of "señor". */
export const CONSONANTS = [
  "P",
  "B",
  "T",
  "D",
  "K",
  "G",
  "CH",
  "JH",
  "F",
  "V",
  "TH",
  "DH",
  "S",
  "Z",
  "SH",
  "ZH",
  "HH",
  "M",
  "N",
  "NG",
  "L",
  "R",
  "W",
  "Y",
  "RR",
  "RX",
  "KH",
  "NY",
] as const;

export type Vowel = (typeof VOWELS)[number];
export type Consonant = (typeof CONSONANTS)[number];
export type Phoneme = Vowel | Consonant;

const vowels: ReadonlySet<string> = new Set(VOWELS);
const consonants: ReadonlySet<string> = new Set(CONSONANTS);

export function isVowel(phoneme: string): phoneme is Vowel {
  return vowels.has(phoneme);
}

export function isPhoneme(text: string): text is Phoneme {
  return vowels.has(text) || consonants.has(text);
}

/** Reads "HH AX L OW". Throws on what is no phoneme: it serves our own tables. */
export function phonemes(text: string): Phoneme[] {
  const found: Phoneme[] = [];
  for (const part of text.split(" ")) {
    if (part === "") continue;
    if (!isPhoneme(part)) throw new Error(`Cannot read the phonemes "${text}": "${part}" is none`);
    found.push(part);
  }
  return found;
}

/** A vowel's stress as ARPAbet numbers it: 0 none, 1 primary, 2 secondary. */
export type Stress = 0 | 1 | 2;

/** A sound of a word; consonants have stress 0. */
export interface Sound {
  readonly phoneme: Phoneme;
  readonly stress: Stress;
}
