/**
 * Second-order sections after R. Bristow-Johnson, "Cookbook formulae for audio equalizer biquad filter coefficients", in transposed direct
 * form II.
 */
import { arena } from "./arena.ts";
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

/** Samples that the kernel works on at once, at most. */
const RUN = 2048;
const RIGHT = 8 * RUN;
const SETTINGS = 16 * RUN;

/** Sections in series on one or two channels, block after block: by a kernel where it runs, else in plain form, with the same samples. */
export class Cascade {
  readonly #sections: number;
  /** b0, b1 - a1 b0, b2 - a2 b0, a1, a2 of each: a section's memory then waits for one product and one sum of itself. */
  readonly #coefficients: Float64Array;
  /** Two values for left and right a section: s1 of both, s2 of both. */
  readonly #state: Float64Array;

  constructor(sections: readonly Section[]) {
    this.#sections = sections.length + (sections.length % 2);
    this.#coefficients = new Float64Array(5 * this.#sections);
    for (let n = 0; n < this.#sections; n++) {
      const [b0, b1, b2, a1, a2] = sections[n] ?? THROUGH;
      this.#coefficients.set([b0, b1 - a1 * b0, b2 - a2 * b0, a1, a2], 5 * n);
    }
    this.#state = new Float64Array(4 * this.#sections);
  }

  clear(): void {
    this.#state.fill(0);
  }

  /** Filters the first `count` samples in place. */
  run(left: Float64Array, right: Float64Array | undefined, count: number): void {
    if (this.#sections === 0) return;
    const states = SETTINGS + 40 * this.#sections;
    const memory = arena(states + 32 * this.#sections);
    if (memory === undefined) {
      for (let section = 0; section < this.#sections; section++) {
        plain(left, count, this.#coefficients, section, this.#state, 0);
        if (right !== undefined) plain(right, count, this.#coefficients, section, this.#state, 1);
      }
      return;
    }
    const { address, kernels } = memory;
    memory.doubles(SETTINGS, 5 * this.#sections).set(this.#coefficients);
    const state = memory.doubles(states, 4 * this.#sections);
    state.set(this.#state);
    const one = memory.doubles(0, RUN);
    const two = memory.doubles(RIGHT, RUN);
    for (let from = 0; from < count; from += RUN) {
      const length = Math.min(RUN, count - from);
      one.set(left.subarray(from, from + length));
      if (right === undefined) two.fill(0, 0, length);
      else two.set(right.subarray(from, from + length));
      kernels.cascadePair(address, address + RIGHT, length, address + SETTINGS, address + states, this.#sections);
      left.set(one.subarray(0, length), from);
      if (right !== undefined) right.set(two.subarray(0, length), from);
    }
    this.#state.set(state);
  }
}

function plain(
  x: Float64Array,
  count: number,
  coefficients: Float64Array,
  section: number,
  state: Float64Array,
  side: 0 | 1,
): void {
  const c = 5 * section;
  const z = 4 * section + side;
  const b0 = coefficients[c]!;
  const c1 = coefficients[c + 1]!;
  const c2 = coefficients[c + 2]!;
  const a1 = coefficients[c + 3]!;
  const a2 = coefficients[c + 4]!;
  let s1 = state[z]!;
  let s2 = state[z + 2]!;
  for (let n = 0; n < count; n++) {
    const v = x[n]!;
    const s = c1 * v + s2 - a1 * s1;
    x[n] = b0 * v + s1;
    s2 = c2 * v - a2 * s1;
    s1 = s;
  }
  state[z] = s1;
  state[z + 2] = s2;
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
