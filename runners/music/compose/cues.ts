/** What was asked of a piece's course and of how loud its players are, in terms of players. */
import type { Ask, DynamicsAsked, FormAsked, Where } from "../../language/mod.ts";
import type { Instrument } from "./instruments.ts";
import type { Role } from "./score.ts";

/** Who is meant by a name: a part is of them that plays one of the instruments, or where a whole role is meant, that role. */
export interface Players {
  /** As the prompt calls them: "drums", "strings". */
  readonly name: string;
  readonly instruments: readonly Instrument[];
  readonly roles: readonly Role[];
  /** Their name says so: "guitar solo". */
  readonly solo?: true;
}

export interface Cue extends Pick<FormAsked, "event" | "what" | "where" | "bars"> {
  /** Empty: the whole band. */
  readonly players: readonly Players[];
}

export interface Loudness extends Pick<DynamicsAsked, "section" | "level"> {
  /** Empty: all, or all of a section. */
  readonly players: readonly Players[];
  /** What it is measured by. */
  readonly than: readonly Players[];
}

/** "Guitar solo". */
export function isSolo(phrase: string): boolean {
  return / solos?$/u.test(phrase);
}

/** Whether a part is played by any of them. */
export function plays(
  { role, instrument }: { readonly role: Role; readonly instrument: Instrument },
  players: readonly Players[],
): boolean {
  return players.some(({ roles, instruments }) => roles.includes(role) || instruments.includes(instrument));
}

/** The prompt's cues and levels with players in place of mentions; who cannot be named is left out. */
export function cuesOf(
  { form, dynamics }: Pick<Ask, "form" | "dynamics">,
  playerOf: (mention: number) => Players | null,
): { readonly cues: readonly Cue[]; readonly dynamics: readonly Loudness[] } {
  const all = (who: readonly number[]): Players[] => who.flatMap((one) => playerOf(one) ?? []);
  return {
    cues: form.flatMap(({ who, ...cue }): Cue[] => {
      const players = all(who);
      return who.length > 0 && players.length === 0 && cue.what === null && cue.event !== "enters"
        ? []
        : [isSoloThere(cue, players) ? { ...cue, event: "has", what: "solo", players } : { ...cue, players }];
    }),
    dynamics: dynamics.flatMap(({ who, than, ...level }): Loudness[] => {
      const players = all(who);
      return who.length > 0 && players.length === 0 ? [] : [{ ...level, players, than: all(than) }];
    }),
  };
}

/** "A guitar solo after the bridge". */
function isSoloThere({ event, where }: Pick<Cue, "event" | "where">, players: readonly Players[]): boolean {
  return event === "enters" && where !== null && players.length > 0 && players.every(({ solo }) => solo === true);
}

/** "Starts with piano", "drums from the second half", "drop after the second chorus", "ends: fade out". */
export function describeCue({ event, players, what, where, bars }: Cue): string {
  const who = namesOf(players) || "everyone";
  const place = where === null ? "" : ` ${placeOf(where)}`;
  switch (event) {
    case "starts":
      return `starts with ${who}`;
    case "ends":
      return what === null ? `ends with ${who}` : `ends: ${bars !== null && bars > 1 ? `${bars} ` : ""}${what}`;
    case "enters":
      return `${who} ${fromOf(where)}`;
    case "leaves":
      return `${who} until${place.replace(/^ (?:after|in|at|until)/u, "")}`;
    case "rests":
      return `no ${who}${place}`;
    case "only":
      return `${who} only${place}`;
    case "has":
      return [
        ...(players.length > 0 ? [who] : []),
        (what ?? "").replaceAll("_", " "),
        // "Long outro" says it already.
        ...(bars === null || what?.includes(" ") === true ? [] : [`of ${bars} bars`]),
        ...(where === null ? [] : [where.share === 0.5 ? "in the middle" : placeOf(where)]),
      ].join(" ");
    case "lacks":
      return `no ${what}`;
  }
}

/** "Piano soft", "bass softer than piano", "louder chorus", "crescendo". */
export function describeLoudness({ players, section, level, than }: Loudness): string {
  if (section === "start") return `starts ${level}`;
  if (section === "end") return `ends ${level}`;
  if (section !== null) return `${level} ${section}`;
  if (players.length === 0) return level;
  return `${namesOf(players)} ${level}${than.length > 0 && level.endsWith("er") ? ` than ${namesOf(than)}` : ""}`;
}

function namesOf(players: readonly Players[]): string {
  return players.map(({ name }) => name).join(" and ");
}

function fromOf(where: Where | null): string {
  if (where === null) return "later";
  if (where.share === 1) return "only at the end";
  if (where.edge === "after" && where.section !== undefined) return `after the ${sectionOf(where)}`;
  return `from ${placeOf(where).replace(/^(?:until|after|before|in|at) /u, "")}`;
}

/** "After 60 seconds", "in the second half", "after the second chorus". */
export function placeOf(where: Where): string {
  const { edge, share, seconds, bar } = where;
  if (seconds !== undefined) return `after ${seconds} seconds`;
  if (bar !== undefined) return `at bar ${bar}`;
  if (share !== undefined)
    return share === 1
      ? "at the end"
      : share === 0
        ? "at the start"
        : edge === "at"
          ? "in the second half"
          : `${edge} the second half`;
  return `${where.edge === "at" ? "in" : where.edge} the ${sectionOf(where)}`;
}

const ORDINALS = ["", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];

function sectionOf({ section = "", nth = 0 }: Pick<Where, "section" | "nth">): string {
  const ordinal = nth === -1 ? "last" : (ORDINALS[nth] ?? `${nth}th`);
  return ordinal === "" ? section : `${ordinal} ${section}`;
}
