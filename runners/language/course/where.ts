/** Places in a piece: "after the second chorus", "at bar 9", "second half", "after 30 seconds". */
import type { Where } from "../ask.ts";
import type { CourseReading } from "./reading.ts";

/** A place and where it is named: first word and one past the last. */
export interface Placed {
  readonly at: number;
  readonly last: number;
  readonly where: Where;
}

export function wheresIn(reading: CourseReading, from: number, end: number): Placed[] {
  const out: Placed[] = [];
  for (let at = from; at < end; ) {
    const found = whereAt(reading, at, end);
    if (found !== null) out.push(found);
    at = found?.last ?? at + 1;
  }
  return out;
}

function whereAt(reading: CourseReading, at: number, end: number): Placed | null {
  const is = (n: number, ...roles: readonly string[]): boolean => reading.is(n, ...roles);
  const edge = (["until", "after", "before"] as const).find((one) => is(at, one)) ?? (is(at, "form:at") ? "at" : null);
  let n = edge === null ? at : at + 1;
  while (
    n < end &&
    n <= at + 3 &&
    is(n, "articles", "form:at", "form:whole", "very", "until", "after", "only") &&
    reading.numberAt(n, "ordinals") === null
  )
    n++;
  if (n >= end) return null;
  const found = (last: number, where: Omit<Where, "edge">): Placed => {
    return { at, last, where: { ...where, edge: edge ?? "at" } };
  };
  const inside = n + 1 < end;
  const ordinal = reading.numberAt(n, "ordinals");
  const section = reading.sectionAt(n);
  const next_number = inside ? reading.numberAt(n + 1) : null;
  if (ordinal !== null && inside) {
    const other = reading.sectionAt(n + 1);
    if (other !== null) return found(n + 2, { section: other, nth: ordinal });
    if (is(n + 1, "half", "form:half")) return found(n + 2, { share: ordinal === 1 ? 0 : 0.5 });
    if (is(n + 1, "bar") && edge !== null) return found(n + 2, { bar: ordinal });
  }
  if (section !== null && next_number !== null && !is(n + 2, "bar")) return found(n + 2, { section, nth: next_number });
  if (is(n, "form:half_way") || (is(n, "form:middle") && edge !== null)) return found(n + 1, { share: 0.5 });
  // "後半", "latter half".
  const half = is(n, "form:second_half") ? 0.5 : is(n, "form:first_half") ? 0 : null;
  if (half !== null) return found(n + 1, { share: half });
  // "The bridge must be without drums".
  if (edge === null && section !== null && deniesBehind(reading, n, end)) return found(n + 1, { section, nth: 0 });
  if (edge === null) return null;
  if (is(n, "bar") && next_number !== null) return found(n + 2, { bar: next_number });
  const timed = timeAt(reading, n, end);
  if (timed !== null) return found(timed.last, { seconds: timed.seconds });
  const number = reading.numberAt(n);
  if (number !== null && inside && is(n + 1, "bar")) return found(n + 2, { bar: number + (edge === "at" ? 0 : 1) });
  if (is(n, "form:end")) return found(n + 1, { share: 1 });
  if (is(n, "form:start")) return found(n + 1, { share: 0 });
  return section === null ? null : found(n + 1, { section, nth: edge === "at" ? 0 : 1 });
}

function deniesBehind(reading: CourseReading, at: number, end: number): boolean {
  for (let n = at + 1; n < Math.min(end, at + 5); n++) {
    if (reading.is(n, "without", "no")) return true;
    if (reading.isPlayer(n)) return false;
  }
  return false;
}

/** "30 seconds", "half a minute", "1:30". */
function timeAt(
  reading: CourseReading,
  at: number,
  end: number,
): { readonly last: number; readonly seconds: number } | null {
  const { units } = reading;
  const number = reading.is(at, "half") ? 0.5 : reading.numberAt(at);
  if (number === null) return reading.is(at, "minute") ? { last: at + 1, seconds: 60 } : null;
  let n = at + 1;
  const [first, next] = [units[at]!, n < end ? units[n] : undefined];
  if (next?.from === first.to + 1 && /^\d\d$/u.test(next.word) && /^\d{1,2}$/u.test(first.word))
    return { last: n + 1, seconds: 60 * number + Number(next.word) };
  while (n < end && reading.is(n, "articles", "form:whole") && !reading.is(n, "second", "minute")) n++;
  if (n >= end) return null;
  if (reading.is(n, "minute")) return { last: n + 1, seconds: 60 * number };
  return reading.is(n, "second") ? { last: n + 1, seconds: number } : null;
}
