/** Words that say how others are meant: what is denied, compared, counted, put in order. Data of each language; the rules in `scan.ts` are the same. */
import type { WordsPack } from "../packs/mod.ts";
import { clean, isDense, wordsOf } from "./tokens.ts";

/** The grammar of one language, each list in plain words; what a language lacks is left out. */
export interface Grammar {
  readonly language: string;
  /** "Not", "never", "nicht": what is denied comes after it. */
  readonly negation?: readonly string[];
  /** "No", "kein": what is denied is a thing. */
  readonly no?: readonly string[];
  /** What denies a whole list: "without drums, bass and vocals". */
  readonly without?: readonly string[];
  /** "Free" in "drum free", "なし": what is denied comes before it. */
  readonly negation_after?: readonly string[];
  /** "-less", "-los", "-siz": what stands before it in the same word is denied. */
  readonly without_suffix?: readonly string[];
  /** "Take" and "out" with something between. */
  readonly take?: readonly string[];
  readonly out?: readonly string[];
  readonly instead_of?: readonly string[];
  readonly except?: readonly string[];
  readonly less?: readonly string[];
  readonly very?: readonly string[];
  readonly slightly?: readonly string[];
  /** After a negation these soften it: "not too". */
  readonly too?: readonly string[];
  /** Behind these stands an amount of the thing itself: "too much reverb". */
  readonly much?: readonly string[];
  readonly but?: readonly string[];
  readonly and?: readonly string[];
  readonly or?: readonly string[];
  readonly with?: readonly string[];
  readonly then?: readonly string[];
  readonly only?: readonly string[];
  /** Behind what is alone: "guitar alone". */
  readonly only_after?: readonly string[];
  readonly until?: readonly string[];
  readonly than?: readonly string[];
  readonly like?: readonly string[];
  readonly behind?: readonly string[];
  readonly while?: readonly string[];
  readonly after?: readonly string[];
  readonly far?: readonly string[];
  readonly near?: readonly string[];
  readonly second?: readonly string[];
  readonly minute?: readonly string[];
  /** Before whom a song is about, or for. */
  readonly about?: readonly string[];
  readonly starts_with?: readonly string[];
  readonly ends_with?: readonly string[];
  readonly numbers?: Readonly<Record<string, number>>;
  readonly times?: readonly string[];
  readonly articles?: readonly string[];
  /** What may stand between a negation and the verb it belongs to: "must not be", "don't use". */
  readonly verbs?: readonly string[];
  /** Said of nothing: "no problem", "never mind". */
  readonly fillers?: readonly string[];
  /** Words that say nothing here, and which language it is. */
  readonly small_words?: readonly string[];
}

/** What a word or phrase does; a number is a number. */
export type Role = Exclude<keyof Grammar, "language" | "numbers" | "without_suffix"> | "number";

export interface Use {
  readonly role: Role;
  readonly value: number;
  readonly language: string;
  readonly words: number;
}

export interface Grammars {
  /** By the words without blanks; a suffix has a hyphen before it. */
  readonly exact: ReadonlyMap<string, readonly Use[]>;
  /** Longest first. */
  readonly without_suffixes: readonly string[];
  readonly words_max: number;
}

/** Roles that change no reading, and are told in English. */
export const TOLD: readonly Role[] = ["while", "after", "far", "near", "second", "minute"];

/** What words of other languages are in English; those of other roles are told by leaving them out. */
const IN_ENGLISH: readonly (readonly [role: Role, words: string])[] = [
  ...([
    ["then", "then"],
    ["behind", "in the background"],
    ["after", "after"],
    ["while", "while"],
  ] as const),
  ...([
    ["and", "and"],
    ["with", "with"],
    ["but", "but"],
    ["times", "times"],
    ["far", "far"],
    ["near", "near"],
  ] as const),
  ...([
    ["second", "seconds"],
    ["minute", "minutes"],
  ] as const),
];

/** Words of grammar in English. */
export function inEnglish(functions: readonly Use[]): string {
  const number = functions.find(({ role }) => role === "number");
  const articled = functions.some(({ role }) => role === "articles");
  if (number !== undefined) return number.value === 1 ? (articled ? "a" : "one") : `${number.value}`;
  return IN_ENGLISH.find(([role]) => functions.some((use) => use.role === role))?.[1] ?? "";
}

const ROLES: ReadonlySet<string> = new Set<Exclude<Role, "number">>([
  ...(["negation", "no", "without", "negation_after", "instead_of", "except", "less", "very", "slightly"] as const),
  ...(["too", "much", "but", "and", "or", "with", "then", "only", "only_after", "until", "than", "like"] as const),
  ...([
    "behind",
    "about",
    "starts_with",
    "ends_with",
    "times",
    "articles",
    "verbs",
    "fillers",
    "small_words",
    "take",
    "out",
  ] as const),
]);

/** Grammars of packs of words. What else such a pack lists (seconds, bars, far and near) is small words here. */
export function grammarsIn(packs: Iterable<Pick<WordsPack, "language" | "grammar">>): Grammars {
  const all: Grammar[] = [];
  for (const { language, grammar = {} } of packs) {
    const lists = Object.entries(grammar).filter(([, list]) => Array.isArray(list)) as [string, readonly string[]][];
    const small_words = lists.flatMap(([role, list]) =>
      role === "small_words" || !(ROLES.has(role) || role === "without_suffix" || TOLD.some((one) => one === role))
        ? list
        : [],
    );
    all.push({
      language,
      ...Object.fromEntries(lists.filter(([role]) => ROLES.has(role) || role === "without_suffix")),
      ...Object.fromEntries(TOLD.map((role) => [role, listIn(grammar[role])])),
      // English has its own among the entries of the lexicon.
      small_words: language === "en" ? [] : small_words,
      numbers: (grammar.numbers ?? {}) as Readonly<Record<string, number>>,
    });
  }
  return grammarsOf(all);
}

function listIn(some: unknown): readonly string[] {
  return Array.isArray(some) ? (some as readonly string[]) : [];
}

/** One table of all languages. A word that is several things in one language keeps them all. */
export function grammarsOf(languages: readonly Grammar[]): Grammars {
  const exact = new Map<string, Use[]>();
  let words_max = 1;
  const put = (phrase: string, role: Role, value: number, language: string): void => {
    const words = wordsOf(phrase);
    if (words.length === 0) return;
    words_max = Math.max(words_max, words.length);
    const key = words.join(isDense(words[0]!) ? "" : " ");
    const some = exact.get(key);
    const one = { role, value, language, words: words.length };
    if (some === undefined) exact.set(key, [one]);
    else if (!some.some((other) => other.role === role && other.language === language)) some.push(one);
  };
  const suffixes = new Set<string>();
  for (const { language, numbers = {}, without_suffix = [], ...lists } of languages) {
    for (const suffix of without_suffix.map((written) => clean(written).toLowerCase())) {
      suffixes.add(suffix);
      const some = exact.get(`-${suffix}`) ?? [];
      exact.set(`-${suffix}`, [...some, { role: "negation_after", value: 0, language, words: 1 }]);
    }
    for (const [role, phrases] of Object.entries(lists) as [Exclude<Role, "number">, readonly string[]][])
      for (const phrase of phrases) put(phrase, role, 0, language);
    for (const [word, value] of Object.entries(numbers)) put(word, "number", value, language);
  }
  return { exact, words_max, without_suffixes: [...suffixes].sort((a, b) => b.length - a.length) };
}
