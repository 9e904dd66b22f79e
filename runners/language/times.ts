/** Lengths and pauses: "after three seconds", "two seconds of silence", "every second", "for half a minute". */
import type { TimeAsked } from "./ask.ts";
import type { Role } from "./grammar.ts";
import type { Phrases } from "./phrases.ts";
import { isDense } from "./tokens.ts";

const UNITS: readonly (readonly [role: Role, seconds: number])[] = [
  ["millisecond", 0.001],
  ["second", 1],
  ["minute", 60],
];

/** "60s" is a minute at most; more are years. */
const LETTER_MAX = 60;

/** What says something of time is read, and counts nothing. */
export function readTimes(phrases: Phrases): readonly TimeAsked[] {
  const { all } = phrases;
  const times: TimeAsked[] = [];
  for (let at = 0; at < all.length; at++) {
    if (phrases.isUsed(at)) continue;
    const amount = amountAt(phrases, at) ?? sameUnitAt(phrases, at, times.length > 0);
    if (amount === null) continue;
    let { end } = amount;
    let from = at;
    let how: TimeAsked["how"] = "length";
    const back = previous(phrases, at);
    const next = end < all.length && !phrases.isBreak(end) ? end : -1;
    const silence = next === -1 ? -1 : phrases.hasRole(next, "pause") ? next : afterSmall(phrases, next);
    if (back !== -1 && phrases.hasRole(back, "every")) [how, from] = ["every", back];
    else if (back !== -1 && phrases.hasRole(back, "after")) [how, from] = ["after", back];
    else if (back !== -1 && phrases.hasRole(back, "pause")) [how, from] = ["pause", back];
    else if (next !== -1 && (phrases.hasRole(next, "later") || isPostposition(phrases, next))) {
      how = "after";
      end = next + phrases.functionsAt(next)[0]!.words;
    }
    // "Thunder, four seconds after the lightning".
    const from_next = how === "length" && next !== -1 && phrases.hasRole(next, "after") && goesOn(phrases, next + 1);
    if (from_next) how = "after";
    if (silence !== -1 && how !== "every") {
      how = "pause";
      end = silence + 1;
    }
    const behind = (how === "after" && !from_next) || (back !== -1 && phrases.hasRole(back, "after"));
    const closing = behind && from > 0 && !phrases.isBreak(from) && (end >= all.length || phrases.isBreak(end));
    // "For the last few seconds" is a place.
    const is_place = how === "length" && back !== -1 && phrases.hasRole(back, "last");
    const span = { from: all[from]!.from, to: all[end - 1]!.to };
    if (!is_place) times.push({ ...span, seconds: amount.seconds, how, closing, ...(from_next && { from_next }) });
    phrases.use(from, end);
    at = end - 1;
  }
  return times;
}

/** "Three seconds", "1.5 s", "half a second", "a minute", "every second". */
function amountAt(phrases: Phrases, at: number): { readonly seconds: number; readonly end: number } | null {
  const { all } = phrases;
  const [first] = phrases.functionsAt(at);
  const number = phrases.functionsAt(at).find(({ role }) => role === "number");
  const figure = /^\d+(?:\.\d+)?$/u.test(all[at]!.word) ? Number(all[at]!.word) : null;
  let end = at + (figure === null ? (first?.words ?? 1) : 1);
  let value = figure ?? number?.value ?? null;
  const is_article = value === null && phrases.hasRole(at, "single");
  if (value === null && phrases.hasRole(at, "half")) value = 0.5;
  else if (is_article) value = 1;
  else if (value === null && at > 0 && phrases.hasRole(at - 1, "every")) [value, end] = [1, at];
  if (value === null) return null;
  if (value === 0.5 && end < all.length && phrases.hasRole(end, "single")) end++;
  if (end >= all.length || (end > at && phrases.isBreak(end)) || phrases.isUsed(end)) return null;
  const unit = UNITS.find(([role]) => phrases.hasRole(end, role))?.[1] ?? null;
  // "1.5s"; the "ones" and "1960s" are no seconds.
  const letter = figure !== null && figure <= LETTER_MAX && all[end]!.word === "s" ? 1 : null;
  const factor = unit ?? letter;
  // "A second line", "a minute waltz": of an article alone nothing else may come behind.
  if (is_article && phrases.beginsWord(end + 1)) return null;
  return factor === null ? null : { seconds: value * factor, end: end + 1 };
}

/** "For three seconds, then silence for one": as many of what was said. */
function sameUnitAt(phrases: Phrases, at: number, is_said: boolean): ReturnType<typeof amountAt> {
  const number = phrases.functionsAt(at).find(({ role }) => role === "number");
  const end = at + (number === undefined ? 0 : phrases.functionsAt(at)[0]!.words);
  const ends = number !== undefined && (end >= phrases.all.length || phrases.isBreak(end));
  if (!is_said || !ends || !phrases.hasRole(previous(phrases, at), "pause")) return null;
  return { seconds: number.value ?? 1, end };
}

/** The word of grammar that an amount stands behind: "for" and "of" may stand between. */
function previous(phrases: Phrases, at: number): number {
  if (at === 0 || phrases.isBreak(at)) return -1;
  const before = at - 1;
  if (at > 1 && !phrases.isBreak(before) && isSmallWord(phrases, before) && phrases.hasRole(at - 2, "pause"))
    return at - 2;
  return before;
}

function afterSmall(phrases: Phrases, at: number): number {
  const next = at + 1;
  const joined = next < phrases.all.length && !phrases.isBreak(next) && isSmallWord(phrases, at);
  return joined && phrases.hasRole(next, "pause") ? next : -1;
}

function goesOn({ all }: Phrases, at: number): boolean {
  return at < all.length && !all[at]!.after_break;
}

function isSmallWord(phrases: Phrases, at: number): boolean {
  return phrases.hasRole(at, "articles", "small_words", "verbs");
}

/** "五秒后": where words stand together, "after" does so behind. */
function isPostposition(phrases: Phrases, at: number): boolean {
  return isDense(phrases.all[at]!.word) && phrases.hasRole(at, "after");
}
