/**
 * Complex Fourier transforms of one size, in place: Stockham's self-sorting form in steps of four, which reads and writes in order
 * and needs no bit reversal.
 */
export class Fft {
  readonly size: number;
  readonly #cos: Float64Array;
  readonly #sin: Float64Array;
  readonly #real: Float64Array;
  readonly #imaginary: Float64Array;

  /** @param size a power of two from 1 on */
  constructor(size: number) {
    if (!Number.isInteger(Math.log2(size))) throw new RangeError(`Cannot transform ${size} values: not a power of two`);
    this.size = size;
    this.#cos = Float64Array.from({ length: size }, (_, k) => Math.cos((2 * Math.PI * k) / size));
    this.#sin = Float64Array.from({ length: size }, (_, k) => -Math.sin((2 * Math.PI * k) / size));
    this.#real = new Float64Array(size);
    this.#imaginary = new Float64Array(size);
  }

  /** X[k] = Σ x[n] e^(-2πikn/size). With the two arguments exchanged it is the inverse, `size` times too large. */
  transform(real: Float64Array, imaginary: Float64Array): void {
    let from_real = real;
    let from_imaginary = imaginary;
    let to_real = this.#real;
    let to_imaginary = this.#imaginary;
    let length = this.size;
    for (let stride = 1; length > 1; ) {
      const radix = length >= 4 ? 4 : 2;
      if (radix === 4) this.#four(from_real, from_imaginary, to_real, to_imaginary, length / 4, stride);
      else two(from_real, from_imaginary, to_real, to_imaginary, stride);
      [from_real, to_real] = [to_real, from_real];
      [from_imaginary, to_imaginary] = [to_imaginary, from_imaginary];
      length /= radix;
      stride *= radix;
    }
    if (from_real !== real) {
      real.set(from_real);
      imaginary.set(from_imaginary);
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

/** The last step where the size is not a power of four: its angles are all 0. */
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
