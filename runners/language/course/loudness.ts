/** How loud the whole, a section or a player is, and against whom. */
import type { DynamicsAsked } from "../ask.ts";
import type { CourseReading } from "./reading.ts";

type Level = DynamicsAsked["level"];

const LEVELS: readonly (readonly [role: string, level: Level])[] = [
  ["louder", "louder"],
  ["softer", "softer"],
  ["dynamics:loud", "loud"],
  ["dynamics:soft", "soft"],
  ["dynamics:front", "up front"],
  ["dynamics:back", "in the background"],
];
const OPPOSITE: Readonly<Record<string, Level>> = {
  ...{ loud: "soft", soft: "loud", louder: "softer", softer: "louder" },
  ...{ "up front": "in the background", "in the background": "up front" },
};

/** "Soft piano", "the bass quieter than the piano", "quiet verses", "louder and louder", "quiet". */
export function readLoudness(reading: CourseReading, from: number, end: number): void {
  for (let at = from; at < end; at++) {
    if (reading.is(at, "dynamics:rising", "dynamics:falling") && !reading.isDenied(at)) {
      reading.tellLevel(reading.is(at, "dynamics:rising") ? "crescendo" : "decrescendo");
      reading.mark(at, at + 1);
    } else if (reading.is(at, "dynamics:same")) {
      reading.tellLevel("same");
      reading.mark(at, at + 1);
      reading.keepWithin(at, end);
      return;
    } else if (!readAmount(reading, at, from, end)) readLevel(reading, at, from, end);
  }
}

/** "More cello", "less bass", "hardly any drums". */
function readAmount(reading: CourseReading, at: number, from: number, end: number): boolean {
  const { mention } = reading.units[at]!;
  const polarity = reading.mentions[mention]?.polarity;
  const tell = (level: Level, one: number): true => {
    reading.tellLevel(level, { who: [one] });
    reading.mark(at, at + 1);
    return true;
  };
  const lessened = polarity === "less" || (polarity === "softened" && reading.hasBefore(at - 1, from, "too"));
  if (lessened && reading.isPlayer(at)) return tell("softer", mention);
  const less = reading.is(at, "less");
  if ((!less && !reading.is(at, "more")) || at + 1 >= end || !reading.isPlayer(at + 1)) return false;
  if (reading.isDenied(at) || polarity === "less") return false;
  return tell(less ? "softer" : "louder", reading.units[at + 1]!.mention);
}

function readLevel(reading: CourseReading, at: number, from: number, end: number): void {
  const level = reading.at_edges.has(at) ? null : levelAt(reading, at);
  if (level === null) return;
  reading.mark(at, at + 1);
  const before = at > from && reading.is(at, "louder", "softer") ? reading.sectionAt(at - 1) : null;
  const section = reading.sectionAt(at + 1) ?? before;
  if (section !== null) {
    reading.tellLevel(level, { section });
    reading.keepWithin(at, at + 1);
    return;
  }
  // Players that are named to measure by: "than the kick".
  const measured = reading.find(at + 1, end, "than");
  const who = whoIs(reading, at, from, measured < 0 ? end : measured);
  const { dynamics } = reading;
  const last = dynamics.at(-1);
  if (who.length > 0) {
    // "Buried, quieter than the guitars".
    if (last?.who.length === who.length && last.who[0] === who[0] && measured >= 0) dynamics.pop();
    const than = measured < 0 ? [] : reading.allIn(measured, end);
    reading.tellLevel(level, { who, than });
    // Who is to be softer than the trumpets plays with them.
    for (const one of than)
      if (reading.mentions[one]!.polarity === "compared" && reading.isPlaying(one)) reading.turned.set(one, "wanted");
  } else if (isWhole(reading, at, from, end) && last?.level !== "crescendo" && last?.level !== "decrescendo") {
    const follows = last?.who.length === 0 && last.section === null && reading.is(from, "form:then");
    // "Quiet, then loud".
    if (follows && OPPOSITE[last.level] === level)
      dynamics[dynamics.length - 1] = { ...last, level: level === "loud" ? "soft, then loud" : "loud, then soft" };
    else reading.tellLevel(level);
  }
}

export function levelAt(reading: CourseReading, at: number): Level | null {
  const level = LEVELS.find(([role]) => reading.is(at, role))?.[1];
  if (level === undefined) return null;
  return isDeniedLevel(reading, at) ? (OPPOSITE[level] ?? level) : level;
}

/** "Not too loud", "never loud". */
function isDeniedLevel(reading: CourseReading, at: number): boolean {
  const polarity = reading.mentionAt(at)?.polarity;
  if (polarity === "unwanted" || polarity === "softened") return true;
  for (let n = at - 1; n >= Math.max(0, at - 6) && !reading.units[n + 1]!.begins; n--) {
    if (reading.denies(n)) return true;
    const other = reading.is(n, "but", "and", "louder", "softer", "dynamics:loud", "dynamics:soft");
    if (other || reading.isPlayer(n)) return false;
  }
  return false;
}

/** Who is so loud: the next player where nothing but manners stands between, else the one before. */
function whoIs(reading: CourseReading, at: number, from: number, until: number): number[] {
  const playerAt = (n: number): number[] =>
    reading.mentionAt(n)!.polarity === "unwanted" ? [] : [reading.units[n]!.mention];
  for (let n = at + 1; n < until; n++) {
    if (reading.isPlayer(n)) return playerAt(n);
    const said = reading.mentionAt(n);
    if (said === undefined || !reading.isManner(said)) break;
  }
  for (let n = at - 1; n >= Math.max(from, at - 5); n--) {
    if (reading.isPlayer(n)) return playerAt(n);
    const joins = reading.is(n, "and") && !(n > from && levelAt(reading, n - 1) !== null);
    if (joins || reading.is(n, "with", "form:at")) break;
  }
  return [];
}

/** Whether a level is the whole's: it stands alone in its clause, save for words that say how. */
function isWhole(reading: CourseReading, at: number, from: number, end: number): boolean {
  if (reading.is(at, "dynamics:front", "dynamics:back")) return false;
  return from === at || at + 1 >= end || !reading.isPlayer(at + 1);
}
