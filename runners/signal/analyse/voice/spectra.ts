import type { Views } from "../../../samples.ts";
import { Fft } from "../../dsp/fft.ts";

/** Frames in one hop: 10 ms at 44.1 kHz. */
export const HOP = 441;

/** Frames under one window: 46 ms, three periods of the deepest voices, so that their harmonics stand apart. */
export const WINDOW = 2048;

/** Weight of each channel in what is analysed. */
export type Fold = readonly number[];

/**
 * Power spectra of the hops of a fold of a sound's channels, under a Hann window around each hop's middle; silence lies beyond both ends.
 * Two real windows share one transform, as real and imaginary part.
 */
export class Spectra {
  readonly hops: number;
  readonly #sound: Views;
  readonly #fold: Fold;
  readonly #window: Float64Array;
  readonly #fft = new Fft(WINDOW);
  readonly #real = new Float64Array(WINDOW);
  readonly #imaginary = new Float64Array(WINDOW);

  constructor(sound: Views, fold: Fold) {
    this.hops = Math.ceil(sound.frames / HOP);
    this.#sound = sound;
    this.#fold = fold;
    this.#window = Float64Array.from({ length: WINDOW }, (_, n) => hann(n));
  }

  /**
   * Powers of bins 0 to `count` - 1 of hop `hop` into `first`, and of the hop after it into `second`. A sine of
   * amplitude 1 has power 1.
   */
  pair(hop: number, first: Float32Array, second: Float32Array, count: number): void {
    const real = this.#real;
    const imaginary = this.#imaginary;
    this.#take(hop, real);
    this.#take(hop + 1, imaginary);
    this.#fft.transform(real, imaginary);
    first[0] = real[0]! ** 2;
    second[0] = imaginary[0]! ** 2;
    for (let k = 1; k < count; k++) {
      const a = real[k]!;
      const b = imaginary[k]!;
      const c = real[WINDOW - k]!;
      const d = imaginary[WINDOW - k]!;
      first[k] = ((a + c) ** 2 + (b - d) ** 2) / 4;
      second[k] = ((b + d) ** 2 + (c - a) ** 2) / 4;
    }
  }

  #take(hop: number, out: Float64Array): void {
    const window = this.#window;
    const start = hop * HOP + Math.round(HOP / 2) - WINDOW / 2;
    const length = this.#sound.frames;
    const from = Math.max(0, -start);
    const to = Math.max(from, Math.min(WINDOW, length - start));
    out.fill(0, 0, from);
    out.fill(0, to);
    if (to === from) return;
    const { channels, at } = this.#sound.view(start + from, start + to);
    const left = channels[0]!;
    const first = at - from;
    const weight = this.#fold[0]!;
    if (this.#sound.channels === 1) {
      for (let n = from; n < to; n++) out[n] = window[n]! * weight * left[first + n]!;
      return;
    }
    const right = channels[1]!;
    const other = this.#fold[1]!;
    for (let n = from; n < to; n++) out[n] = window[n]! * (weight * left[first + n]! + other * right[first + n]!);
  }
}

/** Hann window whose values sum to 2: a sine's peak keeps its amplitude. */
function hann(n: number): number {
  return (2 / WINDOW) * (1 - Math.cos((2 * Math.PI * (n + 0.5)) / WINDOW));
}
