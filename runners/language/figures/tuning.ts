/** What something is tuned to: "tuned to F", "afinado en sol", "pitched at 200 Hz". Marks the tokens that it uses up. */
import { NATURALS, pitchClass } from "../../notes.ts";
import { derived } from "../../packs/mod.ts";
import type { TuningAsked } from "../ask.ts";
import { listIn } from "../length.ts";
import { isDense, type Token, wordsOf } from "../tokens.ts";
import { type Writing, wordsFor } from "../writing.ts";
import data from "./figures.json" with { type: "json" };

const SOLFEGE: Readonly<Record<string, number>> = data.solfege;
const GERMAN: Readonly<Record<string, number>> = data.german;
const ACCIDENTALS: Readonly<Record<string, number>> = data.accidentals;
export const HERTZ: ReadonlySet<string> = new Set(data.hertz);
export const KILOHERTZ: ReadonlySet<string> = new Set(data.kilohertz);
/** "Low-pass at 200 Hz" tunes nothing. */
export const FILTERS: ReadonlySet<string> = new Set(data.filters);
const FILTER_REACH = 4;
/** Hz that something can be tuned to. */
const LOWEST = 20;
const HIGHEST = 12_000;
/** Words between "tuned" and the note: "tuned to the note F". */
const REACH = 3;

const phrases = derived(() => new Map<Writing, readonly (readonly string[])[]>());

function phrasesFor(writing: Writing): readonly (readonly string[])[] {
  let made = phrases().get(writing);
  if (made === undefined) {
    const all = wordsFor(writing).flatMap(({ grammar = {} }) => listIn(grammar.tuned).map((one) => wordsOf(one)));
    made = all.sort((one, other) => other.length - one.length);
    phrases().set(writing, made);
  }
  return made;
}

export function readTuning(tokens: readonly Token[], used: boolean[], writing: Writing): TuningAsked | null {
  for (let at = 0; at < tokens.length; at++) {
    const words = phrasesFor(writing).find((some) => some.every((word, n) => isSaid(tokens[at + n], word)));
    if (words === undefined || used[at]) continue;
    const end = at + words.length;
    for (let n = end; n < Math.min(tokens.length, end + REACH) && !tokens[n]!.after_break; n++) {
      const hertz = hertzAt(tokens, n);
      const note = hertz ?? noteAt(tokens, n);
      if (note === null) continue;
      used.fill(true, at, note.end);
      return note;
    }
    // "Fに合わせた", "F'ya akortlu".
    for (let n = at - 1; n >= Math.max(0, at - REACH) && !tokens[n + 1]!.after_break; n--) {
      const note = noteAt(tokens, n);
      if (note === null || note.end > at) continue;
      used.fill(true, n, end);
      return note;
    }
  }
  for (let at = 0; at < tokens.length; at++) {
    const found = used[at] ? null : hertzAt(tokens, at);
    if (found === null) continue;
    if (tokens.slice(Math.max(0, at - FILTER_REACH), found.end + 2).some(({ word }) => FILTERS.has(word))) continue;
    used.fill(true, at, found.end);
    return found;
  }
  return null;
}

type Read = TuningAsked & { readonly end: number };

function isSaid(token: Token | undefined, word: string): boolean {
  return token !== undefined && (token.word === word || (isDense(word) && token.word.includes(word)));
}

/** "200 Hz", "1.2 kHz". */
function hertzAt(tokens: readonly Token[], at: number): Read | null {
  const [number, unit] = [tokens[at]!, tokens[at + 1]];
  if (unit === undefined || !/^\d/u.test(number.word)) return null;
  const factor = HERTZ.has(unit.word) ? 1 : KILOHERTZ.has(unit.word) ? 1000 : 0;
  const hertz = factor * Number(number.word);
  return hertz >= LOWEST && hertz <= HIGHEST ? { tonic: null, octave: null, hertz, end: at + 2 } : null;
}

/** "F", "F#", "Bb1", "sol", "fis", "re bemol". */
function noteAt(tokens: readonly Token[], at: number): Read | null {
  const { word } = tokens[at]!;
  const letters = /^([a-g])(b?)$/u.exec(word);
  const natural = letters === null ? undefined : NATURALS[letters[1]!.toUpperCase()]! - (letters[2] === "b" ? 1 : 0);
  const plain = natural ?? SOLFEGE[word] ?? GERMAN[word];
  if (plain === undefined) return null;
  const near = (n: number): Token | undefined => (tokens[n]?.after_break ? undefined : tokens[n]);
  const change = ACCIDENTALS[near(at + 1)?.word ?? ""];
  const end = at + (change === undefined ? 1 : 2);
  const figure = near(end);
  const octave = figure !== undefined && figure.from === tokens[end - 1]!.to && /^[0-8]$/u.test(figure.word);
  return {
    tonic: pitchClass(plain + (change ?? 0)),
    octave: octave ? Number(figure.word) : null,
    ...{ hertz: null, end: octave ? end + 1 : end },
  };
}
