/** How long a piece is to be, where a prompt says so: "30 seconds of …", "a two minute track", "1:30 long". */
import { derived, type WordsPack } from "../packs/mod.ts";
import type { FadeAsked } from "./ask.ts";
import { clean } from "./tokens.ts";
import { type Writing, wordsFor } from "./writing.ts";

/** Between these, seconds, a time of the clock beside "long" is a length. */
const CLOCK_MIN = 10;
const CLOCK_MAX = 300;

const NUMBERS: Readonly<Record<string, number>> = {
  ...{ "one and a half": 1.5, "two and a half": 2.5, half: 0.5, a: 1, one: 1, two: 2, three: 3, four: 4, five: 5 },
  ...{ six: 6, seven: 7, eight: 8, nine: 9, ten: 10, eleven: 11, twelve: 12, fifteen: 15, sixteen: 16, twenty: 20 },
  ...{ thirty: 30, forty: 40, "forty five": 45, fifty: 50, sixty: 60, ninety: 90 },
};
const MINUTES = ["minute", "minutes", "min", "mins", "minuten", "minutos", "minuti", "minuty"];
const SECONDS = ["second", "seconds", "sec", "secs", "secondes", "sekunde", "sekunden", "segundos", "secondi"];
const BARS = ["bar", "bars", "measure", "measures"];

const AND = "(?:and|und|et|y|e|en|i|и|ve|с|ein)";

/** Letters of scripts in which words stand apart. */
const LETTERS = "\\p{sc=Latin}\\p{sc=Cyrillic}";

interface Units {
  /** What is said in words, by the words. */
  readonly numbers: Readonly<Record<string, number>>;
  readonly timed: RegExp;
  readonly bars: RegExp;
  /** What stands before the length of a fade. */
  readonly fading: RegExp;
}

const units = derived(() => new Map<Writing, Units>());

/** In the languages that a text may be in. */
function unitsFor(writing: Writing): Units {
  const known = units().get(writing);
  if (known !== undefined) return known;
  const made = unitsIn(wordsFor(writing));
  units().set(writing, made);
  return made;
}

function unitsIn(languages: readonly WordsPack[]): Units {
  const numbers: Record<string, number> = { ...NUMBERS };
  const listed = { minute: [...MINUTES], second: [...SECONDS], bar: [...BARS] };
  const halves = ["half"];
  const singles: string[] = [];
  const fades = ["fade", "fades", "fading", "faded"];
  for (const { grammar = {}, words = {} } of languages) {
    fades.push(...listIn(words["form:fade"]).filter((one) => !one.endsWith("*")));
    for (const unit of ["minute", "second", "bar"] as const) listed[unit].push(...listIn(grammar[unit]));
    halves.push(...listIn(grammar.half));
    singles.push(...listIn(grammar.single));
    // "Eine" is an article before it is a number.
    const articles = listIn(grammar.articles);
    for (const [word, value] of Object.entries(grammar.numbers ?? {}))
      if (typeof value === "number" && !articles.includes(word)) numbers[clean(word).toLowerCase()] ??= value;
  }
  for (const word of halves) numbers[clean(word).toLowerCase()] ??= 0.5;
  const figure = `\\d+(?:\\.\\d+)?|${anyOf(Object.keys(numbers))}`;
  // "Eine Minute" is a length; "eine Sekunde" is as often a moment.
  const counted = singles.length === 0 ? figure : `${figure}|${anyOf(singles)}`;
  for (const word of singles) numbers[clean(word).toLowerCase()] ??= 1;
  // "Une minute et demie", "1分半".
  const and_half = `[ -]*(?:${AND}[ -]+)?(?:a[ -]+)?(?:${anyOf(halves)})(?![${LETTERS}\\d])`;
  const [minutes, seconds, bars] = [anyOf(listed.minute), anyOf(listed.second), anyOf(listed.bar)];
  return {
    numbers,
    fading: new RegExp(`(?:${anyOf(fades)})[^,;.]{0,${FADE_REACH}}$`, "u"),
    timed: new RegExp(
      `(?<![${LETTERS}\\d.:])(?:(${counted})[ -]*(?:an?[ -]+)?(?:${minutes})(?:(${and_half})|[ -]*(?:${AND}[ -]+)?(${figure})[ -]*(?:${seconds})?)?|(${figure})[ -]*(?:${seconds}))(?![${LETTERS}\\d])`,
      "gu",
    ),
    bars: new RegExp(`(?<![${LETTERS}\\d.:])(${figure})[ -]+(?:an?[ -]+)?(?:${bars})(?![${LETTERS}\\d])`, "u"),
  };
}

/** Letters between "fade" and how long it takes: "fade out slowly over the last". */
const FADE_REACH = 28;

/** "Fade out over 8 bars", "in 5 Sekunden ausblenden": how long the end takes. */
export function readFade(cleaned: string, writing: Writing): FadeAsked | null {
  const { timed, bars, fading, numbers } = unitsFor(writing);
  const text = cleaned.toLowerCase();
  const counted = bars.exec(text);
  if (counted !== null && fading.test(text.slice(0, counted.index)))
    return { bars: figureOf(counted[1]!, numbers), seconds: null };
  for (const { index, 4: alone } of text.matchAll(timed))
    if (alone !== undefined && fading.test(text.slice(0, index)))
      return { bars: null, seconds: figureOf(alone, numbers) };
  return null;
}

/** Words of a list of grammar; none where there is no such list. */
export function listIn(some: unknown): readonly string[] {
  return Array.isArray(some) ? (some as readonly string[]) : [];
}

/** The longest first, as the text has them. */
function anyOf(words: readonly string[]): string {
  return [...new Set(words.map((word) => clean(word).toLowerCase()))]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&"))
    .join("|");
}

/** What is timed is then a place in the piece, or a part of it. */
const PLACE_BEFORE =
  /\b(?:at|after|before|every|until|till|by|first|(?<!\b(?:should|must|to|will|may|shall|can|could) )last|from|within|around the|each|nach|après|apres|después|despues)[ -]+(?:the[ -]+)?(?:first[ -]+)?$/u;
const PLACE_AFTER =
  /^[ -]*(?:in\b(?! +(?:[b-h](?:b|#)?|a (?:minor|major))(?![\p{L}\d]))|intro|outro|fade|build|before|into|mark|drop|silence|pause|break|solo|attack|release|decay|reverb|delay|tail|later|apart|from the end)/u;
/** "Under two minutes" is less than that; "not under" and "no shorter than" are not. */
const UNDER = /(?<!\b(?:not|no|never|nothing) )\b(?:under|below|less than|shorter than) (?:about |around )?$/u;
const UNDER_SHARE = 0.9;
/** An item of a list by itself: "calm piano, 1:30". */
const ITEM_BEFORE = /(?:^|[,;.|(\n])\s*$/u;
const ITEM_AFTER = /^\s*(?:$|[,;.|)\n])/u;
const CLOCK = /(?<![\d:])(\d{1,2}):([0-5]\d)(?![\d:])/gu;

/** @param cleaned as `clean` leaves it */
export function readLength(cleaned: string, writing: Writing): number | null {
  const { timed, numbers, fading } = unitsFor(writing);
  const text = cleaned.toLowerCase();
  for (const found of text.matchAll(timed)) {
    const [all, minutes, half, more, alone] = found;
    if (isPlace(text, found.index, all.length) || fading.test(text.slice(0, found.index))) continue;
    const length =
      alone === undefined
        ? 60 * figureOf(minutes!, numbers) +
          (half === undefined ? 0 : 30) +
          (more === undefined ? 0 : figureOf(more, numbers))
        : figureOf(alone, numbers);
    return UNDER.test(text.slice(0, found.index)) ? Math.floor(UNDER_SHARE * 10 * length) / 10 : length;
  }
  for (const found of text.matchAll(CLOCK)) {
    const [all, minutes, seconds] = found;
    // Amid other words a clock time may be a place, or a time of day.
    const near = text.slice(Math.max(0, found.index - 24), found.index + all.length + 24);
    const item = ITEM_BEFORE.test(text.slice(0, found.index)) && ITEM_AFTER.test(text.slice(found.index + all.length));
    const said = item || /\b(?:long|length|duration|minutes?|mins?|total)\b/u.test(near);
    if (!said || isPlace(text, found.index, all.length)) continue;
    const length = 60 * Number(minutes) + Number(seconds);
    if (length >= CLOCK_MIN && length <= CLOCK_MAX) return length;
  }
  return null;
}

function isPlace(text: string, at: number, length: number): boolean {
  return PLACE_BEFORE.test(text.slice(Math.max(0, at - 24), at)) || PLACE_AFTER.test(text.slice(at + length));
}

/** "16 bars", "a two-bar loop". */
export function readBars(cleaned: string, writing: Writing): number | null {
  const { bars, numbers, fading } = unitsFor(writing);
  const text = cleaned.toLowerCase();
  const found = bars.exec(text);
  if (found !== null && fading.test(text.slice(0, found.index))) return null;
  // "In a bar" is where people drink.
  if (
    found === null ||
    found[1] === "a" ||
    /\bfor $/u.test(text.slice(0, found.index)) ||
    // "Twelve-bar blues" is a form.
    /^[ -]*(?:blues|form|progression|changes)\b/u.test(text.slice(found.index + found[0].length)) ||
    isPlace(text, found.index, found[0].length)
  )
    return null;
  return figureOf(found[1]!, numbers);
}

function figureOf(figure: string, numbers: Units["numbers"]): number {
  return numbers[figure] ?? Number(figure);
}
