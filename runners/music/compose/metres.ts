import type { Metre } from "../../signal/analyse/mod.ts";

export const METRES: Readonly<Record<string, Metre>> = {
  "2/4": { beats_per_bar: 2, division: 2 },
  "3/4": { beats_per_bar: 3, division: 2 },
  "4/4": { beats_per_bar: 4, division: 2 },
  "5/4": { beats_per_bar: 5, division: 2 },
  "7/4": { beats_per_bar: 7, division: 2 },
  "6/8": { beats_per_bar: 2, division: 3 },
  "9/8": { beats_per_bar: 3, division: 3 },
  "12/8": { beats_per_bar: 4, division: 3 },
};

/** "3/4" for a metre; counts of beats where it has no usual name. */
export function metreName(metre: Metre): string {
  return metre.division === 3 ? `${metre.beats_per_bar * 3}/8` : `${metre.beats_per_bar}/4`;
}

/** Whether it is counted in threes, as a waltz or a jig is. */
export function isTriple({ beats_per_bar, division }: Metre): boolean {
  return beats_per_bar === 3 || division === 3;
}
