/**
 * What the throat does for each sound, from `sounds.json`. Formants are those of an average man in Hz (vowels after J.
 * Hillenbrand et al., JASA 97 (1995), and Klatt 1980; consonants after Klatt 1980, tables II and III); a voice scales
 * them. Levels are dB against a vowel's voice.
 */
import type { Consonant, Vowel } from "../phonemes.ts";
import sounds from "./sounds.json" with { type: "json" };

export interface VowelTarget {
  /** F1, F2, F3 where it is held. */
  readonly at: readonly [number, number, number];
  /** Where a diphthong glides to. */
  readonly to?: readonly [number, number, number];
  /** Bandwidths of F1 to F3. */
  readonly width: readonly [number, number, number];
  readonly nasal?: true;
}

export const VOWEL_TARGETS = sounds.vowels as unknown as Readonly<Record<Vowel, VowelTarget>>;

/** A band of noise: Hz, width in Hz, dB. Hz below 0 counts from the vowel's F2. */
export type Band = readonly [hertz: number, width: number, level_db: number];

export interface ConsonantTarget {
  readonly manner: "stop" | "affricate" | "fricative" | "nasal" | "approximant" | "breath";
  readonly voiced: boolean;
  readonly place: "labial" | "dental" | "alveolar" | "palatal" | "velar" | "uvular";
  /** F1 to F3 while it lasts; those of obstruents move with the vowels beside. */
  readonly at: readonly [number, number, number];
  readonly width: readonly [number, number, number];
  /** Of its voice against a vowel's, dB. */
  readonly voice_db: number;
  /** Seconds at ease, before a vowel and after one. For stops the closure. */
  readonly seconds: readonly [onset: number, coda: number];
  /** Seconds from the release to the voice. */
  readonly release?: number;
  readonly bands?: readonly Band[];
}

interface WrittenConsonant extends Omit<ConsonantTarget, "bands"> {
  /** One of the file's noises, and by how much it is louder than there. */
  readonly noise?: string;
  readonly noise_db?: number;
}

const consonants = sounds.consonants as unknown as Readonly<Record<Consonant, WrittenConsonant>>;
const noises = sounds.noises as unknown as Readonly<Record<string, readonly Band[]>>;

export const CONSONANT_TARGETS = Object.fromEntries(
  Object.entries(consonants).map(([name, { noise, noise_db = 0, ...target }]) => {
    if (noise === undefined) return [name, target];
    const bands = noises[noise]!.map(([hertz, width, level]): Band => [hertz, width, level + noise_db]);
    return [name, { ...target, bands }];
  }),
) as Readonly<Record<Consonant, ConsonantTarget>>;

/**
 * F2 and F3 where a consonant of this place meets a vowel with `f2`, `f3`: locus equations, slopes after H. Sussman et
 * al., JASA 90 (1991).
 */
export function locus(place: ConsonantTarget["place"], f2: number, f3: number): readonly [f2: number, f3: number] {
  switch (place) {
    case "labial":
      return [0.68 * f2 + 180, 0.65 * f3 + 650];
    case "dental":
      return [0.5 * f2 + 700, 0.6 * f3 + 1000];
    case "alveolar":
      return [0.42 * f2 + 1060, 0.5 * f3 + 1330];
    case "palatal":
      return [0.35 * f2 + 1300, 0.5 * f3 + 1380];
    case "velar": {
      // The tongue's back meets the palate where F2 and F3 run together before front vowels, and where F2 is low before back ones.
      const met = f2 > 1450 ? 0.6 * f2 + 880 : 1.02 * f2 + 230;
      return [met, Math.max(met + 220, f2 > 1450 ? 0.5 * f3 + 1000 : 0.6 * f3 + 700)];
    }
    case "uvular":
      return [0.8 * f2 + 220, 0.8 * f3 + 500];
  }
}
