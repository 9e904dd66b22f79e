/** What a word does to the continuous side of a brief. */
export interface Shift {
  readonly energy: number;
  readonly valence: number;
  readonly brightness: number;
  readonly density: number;
  readonly space: number;
  readonly drive: number;
  readonly age: number;
  /** -1 (the slow end of the genre's range) to 1 (the fast end). */
  readonly tempo: number;
  /** -1 (minor) to 1 (major). */
  readonly mode: number;
}

export const STILL: Shift = {
  energy: 0,
  valence: 0,
  brightness: 0,
  density: 0,
  space: 0,
  drive: 0,
  age: 0,
  tempo: 0,
  mode: 0,
};

export const SHIFTED = Object.keys(STILL) as readonly (keyof Shift)[];

export function scaled(some: Shift, by: number): Shift {
  const out: { -readonly [K in keyof Shift]: number } = { ...STILL };
  for (const field of SHIFTED) out[field] = some[field] * by;
  return out;
}

/** All changes at once: the first counts in full, each further one less, so that twenty tags do not run off the scale. */
export function total(changes: readonly Shift[]): Shift {
  const out: { -readonly [K in keyof Shift]: number } = { ...STILL };
  for (const field of SHIFTED) {
    const values = changes.map((change) => change[field]).filter((value) => value !== 0);
    values.sort((a, b) => Math.abs(b) - Math.abs(a));
    values.forEach((value, n) => {
      out[field] += value / (1 + 0.7 * n);
    });
  }
  return out;
}

export function sum(one: Shift, other: Shift): Shift {
  const out: { -readonly [K in keyof Shift]: number } = { ...one };
  for (const field of SHIFTED) out[field] += other[field];
  return out;
}
