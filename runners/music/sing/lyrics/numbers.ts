/** Figures as English words: "1999" nineteen ninety nine, "$5.50" five dollars fifty, "21st" twenty first. */

import data from "./languages/english.json" with { type: "json" };

const { units: UNITS, tens: TENS } = data.numbers;
const ORDINALS: Readonly<Record<string, string>> = data.numbers.ordinals;
const SCALES = Object.entries(data.numbers.scales);
const MONEY = data.numbers.money as unknown as Readonly<Record<string, readonly [one: string, many: string]>>;
const MEASURES: Readonly<Record<string, readonly string[]>> = data.measures;
const SUFFIXES: Readonly<Record<string, string>> = data.numbers.suffixes;

/** What `wordsOfNumber` reads, as the source of a regular expression without groups that count. */
export const NUMBER =
  "[$€£¥₹]?(?:\\d{1,3}(?:,\\d{3})+|\\d+)(?:[.:/]\\d+)*(?:st|nd|rd|th|s|k|m|bn|b|am|pm|%|°[CF]?|¢|km|kg|cm|ft|lbs?|mph|x)?(?![\\p{L}\\d])";

/** Words of what `NUMBER` matches; also takes digits followed by nonsense, which it reads as digits. */
export function wordsOfNumber(text: string): string[] {
  const parts = /^([$€£¥₹]?)([\d,]+)((?:[.:/]\d+)*)(.*)$/u.exec(text.toLowerCase());
  if (parts === null) return [...text].filter((letter) => letter >= "0" && letter <= "9").map((d) => UNITS[Number(d)]!);
  const [, sign, figures, rest, suffix] = parts as unknown as [string, string, string, string, string];
  const digits = figures.replace(/,/gu, "");
  const after = rest === "" ? [] : rest.slice(1).split(/[.:/]/u);
  const money = MONEY[sign];
  if (money !== undefined) {
    const scale = SUFFIXES[suffix];
    const cents = after[0] === undefined ? [] : cardinal(after[0].slice(0, 2).padEnd(2, "0"));
    const whole = [...cardinal(digits), ...(scale === undefined ? [] : [scale])];
    return [...whole, Number(digits) === 1 && scale === undefined ? money[0] : money[1], ...cents];
  }
  if (rest.startsWith(":")) {
    const minutes = after[0]!;
    const said =
      Number(minutes) === 0 ? ["o'clock"] : minutes.startsWith("0") ? ["oh", ...cardinal(minutes)] : cardinal(minutes);
    return [...cardinal(digits), ...(suffix === "" ? said : [...said.filter((word) => word !== "o'clock"), ...suffix])];
  }
  if (rest.startsWith("/")) return [...cardinal(digits), ...after.flatMap(cardinal)];
  const decimals = after.flatMap((group) => ["point", ...[...group].map((digit) => UNITS[Number(digit)]!)]);
  if (/^(?:st|nd|rd|th)$/u.test(suffix)) return ordinal(digits);
  if (suffix === "s") return plural(yearOrCardinal(digits));
  const base = rest === "" && suffix === "" && !figures.includes(",") ? yearOrCardinal(digits) : cardinal(digits);
  const unit = suffix === "%" ? ["percent"] : suffix === "°" ? ["degrees"] : (MEASURES[suffix] ?? SUFFIXES[suffix]);
  const tail = unit === undefined ? [...suffix.replace(/[^a-z]/gu, "")] : typeof unit === "string" ? [unit] : unit;
  return [...base, ...decimals, ...tail];
}

/** "1234" one thousand two hundred thirty four; what begins with 0 or has more than 15 digits, digit by digit. */
function cardinal(digits: string): string[] {
  if (digits.length > 15 || (digits.length > 1 && digits.startsWith("0"))) {
    return [...digits].map((digit) => UNITS[Number(digit)]!);
  }
  const words: string[] = [];
  say(Number(digits), words);
  return words;
}

function say(value: number, words: string[]): void {
  for (const [name, size] of SCALES) {
    if (value < size) continue;
    say(Math.floor(value / size), words);
    words.push(name);
    const rest = value % size;
    if (rest > 0) say(rest, words);
    return;
  }
  if (value < 20) words.push(UNITS[value]!);
  else {
    words.push(TENS[Math.floor(value / 10) - 1]!);
    if (value % 10 > 0) words.push(UNITS[value % 10]!);
  }
}

/** Four figures from 1100 to 2099 are a year. */
function yearOrCardinal(digits: string): string[] {
  const value = Number(digits);
  if (digits.length !== 4 || value < 1100 || value >= 2100 || (value >= 2000 && value < 2010)) return cardinal(digits);
  const [century, year] = [Math.floor(value / 100), value % 100];
  const said = year === 0 ? ["hundred"] : year < 10 ? ["oh", UNITS[year]!] : cardinal(String(year));
  return value === 2000 ? ["two", "thousand"] : [...cardinal(String(century)), ...said];
}

function ordinal(digits: string): string[] {
  const words = cardinal(digits);
  const last = words.pop() ?? "zero";
  return [...words, ORDINALS[last] ?? (last.endsWith("y") ? `${last.slice(0, -1)}ieth` : `${last}th`)];
}

function plural(words: string[]): string[] {
  const last = words.pop() ?? "zero";
  return [...words, last.endsWith("y") ? `${last.slice(0, -1)}ies` : last.endsWith("x") ? `${last}es` : `${last}s`];
}
