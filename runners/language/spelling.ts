/** Slips of the keyboard: one letter's distance from a word that is known, for words that are in no dictionary and long enough to tell. */
import type { Grammars } from "./grammar.ts";
import type { Lexicon } from "./lexicon.ts";
import { isWord } from "./meaning/mod.ts";
import { isDense } from "./tokens.ts";

/** Shortest misspelt word and shortest key that it may mean: between shorter ones a letter makes another word. */
const WORD_MIN = 5;
const KEY_MIN = 6;
const WORD_MAX = 24;

interface Spelt {
  readonly key: string;
  readonly sound: string;
}

/** Single words of a lexicon by the letter that they begin with as they sound; built when its first unknown word comes. */
const by_letter = new WeakMap<Lexicon["exact"], ReadonlyMap<string, readonly Spelt[]>>();

/** The key that a misspelt word means: one slip away as it sounds, the first letter right; null where none is. */
export function correct(word: string, lexicon: Lexicon): string | null {
  // What is a word means what it means: "bullet" is no "ballet".
  if (word.length < WORD_MIN || word.length > WORD_MAX || lexicon.tongues.exact.has(word) || isWord(word)) return null;
  const heard = soundOf(word);
  let best: string | null = null;
  for (const { key, sound } of spelt(lexicon).get(heard[0]!) ?? []) {
    if (sound === heard) return key;
    if (Math.abs(sound.length - heard.length) > 1 || (best !== null && best <= key)) continue;
    if (isSlip(heard, sound)) best = key;
  }
  return best;
}

/** The word of grammar that is misspelt: "withuot", "becuase"; null where it is a word by itself, or no slip. */
export function correctGrammar(word: string, { spelt }: Grammars): string | null {
  if (word.length < WORD_MIN || word.length > WORD_MAX) return null;
  const meant = spelt.find((other) => other[0] === word[0] && isSlip(word, other));
  return meant === undefined || isWord(word) ? null : meant;
}

function spelt({ exact }: Lexicon): ReadonlyMap<string, readonly Spelt[]> {
  const known = by_letter.get(exact);
  if (known !== undefined) return known;
  const out = new Map<string, Spelt[]>();
  for (const [key, { phrase }] of exact) {
    if (key.length < KEY_MIN || key.length > WORD_MAX || phrase.includes(" ") || isDense(key)) continue;
    const sound = soundOf(key);
    const some = out.get(sound[0]!);
    if (some === undefined) out.set(sound[0]!, [{ key, sound }]);
    else some.push({ key, sound });
  }
  by_letter.set(exact, out);
  return out;
}

/** Spellings that sound alike become one: "symfonic", "tekno". */
function soundOf(word: string): string {
  return word
    .replace(/ph/gu, "f")
    .replace(/c[hk]?|q/gu, "k")
    .replace(/z/gu, "s")
    .replace(/y/gu, "i")
    .replace(/(.)\1/gu, "$1");
}

/**
 * Whether two words are the same, or become so by one letter added, dropped, swapped with its neighbour, or taken for another: for one that stands
 * beside it on a keyboard, or a vowel for a vowel. A "baraban" is no "balaban".
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
    (rest[0] === other[1] && rest[1] === other[0] && rest.slice(2) === other.slice(2))
  );
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
