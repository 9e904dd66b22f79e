import { log2, warp } from "./exact.ts";

/**
 * Echoes that cross from side to side: the first on the left after `seconds`, the next on the right, each fainter,
 * darker and thinner than the last.
 */
export class Echo {
  readonly #left: Float64Array;
  readonly #right: Float64Array;
  readonly #feedback: number;
  readonly #low: number;
  readonly #high: number;
  readonly #state = new Float64Array(4);
  #place = 0;
  /** Until they are 80 dB down. */
  readonly seconds_heard: number;

  /** @param feedback 0 to 0.9, from one echo to the next on the same side */
  constructor(rate: number, seconds: number, feedback: number, low_hertz: number, high_hertz: number) {
    const length = Math.max(1, Math.round(seconds * rate));
    this.#left = new Float64Array(length);
    this.#right = new Float64Array(length);
    this.#feedback = Math.min(0.9, Math.max(0, feedback));
    const high = warp(Math.min(0.4, high_hertz / rate));
    const low = warp(Math.min(0.4, low_hertz / rate));
    this.#high = high / (1 + high);
    this.#low = low / (1 + low);
    this.seconds_heard = this.#feedback < 0.01 ? 2.5 * seconds : 2 * seconds * (1 + 13.3 / -log2(this.#feedback));
  }

  /** In place: both channels' mean goes in, echoes alone come out. */
  run(left: Float64Array, right: Float64Array, count: number): void {
    const one = this.#left;
    const two = this.#right;
    const length = one.length;
    const feedback = this.#feedback;
    const high = this.#high;
    const low = this.#low;
    const state = this.#state;
    let dark = state[0]!;
    let dark_two = state[1]!;
    let bass = state[2]!;
    let bass_two = state[3]!;
    let place = this.#place;
    for (let n = 0; n < count; n++) {
      const a = one[place]!;
      const b = two[place]!;
      // One-pole low-pass, less what a lower one-pole lets through; 1e-18 keeps silence out of the slow range of numbers.
      dark += 2 * high * (0.5 * (left[n]! + right[n]!) + feedback * b - dark) + 1e-18;
      bass += 2 * low * (dark - bass);
      dark_two += 2 * high * (a - dark_two) + 1e-18;
      bass_two += 2 * low * (dark_two - bass_two);
      one[place] = dark - bass;
      two[place] = dark_two - bass_two;
      left[n] = a;
      right[n] = b;
      place = place + 1 === length ? 0 : place + 1;
    }
    this.#place = place;
    state[0] = dark;
    state[1] = dark_two;
    state[2] = bass;
    state[3] = bass_two;
  }
}
