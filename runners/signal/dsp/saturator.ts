import { Doubler, Halver } from "./half_band.ts";

/**
 * Soft saturation of one channel, block after block: the rational approximation of tanh, x (27 + x²) / (27 + 9 x²),
 * straight at low levels and flat from 3 on. At twice the rate what folds back lies 70 dB down; a slight bend has
 * little to fold.
 */
export class Saturator {
  readonly #up = new Doubler();
  readonly #down = new Halver();
  readonly #twice: Float64Array;

  readonly #oversampled: boolean;

  /** @param most samples in a block */
  constructor(most: number, oversampled: boolean) {
    this.#oversampled = oversampled;
    this.#twice = new Float64Array(oversampled ? 2 * most : 0);
  }

  clear(): void {
    this.#up.clear();
    this.#down.clear();
  }

  /**
   * In place.
   *
   * @param into gain before the bend
   * @param out gain after it
   */
  run(samples: Float64Array, count: number, into: number, out: number): void {
    if (!this.#oversampled) {
      bend(samples, count, into, out);
      return;
    }
    this.#up.run(samples, count, this.#twice);
    bend(this.#twice, 2 * count, into, out);
    this.#down.run(this.#twice, 2 * count, samples);
  }
}

function bend(samples: Float64Array, count: number, into: number, out: number): void {
  for (let n = 0; n < count; n++) {
    const x = Math.min(3, Math.max(-3, samples[n]! * into));
    const s = x * x;
    samples[n] = (out * x * (27 + s)) / (27 + 9 * s);
  }
}
