import { arena } from "./arena.ts";
import { sine } from "./exact.ts";

const SIN_60 = Math.sqrt(3) / 2;
const COS_72 = (Math.sqrt(5) - 1) / 4;
const COS_144 = -(Math.sqrt(5) + 1) / 4;
const SIN_72 = Math.sqrt(10 + 2 * Math.sqrt(5)) / 4;
const SIN_144 = Math.sqrt(10 - 2 * Math.sqrt(5)) / 4;

/** sin(2π · turns) to the last bit or two: the series of exact.ts is that good up to an eighth of a turn. */
export function sineOf(turns: number): number {
  let x = turns - Math.floor(turns + 0.5);
  if (x > 0.25) x = 0.5 - x;
  else if (x < -0.25) x = -0.5 - x;
  if (Math.abs(x) <= 0.125) return sine(x);
  const half = sine((0.25 - Math.abs(x)) / 2);
  return Math.sign(x) * (1 - 2 * half * half);
}

/**
 * Complex Fourier transforms of one size, in place: Stockham's self-sorting form in steps of four, five, three and two, which reads and
 * writes in order and needs no bit reversal. Same bits on every engine, and with the kernel as without: its tables are from exact.ts.
 */
export class Fft {
  readonly size: number;
  readonly #has_kernel: boolean;
  readonly #cos: Float64Array;
  readonly #sin: Float64Array;
  readonly #real: Float64Array;
  readonly #imaginary: Float64Array;

  /** @param size a product of twos, threes and fives, from 1 on */
  constructor(size: number) {
    let rest = size;
    for (const factor of [2, 3, 5]) while (rest > 1 && rest % factor === 0) rest /= factor;
    if (rest !== 1) throw new RangeError(`Cannot transform ${size} values: not a product of twos, threes and fives`);
    this.size = size;
    // The kernel takes no fives, and runs over pairs of angles.
    this.#has_kernel = size % 16 === 0 && size % 5 !== 0;
    this.#cos = Float64Array.from({ length: size }, (_, k) => sineOf((k + size / 4) / size));
    this.#sin = Float64Array.from({ length: size }, (_, k) => -sineOf(k / size));
    this.#real = new Float64Array(size);
    this.#imaginary = new Float64Array(size);
  }

  /** X[k] = Σ x[n] e^(-2πikn/size). With the two arguments exchanged it is the inverse, `size` times too large. */
  transform(real: Float64Array, imaginary: Float64Array): void {
    const tables = this.#has_kernel ? this.#tables() : undefined;
    const memory = tables === undefined ? undefined : arena(32 * this.size);
    if (memory !== undefined && tables !== undefined) {
      const { kernels, address } = memory;
      const bytes = 8 * this.size;
      memory.doubles(0, this.size).set(real);
      memory.doubles(2 * bytes, this.size).set(imaginary);
      const at = kernels.fft(address, address + 2 * bytes, tables, tables + bytes, this.size);
      real.set(memory.doubles(at, this.size));
      imaginary.set(memory.doubles(2 * bytes + at, this.size));
      return;
    }
    let from_real = real;
    let from_imaginary = imaginary;
    let to_real = this.#real;
    let to_imaginary = this.#imaginary;
    let length = this.size;
    for (let stride = 1; length > 1; ) {
      const radix = length % 4 === 0 ? 4 : length % 5 === 0 ? 5 : length % 3 === 0 ? 3 : 2;
      if (radix === 5) this.#five(from_real, from_imaginary, to_real, to_imaginary, length / 5, stride);
      else if (radix === 3) this.#three(from_real, from_imaginary, to_real, to_imaginary, length / 3, stride);
      else if (radix === 4) this.#four(from_real, from_imaginary, to_real, to_imaginary, length / 4, stride);
      else two(from_real, from_imaginary, to_real, to_imaginary, stride);
      // Not as pairs: until a loop is compiled to the end, every pair is an array on the heap.
      const last_real = from_real;
      const last_imaginary = from_imaginary;
      from_real = to_real;
      from_imaginary = to_imaginary;
      to_real = last_real;
      to_imaginary = last_imaginary;
      length /= radix;
      stride *= radix;
    }
    if (from_real !== real) {
      real.set(from_real);
      imaginary.set(from_imaginary);
    }
  }

  /** Address of the tables in the kernels' memory: set aside once for each size, for there is no giving back. */
  #tables(): number | undefined {
    const known = placed.get(this.size);
    if (known !== undefined) return known;
    const kernels = arena(0)?.kernels;
    if (kernels === undefined) return undefined;
    const at = kernels.reserve(16 * this.size);
    new Float64Array(kernels.memory.buffer, at, this.size).set(this.#cos);
    new Float64Array(kernels.memory.buffer, at + 8 * this.size, this.size).set(this.#sin);
    placed.set(this.size, at);
    return at;
  }

  #three(
    real: Float64Array,
    imaginary: Float64Array,
    to_real: Float64Array,
    to_imaginary: Float64Array,
    third: number,
    stride: number,
  ): void {
    const cos = this.#cos;
    const sin = this.#sin;
    const step = third * stride;
    for (let p = 0; p < third; p++) {
      const angle = p * stride;
      const c1 = cos[angle]!;
      const s1 = sin[angle]!;
      const c2 = cos[2 * angle]!;
      const s2 = sin[2 * angle]!;
      const from = stride * p;
      const to = 3 * from;
      for (let q = 0; q < stride; q++) {
        const at = from + q;
        const ar = real[at]!;
        const ai = imaginary[at]!;
        const br = real[at + step]!;
        const bi = imaginary[at + step]!;
        const cr = real[at + 2 * step]!;
        const ci = imaginary[at + 2 * step]!;
        const sum_r = br + cr;
        const sum_i = bi + ci;
        const mid_r = ar - 0.5 * sum_r;
        const mid_i = ai - 0.5 * sum_i;
        const turn_r = SIN_60 * (bi - ci);
        const turn_i = SIN_60 * (cr - br);
        to_real[to + q] = ar + sum_r;
        to_imaginary[to + q] = ai + sum_i;
        const ur = mid_r + turn_r;
        const ui = mid_i + turn_i;
        to_real[to + stride + q] = ur * c1 - ui * s1;
        to_imaginary[to + stride + q] = ur * s1 + ui * c1;
        const vr = mid_r - turn_r;
        const vi = mid_i - turn_i;
        to_real[to + 2 * stride + q] = vr * c2 - vi * s2;
        to_imaginary[to + 2 * stride + q] = vr * s2 + vi * c2;
      }
    }
  }

  #five(
    real: Float64Array,
    imaginary: Float64Array,
    to_real: Float64Array,
    to_imaginary: Float64Array,
    fifth: number,
    stride: number,
  ): void {
    const cos = this.#cos;
    const sin = this.#sin;
    const step = fifth * stride;
    for (let p = 0; p < fifth; p++) {
      const angle = p * stride;
      const c1 = cos[angle]!;
      const s1 = sin[angle]!;
      const c2 = cos[2 * angle]!;
      const s2 = sin[2 * angle]!;
      const c3 = cos[3 * angle]!;
      const s3 = sin[3 * angle]!;
      const c4 = cos[4 * angle]!;
      const s4 = sin[4 * angle]!;
      const from = stride * p;
      const to = 5 * from;
      for (let q = 0; q < stride; q++) {
        const at = from + q;
        const ar = real[at]!;
        const ai = imaginary[at]!;
        const br = real[at + step]!;
        const bi = imaginary[at + step]!;
        const cr = real[at + 2 * step]!;
        const ci = imaginary[at + 2 * step]!;
        const dr = real[at + 3 * step]!;
        const di = imaginary[at + 3 * step]!;
        const er = real[at + 4 * step]!;
        const ei = imaginary[at + 4 * step]!;
        // Values that lie opposite one another on the circle come in sums and differences.
        const outer_r = br + er;
        const outer_i = bi + ei;
        const inner_r = cr + dr;
        const inner_i = ci + di;
        const across_r = br - er;
        const across_i = bi - ei;
        const between_r = cr - dr;
        const between_i = ci - di;
        to_real[to + q] = ar + outer_r + inner_r;
        to_imaginary[to + q] = ai + outer_i + inner_i;
        const near_r = ar + COS_72 * outer_r + COS_144 * inner_r;
        const near_i = ai + COS_72 * outer_i + COS_144 * inner_i;
        const far_r = ar + COS_144 * outer_r + COS_72 * inner_r;
        const far_i = ai + COS_144 * outer_i + COS_72 * inner_i;
        const near_turn_r = SIN_72 * across_i + SIN_144 * between_i;
        const near_turn_i = SIN_72 * across_r + SIN_144 * between_r;
        const far_turn_r = SIN_144 * across_i - SIN_72 * between_i;
        const far_turn_i = SIN_144 * across_r - SIN_72 * between_r;
        const ur = near_r + near_turn_r;
        const ui = near_i - near_turn_i;
        to_real[to + stride + q] = ur * c1 - ui * s1;
        to_imaginary[to + stride + q] = ur * s1 + ui * c1;
        const vr = far_r + far_turn_r;
        const vi = far_i - far_turn_i;
        to_real[to + 2 * stride + q] = vr * c2 - vi * s2;
        to_imaginary[to + 2 * stride + q] = vr * s2 + vi * c2;
        const wr = far_r - far_turn_r;
        const wi = far_i + far_turn_i;
        to_real[to + 3 * stride + q] = wr * c3 - wi * s3;
        to_imaginary[to + 3 * stride + q] = wr * s3 + wi * c3;
        const xr = near_r - near_turn_r;
        const xi = near_i + near_turn_i;
        to_real[to + 4 * stride + q] = xr * c4 - xi * s4;
        to_imaginary[to + 4 * stride + q] = xr * s4 + xi * c4;
      }
    }
  }

  #four(
    real: Float64Array,
    imaginary: Float64Array,
    to_real: Float64Array,
    to_imaginary: Float64Array,
    quarter: number,
    stride: number,
  ): void {
    const cos = this.#cos;
    const sin = this.#sin;
    const step = quarter * stride;
    for (let p = 0; p < quarter; p++) {
      const angle = p * stride;
      const c1 = cos[angle]!;
      const s1 = sin[angle]!;
      const c2 = cos[2 * angle]!;
      const s2 = sin[2 * angle]!;
      const c3 = cos[3 * angle]!;
      const s3 = sin[3 * angle]!;
      const from = stride * p;
      const to = 4 * from;
      for (let q = 0; q < stride; q++) {
        const at = from + q;
        const ar = real[at]!;
        const ai = imaginary[at]!;
        const br = real[at + step]!;
        const bi = imaginary[at + step]!;
        const cr = real[at + 2 * step]!;
        const ci = imaginary[at + 2 * step]!;
        const dr = real[at + 3 * step]!;
        const di = imaginary[at + 3 * step]!;
        const even_r = ar + cr;
        const even_i = ai + ci;
        const odd_r = br + dr;
        const odd_i = bi + di;
        to_real[to + q] = even_r + odd_r;
        to_imaginary[to + q] = even_i + odd_i;
        const ur = ar - cr + (bi - di);
        const ui = ai - ci - (br - dr);
        to_real[to + stride + q] = ur * c1 - ui * s1;
        to_imaginary[to + stride + q] = ur * s1 + ui * c1;
        const vr = even_r - odd_r;
        const vi = even_i - odd_i;
        to_real[to + 2 * stride + q] = vr * c2 - vi * s2;
        to_imaginary[to + 2 * stride + q] = vr * s2 + vi * c2;
        const wr = ar - cr - (bi - di);
        const wi = ai - ci + (br - dr);
        to_real[to + 3 * stride + q] = wr * c3 - wi * s3;
        to_imaginary[to + 3 * stride + q] = wr * s3 + wi * c3;
      }
    }
  }
}

/** Tables of the kernel, by size. */
const placed = new Map<number, number>();

/** The last step where the twos of the size are no power of four: its angles are all 0. */
function two(
  real: Float64Array,
  imaginary: Float64Array,
  to_real: Float64Array,
  to_imaginary: Float64Array,
  stride: number,
): void {
  for (let q = 0; q < stride; q++) {
    const ar = real[q]!;
    const ai = imaginary[q]!;
    const br = real[stride + q]!;
    const bi = imaginary[stride + q]!;
    to_real[q] = ar + br;
    to_imaginary[q] = ai + bi;
    to_real[stride + q] = ar - br;
    to_imaginary[stride + q] = ai - bi;
  }
}
