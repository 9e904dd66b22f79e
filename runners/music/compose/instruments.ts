/** Instruments: which there are and what each is like, as packs say. */
import { derived, type InstrumentGroup, type InstrumentPack, type Job, packs } from "../../packs/mod.ts";

/** Id of an instrument's pack. */
export type Instrument = string;

const catalogue = derived(() => {
  const place = ({ order = Number.POSITIVE_INFINITY }: InstrumentPack): number => order;
  return new Map([...packs("instruments")].sort(([, a], [, b]) => (place(a) === place(b) ? 0 : place(a) - place(b))));
});

/** Every instrument that the composer may write for and the orchestra can play. */
export const instruments = derived((): readonly Instrument[] => [...catalogue().keys()]);

/** @throws RangeError where no pack describes it */
export function instrumentOf(id: Instrument): InstrumentPack {
  const found = catalogue().get(id);
  if (found === undefined) throw new RangeError(`No instrument is called "${id}"`);
  return found;
}

/** Words for several instruments; whoever says that it belongs to a group stands behind those that the group names. */
export const instrumentGroups = derived(
  (): ReadonlyMap<string, InstrumentGroup> =>
    new Map(
      [...packs("instrument_groups")].map(([id, group]) => {
        const joining = instruments().filter((one) => instrumentOf(one).groups?.includes(id) === true);
        return [id, { ...group, members: [...new Set([...group.members, ...joining])] }];
      }),
    ),
);

const workers = derived(() => new Map<Job, readonly Instrument[]>());

/** Who is asked to do a job, in turn; never empty among the packs that are shipped. */
export function calledOn(job: Job): readonly Instrument[] {
  const known = workers().get(job);
  if (known !== undefined) return known;
  const turn = (id: Instrument): number => instrumentOf(id).jobs?.[job] ?? Number.POSITIVE_INFINITY;
  const found = instruments()
    .filter((id) => Number.isFinite(turn(id)))
    .sort((a, b) => turn(a) - turn(b));
  workers().set(job, found);
  return found;
}

/** The first instrument of a gesture between sections. */
export function gestureOf(kind: NonNullable<InstrumentPack["gesture"]>): Instrument {
  return instruments().find((id) => instrumentOf(id).gesture === kind)!;
}
