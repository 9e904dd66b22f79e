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
  /** The second of two measures like "than": "as loud as the original". */
  readonly as?: readonly string[];
  /** What a remix is measured by: "the original", "before". */
  readonly original?: readonly string[];
  /** "I prefer flutes", and what stands before what is not preferred: "over" violins. */
  readonly prefer?: readonly string[];
  readonly over?: readonly string[];
  /** Behind a quality these stand for what was named last: "clean guitars instead of distorted ones". */
  readonly pronouns?: readonly string[];
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

/** Shortest word of grammar that is known by its misspellings, too. */
const MISSPELT_MIN = 6;

export interface Grammars {
  /** What every text has and says nothing to any reader: never unknown, and nothing is sought behind it. */
  readonly plain: ReadonlySet<string>;
  /** English words of grammar that are long enough to be known by their misspellings. */
  readonly spelt: readonly string[];
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
  ...(["behind", "about", "starts_with", "ends_with", "times", "articles", "verbs", "fillers", "small_words"] as const),
  ...(["take", "out", "as", "prefer", "over", "pronouns", "original"] as const),
]);

/** Grammars of packs of words. What else such a pack lists (seconds, bars, far and near) is small words here. */
export function grammarsIn(packs: Iterable<Pick<WordsPack, "language" | "grammar">>): Grammars {
  const all: Grammar[] = [];
  const plain: string[] = [];
  for (const { language, grammar = {} } of packs) {
    if (Array.isArray(grammar.plain_words)) plain.push(...grammar.plain_words);
    const lists = Object.entries(grammar).filter(([, list]) => Array.isArray(list)) as [string, readonly string[]][];
    const small_words = lists.flatMap(([role, list]) =>
      role === "small_words" || !(ROLES.has(role) || OTHER_LISTS.has(role)) ? list : [],
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
  return grammarsOf(all, plain);
}

function listIn(some: unknown): readonly string[] {
  return Array.isArray(some) ? (some as readonly string[]) : [];
}

/** Lists that are no words of small meaning, and have no role in denial or order. */
const OTHER_LISTS: ReadonlySet<string> = new Set(["without_suffix", "plain_words", ...TOLD]);

/** One table of all languages. A word that is several things in one language keeps them all. */
export function grammarsOf(languages: readonly Grammar[], plain: readonly string[] = []): Grammars {
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
  const english = [...exact].flatMap(([key, uses]) => (uses.some(({ language }) => language === "en") ? [key] : []));
  const spelt = [...new Set([...english, ...plain])].filter(
    (word) => /^[a-z]+$/u.test(word) && word.length >= MISSPELT_MIN,
  );
  return {
    exact,
    words_max,
    plain: new Set(plain),
    spelt,
    without_suffixes: [...suffixes].sort((a, b) => b.length - a.length),
  };
}
