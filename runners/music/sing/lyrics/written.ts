/** How languages are written, from `languages/`: a file each, which who speaks it can read and correct. */
import chinese from "./languages/chinese.json" with { type: "json" };
import czech from "./languages/czech.json" with { type: "json" };
import dutch from "./languages/dutch.json" with { type: "json" };
import english from "./languages/english.json" with { type: "json" };
import finnish from "./languages/finnish.json" with { type: "json" };
import french from "./languages/french.json" with { type: "json" };
import german from "./languages/german.json" with { type: "json" };
import italian from "./languages/italian.json" with { type: "json" };
import japanese from "./languages/japanese.json" with { type: "json" };
import other from "./languages/other.json" with { type: "json" };
import polish from "./languages/polish.json" with { type: "json" };
import portuguese from "./languages/portuguese.json" with { type: "json" };
import russian from "./languages/russian.json" with { type: "json" };
import spanish from "./languages/spanish.json" with { type: "json" };
import swedish from "./languages/swedish.json" with { type: "json" };
import turkish from "./languages/turkish.json" with { type: "json" };

/** Whole numbers as words. */
export interface Figures {
  /** 0 to 19 or, where `tens` begins earlier, to 10. */
  readonly units: readonly string[];
  /** 20, 30 to 90. */
  readonly tens: readonly string[];
  /** Of a ten and a unit: "{ten} y {unit}"; then patterns of what is said otherwise, and how. */
  readonly compound: string;
  readonly elisions?: Readonly<Record<string, string>>;
  /** 100, 200 to 900; 100 itself, where that is another word; what stands between hundreds and what follows. */
  readonly hundreds: readonly string[];
  readonly hundred?: string;
  readonly and?: string;
  /** 1000; "{count} tysiące" up to four, where that is another word; more. */
  readonly thousand: string;
  readonly few_thousands?: string;
  readonly thousands: string;
  readonly percent: string;
}

export interface Written {
  /** Words that every song has, and a pattern of marks of the spelling: by them languages are told apart. */
  readonly common: readonly string[];
  readonly marks?: string;
  /** "&", and the "." of an address. */
  readonly and?: string;
  readonly dot?: string;
  readonly figures?: Figures;
  /** "first", "last", "penult" where no accent is written, "penult always", or by the "ending". */
  readonly stress?: string;
  /**
   * Spelling to sound, the first match counts: a sticky regular expression, in which V is any vowel letter and C any
   * consonant letter, and its sounds. Standard pronunciations, as grammars give them, in the sounds that our singer
   * has. Accented letters carry the stress.
   */
  readonly spelling?: Readonly<Record<string, string>>;
}

const SPELLINGS = {
  spanish,
  french,
  german,
  italian,
  portuguese,
  dutch,
  swedish,
  polish,
  czech,
  finnish,
  turkish,
  japanese,
};
/** Languages whose spelling we read. */
export type Spelled = "english" | keyof typeof SPELLINGS;
export type Foreign = keyof typeof SPELLINGS | "other";
export const SPELLED = ["english", ...Object.keys(SPELLINGS)] as readonly Spelled[];

/** Told by their script; what is in Latin letters among them is read as English. */
type Scripted =
  | "russian"
  | "ukrainian"
  | "greek"
  | "hebrew"
  | "arabic"
  | "persian"
  | "hindi"
  | "chinese"
  | "korean"
  | "thai";
/** `other`: in Latin letters, and none that we know; read as most languages of the Continent would. */
export type Language = Spelled | Scripted | "other";

export const WRITTEN: Readonly<Record<Spelled | "other", Written>> = {
  english: { common: english.common },
  ...SPELLINGS,
  other: { common: [], ...other },
};

/** What is known of how a language other than English is written. */
export function writtenIn(language: Language): Partial<Written> | undefined {
  if (language === "russian") return russian;
  if (language === "chinese") return chinese;
  return (WRITTEN as Readonly<Partial<Record<Language, Written>>>)[language];
}
