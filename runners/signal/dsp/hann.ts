import { type Arena, arena } from "./arena.ts";

/** Means that the kernel makes at once. */
const STRETCH = 1 << 14;

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
    const stretch = Math.min(STRETCH, count);
    const memory = arena(bytesFor(stretch, reach));
    if (memory === undefined) this.#ofPlainly(count, out);
    else for (let at = 0; at < count; at += stretch) this.#byKernel(at, Math.min(stretch, count - at), memory, out);
  }

  #byKernel(at: number, count: number, memory: Arena, out: Float32Array): void {
    const reach = this.#reach;
    const { kernels, address } = memory;
    const values = 8 * (reach + 1);
    const means = values + 4 * (count + 2 * reach + 4);
    memory.doubles(0, reach + 1).set(this.#weights);
    memory.floats(values, count + 2 * reach).set(this.#padded.subarray(at, at + count + 2 * reach));
    kernels.hannMean(address + values, count, reach, address, address + means);
    out.set(memory.floats(means, count), at);
  }

  #ofPlainly(count: number, out: Float32Array): void {
    const reach = this.#reach;
    const padded = this.#padded;
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

/** Of the kernel's memory: weights, the values with three more, and as many means. */
function bytesFor(count: number, reach: number): number {
  return 8 * (reach + 1) + 4 * (count + 2 * reach + 4) + 4 * (count + 4);
}
