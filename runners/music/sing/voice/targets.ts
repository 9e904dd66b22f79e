/**
 * What the throat does for each sound. Formants are those of an average man in Hz (vowels after J. Hillenbrand et al., JASA 97 (1995), and Klatt 1980;
 * consonants after Klatt 1980, tables II and III); a voice scales them. Levels are dB against a vowel's voice.
 */
import type { Consonant, Vowel } from "../phonemes.ts";

export interface VowelTarget {
  /** F1, F2, F3 where it is held. */
  readonly at: readonly [number, number, number];
  /** Where a diphthong glides to. */
  readonly to?: readonly [number, number, number];
  /** Bandwidths of F1 to F3. */
  readonly width: readonly [number, number, number];
  readonly nasal?: true;
}

export const VOWEL_TARGETS: Readonly<Record<Vowel, VowelTarget>> = {
  AA: { at: [730, 1130, 2450], width: [90, 70, 130] },
  AE: { at: [680, 1740, 2440], width: [80, 100, 160] },
  AH: { at: [640, 1220, 2430], width: [80, 70, 140] },
  AO: { at: [590, 900, 2430], width: [85, 80, 110] },
  AW: { at: [720, 1250, 2450], to: [430, 950, 2350], width: [80, 75, 140] },
  AX: { at: [530, 1380, 2430], width: [75, 75, 140] },
  AY: { at: [710, 1220, 2450], to: [380, 2000, 2600], width: [85, 85, 150] },
  EH: { at: [560, 1790, 2520], width: [70, 90, 160] },
  ER: { at: [470, 1290, 1650], width: [75, 70, 110] },
  EY: { at: [480, 1960, 2570], to: [320, 2220, 2850], width: [65, 95, 180] },
  IH: { at: [410, 1980, 2570], width: [60, 95, 160] },
  IY: { at: [290, 2280, 3000], width: [50, 110, 220] },
  OW: { at: [510, 980, 2380], to: [360, 820, 2280], width: [75, 75, 100] },
  OY: { at: [530, 900, 2400], to: [370, 1950, 2550], width: [75, 80, 140] },
  UH: { at: [450, 1080, 2300], width: [65, 80, 120] },
  UW: { at: [320, 950, 2240], width: [55, 85, 130] },
  A: { at: [740, 1330, 2500], width: [85, 80, 150] },
  EE: { at: [400, 2080, 2650], width: [60, 95, 180] },
  OO: { at: [410, 820, 2400], width: [65, 75, 110] },
  UE: { at: [290, 1750, 2150], width: [50, 90, 140] },
  OE: { at: [430, 1500, 2250], width: [65, 85, 140] },
  AN: { at: [650, 1100, 2500], width: [140, 110, 180], nasal: true },
  ON: { at: [480, 850, 2450], width: [130, 100, 160], nasal: true },
  EN: { at: [600, 1550, 2500], width: [130, 120, 180], nasal: true },
};

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

const S: readonly Band[] = [
  [5100, 900, -21],
  [7600, 1800, -20],
  [10500, 3000, -25],
];
const SH: readonly Band[] = [
  [2650, 450, -19],
  [4300, 1200, -22],
  [6800, 2500, -29],
];
const F: readonly Band[] = [
  [1500, 1500, -42],
  [5000, 4500, -35],
  [9500, 5000, -35],
];
const TH: readonly Band[] = [
  [1500, 1200, -43],
  [5500, 4500, -39],
  [9000, 5000, -39],
];
const T: readonly Band[] = [
  [2800, 1200, -29],
  [4400, 1500, -22],
  [7000, 3000, -22],
];
const P: readonly Band[] = [
  [700, 700, -24],
  [1700, 1500, -33],
  [5000, 5000, -41],
];
const K: readonly Band[] = [
  [-1, 380, -15],
  [4300, 1500, -34],
  [7000, 4000, -40],
];

const softer = (bands: readonly Band[], db: number): readonly Band[] =>
  bands.map(([hertz, width, level]) => [hertz, width, level + db] as const);

export const CONSONANT_TARGETS: Readonly<Record<Consonant, ConsonantTarget>> = {
  P: {
    manner: "stop",
    voiced: false,
    place: "labial",
    at: [250, 1000, 2200],
    width: [200, 120, 160],
    voice_db: -90,
    seconds: [0.07, 0.07],
    release: 0.05,
    bands: P,
  },
  B: {
    manner: "stop",
    voiced: true,
    place: "labial",
    at: [200, 1000, 2150],
    width: [70, 110, 130],
    voice_db: -8,
    seconds: [0.065, 0.06],
    release: 0.008,
    bands: softer(P, -2),
  },
  T: {
    manner: "stop",
    voiced: false,
    place: "alveolar",
    at: [280, 1750, 2650],
    width: [250, 130, 250],
    voice_db: -90,
    seconds: [0.06, 0.06],
    release: 0.06,
    bands: T,
  },
  D: {
    manner: "stop",
    voiced: true,
    place: "alveolar",
    at: [200, 1700, 2600],
    width: [70, 110, 170],
    voice_db: -8,
    seconds: [0.055, 0.055],
    release: 0.012,
    bands: softer(T, -4),
  },
  K: {
    manner: "stop",
    voiced: false,
    place: "velar",
    at: [280, 1700, 2500],
    width: [220, 150, 280],
    voice_db: -90,
    seconds: [0.06, 0.06],
    release: 0.06,
    bands: K,
  },
  G: {
    manner: "stop",
    voiced: true,
    place: "velar",
    at: [200, 1700, 2400],
    width: [70, 140, 250],
    voice_db: -8,
    seconds: [0.055, 0.055],
    release: 0.018,
    bands: softer(K, -3),
  },
  CH: {
    manner: "affricate",
    voiced: false,
    place: "palatal",
    at: [300, 1850, 2800],
    width: [200, 110, 260],
    voice_db: -90,
    seconds: [0.05, 0.05],
    release: 0.085,
    bands: SH,
  },
  JH: {
    manner: "affricate",
    voiced: true,
    place: "palatal",
    at: [230, 1850, 2800],
    width: [80, 110, 240],
    voice_db: -9,
    seconds: [0.045, 0.045],
    release: 0.06,
    bands: softer(SH, -4),
  },
  F: {
    manner: "fricative",
    voiced: false,
    place: "labial",
    at: [320, 1100, 2100],
    width: [200, 120, 150],
    voice_db: -90,
    seconds: [0.1, 0.1],
    bands: F,
  },
  V: {
    manner: "fricative",
    voiced: true,
    place: "labial",
    at: [240, 1100, 2100],
    width: [70, 100, 130],
    voice_db: -5,
    seconds: [0.065, 0.07],
    bands: softer(F, -6),
  },
  TH: {
    manner: "fricative",
    voiced: false,
    place: "dental",
    at: [320, 1350, 2550],
    width: [200, 100, 200],
    voice_db: -90,
    seconds: [0.09, 0.1],
    bands: TH,
  },
  DH: {
    manner: "fricative",
    voiced: true,
    place: "dental",
    at: [270, 1300, 2500],
    width: [70, 90, 170],
    voice_db: -4,
    seconds: [0.05, 0.06],
    bands: softer(TH, -5),
  },
  S: {
    manner: "fricative",
    voiced: false,
    place: "alveolar",
    at: [310, 1650, 2600],
    width: [200, 90, 200],
    voice_db: -90,
    seconds: [0.11, 0.11],
    bands: S,
  },
  Z: {
    manner: "fricative",
    voiced: true,
    place: "alveolar",
    at: [240, 1600, 2550],
    width: [70, 80, 180],
    voice_db: -7,
    seconds: [0.08, 0.085],
    bands: softer(S, -5),
  },
  SH: {
    manner: "fricative",
    voiced: false,
    place: "palatal",
    at: [310, 1850, 2750],
    width: [200, 100, 280],
    voice_db: -90,
    seconds: [0.11, 0.11],
    bands: SH,
  },
  ZH: {
    manner: "fricative",
    voiced: true,
    place: "palatal",
    at: [240, 1850, 2750],
    width: [70, 90, 260],
    voice_db: -7,
    seconds: [0.075, 0.08],
    bands: softer(SH, -5),
  },
  HH: {
    manner: "breath",
    voiced: false,
    place: "velar",
    at: [500, 1500, 2500],
    width: [250, 140, 200],
    voice_db: -90,
    seconds: [0.09, 0.09],
  },
  M: {
    manner: "nasal",
    voiced: true,
    place: "labial",
    at: [330, 1000, 2150],
    width: [150, 110, 150],
    voice_db: -1,
    seconds: [0.075, 0.12],
  },
  N: {
    manner: "nasal",
    voiced: true,
    place: "alveolar",
    at: [330, 1600, 2550],
    width: [150, 120, 170],
    voice_db: -1,
    seconds: [0.07, 0.12],
  },
  NG: {
    manner: "nasal",
    voiced: true,
    place: "velar",
    at: [330, 1950, 2500],
    width: [150, 140, 180],
    voice_db: -1,
    seconds: [0.07, 0.12],
  },
  L: {
    manner: "approximant",
    voiced: true,
    place: "alveolar",
    at: [340, 1150, 2750],
    width: [60, 100, 240],
    voice_db: -3,
    seconds: [0.07, 0.085],
  },
  R: {
    manner: "approximant",
    voiced: true,
    place: "alveolar",
    at: [340, 1120, 1500],
    width: [70, 90, 120],
    voice_db: -2,
    seconds: [0.075, 0.085],
  },
  W: {
    manner: "approximant",
    voiced: true,
    place: "labial",
    at: [300, 680, 2200],
    width: [55, 80, 100],
    voice_db: -3,
    seconds: [0.07, 0.07],
  },
  Y: {
    manner: "approximant",
    voiced: true,
    place: "palatal",
    at: [270, 2250, 3000],
    width: [45, 150, 300],
    voice_db: -3,
    seconds: [0.065, 0.07],
  },
  RR: {
    manner: "approximant",
    voiced: true,
    place: "alveolar",
    at: [340, 1500, 2400],
    width: [90, 110, 200],
    voice_db: -9,
    seconds: [0.035, 0.05],
  },
  RX: {
    manner: "fricative",
    voiced: true,
    place: "uvular",
    at: [420, 1200, 2500],
    width: [110, 150, 260],
    voice_db: -5,
    seconds: [0.07, 0.075],
    bands: softer(K, -14),
  },
  KH: {
    manner: "fricative",
    voiced: false,
    place: "velar",
    at: [350, 1500, 2500],
    width: [220, 160, 260],
    voice_db: -90,
    seconds: [0.09, 0.1],
    bands: softer(K, -3),
  },
  NY: {
    manner: "nasal",
    voiced: true,
    place: "palatal",
    at: [330, 2050, 2750],
    width: [150, 120, 170],
    voice_db: -1,
    seconds: [0.08, 0.12],
  },
};

/** F2 and F3 where a consonant of this place meets a vowel with `f2`, `f3`: locus equations, slopes after H. Sussman et al., JASA 90 (1991). */
export function locus(place: ConsonantTarget["place"], f2: number, f3: number): readonly [f2: number, f3: number] {
  switch (place) {
    case "labial":
      return [0.8 * f2 + 110, 0.75 * f3 + 480];
    case "dental":
      return [0.5 * f2 + 700, 0.6 * f3 + 1000];
    case "alveolar":
      return [0.42 * f2 + 1060, 0.5 * f3 + 1330];
    case "palatal":
      return [0.35 * f2 + 1300, 0.5 * f3 + 1380];
    case "velar": {
      // The tongue's back meets the palate where F2 and F3 run together before front vowels, and where F2 is low before back ones.
      const met = f2 > 1450 ? 0.45 * f2 + 1330 : 1.02 * f2 + 230;
      return [met, Math.max(met + 220, f2 > 1450 ? 0.5 * f3 + 1000 : 0.6 * f3 + 700)];
    }
    case "uvular":
      return [0.8 * f2 + 220, 0.8 * f3 + 500];
  }
}
