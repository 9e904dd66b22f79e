/** One kind of music after another: "starts as jazz, becomes techno", "first half punk, second half reggae". */
import type { TurnAsked, Where } from "../ask.ts";
import type { CourseReading } from "./reading.ts";
import { wheresIn } from "./where.ts";

/** Words between what says that the music turns and what it turns into: "and then suddenly a very heavy". */
const REACH = 6;

/** Where the music turns into another kind, the first time that it does; null where it stays what it is. */
export function readTurn(reading: CourseReading): TurnAsked | null {
  const { units } = reading;
  // First of all kinds that are named, and the place after which another may come.
  let [kind, place]: [kind: string | null, place: number] = [null, -1];
  let named = false;
  for (let at = 0; at < units.length; at++) {
    const genre = genreAt(reading, at);
    if (genre !== null && genre !== kind) {
      const from = turnBefore(reading, at, kind !== null, named) ?? turnBehind(reading, at, place);
      if (from !== null) {
        reading.mark(from, at);
        return { at: units[from]!.from, where: whereNear(reading, at) ?? introAt(reading, place) };
      }
    }
    if (genre !== null && kind === null) [kind, place] = [genre, at];
    named ||= genre !== null || (reading.isPlayer(at) && !reading.isDenied(at));
  }
  return null;
}

/** A kind of music and nothing else: no mood of the same word, no player's manner ("jazz drums"). */
function genreAt(reading: CourseReading, at: number): string | null {
  const { units, mentions } = reading;
  const said = reading.mentionAt(at);
  if (said === undefined || said.polarity !== "wanted" || units[at - 1]?.mention === units[at]!.mention) return null;
  if (!said.concepts.every((one) => one.startsWith("genre:"))) return null;
  const next = mentions[units[at]!.mention + 1];
  const is_manner = next?.adjacent === true && !reading.isManner(next) && !next.concepts[0]!.startsWith("form:");
  return is_manner ? null : said.concepts[0]!;
}

/** The word before a kind of music that says that the music turns into it; null for none. */
function turnBefore(reading: CourseReading, at: number, has_genre: boolean, named: boolean): number | null {
  for (let n = at - 1; n >= Math.max(0, at - REACH); n--) {
    if (named && reading.is(n, "form:becomes")) return n;
    if (has_genre && reading.is(n, "form:then")) return n;
    // A player between them: "then a piano in a jazz club".
    if (reading.isPlayer(n)) return null;
  }
  // "Reggae in the second half", "after one minute techno"; not "techno at 130", with which all begins.
  const where = whereNear(reading, at);
  const from = clauseOf(reading, at)[0];
  const divides = where !== null && where.section === undefined && where.share !== 0;
  return has_genre && divides && from > 0 ? from : null;
}

/** Where verbs come last: "ジャズで始まりテクノに変わる". */
function turnBehind(reading: CourseReading, at: number, first: number): number | null {
  const turns = first >= 0 && (reading.is(at + 1, "form:becomes") || reading.is(at + 2, "form:becomes"));
  return turns ? Math.max(first + 1, clauseOf(reading, at)[0]) : null;
}

function whereNear(reading: CourseReading, at: number): Where | null {
  return wheresIn(reading, ...clauseOf(reading, at)).find(({ where }) => where.edge !== "until")?.where ?? null;
}

function clauseOf(reading: CourseReading, at: number): [from: number, end: number] {
  let [from, end] = [at, at + 1];
  while (from > 0 && !reading.begins(from)) from--;
  while (!reading.begins(end)) end++;
  return [from, end];
}

/** "An ambient intro, then house". */
function introAt(reading: CourseReading, first: number): Where | null {
  return reading.is(first + 1, "form:intro") ? { edge: "after", section: "intro", nth: 0 } : null;
}
