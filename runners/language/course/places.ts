/** What happens at places of a piece: "drums from the second verse", "no drums until …", "drop after the second chorus". */
import type { FormAsked, Where } from "../ask.ts";
import type { CourseReading } from "./reading.ts";
import type { Placed } from "./where.ts";

/** @param wheres all places that are named from `from` to `end` */
export function readPlaces(reading: CourseReading, wheres: readonly Placed[], from: number, end: number): void {
  let begin = from;
  for (const [index, placed] of wheres.entries()) {
    const { at, last } = placed;
    const next = wheres[index + 1]?.at;
    if (at > from && reading.is(at - 1, "negation")) reading.mark(at, last);
    else readAt(reading, placed, { begin, end, rest: next ?? end, said: next === undefined ? end : last });
    begin = last;
  }
}

/** Where the words stand that may be said of a place. */
interface Stretch {
  readonly begin: number;
  /** Of the clause. */
  readonly end: number;
  /** Up to the next place. */
  readonly rest: number;
  /** One past the last that says what happens. */
  readonly said: number;
}

type Has = (...roles: readonly string[]) => boolean;

function readAt(reading: CourseReading, { at, last, where }: Placed, { begin, end, rest, said }: Stretch): void {
  const feel = feelIn(reading, begin, at) ?? feelIn(reading, last, said);
  if (feel !== null) {
    reading.tell("has", { what: feel.name, where }, begin, last);
    reading.turned.set(feel.mention, "compared");
    return;
  }
  const event = eventBefore(reading, begin, at);
  const who = nearest(reading, begin, at, last, rest);
  const has: Has = (...roles) => reading.has(begin, said, ...roles);
  const denied =
    who.some((one) => reading.mentions[one]!.polarity === "unwanted") ||
    (who.length > 0 && reading.has(begin, at, "negation", "no", "without"));
  // "Not before" is "until", and "before" says when something else happens.
  const edge = where.edge === "until" && !denied && reading.is(at, "before") ? "before" : where.edge;
  const cue = (what: FormAsked["event"], name: string | null = null): void =>
    reading.tell(what, { who, what: name, where: { ...where, edge } }, begin, last);
  const fresh = who.length > 0 || has("form:tutti");
  const plays = fresh && !denied;
  const closes = where.share === 1 && edge === "at";
  if (event !== null && (edge !== "until" || !denied)) {
    if (!reading.isDenied(event.at)) cue("has", event.name);
  } else if (plays && (where.share === 0 || where.section === "intro")) cue("starts");
  else if (plays && closes && !has("form:enters")) cue("ends");
  else if (closes && has("form:abrupt") && !has("instead_of", "negation", "no", "without"))
    reading.tell("ends", { what: "abrupt" }, begin, end);
  else if (plays) {
    const what = presenceAt({ ...where, edge }, has);
    if (what !== null) cue(what);
  } else if (fresh) {
    const until = edge === "until" || edge === "before";
    if (!until && (edge !== "at" || (where.section === undefined && where.share === undefined))) return;
    // "No crash at the end" asks for none elsewhere.
    for (const one of who) reading.turned.set(one, !until && where.share === 1 ? "compared" : "wanted");
    cue(until ? "enters" : "rests");
  }
}

/** "Half time in the middle": there, and nowhere else. */
function feelIn(
  { units, mentions }: CourseReading,
  from: number,
  end: number,
): { readonly name: string; readonly mention: number } | null {
  for (let n = from; n < end; n++) {
    const { mention } = units[n]!;
    const name = mentions[mention]?.polarity === "wanted" ? FEELS.get(mentions[mention]!.concepts[0]!) : undefined;
    if (name !== undefined) return { name, mention };
  }
  return null;
}

const FEELS: ReadonlyMap<string, string> = new Map([
  ["trait:half_time", "half time"],
  ["trait:double_time", "double time"],
]);

/** What somebody does there who is wanted. */
function presenceAt({ edge, section, nth }: Where, has: Has): FormAsked["event"] | null {
  if (edge === "until") return "leaves";
  if (has("form:leaves")) return edge === "after" || section === undefined ? "leaves" : "rests";
  if (edge === "at" && section !== undefined && (nth === 0 || has("only")) && !has("form:enters")) return "only";
  return edge === "before" ? null : "enters";
}

const EVENTS: ReadonlySet<string> = new Set("drop break solo build bridge key_change".split(" "));

/** A section or a turn of the music that is named right before a place: "drop after …", "a break in …". */
function eventBefore(
  reading: CourseReading,
  from: number,
  at: number,
): { readonly name: string; readonly at: number } | null {
  for (let n = at - 1; n >= Math.max(from, at - 3); n--) {
    const name = reading.nameAt(n, "form:");
    if (name !== null && EVENTS.has(name)) return { name, at: n };
    if (reading.isPlayer(n)) return null;
  }
  return null;
}

/** Players that a place is said of: those right before it, else right behind. */
function nearest(reading: CourseReading, begin: number, at: number, last: number, rest: number): number[] {
  for (let n = at - 1; n >= begin; n--) if (reading.isPlayer(n)) return joined(reading, n, begin);
  return reading.allIn(last, rest);
}

/** A player and those that "and" or "or" join to him. */
function joined(reading: CourseReading, at: number, begin: number): number[] {
  const { units } = reading;
  const out = [units[at]!.mention];
  for (let n = at - 1; n >= begin; n--) {
    if (reading.isPlayer(n) && reading.is(n + 1, "and", "or")) out.unshift(units[n]!.mention);
    else if (!reading.is(n, "and", "or", "articles") && units[n]!.mention < 0) break;
  }
  return [...new Set(out)];
}
