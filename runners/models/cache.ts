/** What a decoder remembers of the positions before, position after position in one array: a step adds its own and copies no other. */
import type { Tensor } from "./tensor.ts";

/** Of positions. */
const ROOM = 64;

export class Cache {
  #data = new Float32Array(0);
  #positions = 0;
  /** Batch, heads, size. */
  #dims: readonly number[] = [];

  /** As a graph takes what the family has as [batch, heads, positions, size]. */
  static dimsOf([batch = 0, heads = 0, positions = 0, size = 0]: readonly number[]): readonly number[] {
    return [positions, batch, heads, size];
  }

  /** What a family gives for an empty one. */
  static begin(tensor: Tensor): Tensor {
    if (tensor.data.length > 0) throw new TypeError("Cannot begin with a cache that holds something");
    return { ...tensor, dims: Cache.dimsOf(tensor.dims) } as Tensor;
  }

  /** One position: [batch, heads, size]. */
  add({ data, dims }: Tensor): this {
    const from = this.#positions * data.length;
    if (from + data.length > this.#data.length) {
      const larger = new Float32Array(Math.max(ROOM, 2 * this.#positions) * data.length);
      larger.set(this.#data.subarray(0, from));
      this.#data = larger;
    }
    this.#data.set(data as Float32Array, from);
    this.#dims = dims;
    this.#positions++;
    return this;
  }

  /** Of all positions, without a copy. */
  get tensor(): Tensor {
    const dims = [this.#positions, ...this.#dims];
    const data = this.#data.subarray(
      0,
      dims.reduce((product, dim) => product * dim, 1),
    );
    return { type: "float32", dims, data };
  }
}
