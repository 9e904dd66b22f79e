/**
 * Words that say how others are meant: what is denied, compared, counted, put in order. Data of each language; the
 * rules in `scan.ts` are the same.
 */
import type { WordsPack } from "../packs/mod.ts";
import type { Grammar, Role } from "./roles.ts";
import { clean, isDense, wordsOf } from "./tokens.ts";

export type { Grammar, Role };

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

/** What tells where and when only, and changes nothing of how others are meant. */
export const CIRCUMSTANCES: ReadonlySet<Role> = new Set<Role>([
  ...([
    "small_words",
    "single",
    "while",
    "at",
    "on",
    "into",
    "again",
    "more",
    "adding",
    "adding_apart",
    "adding_end",
    "every",
    "after",
    "last",
    "later",
    "possessives",
    "pause",
  ] as const),
  ...(["half", "millisecond", "second", "minute"] as const),
]);

const ROLES: ReadonlySet<string> = new Set<Role>([
  ...CIRCUMSTANCES,
  ...(["negation", "no", "without", "negation_after", "instead_of", "except", "less", "very", "slightly"] as const),
  ...(["too", "much", "but", "and", "or", "with", "then", "only", "only_after", "until", "than", "like"] as const),
  ...(["behind", "about", "starts_with", "ends_with", "times", "articles", "verbs", "fillers"] as const),
  ...(["except_after", "less_after"] as const),
  ...(["take", "out", "as", "prefer", "over", "pronouns", "original", "being", "void"] as const),
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
      // English has its own among the entries of the lexicon.
      small_words: language === "en" ? [] : small_words,
      numbers: (grammar.numbers ?? {}) as Readonly<Record<string, number>>,
    });
  }
  return grammarsOf(all, plain);
}

/** Lists that are no words of small meaning, and have no role in denial or order. */
const OTHER_LISTS: ReadonlySet<string> = new Set(["without_suffix", "plain_words"]);

/** One table of all languages. A word that is several things in one language keeps them all. */
function grammarsOf(languages: readonly Grammar[], plain: readonly string[] = []): Grammars {
  const exact = new Map<string, Use[]>();
  let words_max = 1;
  const put = (phrase: string, role: Role, value: number, language: string): void => {
    const words = wordsOf(phrase);
    if (words.length === 0) return;
    words_max = Math.max(words_max, words.length);
    const key = words.join(" ");
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
    for (const [word, value] of Object.entries(numbers)) {
      put(word, "number", value, language);
      // "Zweimal", "二回": how often is part of the word.
      if (lists.times?.some((times) => isCounter(times) && word !== times && word.endsWith(times)))
        put(word, "times", value, language);
    }
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

function isCounter(times: string): boolean {
  return times.length > 2 || isDense(times);
}
