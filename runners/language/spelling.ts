/** Slips of the keyboard: one letter's distance from a word that is known, for words that are in no dictionary and long enough to tell. */
import type { Grammars } from "./grammar.ts";
import type { Entry, Lexicon, Tongues } from "./lexicon.ts";
import { isWord } from "./meaning/mod.ts";
import { isDense } from "./tokens.ts";

/** Shortest misspelt word, and shortest key that it may mean: between shorter ones a letter makes another word. */
const WORD_MIN = 5;
const KEY_MIN = 6;
/** What sounds alike or has two letters swapped may be shorter: "chello", "durms". */
const ALIKE_MIN = 5;
/** Two letters swapped are a slip in words of four as well, in English: "kcik". */
const SWAPPED_MIN = 4;
const WORD_MAX = 24;
/** What a prompt of another language may have misspelt: names are much the same everywhere, and other words are not known well enough. */
const NAMED = /^(?:instrument|drum|genre):/u;

interface Spelt {
  readonly key: string;
  readonly sound: string;
  readonly entry: Entry;
}

/** Single words of a table by the letter that they begin with as they sound; built when its first unknown word comes. */
const by_letter = new WeakMap<object, ReadonlyMap<string, readonly Spelt[]>>();

/**
 * What a misspelt word means: one slip away as it sounds, the first letter right; null where nothing is, or where two
 * different things are as near.
 *
 * @param languages that the prompt is in, that of most words first
 */
export function correct(word: string, lexicon: Lexicon, languages: readonly string[] = ["en"]): Entry | null {
  // What is a word means what it means: "bullet" is no "ballet".
  const least_letters = languages[0] === "en" ? SWAPPED_MIN : WORD_MIN;
  if (word.length < least_letters || word.length > WORD_MAX || isWord(word)) return null;
  if (lexicon.tongues.exact.get(word)?.some(({ language }) => languages.includes(language))) return null;
  const english = languages[0] === "en";
  const heard = soundOf(word);
  let best: Spelt[] = [];
  let least: number = english ? SLIPS.taken_for : SLIPS.moved;
  const shared = indexOf(lexicon.exact, lexicon.exact).get(heard[0]!) ?? [];
  // Violets in Spanish are no "violetta": of English names only those that a thing goes by are taken elsewhere.
  const some = shared.filter(({ key, entry }) => english || entry.concepts[0]!.endsWith(key));
  for (const language of languages) some.push(...(speltIn(lexicon, language).get(heard[0]!) ?? []));
  for (const one of some) {
    if (!english && !NAMED.test(one.entry.concepts[0]!)) continue;
    const slip = slipOf(word, heard, one);
    if (slip === null || slip > least) continue;
    if (slip < least) best = [];
    least = slip;
    best.push(one);
  }
  const [first] = best;
  return first !== undefined && best.every(({ entry }) => isSame(entry, first.entry)) ? first.entry : null;
}
/** The word of grammar that is misspelt: "withuot", "becuase"; null where it is a word by itself, or no slip. */
export function correctGrammar(word: string, { spelt }: Grammars): string | null {
  if (word.length < WORD_MIN || word.length > WORD_MAX) return null;
  const meant = spelt.find((other) => other[0] === word[0] && isSlip(word, other));
  return meant === undefined || isWord(word) ? null : meant;
}

/** How far apart words are: they sound alike, a letter was moved, added or dropped, or one was taken for another. */
const SLIPS = { none: 0, moved: 1, taken_for: 2 } as const;

function slipOf(word: string, heard: string, { key, sound }: Spelt): number | null {
  const swaps_only = Math.min(word.length, key.length) < ALIKE_MIN;
  if (swaps_only) return isSwapped(word, key) ? SLIPS.moved : null;
  if (sound === heard) return SLIPS.none;
  const short = key.length < KEY_MIN;
  if (Math.abs(sound.length - heard.length) > 1 || (short && !isSwapped(word, key))) return null;
  return !isSlip(heard, sound)
    ? null
    : heard.length === sound.length && !isSwapped(heard, sound)
      ? SLIPS.taken_for
      : SLIPS.moved;
}

function isSame(one: Entry, other: Entry): boolean {
  return one.concepts[0] === other.concepts[0];
}

function speltIn({ tongues }: Lexicon, language: string): ReadonlyMap<string, readonly Spelt[]> {
  const own = tongues.endings.get(language) ?? tongues.joints.get(language);
  return own === undefined ? NONE : indexOf(own, ownWords(tongues, language));
}

function* ownWords({ exact }: Tongues, language: string): Iterable<readonly [string, Entry]> {
  for (const [key, some] of exact) {
    const own = some.find((one) => one.language === language);
    if (own !== undefined) yield [key, own.entry];
  }
}

const NONE: ReadonlyMap<string, readonly Spelt[]> = new Map();

function indexOf(table: object, words: Iterable<readonly [string, Entry]>): ReadonlyMap<string, readonly Spelt[]> {
  const known = by_letter.get(table);
  if (known !== undefined) return known;
  const out = new Map<string, Spelt[]>();
  for (const [key, entry] of words) {
    if (key.length < SWAPPED_MIN || key.length > WORD_MAX || isDense(key) || entry.concepts.length === 0) continue;
    // "Bosanova", "hihat": what is written in one word or two.
    const whole = !entry.phrase.includes(" ") || entry.phrase.replaceAll(" ", "") === key;
    if (key.includes(" ") || !(whole || entry.concepts[0]!.startsWith("genre:"))) continue;
    const sound = soundOf(key);
    const some = out.get(sound[0]!);
    const one = { key, sound, entry };
    if (some === undefined) out.set(sound[0]!, [one]);
    else some.push(one);
  }
  by_letter.set(table, out);
  return out;
}

/** Spellings that sound alike become one: "symfonic", "tekno", "zilophone". */
function soundOf(word: string): string {
  return word
    .replace(/ph/gu, "f")
    .replace(/^x/u, "s")
    .replace(/x/gu, "ks")
    .replace(/c[hk]?|q/gu, "k")
    .replace(/z/gu, "s")
    .replace(/y/gu, "i")
    .replace(/ou/gu, "o")
    .replace(/w/gu, "v")
    .replace(/(?<=^[vwr])h/u, "")
    .replace(/(.)\1/gu, "$1");
}

/**
 * Whether two words are the same, or become so by one letter added, dropped, swapped with its neighbour, or taken for
 * another: for one that stands beside it on a keyboard, or a vowel for a vowel. A "baraban" is no "balaban".
 */
function isSlip(a: string, b: string): boolean {
  let from = 0;
  while (from < a.length && a[from] === b[from]) from++;
  const [rest, other] = [a.slice(from), b.slice(from)];
  return (
    rest === other ||
    (rest.slice(1) === other.slice(1) && isTakenFor(rest[0]!, other[0]!)) ||
    rest.slice(1) === other ||
    rest === other.slice(1) ||
    isSwapped(rest, other)
  );
}

/** Whether two neighbours among the letters changed places, and nothing else. */
function isSwapped(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

const ROWS = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
const VOWELS = "aeiou";

function isTakenFor(one: string, other: string): boolean {
  if (VOWELS.includes(one) && VOWELS.includes(other)) return true;
  const place = (letter: string): readonly [row: number, column: number] | null => {
    const row = ROWS.findIndex((letters) => letters.includes(letter));
    return row === -1 ? null : [row, ROWS[row]!.indexOf(letter)];
  };
  const [here, there] = [place(one), place(other)];
  if (here === null || there === null) return false;
  const [rows, columns] = [there[0] - here[0], there[1] - here[1]];
  // Each row stands half a key further right than the one above.
  return rows === 0 ? Math.abs(columns) === 1 : Math.abs(rows) === 1 && (columns === 0 || columns === -rows);
}
