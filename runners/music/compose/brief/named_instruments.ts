/** Words for instruments, and for groups of which the genre chooses one. */
import { derived, type InstrumentGroup } from "../../../packs/mod.ts";
import { genrePack } from "../genres.ts";
import { type Instrument, instrumentGroups, instrumentOf, instruments } from "../instruments.ts";
import type { Role } from "../score.ts";

export interface NamedInstrument {
  /** Of a group the first is meant unless the genre has its own, and all are unwanted in a negation. */
  readonly instruments: readonly Instrument[];
  /** Where a whole role is meant ("drums"), that role too. */
  readonly roles: readonly Role[];
  readonly words: readonly string[];
  readonly group?: InstrumentGroup & { readonly id: string };
}

/** English. A word for both an instrument and a group ("strings") is the group's, which comes later. */
export const namedInstruments = derived((): readonly NamedInstrument[] => [
  ...instruments().map((id) => ({ instruments: [id], roles: [], words: instrumentOf(id).names.en ?? [] })),
  ...[...instrumentGroups()].map(([id, group]) => ({
    instruments: group.members,
    roles: group.roles ?? [],
    words: group.names.en ?? [],
    group: { id, ...group },
  })),
]);

/** The one that the genre means. */
export function memberFor(
  { instruments, group }: NamedInstrument,
  genre: string,
  acoustic: boolean,
  is_named: boolean,
): Instrument {
  if (acoustic && group?.if_acoustic !== undefined) return group.if_acoustic;
  if (group === undefined) return instruments[0]!;
  const { means, like } = genrePack(genre);
  const own = means?.[group.id] ?? (like && genrePack(like).means?.[group.id]);
  // "Drum loop" is of a kit, whatever genre was only guessed.
  const is_kit = own !== undefined && instrumentOf(own).family === "kit";
  const free = group.roles?.includes("drums") === true && !is_named && !is_kit;
  return (free ? undefined : own) ?? group.members[0]!;
}

/** Everybody who drums. */
export function drummers(): readonly Instrument[] {
  return [...instrumentGroups().values()].flatMap(({ members, roles }) => (roles?.includes("drums") ? members : []));
}
