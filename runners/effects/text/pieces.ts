/** The words of a prompt in pieces, each with how it goes on from the one before, and the silence before it. */
import { type Ask, kindOf, type Led, type Mention, type TimeAsked, type Unknown } from "../../language/mod.ts";
import type { Pause } from "../brief.ts";
import { isLedBy, match, type Unit, unitsOf } from "./match.ts";

export type Join = "then" | "comma" | "with" | "at" | "into" | "after";

export interface Piece {
  readonly units: Unit[];
  readonly join: Join;
  pause: Pause | null;
  /** It comes before the piece that it is said behind: "a crash after a scream". */
  readonly first?: true;
}

/** It comes when what is before has sounded, and what goes on there still does. */
export const OVER: Pause = { seconds: 0, from: "over" };

export function piecesOf(ask: Ask): Piece[] {
  const units = heard(ask);
  const pauses = ask.times.filter(({ how }) => how === "after" || how === "pause");
  const prepositions = !POSTPOSED.has(ask.languages[0] ?? "en");
  let out: Piece[] = [];
  for (const [n, unit] of units.entries()) {
    const before = units[n - 1];
    const time =
      pauses.find(({ from, to, closing }) => !closing && to <= unit.from && from >= (before?.to ?? 0)) ??
      (before !== undefined && before.part !== unit.part ? lengthOf(out.at(-1)!, unit, ask.times) : undefined);
    const join = before === undefined ? "then" : time !== undefined ? "then" : joinOf(before, unit, prepositions);
    const pause = time === undefined ? null : pauseOf(time);
    if (join === null) out.at(-1)!.units.push(unit);
    else out.push({ units: [unit], join, pause, ...((time?.from_next || join === "after") && { first: true }) });
  }
  out = inOrder(out);
  for (const time of pauses) {
    if (!time.closing) continue;
    const of = out.findLast(({ units: [first] }) => first!.from < time.from);
    if (of === undefined) continue;
    out[out.indexOf(of)] = { ...of, join: "then", pause: pauseOf(time) };
  }
  return endsLast(withoutHeading(out, ask), ask);
}

/** Languages whose "after" stands behind what it is said of. */
const POSTPOSED: ReadonlySet<string> = new Set(["ja", "ko", "zh", "tr", "hi"]);

/** "A crash after a scream", "thunder, four seconds after the lightning": what is named behind "after" is heard first. */
function inOrder(pieces: readonly Piece[]): Piece[] {
  const out: Piece[] = [];
  for (const [n, piece] of pieces.entries()) {
    const before = out.at(-1);
    const next = pieces[n + 1];
    if (piece.first !== true) out.push(piece);
    // "After dark" names nothing.
    else if (before !== undefined && !piece.units.some(isSound)) before.units.push(...piece.units);
    else if (before !== undefined)
      out.splice(
        -1,
        1,
        { ...piece, join: before.join, pause: before.pause },
        { ...before, join: "then", pause: piece.pause },
      );
    else {
      out.push({ ...piece, pause: null });
      if (next !== undefined) next.pause ??= piece.pause;
    }
  }
  return out;
}

function isSound({ concepts }: Unit): boolean {
  return concepts.some((one) => kindOf(one) === "sound");
}

/** "Sci-fi door: hiss, servo, clunk": what the list behind it consists of is not heard besides. */
function withoutHeading(pieces: Piece[], { text }: Ask): Piece[] {
  const [heading, first] = pieces;
  if (heading === undefined || first === undefined) return pieces;
  if (!text.slice(heading.units.at(-1)!.to, first.units[0]!.from).includes(":")) return pieces;
  const named = match(heading.units);
  const listed = pieces.slice(1).flatMap(({ units }) => match(units)?.recipe ?? []);
  if (named === null || new Set(listed).size < LISTED_MIN || listed.includes(named.recipe)) return pieces;
  // "Typewriter: five keystrokes, a ding": the first says how often.
  if (
    first.units.some(({ count }) => count !== null) &&
    match([...heading.units, ...first.units])?.recipe === named.recipe
  )
    return pieces;
  const kept = heading.units.filter((_, at) => !named.places.includes(at));
  return [{ ...first, join: "then", units: [...kept, ...first.units] }, ...pieces.slice(2)];
}

/** Sounds of a list from which on it says all that there is. */
const LISTED_MIN = 2;

/** "A riser ending with a boom", "wind with a bell at the end": that comes last, over what goes on. */
function endsLast(pieces: Piece[], { form, mentions }: Ask): Piece[] {
  const ends = new Set(form.flatMap(({ event, who }) => (event === "ends" ? who.map((at) => mentions[at]!.from) : [])));
  const at = pieces.findIndex(({ units }) => units.some(({ from }) => ends.has(from)) && match(units) !== null);
  const piece = pieces[at];
  if (at > 0 && piece!.join !== "then") pieces[at] = { ...piece!, join: "then", pause: OVER };
  return pieces;
}

/** "Wind for four seconds, then": how long a part lasts before the next. */
function lengthOf({ units }: Pick<Piece, "units">, next: Unit, times: readonly TimeAsked[]): TimeAsked | undefined {
  return times.find(({ how, from, to }) => how === "length" && from > units[0]!.from && to <= next.from);
}

function pauseOf({ seconds, how }: TimeAsked): Pause {
  return { seconds, from: how === "pause" ? "end" : "start" };
}

/** What is to be heard, or says how. What is left out leaves its "and" behind. */
function heard({ text, mentions, unknown }: Ask): Unit[] {
  let led_by: readonly Led[] = [];
  return [...mentions, ...unknown]
    .sort((one, other) => one.from - other.from)
    .flatMap((read) => {
      const led = [...led_by, ...read.led_by];
      const is_heard = isHeard(read, mentions);
      led_by = is_heard ? [] : led.filter(({ role }) => JOINING.has(role));
      if (!is_heard) return [];
      const known = isMisread(read) ? { ...read, word: text.slice(read.from, read.to).toLowerCase() } : read;
      return unitsOf({ ...known, led_by: led }, text);
    });
}

const JOINING: ReadonlySet<Led["role"]> = new Set<Led["role"]>(["and", "with", "while"]);

/** Of what is denied only the contrary of a manner. */
function isHeard(read: Mention | Unknown, mentions: readonly Mention[]): boolean {
  if (read.polarity === "wanted" || read.polarity === "softened" || read.polarity === "less") return true;
  if (!("concepts" in read)) return false;
  // "Faster and faster" is compared with itself.
  if (read.polarity === "compared")
    return read.concepts.some((concept) => SOUNDING.has(kindOf(concept)) || kindOf(concept) === "motion");
  const of = read.of === null ? null : mentions[read.of];
  return read.concepts.every((concept) => MANNERS.has(kindOf(concept))) && of?.polarity !== "unwanted";
}

/** By a slip of the pen a sound may be meant, and nothing else: a "quibbly" one is not quick. */
function isMisread(read: Mention | Unknown): read is Mention {
  return (
    "concepts" in read && read.guessed === "spelling" && !read.concepts.some((concept) => kindOf(concept) === "sound")
  );
}

/** Kinds of what is heard, rather than of how. */
export const SOUNDING: ReadonlySet<string> = new Set(["sound", "thing", "word"]);
/** Of these the contrary is known. */
const MANNERS: ReadonlySet<string> = new Set(["quality", "dynamics", "distance"]);

/** How a word goes on from the one before; null: both are of one piece. */
function joinOf(before: Unit, unit: Unit, prepositions: boolean): Join | null {
  if (before.mention !== null && before.mention === unit.mention) return null;
  if (before.part !== unit.part) return "then";
  // What ends a movement comes after it: a bottle that rolls and breaks.
  if (isLedBy(unit, "and") && has(unit, "motion:ending") && !isLedBy(unit, "articles", "single")) return "then";
  // "Stone sliding over stone" is no second sound.
  if (isLedBy(unit, "over") && isOfStuff(unit) && before.clause === unit.clause) return null;
  if (isLedBy(unit, "with", "while")) return "with";
  if (prepositions && isLedBy(unit, "after") && before.clause === unit.clause) return "after";
  if (before.clause !== unit.clause || isLedBy(unit, "until")) return "comma";
  if (isLedBy(unit, "and", "but", "or") || (unit.polarity === "compared" && before.polarity !== "compared"))
    return "with";
  if (isLedBy(unit, "into", "ends_with")) return "into";
  return isLedBy(unit, "at") ? "at" : null;
}

export function has({ concepts }: Unit, concept: string): boolean {
  return concepts.some((one) => one === concept);
}

function isOfStuff({ concepts }: Unit): boolean {
  return concepts.some((one) => kindOf(one) === "material");
}
