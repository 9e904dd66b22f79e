/** Half time and double time, in places of a piece: "half time in the middle", "double time in the last chorus". */
import type { Cue } from "../cues.ts";
import type { Plan } from "../plan.ts";
import type { Bar } from "./frame.ts";

interface Feel {
  /** Factor on how fast the drums go, but for what keeps time. */
  readonly pace: number;
  /** @param at which of all bars it is */
  readonly isAt: (bar: Bar, at: number, bars: number) => boolean;
}

export function paceOf(names: ReadonlySet<string>): number {
  return names.has("half time") ? 0.5 : names.has("double time") ? 2 : 1;
}

export function feelsOf({ brief, sections }: Plan): readonly Feel[] {
  return (brief.cues ?? []).flatMap(({ event, what, where }) => {
    const pace = event === "has" && what !== null ? paceOf(new Set([what])) : 1;
    return pace === 1 || where === null ? [] : [{ pace, isAt: placeOf(where, sections) }];
  });
}

/** A third of the piece in the middle, a quarter at its ends. */
function placeOf(
  { edge, section, nth = 0, share, bar: first }: NonNullable<Cue["where"]>,
  sections: Plan["sections"],
): Feel["isAt"] {
  if (section !== undefined) {
    const all = sections.flatMap(({ kind }, index) => (kind === section ? [index] : []));
    const there = nth === 0 ? all : [all.at(nth < 0 ? nth : nth - 1) ?? -1];
    return edge === "after"
      ? ({ section_index }) => section_index > Math.max(...there)
      : ({ section_index }) => there.includes(section_index);
  }
  if (first !== undefined) return (_, at) => at >= first - 1;
  return (_, n, bars) => {
    const at = (n + 0.5) / bars;
    if (edge === "after") return at >= (share ?? 1);
    return share === 0.5 ? at >= 1 / 3 && at < 2 / 3 : share === 1 ? at >= 0.75 : share === 0 && at < 0.25;
  };
}
