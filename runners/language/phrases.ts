/** What stands at each place of a prompt, in the languages that it is in: words of grammar, and entries of the lexicon. */
import type { Kind, Mention } from "./ask.ts";
import { divideCompounds } from "./compounds.ts";
import type { Divided } from "./divide.ts";
import type { Grammars, Role, Use } from "./grammar.ts";
import { inflected } from "./inflection.ts";
import { type Entry, type Foreign, kindOf, type Lexicon } from "./lexicon.ts";
import { type Related, related } from "./related.ts";
import { correctGrammar } from "./spelling.ts";
import { IN_LATIN, languagesOf, rank } from "./spoken.ts";
import type { Token } from "./tokens.ts";
import { stemsOf } from "./tongues.ts";

/** Words of a prompt, first and one past the last, and what they are. */
export interface Found {
  readonly entry: Entry;
  readonly at: number;
  readonly end: number;
  readonly derived: boolean;
  readonly guessed: Mention["guessed"];
  /** A word of another language as its list has it. */
}

/** Nobody uses these for anything else, whatever the rest of a prompt is written in. */
const DENIES: ReadonlySet<Role> = new Set<Role>(["negation", "no", "without", "instead_of", "negation_after"]);

/** What says how something is, rather than what. */
const MANNERS: ReadonlySet<Kind> = new Set<Kind>([
  ...([
    "mood",
    "source",
    "tempo",
    "dynamics",
    "manner",
    "material",
    "quality",
    "distance",
    "motion",
    "direction",
  ] as const),
]);

/** Unknown words of a prompt that the dictionary is asked for: a third of a millisecond each. */
const LOOK_UPS_MAX = 24;

export class Phrases {
  readonly all: readonly Token[];
  /** The one with most words first; English is always among them. */
  readonly languages: readonly string[];
  readonly #used: boolean[];
  readonly #lexicon: Lexicon;
  readonly #grammars: Grammars;
  readonly #functions: (readonly Use[])[] = [];
  readonly #entries: (Found | null)[] = [];
  /** By word: a prompt may repeat what takes long to find. */
  readonly #related = new Map<string, Related | null>();
  #looked_up = 0;

  constructor({ all: given, used: taken }: Divided, lexicon: Lexicon, grammars: Grammars) {
    this.#lexicon = lexicon;
    this.#grammars = grammars;
    const spelt = given.map((token, at) => (taken[at] ? token : this.#corrected(token)));
    this.languages = languagesOf(spelt, grammars, lexicon);
    const language = this.languages.find((one) => lexicon.tongues.joints.has(one)) ?? "en";
    const { all, used } = divideCompounds({ all: spelt, used: taken }, { language, lexicon, grammars });
    this.all = all;
    this.#used = [...used];
  }

  /** A misspelt word of grammar as it is spelt: "withuot". */
  #corrected(token: Token): Token {
    const { word } = token;
    const known = [this.#lexicon.exact, this.#lexicon.tongues.exact, this.#grammars.exact].some((some) =>
      some.has(word),
    );
    if (known || !/^[a-z]+$/u.test(word) || this.isSmall(word)) return token;
    const meant = correctGrammar(word, this.#grammars);
    return meant === null ? token : { ...token, word: meant };
  }

  /** Whether a word says nothing to anyone, and is never reported as unknown. */
  isSmall(word: string): boolean {
    return this.#grammars.plain.has(word) || (word.length === 1 && /[a-z&~#]/u.test(word)) || /^\d/u.test(word);
  }

  /** Whether a figure, a key or the like was read there already. */
  isUsed(at: number): boolean {
    return this.#used[at]!;
  }

  /** Takes tokens out of what is still to be read. */
  use(from: number, to: number): void {
    this.#used.fill(true, from, to);
  }

  isBreak(at: number): boolean {
    return this.all[at]!.after_break;
  }

  hasRole(at: number, ...roles: readonly Role[]): boolean {
    return this.functionsAt(at).some(({ role }) => roles.includes(role));
  }

  denies(at: number): boolean {
    return this.functionsAt(at).some(({ role }) => DENIES.has(role));
  }

  /** The longest phrase of any grammar at a place, with all that it is in the languages that the prompt is in. */
  functionsAt(at: number): readonly Use[] {
    this.#functions[at] ??= this.#findFunctions(at);
    return this.#functions[at]!;
  }

  /** The longest entry at a place; without concepts if its words are known and say nothing. */
  entryAt(at: number): Found | null {
    if (this.#entries[at] === undefined) this.#entries[at] = this.#findLongest(at);
    return this.#entries[at]!;
  }

  /** What an unknown word is by its meaning; it colours, and names nothing. */
  nearestAt(at: number): Found | null {
    const { word } = this.all[at]!;
    const { nearest } = this.#lexicon;
    if (nearest === undefined || this.languages[0] !== "en" || !/^[a-z]{4,24}$/u.test(word)) return null;
    if (this.isSmall(word) || this.#looked_up++ >= LOOK_UPS_MAX) return null;
    const entry = nearest(word);
    return entry === null ? null : { entry, at, end: at + 1, derived: true, guessed: "meaning" };
  }

  /** Whether there is a word that is none of grammar. */
  beginsWord(at: number): boolean {
    return at < this.all.length && !this.isBreak(at) && this.functionsAt(at).length === 0;
  }

  beginsMention(at: number): boolean {
    const found = at < this.all.length && !this.isBreak(at) && !this.isUsed(at) ? this.entryAt(at) : null;
    return found !== null && found.entry.concepts.length > 0;
  }

  beginsHead(at: number): boolean {
    return this.beginsMention(at) && isHead(this.entryAt(at)!.entry);
  }

  /** Whether manners at a place end in a thing: "heavy drums". */
  leadsToHead(at: number): boolean {
    const found = this.entryAt(at);
    return found !== null && found.entry.concepts.length > 0 && this.beginsHead(found.end);
  }

  #findFunctions(at: number): readonly Use[] {
    const { all, languages } = this;
    if (all[at] === undefined) return [];
    const figure = FIGURE.test(all[at]!.word) ? Math.min(FIGURE_MAX, Number(all[at]!.word)) : 0;
    if (figure > 0) return [{ role: "number", value: figure, language: "en", words: 1 }];
    for (let length = Math.min(this.#grammars.words_max, all.length - at); length >= 1; length--) {
      const some = all.slice(at, at + length);
      if (some.slice(1).some(({ after_break }) => after_break)) continue;
      const found = this.#grammars.exact.get(some.map(({ word }) => word).join(" "));
      if (found === undefined) continue;
      const spoken = found.filter(({ language, role }) => languages.includes(language) || DENIES.has(role));
      // The language that the prompt is in decides what a word is: Portuguese "no" denies nothing.
      const [first] = [...spoken].sort((a, b) => rank(languages, a.language) - rank(languages, b.language));
      if (first !== undefined) return spoken.filter(({ language }) => language === first.language);
    }
    return [];
  }

  #findLongest(at: number): Found | null {
    const { all } = this;
    if (at >= all.length) return null;
    const most = Math.max(this.#lexicon.words_max, this.#lexicon.tongues.words_max);
    let span = 1;
    while (span < most && at + span < all.length && !this.isBreak(at + span) && !this.isUsed(at + span)) span++;
    for (let length = span; length >= 1; length--) {
      const compound = length === 1 ? this.#compoundAt(at) : null;
      if (compound !== null) return compound;
      const entry = this.#spokenEntry(at, length);
      if (entry !== null) return { entry, at, end: at + length, derived: false, guessed: null };
    }
    const { word } = all[at]!;
    if (this.isSmall(word)) return null;
    // Turkish "sadece" is only, and not plain.
    const begun = this.hasRole(at, "only") ? null : this.#begunBy(word);
    if (begun !== null) return { entry: begun.entry, at, end: at + 1, derived: false, guessed: null };
    // "Keine" is no misspelt "chaîne".
    if (!this.#related.has(word)) {
      const known = this.#grammars.exact.has(word);
      this.#related.set(word, known ? null : related(word, this.#lexicon, this.languages));
    }
    const other = this.#related.get(word)!;
    return other === null ? null : { ...other, at, end: at + 1 };
  }

  /** An "egg timer" is no egg; a "big cat" is big. */
  #compoundAt(at: number): Found | null {
    const { compound, exact } = this.#lexicon;
    const words = this.all.slice(at, at + 2).map(({ word }) => word);
    if (compound === undefined || this.languages[0] !== "en" || words.length < 2) return null;
    if (this.isBreak(at + 1) || this.isUsed(at + 1)) return null;
    if (words.some((word) => !/^[a-z]{3,16}$/u.test(word) || this.#grammars.exact.has(word))) return null;
    const first = exact.get(words[0]!);
    if (first !== undefined && !isHead(first)) return null;
    const entry = compound(words.join(" "));
    return entry === null ? null : { entry, at, end: at + 2, derived: false, guessed: "meaning" };
  }

  /** What a phrase is in the languages of the prompt, that of most words first: German "hell" is no hell. */
  #spokenEntry(at: number, length: number): Entry | null {
    const { languages } = this;
    const words = this.all.slice(at, at + length).map(({ word }) => word);
    const read = phraseOf(words, this.#lexicon);
    // French "sur les" is no "surle".
    const joined = length > 1 && read?.phrase !== words.join(" ") && !this.#lexicon.spelt.has(words.join(" "));
    const english = joined && words.some((_, n) => this.#isForeignFunction(at + n)) ? null : read;
    const own = this.#foreignEntry(at, words) ?? (english === null ? this.#formOf(at, words) : null);
    if (own !== null && (english === null || rank(languages, own.language) < rank(languages, "en"))) return own.entry;
    return own === null && length === 1 && this.#isForeignFunction(at) ? null : english;
  }

  /** What is listed in a language of the prompt; Spanish "de" is no French "dé". */
  #foreignEntry(at: number, words: readonly string[]): Foreign | null {
    const found = this.#spokenFirst(this.#lexicon.tongues.exact.get(words.join(" ")) ?? []);
    const [use] = found === null || words.length > 1 ? [] : this.functionsAt(at);
    const other = use !== undefined && rank(this.languages, use.language) < rank(this.languages, found!.language);
    return found === null || other ? null : found;
  }

  /** What words are a form of in a language that the prompt has more of than of English. */
  #formOf(at: number, words: readonly string[]): Foreign | null {
    if (words.length === 1 && this.#isForeignFunction(at)) return null;
    for (const language of this.languages) {
      if (language === "en") break;
      const found = inflected(words, language, this.#lexicon.tongues);
      if (found !== null) return found;
    }
    const begins = words.length > 1 && this.#lexicon.tongues.beginnings.has(words[0]!);
    return begins ? this.#begunBy(words.join(" ")) : null;
  }

  /** What a word begins like, or the last word of a phrase. */
  #begunBy(phrase: string): Foreign | null {
    return this.#spokenFirst(stemsOf(phrase, this.#lexicon.tongues).filter(({ language }) => this.#isSureOf(language)));
  }

  #spokenFirst(some: readonly Foreign[]): Foreign | null {
    const { languages } = this;
    let first: Foreign | null = null;
    for (const one of some)
      if (
        languages.includes(one.language) &&
        (first === null || rank(languages, one.language) < rank(languages, first.language))
      )
        first = one;
    return first;
  }

  /** Whether a word is one of grammar in a language that the prompt has more of than of English: German "war". */
  #isForeignFunction(at: number): boolean {
    const [use] = this.functionsAt(at);
    return use !== undefined && use.words === 1 && rank(this.languages, use.language) < rank(this.languages, "en");
  }

  /** Whether what only begins like a word of a language may be one: English "gravel" is not grave. */
  #isSureOf(language: string): boolean {
    return !IN_LATIN.has(language) || rank(this.languages, language) < rank(this.languages, "en");
  }
}

/** What may count something; four digits are a year. */
const FIGURE = /^(?:\d{1,3}|\d{5,})$/u;
const FIGURE_MAX = 999;

/** Whether it says what there is, and not only how. */
export function isHead({ concepts }: Pick<Entry, "concepts">): boolean {
  return !concepts.every((concept) => MANNERS.has(kindOf(concept)));
}

function phraseOf(words: readonly string[], { exact, spelt }: Lexicon): Entry | null {
  const key = words.join("");
  if (key.length > 48) return null;
  for (const form of [key, key.endsWith("s") ? key.slice(0, -1) : ""]) {
    const entry = form === "" ? undefined : exact.get(form);
    if (entry === undefined) continue;
    const spaced = words.join(" ");
    if (words.length === 1 || [spaced, spaced.slice(0, -1)].some((one) => one === entry.phrase || spelt.has(one)))
      return entry;
    // Joined otherwise than the lexicon has it: fine ("synth wave"), save for little words ("in die").
    if (words.every((word) => word.length > 1 && exact.get(word)?.concepts.length !== 0)) return entry;
  }
  return null;
}
