/** A way to make sound denser. */
export interface Way {
  /** How much the compressor before the limiter evens out, in dB for each dB: 0 is none, 0.5 is 2:1. */
  readonly slope: number;
  /** Index into the limiter's `PACES`. */
  readonly pace: number;
}

/** The slowest limiter, which nobody hears as long as all that it does is catch peaks. */
export const SLOW = 0;

/** dB by which that limiter may turn down what is heard, on average, before others are looked at. */
export const REDUCTION_DB_MAX = 1.5;

/**
 * In groups: the first of which a way reaches the target is used, and of its ways that one that bends the wave least. A compressor
 * comes in only where the crest factor is out of a limiter's reach: at the same loudness it bends and pumps more than a limiter does.
 */
export const GROUPS: readonly (readonly Way[])[] = [
  [
    { slope: 0, pace: 0 },
    { slope: 0, pace: 1 },
    { slope: 0, pace: 2 },
    { slope: 0, pace: 3 },
  ],
  [
    { slope: 0.5, pace: 2 },
    { slope: 0.5, pace: 3 },
    { slope: 0.75, pace: 3 },
    { slope: 0, pace: 4 },
  ],
  [{ slope: 0.75, pace: 4 }],
];

/** All of them, from the gentlest on. */
export const WAYS: readonly Way[] = GROUPS.flat();
