/** Metres: "3/4", "six eight", "Dreivierteltakt". Marks the tokens that it uses up. */
import type { Metre } from "../../signal/analyse/mod.ts";
import { isDense, type Token, wordsOf } from "../tokens.ts";
import data from "./figures.json" with { type: "json" };

/** A metre as it is played, and as it was written: 7/8 is seven beats. */
export interface MetreRead {
  readonly metre: Metre;
  readonly name: string;
}

/** "3/4" and the like, blanked out of the text, whose places stay. */
export function readMetre(cleaned: string): { readonly rest: string; readonly written: MetreRead | null } {
  let written: MetreRead | null = null;
  const rest = cleaned.replace(
    /(?<![\d/.])(\d{1,2}) ?\/ ?(\d{1,2})(?![\d/])/gu,
    (all: string, above: string, below: string, index: number) => {
      const metre = metreOf(Number(above), Number(below));
      if (metre === null) return all;
      if (!DENIED.test(cleaned.slice(0, index))) written ??= { metre, name: `${above}/${below}` };
      return " , ".padEnd(all.length);
    },
  );
  return { rest, written };
}

function metreOf(above: number, below: number): Metre | null {
  if (below === 8 && above % 3 === 0 && above >= 6 && above <= 12) return { beats_per_bar: above / 3, division: 3 };
  if (below === 8 && above === 3) return metreOf(3, 4);
  if (below === 8 && (above === 5 || above === 7)) return { beats_per_bar: above, division: 2 };
  if (below === 4 && above >= 2 && above <= 7) return { beats_per_bar: above, division: 2 };
  if (below === 2 && (above === 2 || above === 3)) return { beats_per_bar: above * 2, division: 2 };
  return null;
}

/** A denial right before. */
const DENIED = /\b(?:no|not|never|without|avoid|nicht|kein|ohne)(?: (?:in|a|an|the|any|be|use))*\s*$/iu;

/** Metres in words, longest first. */
const METRE_WORDS = Object.entries(data.metre_words)
  .map(([words, metre]) => [wordsOf(words), metre] as const)
  .sort(([a], [b]) => b.length - a.length || b.join("").length - a.join("").length);

/** Words of scripts without spaces stand among others. */
function isWord({ word }: Token, wanted: string): boolean {
  return word === wanted || (isDense(wanted) && word.includes(wanted));
}

export function readMetreWords(tokens: readonly Token[], used: boolean[]): MetreRead | null {
  for (const [words, metre] of METRE_WORDS) {
    for (let at = 0; at + words.length <= tokens.length; at++) {
      if (!words.every((word, n) => isWord(tokens[at + n]!, word))) continue;
      // "in three parts", "in two minutes" count something else.
      const next = tokens[at + words.length];
      const counts = words[0] === "in" && next !== undefined && !next.after_break && next.word !== "time";
      if (counts && !/^(?:four|feel|metre|meter|with|and)$/u.test(next.word)) continue;
      for (let n = 0; n < words.length; n++) used[at + n] = true;
      const [above, below] = metre.split("/").map(Number);
      const found = metreOf(above!, below!);
      return found === null ? null : { metre: found, name: metre };
    }
  }
  return null;
}
