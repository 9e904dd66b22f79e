/** Short-time transforms of two channels at once, as the published separators were trained with: periodic Hann windows, edges mirrored. */
import { Fft } from "../dsp/fft.ts";

/**
 * Spectra are planes of `bins` × `frames` values, frame innermost: left real, left imaginary, right real, right imaginary.
 * Two real channels go through one complex transform, as its real and its imaginary part.
 */
export class StereoStft {
  readonly n_fft: number;
  readonly hop: number;
  readonly #fft: Fft;
  readonly #window: Float64Array;
  readonly #real: Float64Array;
  readonly #imaginary: Float64Array;
  readonly #scale: number;

  /** @param scale of spectra; 1 / √n_fft is torch's `normalized` */
  constructor(n_fft: number, hop: number, scale = 1) {
    this.n_fft = n_fft;
    this.hop = hop;
    this.#fft = new Fft(n_fft);
    this.#window = hann(n_fft);
    this.#real = new Float64Array(n_fft);
    this.#imaginary = new Float64Array(n_fft);
    this.#scale = scale;
  }

  /**
   * Frame t covers the samples from (first + t) · hop on; both channels must reach to the end of the last one. Writes `bins` bins of
   * `frames` frames to `planes` from `at` on.
   */
  forward(
    left: Float32Array,
    right: Float32Array,
    first: number,
    frames: number,
    bins: number,
    planes: Float32Array,
    at = 0,
  ): void {
    const real = this.#real;
    const imaginary = this.#imaginary;
    const window = this.#window;
    const n_fft = this.n_fft;
    const half = this.#scale / 2;
    const plane = bins * frames;
    for (let t = 0; t < frames; t++) {
      const from = (first + t) * this.hop;
      for (let n = 0; n < n_fft; n++) {
        real[n] = left[from + n]! * window[n]!;
        imaginary[n] = right[from + n]! * window[n]!;
      }
      this.#fft.transform(real, imaginary);
      for (let k = 0; k < bins; k++) {
        const mirror = k === 0 ? 0 : n_fft - k;
        const to = at + k * frames + t;
        planes[to] = (real[k]! + real[mirror]!) * half;
        planes[to + plane] = (imaginary[k]! - imaginary[mirror]!) * half;
        planes[to + 2 * plane] = (imaginary[k]! + imaginary[mirror]!) * half;
        planes[to + 3 * plane] = (real[mirror]! - real[k]!) * half;
      }
    }
  }

  /**
   * The signal whose frames these are, by overlap and addition against the squared window; bins from `bins` on are taken as 0.
   * Adds into `left` and `right`, whose frame t begins at (first + t) · hop. Divide by `envelope` afterwards.
   */
  inverse(
    planes: Float32Array,
    at: number,
    first: number,
    frames: number,
    bins: number,
    left: Float64Array,
    right: Float64Array,
  ): void {
    const real = this.#real;
    const imaginary = this.#imaginary;
    const window = this.#window;
    const n_fft = this.n_fft;
    const plane = bins * frames;
    const scale = 1 / (n_fft * this.#scale);
    const nyquist = n_fft / 2;
    for (let t = 0; t < frames; t++) {
      real.fill(0);
      imaginary.fill(0);
      for (let k = 0; k < bins; k++) {
        const from = at + k * frames + t;
        const l_real = planes[from]!;
        const r_real = planes[from + 2 * plane]!;
        // The imaginary parts of the first and of the last bin do not exist in a real signal's spectrum.
        const exists = k > 0 && k < nyquist;
        const l_imaginary = exists ? planes[from + plane]! : 0;
        const r_imaginary = exists ? planes[from + 3 * plane]! : 0;
        real[k] = l_real - r_imaginary;
        imaginary[k] = l_imaginary + r_real;
        if (exists) {
          real[n_fft - k] = l_real + r_imaginary;
          imaginary[n_fft - k] = r_real - l_imaginary;
        }
      }
      this.#fft.transform(imaginary, real);
      const to = (first + t) * this.hop;
      for (let n = 0; n < n_fft; n++) {
        const weight = window[n]! * scale;
        left[to + n] = left[to + n]! + real[n]! * weight;
        right[to + n] = right[to + n]! + imaginary[n]! * weight;
      }
    }
  }

  /** Sum of the squared windows of `frames` frames, over their whole length. */
  envelope(frames: number): Float64Array {
    const sum = new Float64Array((frames - 1) * this.hop + this.n_fft);
    for (let t = 0; t < frames; t++) {
      for (let n = 0; n < this.n_fft; n++) sum[t * this.hop + n]! += this.#window[n]! ** 2;
    }
    return sum;
  }
}

/** Periodic Hann window. */
export function hann(size: number): Float64Array {
  return Float64Array.from({ length: size }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size));
}

/** `signal` with `before` and `after` more samples, mirrored at its first and last one, which are not repeated. It must be longer than either. */
export function reflect(signal: Float32Array, before: number, after: number): Float32Array {
  const { length } = signal;
  if (length <= Math.max(before, after)) {
    throw new RangeError(`Cannot mirror ${Math.max(before, after)} samples of ${length}`);
  }
  const padded = new Float32Array(before + length + after);
  padded.set(signal, before);
  for (let n = 0; n < before; n++) padded[before - 1 - n] = signal[n + 1]!;
  for (let n = 0; n < after; n++) padded[before + length + n] = signal[length - 2 - n]!;
  return padded;
}
