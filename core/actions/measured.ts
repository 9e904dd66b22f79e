/** Sources as prices see them: measured, or as long as they may be. */
import type { AnyAction, Limits, Measured } from "../../contract/mod.ts";

/** By field; a list for one that is repeated. */
export type AllMeasured = Readonly<Record<string, Measured | readonly Measured[]>>;

/** Each source that the request names. `measure` is told its name, `album.3` for an entry of a list. */
export function measureSources(
  { sources }: AnyAction,
  fields: Readonly<Record<string, unknown>>,
  measure: (name: string, limits: Limits) => Measured,
): AllMeasured {
  const measured: Record<string, Measured | readonly Measured[]> = {};
  for (const [field, limits] of Object.entries(sources)) {
    const sent = fields[field];
    if (sent === undefined) continue;
    measured[field] = Array.isArray(sent)
      ? sent.map((_, index) => measure(`${field}.${index}`, limits))
      : measure(field, limits);
  }
  return measured;
}

/** The most that a source may be. */
export const atMost = (_: string, { seconds_max: seconds }: Limits): Measured => ({ seconds, channels: CHANNELS_MAX });

/** As it is decoded: what has more channels is folded. */
export const CHANNELS_MAX = 2;

/** What else a source may be at its ends: no price for these may be above that of the most. */
export const EXTREMES: readonly (typeof atMost)[] = [
  (_, { seconds_max: seconds }) => ({ seconds, channels: 1 }),
  (_, { seconds_min: seconds }) => ({ seconds, channels: CHANNELS_MAX }),
  (_, { seconds_min: seconds }) => ({ seconds, channels: 1 }),
];
