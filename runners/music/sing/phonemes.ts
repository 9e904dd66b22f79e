/** The sounds that the singer knows: ARPAbet without stress digits, and what other languages add to it. */

import sounds from "./voice/sounds.json" with { type: "json" };

export type Vowel = keyof typeof sounds.vowels;
export type Consonant = keyof typeof sounds.consonants;
export type Phoneme = Vowel | Consonant;

/**
 * Nuclei of syllables. After ARPAbet: AX as in "a-bout", A of Spanish "casa", EE of German "See", OO of "so", UE of
 * "über", OE of "schön", nasal AN ON EN.
 */
export const VOWELS = Object.keys(sounds.vowels) as Vowel[];

/** Margins of syllables. After ARPAbet: RR trilled or tapped, RX uvular r, KH of "Bach" and "jota", NY of "señor". */
export const CONSONANTS = Object.keys(sounds.consonants) as Consonant[];

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
