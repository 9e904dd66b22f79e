/** Lengths and pauses that a text names, taken out of it. */
import { ARTICLES, anyOf, listed, NUMBERS, UNITS } from "./words.ts";

const SECONDS_OF = { milliseconds: 0.001, seconds: 1, minutes: 60 } as const;
const HALF = listed("half");
const UNIT = UNITS.map(([words, name]) => `(?<NAME_${name}>${words.source})`).join("|");
const SPELT = [...NUMBERS.keys(), ...ARTICLES, ...HALF].filter((word) => /^[\p{Script=Latin}]+$/u.test(word));
const AMOUNT = `(?<![\\p{L}\\d.])(?:(?<DIGITS>\\d+(?:[.,]\\d+)?)[ -]?|(?<WORD>${SPELT.sort((a, b) => b.length - a.length).join("|")})(?: a| an| eine)?[ -])(?:${loose(UNIT)})`;

/** Digits stand right before "s" and "ms". */
function loose(unit: string): string {
  return unit.replaceAll("(?<![\\p{L}\\d])", "");
}

function named(prefix: string): string {
  return AMOUNT.replace(/\?<([A-Z]+(?:_[a-z]+)?)>/gu, (_, name: string) => `?<${prefix}${name}>`);
}

const LENGTH = new RegExp(`${named("")}(?: long| lang)?`, "u");
const SILENCE = `(?:\\s+(?:of|von|de|di)?\\s*(?:${anyOf(listed("silence"))}))`;
/** "After three seconds", "three seconds later", "three seconds of silence", "a pause of three seconds". */
const PAUSES: readonly (readonly [pattern: RegExp, kind: Pause["from"]])[] = [
  [new RegExp(`(?:${anyOf(listed("after"))})\\s+${named("")}${SILENCE}`, "u"), "end"],
  [new RegExp(`(?:${anyOf(listed("after"))})\\s+${named("")}`, "u"), "start"],
  [new RegExp(`${named("")}\\s+(?:${anyOf(listed("later"))})`, "u"), "start"],
  [new RegExp(`${named("")}${SILENCE}`, "u"), "end"],
  [new RegExp(`(?:${anyOf(listed("wait"))})\\s+(?:(?:of|for|von|de|di)\\s+)?${named("")}`, "u"), "end"],
];

/** Silence before a part of a sequence: from the end of the part before it, or from its start. */
export interface Pause {
  readonly seconds: number;
  readonly from: "start" | "end";
}

/** Stand in the text where a pause was: nothing that people write. */
const MARK = /\ue000(start|end)([\d.]+)\ue001/u;

/** Pauses are marked, behind a "then" of their own: `pauseOf` reads the mark. */
export function markPauses(text: string): string {
  let out = text;
  for (const [pattern, from] of PAUSES) {
    for (let found = pattern.exec(out); found !== null; found = pattern.exec(out)) {
      const mark = ` then \ue000${from}${secondsOf(found)}\ue001 `;
      const [before, after] = [out.slice(0, found.index), out.slice(found.index + found[0].length)];
      // "A scream after three seconds": what it is said of stands before it.
      const last = /[^,;.→\n]*$/u.exec(before)!.index;
      const ends = /^\s*(?:[,;.]|$)/u.test(after) && /\p{L}/u.test(before.slice(last));
      out = ends ? `${before.slice(0, last)}${mark}${before.slice(last)}${after}` : `${before}${mark}${after}`;
    }
  }
  return out;
}

export function pauseOf(stretch: string): Pause | null {
  const [, from, seconds] = MARK.exec(stretch) ?? [];
  return from === undefined ? null : { from: from as Pause["from"], seconds: Number(seconds) };
}

/** "2 second", "1.5s", "500 ms", "half a minute", "zwei Sekunden": taken out of the text. */
export function takeLength(text: string): { readonly text: string; readonly seconds: number | null } {
  const found = LENGTH.exec(text);
  return found === null ? { text, seconds: null } : { text: text.replace(found[0], " "), seconds: secondsOf(found) };
}

function secondsOf({ groups = {} }: RegExpExecArray): number {
  const { DIGITS: digits, WORD: word = "" } = groups;
  const value =
    digits !== undefined ? Number(digits.replace(",", ".")) : HALF.includes(word) ? 0.5 : (NUMBERS.get(word) ?? 1);
  for (const [unit, factor] of Object.entries(SECONDS_OF))
    if (groups[`NAME_${unit}`] !== undefined) return value * factor;
  return value;
}
