/**
 * What words say of the course of a piece, by language: lists of its grammar ("until", "second"), and concepts of its
 * words ("form:verse").
 */
import { derived, packs } from "../../packs/mod.ts";
import { listIn } from "../length.ts";
import { isDense, wordsOf } from "../tokens.ts";
import { mayBeIn, type Writing } from "../writing.ts";

/** Something that a word says: a list of a language's grammar, or a concept of its words, such as "form:verse". */
export interface Sign {
  readonly role: string;
  readonly value: number;
  readonly language: string;
}

export interface Signs {
  readonly exact: ReadonlyMap<string, readonly Sign[]>;
  /** By their first letter, longest first. */
  readonly stems: ReadonlyMap<string, readonly (readonly [stem: string, sign: Sign])[]>;
  readonly dense_max: number;
}

/** Kinds of concepts whose words say something of the course. */
const KINDS = /^(?:form|dynamics|pace|place|era):/u;
const ROLES =
  "starts_with ends_with after before until but faster slower louder softer less more only than negation no without instead_of and or with articles very too second minute bar half verbs".split(
    " ",
  );

/** Kinds whose phrases are unlike anything in other languages: decades in words, tempo that changes. */
const SURE = /^(?:pace|era):/u;
const SURE_LETTERS = 8;

/** Signs of a language, made when it is first spoken. */
const languages = derived(() => new Map<string, Signs>());

/**
 * @param spoken languages of the prompt
 * @param writing letters of the prompt where words are left that none of these knows, else null
 */
export function signsFor(spoken: readonly string[], writing: Writing | null): Signs[] {
  const own = [...new Set([...spoken, "en"])];
  const may = (language: string): boolean => writing !== null && mayBeIn(language, writing) && !own.includes(language);
  const others = [...packs("words").keys()].filter(may);
  return [...own.map((language) => signsOf(language)), ...others.map((language) => signsOf(language, true))];
}

/** @param sure only what is understood though the prompt speaks another language, or too few words of this one */
function signsOf(language: string, sure = false): Signs {
  const name = sure ? `${language}?` : language;
  const known = languages().get(name);
  if (known !== undefined) return known;
  const exact = new Map<string, Sign[]>();
  const stems: [string, Sign][] = [];
  let dense_max = 0;
  const put = (phrase: string, role: string, value = 0): void => {
    if (sure && !(SURE.test(role) && phrase.length >= SURE_LETTERS)) return;
    const words = wordsOf(phrase.replace(/\*$/u, ""));
    if (words.length === 0) return;
    const sign = { role, value, language };
    const key = words.join(isDense(words[0]!) ? "" : " ");
    if (isDense(key)) dense_max = Math.max(dense_max, key.length);
    if (phrase.endsWith("*") && words.length === 1) stems.push([key, sign]);
    const some = exact.get(key);
    if (some === undefined) exact.set(key, [sign]);
    else some.push(sign);
  };
  const { grammar = {}, words = {} } = packs("words").get(language) ?? {};
  for (const role of ROLES) {
    // "More" alone is of loudness: "lots of" is of number.
    const phrases = listIn(grammar[role]).slice(0, role === "more" ? 1 : undefined);
    for (const phrase of phrases) put(phrase, role);
  }
  for (const role of ["ordinals", "numbers"])
    for (const [word, value] of Object.entries(grammar[role] ?? {}))
      if (typeof value === "number") put(word, role, value);
  for (const [role, phrases] of Object.entries(words))
    if (KINDS.test(role)) for (const phrase of phrases) put(phrase, role);
  stems.sort(([a], [b]) => b.length - a.length);
  const signs = { exact, stems: Map.groupBy(stems, ([stem]) => stem[0]!), dense_max };
  languages().set(name, signs);
  return signs;
}
