/** Short-time transforms of two channels at once, as the published separators were trained with: periodic Hann windows, edges mirrored. */
import { Fft } from "../signal/dsp/fft.ts";

/** Frames that are turned at once: a plane's frames lie side by side, and one cache line holds this many. */
const TILE = 16;

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
  #tile: Float32Array = new Float32Array(0);

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
    const tile = this.#tileOf(bins);
    for (let t = 0; t < frames; t += TILE) {
      const now = Math.min(TILE, frames - t);
      for (let j = 0; j < now; j++) this.#analyse(left, right, (first + t + j) * this.hop, bins, tile, j);
      for (let row = 0; row < 4 * bins; row++) {
        const to = at + row * frames + t;
        for (let j = 0; j < now; j++) planes[to + j] = tile[j * 4 * bins + row]!;
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
    const tile = this.#tileOf(bins);
    for (let t = 0; t < frames; t += TILE) {
      const now = Math.min(TILE, frames - t);
      for (let row = 0; row < 4 * bins; row++) {
        const from = at + row * frames + t;
        for (let j = 0; j < now; j++) tile[j * 4 * bins + row] = planes[from + j]!;
      }
      for (let j = 0; j < now; j++) this.#synthesise(tile, j, bins, left, right, (first + t + j) * this.hop);
    }
  }

  /** Spectrum of the frame that begins at `from`, into column `j` of the tile. */
  #analyse(left: Float32Array, right: Float32Array, from: number, bins: number, tile: Float32Array, j: number): void {
    const real = this.#real;
    const imaginary = this.#imaginary;
    const window = this.#window;
    const n_fft = this.n_fft;
    const half = this.#scale / 2;
    for (let n = 0; n < n_fft; n++) {
      const weight = window[n]!;
      real[n] = left[from + n]! * weight;
      imaginary[n] = right[from + n]! * weight;
    }
    this.#fft.transform(real, imaginary);
    const to = j * 4 * bins;
    for (let k = 0; k < bins; k++) {
      const mirror = k === 0 ? 0 : n_fft - k;
      tile[to + k] = (real[k]! + real[mirror]!) * half;
      tile[to + bins + k] = (imaginary[k]! - imaginary[mirror]!) * half;
      tile[to + 2 * bins + k] = (imaginary[k]! + imaginary[mirror]!) * half;
      tile[to + 3 * bins + k] = (real[mirror]! - real[k]!) * half;
    }
  }

  /** Adds the frame of column `j` of the tile to the signals from `to` on. */
  #synthesise(tile: Float32Array, j: number, bins: number, left: Float64Array, right: Float64Array, to: number): void {
    const real = this.#real;
    const imaginary = this.#imaginary;
    const window = this.#window;
    const n_fft = this.n_fft;
    const scale = 1 / (n_fft * this.#scale);
    const nyquist = n_fft / 2;
    real.fill(0);
    imaginary.fill(0);
    const from = j * 4 * bins;
    for (let k = 0; k < bins; k++) {
      const l_real = tile[from + k]!;
      const r_real = tile[from + 2 * bins + k]!;
      // The imaginary parts of the first and of the last bin do not exist in a real signal's spectrum.
      const exists = k > 0 && k < nyquist;
      const l_imaginary = exists ? tile[from + bins + k]! : 0;
      const r_imaginary = exists ? tile[from + 3 * bins + k]! : 0;
      real[k] = l_real - r_imaginary;
      imaginary[k] = l_imaginary + r_real;
      if (exists) {
        real[n_fft - k] = l_real + r_imaginary;
        imaginary[n_fft - k] = r_real - l_imaginary;
      }
    }
    this.#fft.transform(imaginary, real);
    for (let n = 0; n < n_fft; n++) {
      const weight = window[n]! * scale;
      left[to + n] = left[to + n]! + real[n]! * weight;
      right[to + n] = right[to + n]! + imaginary[n]! * weight;
    }
  }

  #tileOf(bins: number): Float32Array {
    if (this.#tile.length < TILE * 4 * bins) this.#tile = new Float32Array(TILE * 4 * bins);
    return this.#tile;
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

/**
 * Turns the spectra of one block after another into sound: frames of both channels behind the half window that stands before a block.
 *
 * @param frames of each block
 */
export function createSynthesis(stft: StereoStft, frames: number, bins: number, gain = 1) {
  const lead = stft.n_fft / 2;
  const block = stft.hop * (frames - 1);
  const envelope = stft.envelope(frames);
  const left = new Float64Array(envelope.length);
  const right = new Float64Array(envelope.length);
  const part = (sum: Float64Array): Float32Array => {
    const out = new Float32Array(block);
    for (let n = 0; n < block; n++) out[n] = (gain * sum[lead + n]!) / envelope[lead + n]!;
    return out;
  };
  return (planes: Float32Array, at = 0): readonly [left: Float32Array, right: Float32Array] => {
    left.fill(0);
    right.fill(0);
    stft.inverse(planes, at, 0, frames, bins, left, right);
    return [part(left), part(right)];
  };
}

/** Periodic Hann window. */
export function hann(size: number): Float64Array {
  return Float64Array.from({ length: size }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size));
}

/**
 * `signal` with `before` and `after` more samples, mirrored at its first and last one, which are not repeated. It must
 * be longer than either.
 */
export function reflect(
  signal: Float32Array,
  before: number,
  after: number,
  padded: Float32Array = new Float32Array(before + signal.length + after),
): Float32Array {
  const { length } = signal;
  if (length <= Math.max(before, after)) {
    throw new RangeError(`Cannot mirror ${Math.max(before, after)} samples of ${length}`);
  }
  padded.set(signal, before);
  for (let n = 0; n < before; n++) padded[before - 1 - n] = signal[n + 1]!;
  for (let n = 0; n < after; n++) padded[before + length + n] = signal[length - 2 - n]!;
  return padded;
}
