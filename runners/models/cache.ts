/** What a decoder remembers of the positions before, position after position in one array: a step adds its own and copies no other. */
import { count, release, type Tensor } from "./tensor.ts";

/** Of positions. */
const ROOM = 64;

export class Cache {
  /** Positions that there is room for. */
  #room: number;
  #data = new Float32Array(0);
  #positions = 0;
  /** Batch, heads, size. */
  #dims: readonly number[] = [];

  /** @param positions so many are expected; more may come */
  constructor(positions = ROOM) {
    this.#room = positions;
  }

  /** As a graph takes what the family has as [batch, heads, positions, size]. */
  static dimsOf([batch = 0, heads = 0, positions = 0, size = 0]: readonly number[]): readonly number[] {
    return [positions, batch, heads, size];
  }

  /** What a family gives for an empty one. */
  static begin(tensor: Tensor): Tensor {
    if (tensor.data.length > 0) throw new TypeError("Cannot begin with a cache that holds something");
    return { ...tensor, dims: Cache.dimsOf(tensor.dims) } as Tensor;
  }

  /** Of all positions that a graph made in one run: [batch, heads, positions, size]. */
  static of({ data, dims }: Tensor, positions?: number): Cache {
    const cache = new Cache(positions);
    const [batch = 0, heads = 0, made = 0, size = 0] = dims;
    for (let position = 0; position < made; position++) {
      const one = new Float32Array(batch * heads * size);
      for (let row = 0; row < batch * heads; row++) {
        const from = (row * made + position) * size;
        one.set(data.subarray(from, from + size) as Float32Array, row * size);
      }
      cache.add({ type: "float32", dims: [batch, heads, size], data: one });
    }
    return cache;
  }

  /** One position: [batch, heads, size]. */
  add({ data, dims }: Tensor): this {
    const from = this.#positions * data.length;
    if (from + data.length > this.#data.length) {
      this.#room = Math.max(this.#room, 2 * this.#positions);
      const larger = new Float32Array(this.#room * data.length);
      larger.set(this.#data.subarray(0, from));
      release(this.#data);
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
    return { type: "float32", dims, data: this.#data.subarray(0, count(dims)) };
  }

  /** Another one, of some of the equal parts that the batch of each has, one after another. All have as many positions. */
  static arrange(
    parts: readonly { readonly value: Cache; readonly which: readonly number[]; readonly of: number }[],
  ): Cache {
    const all = parts.flatMap(({ value, which, of }) => {
      const size = count(value.#dims) / of;
      return which.map((from) => ({ value, from: from * size, size }));
    });
    const arranged = new Cache(Math.max(...parts.map(({ value }) => value.#room)));
    const [, ...rest] = parts[0]!.value.#dims;
    arranged.#dims = [
      parts.reduce((sum, { value, which, of }) => sum + (which.length * value.#dims[0]!) / of, 0),
      ...rest,
    ];
    arranged.#positions = parts[0]!.value.#positions;
    arranged.#data = new Float32Array(arranged.#room * count(arranged.#dims));
    let at = 0;
    for (let position = 0; position < arranged.#positions; position++) {
      for (const { value, from, size } of all) {
        const begin = position * count(value.#dims) + from;
        arranged.#data.set(value.#data.subarray(begin, begin + size), at);
        at += size;
      }
    }
    return arranged;
  }

  release(): void {
    release(this.#data);
  }
}
