import { bandPass, Cascade } from "./biquad.ts";
import { exp } from "./exact.ts";

/** Samples that share a reduction. */
const HOLD = 16;
/** Share of a voice's power between 5 and 9 kHz up to which it is left alone: vowels have a few hundredths, an s more than half. */
const LEAST = 0.16;
/** At most this share of the band is taken away: 8 dB. */
const MOST = 0.6;
/**
 * The band of an s may come this near to the loudness of the whole voice, as a factor on power: -10 dB, about where
 * spoken s sounds lie.
 */
const NEAR = 0.1;

/**
 * Takes sharp s sounds out of a voice: where the band around 6.8 kHz outweighs the rest and is loud against the voice
 * as a whole, part of it is subtracted. A faint s is a word's edge and stays. Linked over both channels.
 */
export class DeEsser {
  readonly #band: Cascade;
  readonly #left: Float64Array;
  readonly #right: Float64Array;
  readonly #pace: number;
  #sharp = 0;
  #all = 0;
  #gain = 0;

  readonly #bearable: number;

  /**
   * @param most samples in a block
   * @param power mean square of the voice while it sings, summed over channels
   */
  constructor(rate: number, most: number, power: number) {
    this.#bearable = NEAR * power * HOLD;
    this.#band = new Cascade([bandPass(6800, rate, 1.4)]);
    this.#left = new Float64Array(most);
    this.#right = new Float64Array(most);
    // Rises and falls within 4 ms: sooner than an s is over.
    this.#pace = 1 - exp(-HOLD / (0.004 * rate));
  }

  clear(): void {
    this.#band.clear();
    this.#sharp = 0;
    this.#all = 0;
    this.#gain = 0;
  }

  /** In place. */
  run(left: Float64Array, right: Float64Array | undefined, count: number): void {
    const one = this.#left;
    const two = this.#right;
    for (let n = 0; n < count; n++) one[n] = left[n]!;
    if (right !== undefined) for (let n = 0; n < count; n++) two[n] = right[n]!;
    this.#band.run(one, right === undefined ? undefined : two, count);
    for (let from = 0; from < count; from += HOLD) {
      const end = Math.min(count, from + HOLD);
      let sharp = 0;
      let all = 1e-12;
      for (let n = from; n < end; n++) {
        sharp += one[n]! * one[n]!;
        all += left[n]! * left[n]!;
      }
      if (right !== undefined) {
        for (let n = from; n < end; n++) {
          sharp += two[n]! * two[n]!;
          all += right[n]! * right[n]!;
        }
      }
      this.#sharp += this.#pace * (sharp - this.#sharp);
      this.#all += this.#pace * (all - this.#all);
      const share = this.#sharp / this.#all;
      const loud = this.#sharp > this.#bearable ? 1 - Math.sqrt(this.#bearable / this.#sharp) : 0;
      const wanted = Math.min(MOST, loud, Math.max(0, 2 * (share - LEAST)));
      let gain = this.#gain;
      const slope = (wanted - gain) / (end - from);
      this.#gain = wanted;
      if (gain === 0 && wanted === 0) continue;
      for (let n = from; n < end; n++) {
        left[n] = left[n]! - gain * one[n]!;
        if (right !== undefined) right[n] = right[n]! - gain * two[n]!;
        gain += slope;
      }
    }
  }
}
