/** How a guitar is strung: "drop D", "Drop-D-Stimmung", "standard tuning", "E standard". Takes the words out. */
import { NATURALS, pitchClass } from "../../notes.ts";
import type { Token } from "../tokens.ts";
import data from "./figures.json" with { type: "json" };

const DROPS: ReadonlySet<string> = new Set(data.drops);
const STANDARD: ReadonlySet<string> = new Set(data.standard);
const TUNINGS: ReadonlySet<string> = new Set(data.tunings);
const WHOLE: ReadonlySet<string> = new Set(data.whole);
const MODES: ReadonlySet<string> = new Set(data.modes_behind);

interface Strung {
  /** The pitch class of the lowest string where that is dropped. */
  readonly dropped: number | null;
  /** Words that say something else. */
  readonly left_over: Token[];
}

export function readStrings(tokens: readonly Token[]): Strung {
  const isAt = (at: number, words: ReadonlySet<string>): boolean =>
    at < tokens.length && !tokens[at]!.after_break && words.has(tokens[at]!.word);
  const without = (from: number, to: number, dropped: number | null): Strung => {
    // What begins with it begins behind it.
    const next = tokens[to];
    const begun = next === undefined ? [] : [{ ...next, after_break: next.after_break || tokens[from]!.after_break }];
    return { dropped, left_over: [...tokens.slice(0, from), ...begun, ...tokens.slice(to + 1)] };
  };
  for (const [at, { word }] of tokens.entries()) {
    const note = DROPS.has(word) ? noteAt(tokens, at + 1) : null;
    if (note !== null && !isAt(note.end, MODES))
      return without(at, note.end + (isAt(note.end, TUNINGS) ? 1 : 0), note.tonic);
    const pair = (STANDARD.has(word) && isAt(at + 1, TUNINGS)) || (TUNINGS.has(word) && isAt(at + 1, STANDARD));
    if (pair) return without(at, at + 2, null);
    if (WHOLE.has(word)) return without(at, at + 1 + (isAt(at + 1, TUNINGS) ? 1 : 0), null);
  }
  return { dropped: null, left_over: [...tokens] };
}

function noteAt(tokens: readonly Token[], at: number): { readonly tonic: number; readonly end: number } | null {
  const token = tokens[at];
  const letters = token?.after_break === false ? /^([A-Ga-g])(b?)$/u.exec(token.raw) : null;
  // "Drop a beat".
  if (letters === null || token!.raw === "a") return null;
  const sharp = tokens[at + 1]?.word === "#";
  const tonic = NATURALS[letters[1]!.toUpperCase()]! - (letters[2] === "b" ? 1 : 0) + (sharp ? 1 : 0);
  return { tonic: pitchClass(tonic), end: at + (sharp ? 2 : 1) };
}
