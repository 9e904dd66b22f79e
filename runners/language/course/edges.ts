/** How a piece begins and ends, and how long its intro and outro are. */
import { levelAt } from "./loudness.ts";
import type { CourseReading } from "./reading.ts";
import { wheresIn } from "./where.ts";

/** "Starts with a solo oboe", "piano first", "guitar intro"; "ends on a big chord", "fades out", "abrupt ending". */
export function readEdges(reading: CourseReading, from: number, end: number): void {
  const { units } = reading;
  for (let at = from; at < end; at++) {
    const before = at > from && reading.isPlayer(at - 1) ? [units[at - 1]!.mention] : [];
    const first = reading.numberAt(at, "ordinals") === 1 && (reading.begins(at + 1) || !isSection(reading, at + 1));
    if (beginsThere(reading, at)) {
      const last = edgeOf(reading, at + 1, end);
      const behind = reading.playersIn(at + 1, last);
      const named = behind.length > 0 ? behind : reading.playersIn(from, at).slice(-1);
      const who = reading.isNegated(at) ? [] : named;
      if (who.length > 0) reading.tell("starts", { who }, at, at + 1);
      readManner(reading, "start", at + 1, last);
      if (who.length > 0) reading.keepWithin(at + 1, last);
    } else if (before.length > 0 && ((reading.is(at, "form:intro") && !reading.isDenied(at - 1)) || first))
      reading.tell("starts", { who: before }, at, at + 1);
    else if (
      reading.is(at, "ends_with", "form:ending") ||
      (reading.is(at, "form:ends", "form:stops") && (reading.begins(at) || !reading.isPlayer(at - 1)))
    )
      readEnding(reading, at, from, end);
    else if (reading.is(at, "form:at_once") && reading.playersIn(from, at).length > 0)
      reading.tell("starts", { who: reading.playersIn(from, at).slice(-1) }, at, at + 1);
    else if (reading.is(at, "form:fade") && !reading.is(at, "dynamics:falling") && reading.isDenied(at))
      reading.tell("ends", { what: "no fade" }, at, at + 1);
  }
}

function beginsThere(reading: CourseReading, at: number): boolean {
  if (reading.is(at, "starts_with")) return true;
  return reading.is(at, "form:begins") && (reading.is(at + 1, "with", "form:at") || reading.is(at + 2, "with"));
}

function isSection(reading: CourseReading, at: number): boolean {
  return reading.sectionAt(at) !== null || reading.is(at, "form:half", "half", "bar");
}

const TURNS = [
  ...["starts_with", "ends_with", "negation", "without", "no"],
  ...["form:then", "form:enters", "form:ends"],
];

/** Where what is said of a beginning or an end ends itself: at the next turn of the sentence. */
function edgeOf(reading: CourseReading, from: number, end: number): number {
  const turn = reading.find(from, end, ...TURNS);
  return turn < 0 ? end : turn;
}

function readEnding(reading: CourseReading, at: number, from: number, end: number): void {
  const noun = reading.is(at, "form:ending");
  const [first, last] = noun ? [Math.max(from, at - 4), end] : [at + 1, edgeOf(reading, at + 1, end)];
  if (reading.is(at, "form:stops")) {
    reading.tell("ends", { what: "abrupt" }, at, at + 1);
    return;
  }
  const [fades, hard, hits, chord] = ["fade", "abrupt", "hit", "chord"].map((how) =>
    reading.find(first, last, `form:${how}`),
  ) as [number, number, number, number];
  const behind = reading.playersIn(first, last);
  // "Con un trueno al final": who stands before it.
  const closing = behind.length === 0 && !noun && reading.is(at, "ends_with") && reading.begins(at + 1);
  // "ピアノで終わる"; in "夏の終わりのピアノ" nothing ends.
  const verb_last = reading.units[at]!.signs.some(({ role, language }) => ENDS.has(role) && VERB_LAST.has(language));
  const who = closing || verb_last ? reading.playersIn(from, at).slice(-1) : behind;
  const tell = (what: string, where: number, bars: number | null = null): void =>
    reading.tell("ends", { what, bars }, at, Math.max(at, where) + 1);
  if (fades >= 0 && !(hard >= 0 && hard < fades)) tell(reading.isDenied(fades) ? "no fade" : "fade out", fades);
  else if (hard >= 0) tell(reading.isDenied(hard) ? "fade out" : "abrupt", hard);
  else if (chord >= 0) {
    const big = reading.has(first, last, "form:big");
    tell(`${chordIn(reading, first, chord) ?? (big ? "big" : "final")} chord`, chord);
  } else if (hits >= 0) {
    const count = countIn(reading, first, hits);
    tell(count > 1 ? "hits" : "big chord", hits, count);
  } else if (who.length > 0 && !noun) reading.tell("ends", { who }, at, at + 1);
  readManner(reading, "end", first, last);
  if (reading.form.at(-1)?.event === "ends" || reading.dynamics.at(-1)?.section === "end")
    reading.keepWithin(first, last);
}

const ENDS: ReadonlySet<string> = new Set(["ends_with", "form:ends"]);
/** Languages whose verbs stand behind what they are said of. */
const VERB_LAST: ReadonlySet<string> = new Set(["ja", "ko", "tr", "hi"]);

/** "Ends softly": how the beginning or the end is. */
function readManner(reading: CourseReading, section: "start" | "end", from: number, end: number): void {
  for (let n = from; n < end; n++) {
    const level = levelAt(reading, n);
    if (level === null || reading.isPlayer(n + 1)) continue;
    reading.tellLevel(level, { section });
    reading.mark(n, n + 1);
    reading.at_edges.add(n);
    return;
  }
}

const MODES = /^(?:major|minor|maj|min|dur|moll|m$)/iu;

/** "C major" of "a C major chord". */
function chordIn(reading: CourseReading, from: number, at: number): string | null {
  const wordAt = (n: number): string => reading.units[n]?.raw ?? "";
  for (let n = from; n < at; n++) {
    const word = wordAt(n);
    const article = word === "a" && (n + 1 >= at || !MODES.test(wordAt(n + 1)));
    if (!/^[A-Ga-g](?:b|is|es)?$/u.test(word) || article) continue;
    const sharp = /^(?:#|sharp)$/u.test(wordAt(n + 1)) ? "#" : /^flat$/u.test(wordAt(n + 1)) ? "b" : "";
    const mode = MODES.exec(wordAt(n + (sharp === "" ? 1 : 2)))?.[0];
    const minor = mode !== undefined && /^(?:min|m$|moll)/u.test(mode);
    reading.mark(n, at);
    return `${word[0]!.toUpperCase()}${word.slice(1)}${sharp} ${minor ? "minor" : "major"}`;
  }
  return null;
}

function countIn(reading: CourseReading, from: number, at: number): number {
  for (let n = from; n < at; n++) {
    const count = reading.numberAt(n);
    if (count !== null) return count;
  }
  return 1;
}

/** Bars of an intro or outro of which only that is said. */
const LONG = 16;
const SHORT = 2;

/** "Intro of 8 bars", "no intro", "long outro", "no bridge". */
export function readSizes(reading: CourseReading, from: number, end: number): void {
  const partAt = (at: number, parts: readonly string[]): string | undefined =>
    parts.find((part) => reading.is(at, `form:${part}`));
  for (let at = from; at < end; at++) {
    const what = partAt(at, ["intro", "outro"]);
    if (what === undefined) {
      const other = partAt(at, ["bridge", "break", "drop", "solo", "build"]);
      const bare = other !== undefined && reading.isNegated(at) && !reading.isPlayer(at - 1);
      if (bare && wheresIn(reading, at, end).length === 0) reading.tell("lacks", { what: other }, at, at + 1);
      continue;
    }
    const bars = barsNear(reading, at, from, end);
    const long = at > from && reading.is(at - 1, "form:long");
    const short = at > from && reading.is(at - 1, "form:short");
    if (reading.isDenied(at)) reading.tell("lacks", { what }, at, at + 1);
    else if (long) reading.tell("has", { what: `long ${what}`, bars: bars ?? LONG }, at - 1, at + 1);
    else if (short) reading.tell("has", { what: `short ${what}`, bars: bars ?? SHORT }, at - 1, at + 1);
    else if (bars !== null) reading.tell("has", { what, bars }, at, at + 1);
  }
}

/** "8 bar intro", "intro of 8 bars". */
function barsNear(reading: CourseReading, at: number, from: number, end: number): number | null {
  for (let n = Math.max(from, at - 3); n < Math.min(end, at + 5); n++) {
    const count = reading.numberAt(n);
    if (count !== null && reading.is(n + 1, "bar") && n + 1 < end && (n + 1 === at - 1 || n > at)) {
      reading.mark(n, n + 2);
      return count;
    }
  }
  return null;
}
