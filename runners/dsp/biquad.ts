/**
 * Second-order sections after R. Bristow-Johnson, "Cookbook formulae for audio equalizer biquad filter coefficients", in transposed direct
 * form II. Two sections of two channels run in one loop: each chain of additions fills the time in which the others wait.
 */
import { cosine, exp2, sine } from "./exact.ts";

/** b0 b1 b2 a1 a2, with a0 = 1. */
export type Section = readonly [b0: number, b1: number, b2: number, a1: number, a2: number];

const THROUGH: Section = [1, 0, 0, 0, 0];

export function highPass(hertz: number, rate: number, q = Math.SQRT1_2): Section {
  const { cos, alpha } = angle(hertz, rate, q);
  return over(1 + alpha, (1 + cos) / 2, -1 - cos, (1 + cos) / 2, -2 * cos, 1 - alpha);
}

export function lowPass(hertz: number, rate: number, q = Math.SQRT1_2): Section {
  const { cos, alpha } = angle(hertz, rate, q);
  return over(1 + alpha, (1 - cos) / 2, 1 - cos, (1 - cos) / 2, -2 * cos, 1 - alpha);
}

/** Peak gain 1. */
export function bandPass(hertz: number, rate: number, q: number): Section {
  const { cos, alpha } = angle(hertz, rate, q);
  return over(1 + alpha, alpha, 0, -alpha, -2 * cos, 1 - alpha);
}

export function bell(hertz: number, rate: number, q: number, decibel: number): Section {
  const { cos, alpha } = angle(hertz, rate, q);
  const a = exp2(decibel * HALF_DB);
  return over(1 + alpha / a, 1 + alpha * a, -2 * cos, 1 - alpha * a, -2 * cos, 1 - alpha / a);
}

export function lowShelf(hertz: number, rate: number, decibel: number, q = Math.SQRT1_2): Section {
  const { cos, alpha } = angle(hertz, rate, q);
  const a = exp2(decibel * HALF_DB);
  const root = 2 * Math.sqrt(a) * alpha;
  return over(
    a + 1 + (a - 1) * cos + root,
    a * (a + 1 - (a - 1) * cos + root),
    2 * a * (a - 1 - (a + 1) * cos),
    a * (a + 1 - (a - 1) * cos - root),
    -2 * (a - 1 + (a + 1) * cos),
    a + 1 + (a - 1) * cos - root,
  );
}

export function highShelf(hertz: number, rate: number, decibel: number, q = Math.SQRT1_2): Section {
  const { cos, alpha } = angle(hertz, rate, q);
  const a = exp2(decibel * HALF_DB);
  const root = 2 * Math.sqrt(a) * alpha;
  return over(
    a + 1 - (a - 1) * cos + root,
    a * (a + 1 + (a - 1) * cos + root),
    -2 * a * (a - 1 + (a + 1) * cos),
    a * (a + 1 + (a - 1) * cos - root),
    2 * (a - 1 - (a + 1) * cos),
    a + 1 - (a - 1) * cos - root,
  );
}

/** Power gain of sections in series at `hertz`. */
export function powerAt(sections: readonly Section[], hertz: number, rate: number): number {
  const c1 = cosine(hertz / rate);
  const s1 = sine(hertz / rate);
  const c2 = cosine((2 * hertz) / rate);
  const s2 = sine((2 * hertz) / rate);
  let power = 1;
  for (const [b0, b1, b2, a1, a2] of sections) {
    const nr = b0 + b1 * c1 + b2 * c2;
    const ni = b1 * s1 + b2 * s2;
    const dr = 1 + a1 * c1 + a2 * c2;
    const di = a1 * s1 + a2 * s2;
    power *= (nr * nr + ni * ni) / (dr * dr + di * di);
  }
  return power;
}

/** Sections in series on one or two channels, block after block. */
export class Cascade {
  readonly #coefficients: Float64Array;
  readonly #left: Float64Array;
  readonly #right: Float64Array;
  readonly #pairs: number;

  constructor(sections: readonly Section[]) {
    this.#pairs = Math.ceil(sections.length / 2);
    this.#coefficients = new Float64Array(10 * this.#pairs);
    for (let n = 0; n < 2 * this.#pairs; n++) this.#coefficients.set(sections[n] ?? THROUGH, 5 * n);
    this.#left = new Float64Array(4 * this.#pairs);
    this.#right = new Float64Array(4 * this.#pairs);
  }

  clear(): void {
    this.#left.fill(0);
    this.#right.fill(0);
  }

  /** Filters the first `count` samples in place. */
  run(left: Float64Array, right: Float64Array | undefined, count: number): void {
    for (let pair = 0; pair < this.#pairs; pair++) {
      if (right === undefined) one(left, count, this.#coefficients, this.#left, pair);
      else two(left, right, count, this.#coefficients, this.#left, this.#right, pair);
    }
  }
}

function one(x: Float64Array, count: number, c: Float64Array, z: Float64Array, pair: number): void {
  const o = 10 * pair;
  const p = 4 * pair;
  const b0 = c[o]!;
  const b1 = c[o + 1]!;
  const b2 = c[o + 2]!;
  const a1 = c[o + 3]!;
  const a2 = c[o + 4]!;
  const d0 = c[o + 5]!;
  const d1 = c[o + 6]!;
  const d2 = c[o + 7]!;
  const e1 = c[o + 8]!;
  const e2 = c[o + 9]!;
  let s1 = z[p]!;
  let s2 = z[p + 1]!;
  let t1 = z[p + 2]!;
  let t2 = z[p + 3]!;
  for (let n = 0; n < count; n++) {
    const v = x[n]!;
    const w = b0 * v + s1;
    s1 = b1 * v - a1 * w + s2;
    s2 = b2 * v - a2 * w;
    const y = d0 * w + t1;
    t1 = d1 * w - e1 * y + t2;
    t2 = d2 * w - e2 * y;
    x[n] = y;
  }
  z[p] = s1;
  z[p + 1] = s2;
  z[p + 2] = t1;
  z[p + 3] = t2;
}

function two(
  x: Float64Array,
  u: Float64Array,
  count: number,
  c: Float64Array,
  z: Float64Array,
  q: Float64Array,
  pair: number,
): void {
  const o = 10 * pair;
  const p = 4 * pair;
  const b0 = c[o]!;
  const b1 = c[o + 1]!;
  const b2 = c[o + 2]!;
  const a1 = c[o + 3]!;
  const a2 = c[o + 4]!;
  const d0 = c[o + 5]!;
  const d1 = c[o + 6]!;
  const d2 = c[o + 7]!;
  const e1 = c[o + 8]!;
  const e2 = c[o + 9]!;
  let s1 = z[p]!;
  let s2 = z[p + 1]!;
  let t1 = z[p + 2]!;
  let t2 = z[p + 3]!;
  let g1 = q[p]!;
  let g2 = q[p + 1]!;
  let h1 = q[p + 2]!;
  let h2 = q[p + 3]!;
  for (let n = 0; n < count; n++) {
    const v = x[n]!;
    const w = b0 * v + s1;
    s1 = b1 * v - a1 * w + s2;
    s2 = b2 * v - a2 * w;
    const y = d0 * w + t1;
    t1 = d1 * w - e1 * y + t2;
    t2 = d2 * w - e2 * y;
    x[n] = y;
    const vr = u[n]!;
    const wr = b0 * vr + g1;
    g1 = b1 * vr - a1 * wr + g2;
    g2 = b2 * vr - a2 * wr;
    const yr = d0 * wr + h1;
    h1 = d1 * wr - e1 * yr + h2;
    h2 = d2 * wr - e2 * yr;
    u[n] = yr;
  }
  z[p] = s1;
  z[p + 1] = s2;
  z[p + 2] = t1;
  z[p + 3] = t2;
  q[p] = g1;
  q[p + 1] = g2;
  q[p + 2] = h1;
  q[p + 3] = h2;
}

/** log2(10) / 40: a level in dB to the square root of its amplitude ratio. */
const HALF_DB = 0.08304820237218408;

/** The place on the circle; frequencies are kept a little below half the rate. */
function angle(hertz: number, rate: number, q: number): { cos: number; alpha: number } {
  const turns = Math.min(0.49, Math.max(1e-5, hertz / rate));
  return { cos: cosine(turns), alpha: sine(turns) / (2 * q) };
}

function over(a0: number, b0: number, b1: number, b2: number, a1: number, a2: number): Section {
  return [b0 / a0, b1 / a0, b2 / a0, a1 / a0, a2 / a0];
}
