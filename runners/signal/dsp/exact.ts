/**
 * Elementary functions built from + - * / alone, which IEEE 754 rounds the same everywhere. `Math.sin`, `Math.exp` and `**` come from each
 * engine's own library and differ in the last bit between Bun and Deno; what is synthesised must not.
 *
 * Absolute or relative error below 1e-11 in the ranges used for sound.
 */

const TAU = 6.283185307179586;
const LN2 = Math.LN2;

/** sin(2π · turns), any finite number of turns. */
export function sine(turns: number): number {
  let x = turns - Math.floor(turns + 0.5);
  // Fold to a quarter turn either side of zero, where the series needs eight terms.
  if (x > 0.25) x = 0.5 - x;
  else if (x < -0.25) x = -0.5 - x;
  const t = x * TAU;
  const s = t * t;
  return (
    t *
    (1 -
      (s / 6) *
        (1 -
          (s / 20) *
            (1 - (s / 42) * (1 - (s / 72) * (1 - (s / 110) * (1 - (s / 156) * (1 - (s / 210) * (1 - s / 272))))))))
  );
}

/** cos(2π · turns). */
export function cosine(turns: number): number {
  return sine(turns + 0.25);
}

/** tan(π · ratio) for 0 <= ratio < 0.5: the pre-warped gain of a filter at `ratio` of the sample rate. */
export function warp(ratio: number): number {
  return sine(ratio / 2) / cosine(ratio / 2);
}

const POWERS = powersOfTwo();

/** 2^x for -1000 < x < 1000, clamped outside. */
export function exp2(x: number): number {
  const whole = Math.min(1000, Math.max(-1000, Math.floor(x + 0.5)));
  const f = Math.min(0.5, Math.max(-0.5, x - whole)) * LN2;
  let sum = 1;
  for (let n = 12; n > 0; n--) sum = 1 + (sum * f) / n;
  return sum * POWERS[whole + 1000]!;
}

/** e^x. */
export function exp(x: number): number {
  return exp2(x / LN2);
}

/** Base-2 logarithm of a positive number. */
export function log2(x: number): number {
  if (!(x > 0)) return -1000;
  let m = x;
  let whole = 0;
  while (m > Math.SQRT2) {
    m /= 2;
    whole++;
  }
  while (m < Math.SQRT1_2) {
    m *= 2;
    whole--;
  }
  const z = (m - 1) / (m + 1);
  const s = z * z;
  let sum = 0;
  for (let n = 17; n > 0; n -= 2) sum = sum * s + 1 / n;
  return whole + (2 * z * sum) / LN2;
}

/** base^exponent for a base of at least 0. */
export function power(base: number, exponent: number): number {
  return base <= 0 ? 0 : exp2(exponent * log2(base));
}

/** Amplitude ratio of a level in decibels. */
export function gainOf(decibel: number): number {
  return exp2(decibel * 0.16609640474436813);
}

function powersOfTwo(): Float64Array {
  const table = new Float64Array(2001);
  table[1000] = 1;
  for (let n = 1; n <= 1000; n++) {
    table[1000 + n] = table[999 + n]! * 2;
    table[1000 - n] = table[1001 - n]! / 2;
  }
  return table;
}
