/** How all of it goes and sounds: a tempo that changes, acoustics, a decade in words. */
import type { PaceAsked } from "../ask.ts";
import type { CourseReading } from "./reading.ts";
import type { Sign } from "./signs.ts";

/** @param english whether the prompt is mostly English */
export function readManners(reading: CourseReading, from: number, end: number, english: boolean): void {
  for (let at = from; at < end; at++) {
    readBuild(reading, at, from);
    // "Bars" and "second" are known words.
    if (reading.is(at, "bar", "ordinals", "form:enters", "form:leaves", "form:half")) reading.mark(at, at + 1);
    readPace(reading, at);
    const where = reading.units[at]!.signs.find(({ role }) => role.startsWith("place:"));
    if (where !== undefined) readPlace(reading, at, [from, end], where, english);
    const decade = reading.nameAt(at, "era:");
    if (decade !== null && !reading.isDenied(at)) {
      reading.era ??= Number(decade);
      reading.mark(at, at + 1);
    }
  }
}

/** "Builds up slowly" is no slow piece. */
function readBuild(reading: CourseReading, at: number, from: number): void {
  if (!reading.is(at, "form:build", "form:builds")) return;
  if (at > from && reading.isTempo(at - 1)) compare(reading, at - 1);
  if (!reading.begins(at + 1) && reading.isTempo(at + 1)) compare(reading, at + 1);
}

function compare({ turned, units }: CourseReading, at: number): void {
  turned.set(units[at]!.mention, "compared");
}

function readPace(reading: CourseReading, at: number): void {
  const { units, mentions, turned } = reading;
  const { signs, mention, to } = units[at]!;
  const going = reading.nameAt(at, "pace:");
  if (going !== null && !reading.isDenied(at)) {
    reading.pace ??= going as PaceAsked;
    reading.mark(at, at + 1);
    // "Faster and faster" is no fast piece.
    for (let n = mention; n >= 0 && n < mentions.length && mentions[n]!.from < to; n++)
      if (!reading.isOfSource(n)) turned.set(n, "compared");
    if (reading.is(at + 1, "and") && reading.isTempo(at + 2)) compare(reading, at + 2);
  }
  const compared = signs.find(({ role }) => role === "faster" || role === "slower");
  if (compared === undefined || (compared.language === "en" && !reading.isTempo(at))) return;
  const change = compared.role as "faster" | "slower";
  reading.pace ??= reading.isDenied(at) ? `not ${change}` : change;
  reading.mark(at, at + 1);
  // "Plus lente" says nothing of a slowed tape.
  if (!reading.isTempo(at)) reading.keepWithin(at, at + 1);
}

/** Acoustics that need no "in a …" before them. */
const SURE_PLACES: ReadonlySet<string> = new Set(["dry", "reverb", "underwater", "spring_reverb", "lo_fi", "far"]);
const DAMPED: ReadonlySet<string> = new Set(["unwanted", "less", "softened"]);
const WITHOUT: Readonly<Record<string, string>> = { reverb: "dry", spring_reverb: "dry", dry: "reverb" };

/** "Recorded in a church", "dry", "no reverb", "in einer Kirche". */
function readPlace(
  reading: CourseReading,
  at: number,
  [from, end]: readonly [from: number, end: number],
  { role, language }: Sign,
  english: boolean,
): void {
  const name = role.slice("place:".length);
  const sure = SURE_PLACES.has(name) || language !== "en" || (english && reading.hasBefore(at - 1, from, "form:at"));
  const standing = sure || isWholeClause(reading, at, from, end);
  if (!standing || name === "background" || reading.is(at - 1, "than") || reading.is(at - 2, "than")) return;
  reading.mark(at, at + 1);
  // "리버브는 적게".
  const lessened = at + 1 < end && reading.is(at + 1, "less", "without");
  const damped = lessened || reading.isNegated(at) || DAMPED.has(reading.mentionAt(at)?.polarity ?? "wanted");
  const heard = damped ? WITHOUT[name] : name;
  if (heard === undefined) return;
  const said = damped || language !== "en" ? heard.replaceAll("_", " ") : reading.units[at]!.said;
  reading.place ??= { name: heard, said };
}

/** "Sleepy hotel lobby": the place ends its clause, and nothing but manners stands before it. */
function isWholeClause(reading: CourseReading, at: number, from: number, end: number): boolean {
  if (at + 1 !== end) return false;
  for (let n = from; n <= at; n++) {
    const said = reading.mentionAt(n);
    if ((said !== undefined && !reading.isManner(said, /^scene:/u)) || reading.denies(n)) return false;
  }
  return true;
}
