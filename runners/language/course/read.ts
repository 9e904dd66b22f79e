/**
 * What a prompt says of the course of a piece: who begins, comes in, stays out and ends, which sections there are, what
 * is louder than what, and whether it gets faster. Works on what was found already, and on words that say where and how
 * ("second", "verse", "until", "softer").
 */
import type { DynamicsAsked, FormAsked, Mention, PaceAsked, PlaceAsked, Polarity, Span, TurnAsked } from "../ask.ts";
import type { Token } from "../tokens.ts";
import type { Writing } from "../writing.ts";
import { readEdges, readSizes } from "./edges.ts";
import { readLoudness } from "./loudness.ts";
import { readManners } from "./manners.ts";
import { readPlaces } from "./places.ts";
import { CourseReading } from "./reading.ts";
import { signsFor } from "./signs.ts";
import { readTurn } from "./turn.ts";
import { unitsOf } from "./units.ts";
import { wheresIn } from "./where.ts";

export interface Course {
  readonly form: readonly FormAsked[];
  readonly turn: TurnAsked | null;
  readonly dynamics: readonly DynamicsAsked[];
  readonly pace: PaceAsked | null;
  readonly place: PlaceAsked | null;
  readonly era: number | null;
  /** Mentions that mean something else for the whole: "no drums until the last chorus" wants drums, "ends softly" is no soft piece. */
  readonly turned: ReadonlyMap<number, Polarity>;
  /** What was read here and is thereby known. */
  readonly spans: readonly Span[];
}

/** Words of a clause, of which longer ones are divided: time grows with the length of a prompt, not with its square. */
const CLAUSE_MAX = 60;

/**
 * @param spoken languages of the prompt
 * @param writing letters of the prompt where words are left that none of these knows, else null
 */
export function readCourse(
  tokens: readonly Token[],
  mentions: readonly Mention[],
  spoken: readonly string[],
  writing: Writing | null,
): Course {
  const reading = new CourseReading(unitsOf(tokens, mentions, signsFor(spoken, writing)), mentions);
  for (let from = 0; from < reading.units.length; ) {
    let end = from + 1;
    while (!reading.begins(end) && end - from < CLAUSE_MAX) end++;
    const before = reading.form.length;
    readEdges(reading, from, end);
    readSizes(reading, from, end);
    const wheres = wheresIn(reading, from, end);
    if (reading.form.length === before || wheres.length > 0) readPlaces(reading, wheres, from, end);
    readLoudness(reading, from, end);
    readManners(reading, from, end, spoken[0] === "en");
    from = end;
  }
  const { form, dynamics, pace, place, era, turned, spans } = reading;
  const levels = dynamics.filter(({ who }) => !who.some((one) => turned.get(one) === "wanted"));
  return { form: onceEach(form), turn: readTurn(reading), dynamics: onceEach(levels), pace, place, era, turned, spans };
}

function onceEach<T>(all: readonly T[]): T[] {
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}
