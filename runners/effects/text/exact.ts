/**
 * What is said of a sound in so many words, and cut out before the rest is read: rhythms of one sound ("two long one short
 * one long", Morse code) and frequencies ("1000 Hz", "from 100 Hz to 5 kHz").
 */
import { clean, FILTERS, HERTZ as HERTZ_WORDS, KILOHERTZ } from "../../language/mod.ts";
import { derived, packs } from "../../packs/mod.ts";
import type { Rhythm } from "../brief.ts";
import data from "./exact.json" with { type: "json" };

/** Where it stands in the text: `rest` is as long, with blanks there. */
export interface Said {
  readonly from: number;
  readonly to: number;
  readonly words: string;
  readonly rhythm: Rhythm | null;
  /** From and to. */
  readonly hertz: readonly [number, number] | null;
}

/** Times of a long stroke, of the rest between two, and of that between two letters. */
const LONG = 3;
const REST = 1;
const BETWEEN_LETTERS = 3;
const STROKES_MAX = 40;
/** So many strokes, or numbers, are a rhythm rather than how a thing is. */
const STROKES_MIN = 3;
const NUMBERS_MIN = 2;
/** Hz that are heard. */
const LOWEST = 16;
const HIGHEST = 20_000;

type Numbers = ReadonlyMap<string, number>;

const patterns = derived(() => {
  const numbers = new Map<string, number>();
  for (const { grammar = {} } of packs("words").values())
    for (const [word, value] of Object.entries(grammar.numbers ?? {}))
      if (Number.isInteger(value) && value >= 1 && value <= 12) numbers.set(plain(word), value);
  for (const word of data.one) numbers.set(word, 1);
  const number = `(?:\\d{1,2}|${either([...numbers.keys()])})`;
  const length = either([...LONG_WORDS, ...Object.values(data.short).flat()]);
  // "Two long", "trois coups courts", "長く2回": a noun may stand in it, or behind it where it is counted.
  const item = `(?:${number}\\s*(?:${length})|${number}\\s+\\p{L}+\\s+(?:${length})|(?:${length})\\s*${number}(?:${either(data.counters)})|(?:${length}))`;
  const between = `(?:\\s*,\\s*|\\s+)(?:(?:${either(data.and)})\\s+)?|\\s+\\p{L}+,?\\s+(?:(?:${either(data.and)})\\s+)?(?=${number}\\s)|、?(?=[\\p{sc=Han}\\p{sc=Hangul}])`;
  return {
    numbers,
    lengths: whole(`${item}(?:(?:${between})${item})+`),
    item: new RegExp(
      `(?:(${number})\\s*)?(?:\\p{L}+\\s+)??(${length})(?:\\s*(${number})(?:${either(data.counters)}))?`,
      "giu",
    ),
  };
});

const LONG_WORDS = Object.values(data.long).flat();
const SAID_OF = [...LONG_WORDS, ...Object.values(data.short).flat(), ...data.and];

const MARKS = whole(
  `(?:${either([...data.dots, ...data.dashes])})(?:[\\s,-]*(?:${either([...data.dots, ...data.dashes])}))+`,
);
const WRITTEN = /(?<![^\s,:])(?:[.-]{1,6}[ /]+)*[.-]*(?:-[.-]|[.-]-)[.-]*(?:[ /]+[.-]{1,6})*(?![^\s,])/gu;
const NAMED = whole(either(Object.keys(data.named)));
const MORSE = whole(either(data.morse));
/** "SOS in Morse code", "Morse code for HELP". */
const SPELLED = /(?<!\p{L})[A-Z]{2,12}(?!\p{L})/u;
const UNIT = `(?:(${either([...KILOHERTZ])})|${either([...HERTZ_WORDS])})`;
const FIGURE = "(\\d+(?:[.,]\\d+)?)";
const HERTZ = new RegExp(
  `(?<![\\d.,])(?:${FIGURE}\\s*${UNIT}?\\s*(?:-|–|(?:${either(data.to)})(?![\\p{sc=Latin}\\p{sc=Cyrillic}]))\\s*)?${FIGURE}\\s*${UNIT}(?![\\p{sc=Latin}\\p{sc=Cyrillic}])`,
  "giu",
);
/** "Filtered below 500 Hz" is no tone of that. */
const FILTERED = new RegExp(`(?<!\\p{L})(?:${either([...FILTERS])})\\P{L}*(?:at\\s+|to\\s+)?$`, "iu");

/** @returns the cleaned prompt with blanks for what was taken, as long as it was */
export function takeExact(prompt: string): { readonly rest: string; readonly said: readonly Said[] } {
  let rest = clean(prompt);
  const said: Said[] = [];
  const take = (from: number, words: string, what: Partial<Pick<Said, "rhythm" | "hertz">>, kept = ""): void => {
    said.push({ from, to: from + words.length, words: words.trim(), rhythm: null, hertz: null, ...what });
    const at = kept === "" ? -1 : words.indexOf(kept);
    const blank =
      at === -1
        ? " ".repeat(words.length)
        : words.replace(/./gsu, (letter, n: number) => {
            return n >= at && n < at + kept.length ? letter : " ";
          });
    rest = rest.slice(0, from) + blank + rest.slice(from + words.length);
  };
  for (const { 0: words, 1: first, 2: kilo, 3: last, 4: kilos, index } of rest.matchAll(HERTZ)) {
    if (FILTERED.test(rest.slice(0, index))) continue;
    const to = hertzOf(last!, kilos);
    const from =
      first === undefined
        ? to
        : hertzOf(first, kilo ?? (/hz|hertz/iu.test(words.slice(first.length, 12)) ? undefined : kilos));
    if ([from, to].every((one) => one >= LOWEST && one <= HIGHEST)) take(index, words, { hertz: [from, to] });
  }
  const { lengths, numbers, item } = patterns();
  for (const { 0: words, index } of rest.matchAll(lengths)) {
    const rhythm = lengthsOf(words, item, numbers);
    if (rhythm !== null) take(index, words, { rhythm }, nounIn(words, numbers));
  }
  for (const { 0: words, index } of rest.matchAll(MARKS)) {
    const marks = words
      .toLowerCase()
      .replace(new RegExp(either(data.dots), "giu"), ".")
      .replace(new RegExp(either(data.dashes), "giu"), "-");
    take(index, words, { rhythm: rhythmOf(marks.replaceAll(/[^.-]/gu, "")) });
  }
  for (const { 0: words, index } of rest.matchAll(WRITTEN)) take(index, words, { rhythm: rhythmOf(words) });
  const names: Readonly<Record<string, string | readonly number[]>> = data.named;
  for (const { 0: words, index } of rest.matchAll(NAMED)) {
    const named = names[words.toLowerCase().replaceAll(/\s+/gu, " ")]!;
    take(index, words, { rhythm: typeof named === "string" ? rhythmOf(named) : { at: named, held: null } });
  }
  for (const { 0: words, index } of [...rest.matchAll(MORSE)]) {
    const spelled = said.some(({ rhythm }) => rhythm !== null) ? null : SPELLED.exec(rest);
    if (spelled !== null) take(spelled.index, spelled[0], { rhythm: rhythmOf(spelling(spelled[0])) });
    take(index, words, said.some(({ rhythm }) => rhythm !== null) ? {} : { rhythm: rhythmOf(data.calling) });
  }
  return { rest, said };
}

/** Dots and dashes; letters stand apart. */
function rhythmOf(marks: string): Rhythm {
  const [at, held]: number[][] = [[], []];
  let now = 0;
  for (const mark of marks) {
    if (mark !== "." && mark !== "-") {
      now += BETWEEN_LETTERS - REST;
      continue;
    }
    if (at!.length === STROKES_MAX) break;
    const length = mark === "-" ? LONG : 1;
    at!.push(now);
    held!.push(length);
    now += length + REST;
  }
  return { at: at!, held: held! };
}

function spelling(word: string): string {
  const letters: Readonly<Record<string, string>> = data.letters;
  return [...word.toLowerCase()].map((letter) => letters[letter] ?? "").join(" ");
}

/** "Two long one short one long"; null for what is no rhythm: "a long, short one". */
function lengthsOf(words: string, item: RegExp, numbers: Numbers): Rhythm | null {
  let [marks, counted] = ["", 0];
  for (const [, before, length, behind] of words.matchAll(item)) {
    const number = before ?? behind;
    if (number !== undefined) counted++;
    const times = number === undefined ? 1 : (numbers.get(number.toLowerCase()) ?? Number(number));
    marks += (isIn(LONG_WORDS, length!) ? "-" : ".").repeat(Math.min(STROKES_MAX, times));
  }
  const is_rhythm = marks.includes("-") && marks.includes(".");
  return is_rhythm && (counted >= NUMBERS_MIN || marks.length >= STROKES_MIN) ? rhythmOf(marks) : null;
}

function isIn(words: readonly string[], word: string): boolean {
  return words.some((one) => plain(one) === word.toLowerCase());
}

/** "Trois coups courts, un long": what is struck. */
function nounIn(words: string, numbers: Numbers): string {
  const others = words.match(/[\p{sc=Latin}\p{sc=Cyrillic}]+/gu) ?? [];
  return others.find((word) => !numbers.has(word.toLowerCase()) && !isIn(SAID_OF, word)) ?? "";
}

function hertzOf(figure: string, kilo: string | undefined): number {
  return Number(figure.replace(",", ".")) * (kilo === undefined ? 1 : 1000);
}

function plain(word: string): string {
  return clean(word).toLowerCase();
}

function either(words: readonly string[]): string {
  const all = [...new Set(words.map(plain))].sort((one, other) => other.length - one.length);
  return all.map((word) => word.replaceAll(" ", "\\s+")).join("|");
}

function whole(pattern: string): RegExp {
  return new RegExp(
    `(?<![\\p{sc=Latin}\\p{sc=Cyrillic}\\d])(?:${pattern})(?![\\p{sc=Latin}\\p{sc=Cyrillic}\\d])`,
    "giu",
  );
}
