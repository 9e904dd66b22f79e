/** The prompt's words as they were divided, each phrase with all that it says of the course and with the mention that it is part of. */
import type { Mention, Span } from "../ask.ts";
import { isDense, type Token } from "../tokens.ts";
import type { Sign, Signs } from "./signs.ts";

export interface Unit extends Span {
  readonly word: string;
  readonly raw: string;
  /** All its words, in small letters. */
  readonly said: string;
  readonly signs: readonly Sign[];
  /** Index of the mention that stands here; -1 for none. */
  readonly mention: number;
  readonly begins: boolean;
}

const WORDS_MAX = 5;

/** Words and phrases of a prompt with what they say, the longest first. */
export function unitsOf(tokens: readonly Token[], mentions: readonly Mention[], spoken: readonly Signs[]): Unit[] {
  const out: Unit[] = [];
  let next = 0;
  // Asked in the order of the text.
  const mentionIn = (from: number, to: number): number => {
    while (next < mentions.length && mentions[next]!.to <= from) next++;
    return next < mentions.length && mentions[next]!.from < to ? next : -1;
  };
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at]!;
    const { word, raw, from } = token;
    const begins = token.after_break && !token.after_colon;
    let most = 1;
    while (most < WORDS_MAX && at + most < tokens.length && !tokens[at + most]!.after_break) most++;
    const words = tokens.slice(at, at + most).map((one) => one.word);
    const found = longest(words, isDense(word) ? "" : " ", spoken);
    if (isDense(word) && found.signs.length === 0) {
      out.push(...unitsWithin(token, begins, spoken, mentionIn));
      at++;
      continue;
    }
    const { to } = tokens[at + found.length - 1]!;
    const mention = mentionIn(from, to);
    const signs = /^\d/u.test(word)
      ? [{ role: "numbers", value: Number(word), language: "" }]
      : found.signs.length > 0
        ? found.signs
        : stemmed(word, spoken);
    let end = at + found.length;
    // A player's name is one, whatever else its words are.
    if (mention >= 0) while (end < tokens.length && tokens[end]!.from < mentions[mention]!.to) end++;
    out.push({ word, raw, said: found.said, signs, mention, begins, from, to: tokens[end - 1]!.to });
    at = end;
  }
  return out;
}

/** The longest of what some words or letters begin with that says something; the first of them where nothing does. */
function longest(words: readonly string[], blank: string, spoken: readonly Signs[]): Longest {
  for (let length = Math.max(1, words.length); ; length--) {
    const said = words.slice(0, length).join(blank);
    const signs = spoken.flatMap(({ exact }) => exact.get(said) ?? []);
    if (signs.length > 0 || length === 1) return { length, said, signs };
  }
}

interface Longest {
  readonly length: number;
  readonly said: string;
  readonly signs: readonly Sign[];
}

/** What a word says that only begins like one that says something. */
function stemmed(word: string, spoken: readonly Signs[]): readonly Sign[] {
  if (word.length <= 2) return [];
  return spoken.flatMap(({ stems }) => stems.get(word[0]!)?.find(([stem]) => word.startsWith(stem))?.[1] ?? []);
}

/** Letters of an undivided word that nothing stands between, as far as they say something: "広いホール". */
function unitsWithin(
  { word, from }: Token,
  begins: boolean,
  spoken: readonly Signs[],
  mentionIn: (from: number, to: number) => number,
): Unit[] {
  const out: Unit[] = [];
  const most = Math.max(1, ...spoken.map(({ dense_max }) => dense_max));
  for (let at = 0; at < word.length; ) {
    const { length, said, signs } = longest([...word.slice(at, at + most)], "", spoken);
    const place = { from: from + at, to: from + at + length };
    const mention = mentionIn(place.from, place.to);
    if (signs.length > 0 || (mention >= 0 && out.at(-1)?.mention !== mention))
      out.push({ word: said, raw: said, said, signs, mention, begins: begins && out.length === 0, ...place });
    at += length;
  }
  if (begins && out.length === 0)
    out.push({ word, raw: word, said: word, signs: [], mention: -1, begins, from, to: from + word.length });
  return out;
}
