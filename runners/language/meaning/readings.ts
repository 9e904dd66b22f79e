/** What words of a prompt may stand for in the dictionary: a compound whole before its head alone, base forms for inflected ones. */
import { baseForms } from "./base_forms.ts";
import { type Sense, sensesOf, synsetOf, type WordClass } from "./wordnet.ts";

export interface Reading {
  /** As the dictionary writes it. */
  readonly lemma: string;
  readonly word_class: WordClass;
  /** Most usual first. */
  readonly senses: readonly Sense[];
  /** How far the reading is from what was written: 0 is exactly that. */
  readonly cost: number;
}

export const WORD_CLASSES: readonly WordClass[] = ["noun", "verb", "adjective", "adverb"];

/** Readings of the longest end of `words` that the dictionary has: "rusty lawn mower" is read as "lawn mower". */
export function readingsOf(words: string, word_classes: readonly WordClass[]): readonly Reading[] {
  const tokens = words
    .toLowerCase()
    .split(/[\s_]+/u)
    .filter(Boolean);
  const of = tokens.indexOf("of");
  if (of > 0 && of < tokens.length - 1) return readPhraseWithOf(tokens, of, word_classes);
  for (let start = 0; start < tokens.length; start++) {
    const found = lookUp(tokens.slice(start), word_classes, start * MODIFIER_COST);
    if (found.length === 0) continue;
    return start > 0 && isMeasure(found) ? readingsOf(tokens.slice(0, start).join(" "), word_classes) : found;
  }
  return readParts(tokens.at(-1) ?? "", word_classes, Math.max(0, tokens.length - 1) * MODIFIER_COST);
}

/** Whether the dictionary has a word, or what it is a form of. Compounds that are divided to be read do not count. */
export function isWord(word: string, word_classes: readonly WordClass[] = WORD_CLASSES): boolean {
  return lookUp([word.toLowerCase()], word_classes, 0).length > 0;
}

/** Whether a word may be made of another by an ending: the dictionary says so, or has no such word. */
export function comesFrom(word: string, stem: string): boolean {
  const own = WORD_CLASSES.flatMap((word_class) => sensesOf(word, word_class));
  if (own.length === 0) return true;
  if (WORD_CLASSES.some((word_class) => baseForms(word, word_class).includes(stem) && isWord(stem, [word_class])))
    return true;
  const pointed = own.flatMap(({ id }) => synsetOf(id).pointers);
  return pointed.some(
    ({ kind, to }) => (kind === "derived" || kind === "pertains") && synsetOf(to).lemmas.includes(stem),
  );
}

/** What each word of a compound loses that is left out: a "garden gate" is a gate. */
const MODIFIER_COST = 0.5;
const PARTS_COST = 1;
/** "Infuriated" as it stands is an adjective before it is a form of a verb. */
const INFLECTED_COST = 0.3;
/** Shortest words that a compound without blank is divided into. */
const PART_LETTERS_MIN = 3;
/** What is longer is no compound but noise, and would be divided in a thousand ways. */
const WHOLE_LETTERS_MAX = 32;
/** What stands for something else: "a flock of geese" and a "seal colony" are geese and seals, "a cup of tea" is still a cup. */
const MEASURES: ReadonlySet<string> = new Set(["group", "quantity", "relation"]);

function isMeasure(readings: readonly Reading[]): boolean {
  const usual = readings.find(({ word_class }) => word_class === "noun")?.senses[0];
  return usual !== undefined && MEASURES.has(synsetOf(usual.id).field);
}

/** "Chest of drawers" whole; else what stands before "of" or, for groups and amounts, what stands after. */
function readPhraseWithOf(
  tokens: readonly string[],
  of: number,
  word_classes: readonly WordClass[],
): readonly Reading[] {
  const whole = lookUp(tokens, word_classes, 0);
  if (whole.length > 0) return whole;
  const head = readingsOf(tokens.slice(0, of).join(" "), ["noun"]);
  return head.length > 0 && !isMeasure(head) ? head : readingsOf(tokens.slice(of + 1).join(" "), word_classes);
}

/** "Grandfather clock", "grandfather-clock" and "grandfatherclock" are one entry, whichever way the dictionary writes it. */
function lookUp(tokens: readonly string[], word_classes: readonly WordClass[], cost: number): Reading[] {
  const last = tokens.at(-1)!;
  const before = tokens.slice(0, -1);
  return word_classes.flatMap((word_class) => {
    const readings: Reading[] = [];
    for (const form of baseForms(last, word_class)) {
      for (const lemma of spellings([...before, form])) {
        const senses = sensesOf(lemma, word_class);
        if (senses.length > 0)
          readings.push({ lemma, word_class, senses, cost: cost + (form === last ? 0 : INFLECTED_COST) });
      }
    }
    return readings;
  });
}

function spellings(tokens: readonly string[]): ReadonlySet<string> {
  const joined = tokens.join(" ");
  return new Set([joined, joined.replaceAll("-", " "), joined.replaceAll(" ", "-"), joined.replaceAll(/[- ]/gu, "")]);
}

/** "Lawnmower": two words of the dictionary written as one, of which the last says what it is. */
function readParts(word: string, word_classes: readonly WordClass[], cost: number): readonly Reading[] {
  if (!word_classes.includes("noun") || word.length > WHOLE_LETTERS_MAX) return [];
  const divided: Reading[] = [];
  for (let at = PART_LETTERS_MIN; at <= word.length - PART_LETTERS_MIN - 1; at++) {
    const [first, head] = [word.slice(0, at), word.slice(at)];
    const whole = lookUp([first, head], ["noun"], cost);
    if (whole.length > 0) return whole;
    if (sensesOf(first, "noun").length > 0) divided.push(...lookUp([head], ["noun"], cost + PARTS_COST));
  }
  return divided;
}
