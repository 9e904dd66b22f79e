/** Means over a Hann window that reaches `reach` places to either side; beyond the ends lies the last value, or the ring goes on. */
export class HannMean {
  readonly #weights: Float64Array;
  readonly #padded: Float32Array;
  readonly #reach: number;
  readonly #ring: boolean;

  /** @param room where it may work: at least `count + 2 * reach` values; several may share it */
  constructor(count: number, reach: number, ring: boolean, room: Float32Array = new Float32Array(count + 2 * reach)) {
    this.#reach = reach;
    this.#ring = ring;
    this.#padded = room;
    this.#weights = new Float64Array(reach + 1);
    let sum = 0;
    for (let k = 0; k <= reach; k++) {
      this.#weights[k] = Math.cos((Math.PI / 2) * (k / (reach + 1))) ** 2;
      sum += (k === 0 ? 1 : 2) * this.#weights[k]!;
    }
    for (let k = 0; k <= reach; k++) this.#weights[k]! /= sum;
  }

  /** Means of `values`, into `out`, which may be the same. Where all in the window is 0 the mean is exactly 0. */
  of(values: Float32Array, out: Float32Array): void {
    const reach = this.#reach;
    const count = values.length;
    const padded = this.#padded;
    padded.set(values, reach);
    for (let k = 0; k < reach; k++) {
      padded[reach - 1 - k] = this.#ring ? values[count - 1 - (k % count)]! : values[0]!;
      padded[reach + count + k] = this.#ring ? values[k % count]! : values[count - 1]!;
    }
    const weights = this.#weights;
    let active = -1;
    for (let place = 0; place < 2 * reach; place++) if (padded[place]! !== 0) active = place;
    for (let n = 0; n < count; n++) {
      const last = n + 2 * reach;
      if (padded[last]! !== 0) active = last;
      if (active < n) {
        out[n] = 0;
        continue;
      }
      const middle = n + reach;
      let mean = weights[0]! * padded[middle]!;
      for (let k = 1; k <= reach; k++) mean += weights[k]! * (padded[middle - k]! + padded[middle + k]!);
      out[n] = mean;
    }
  }
}
