/** What is not to be heard: taken out of the folded text with all that the denial reaches. */
import { ARTICLES, anyOf, isDense, listed, NUMBERS, SEQUENCE, SHADES, wordFor } from "./words.ts";

export interface Affirmed {
  readonly text: string;
  /** Stretches that were denied, as they stood. */
  readonly denied: readonly string[];
}

const sticky = (source: string): RegExp => new RegExp(source, "uy");
const NOTHING_BUT = new RegExp(anyOf(listed("nothing_but")), "gu");
const LESS = new RegExp(anyOf(listed("less")), "gu");
const WITHOUT = new RegExp(anyOf([...listed("without"), ...listed("not")].sort((a, b) => b.length - a.length)), "u");
const WITHOUT_NEXT = sticky(WITHOUT.source);
const BEFORE = listed("without_before");
const DENIED_BEFORE = new RegExp(`[^,，、;.。]*(?:${BEFORE.join("|")})`, "gu");
const TOO = new RegExp(`^(?:(?:${anyOf(listed("too"))})\\s+)*([\\p{L}]+)`, "u");
const NOT = new RegExp(`(?:${anyOf([...listed("not"), ...listed("not_how"), ...listed("without")])})\\s+`, "gu");
const TURNS = sticky(anyOf(listed("turns")));
const DENSE_TURNS = new RegExp(listed("turns").filter(isDense).join("|") || "(?!)", "u");
const JOINS = sticky(anyOf(listed("together")));
const OR = sticky(anyOf(listed("or")));
const THEN = sticky(SEQUENCE.source);
const WORD = sticky("[\\p{L}\\p{M}]+|\\d+");
/** A denial reaches no further than this. */
const WORDS_MAX = 8;
/** Longer items of a list say something of their own. */
const ITEM_WORDS_MAX = 2;

export function affirm(text: string): Affirmed {
  const denied: string[] = [];
  let rest = soften(text.replace(NOTHING_BUT, " ").replace(LESS, ` ${wordFor("soft")} `));
  if (BEFORE.length > 0) {
    rest = rest.replace(DENIED_BEFORE, (stretch) => {
      denied.push(stretch);
      return " ";
    });
  }
  for (let found = WITHOUT.exec(rest); found !== null; found = WITHOUT.exec(rest)) {
    const from = found.index + found[0].length;
    const to = endOf(rest, from);
    denied.push(rest.slice(from, to));
    rest = `${rest.slice(0, found.index)} ${rest.slice(to)}`;
  }
  return { text: rest, denied };
}

/** "Not too loud", "not very far": the contrary of it, said of what follows. */
function soften(text: string): string {
  let out = text;
  for (const { 0: said, index } of [...text.matchAll(NOT)].reverse()) {
    const rest = text.slice(index + said.length);
    const [whole, word] = TOO.exec(rest) ?? [];
    const shade = word === undefined ? undefined : SHADES.get(word);
    if (whole === undefined || shade === undefined) continue;
    out = `${out.slice(0, index)} ${wordFor(shade.opposite)} ${rest.slice(whole.length)}`;
  }
  return out;
}

/** Where a denial that begins at `from` ends: at a full stop, a turn ("but"), or what is no part of its list. */
function endOf(text: string, from: number): number {
  let words = 0;
  for (let at = from; at < text.length; ) {
    const is = (pattern: RegExp): RegExpExecArray | null => {
      pattern.lastIndex = at;
      return pattern.exec(text);
    };
    if (words > 0 && (is(TURNS) ?? is(THEN) ?? is(WITHOUT_NEXT)) !== null) return at;
    if (/[;.!?\n→:]/u.test(text[at]!)) return at;
    if (/[,、，،]/u.test(text[at]!)) {
      if (!goesOn(text, at + 1)) return at;
      at++;
      continue;
    }
    const or = is(OR);
    if (or !== null) {
      if (words > 0 && is(JOINS) !== null && !isItem(text, at + or[0].length)) return at;
      at += or[0].length;
      continue;
    }
    if (words > 0 && is(JOINS) !== null) return at;
    const word = is(WORD);
    if (word === null) at++;
    else {
      const turn = isDense(word[0]) ? DENSE_TURNS.exec(word[0]) : null;
      if (turn !== null) return at + turn.index;
      if (++words > WORDS_MAX) return at;
      at += word[0].length;
    }
  }
  return text.length;
}

/** "No rain, wind or thunder": the list has an "or" to come, and short items until then. */
function goesOn(text: string, at: number): boolean {
  const [sentence = ""] = text.slice(at).split(/[;.!?\n→]/u);
  for (const item of sentence.split(/[,、，،]/u)) {
    const words = item.match(/[\p{L}\p{M}]+|\d+/gu) ?? [];
    if (WITHOUT.test(item)) return false;
    const or = words.findIndex((word) => isWhole(OR, word));
    if (or !== -1) return or <= ITEM_WORDS_MAX && !isWhole(JOINS, words[or]!);
    if (words.length > ITEM_WORDS_MAX) return false;
  }
  return false;
}

/** What an "and" adds to a denial: a bare word or two. "A dog", "three dogs" and whole sentences are no more denied. */
function isItem(text: string, at: number): boolean {
  const [next = ""] = text.slice(at).split(/[,;.!?\n→、，،]/u);
  const words = next.match(/[\p{L}\p{M}]+|\d+/gu) ?? [];
  const [first = ""] = words;
  return (
    words.length > 0 && words.length <= ITEM_WORDS_MAX && !ARTICLES.has(first) && !NUMBERS.has(first) && first !== "the"
  );
}

function isWhole(pattern: RegExp, word: string): boolean {
  pattern.lastIndex = 0;
  return pattern.exec(word)?.[0] === word;
}
