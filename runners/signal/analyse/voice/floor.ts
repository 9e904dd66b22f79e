/** Hops in one block, whose least power is kept: 0.5 s. */
export const FLOOR_BLOCK = 50;

/** Blocks looked at on either side: speech leaves every frequency free now and then within 3 s, hum and steady noise never do. */
export const FLOOR_REACH = 6;

/**
 * What is always there in each of several rows of power: the least of it, smoothed over 5 hops, within 3 s on either side.
 * Minimum statistics, after Martin (2001), offline: it looks ahead as far as back. Takes the hops in order.
 */
export class FloorTracker {
  readonly #rows: number;
  readonly #recent: Float32Array;
  readonly #sum: Float64Array;
  readonly #blocks: Float32Array[] = [];
  #hop = 0;

  constructor(rows: number) {
    this.#rows = rows;
    this.#recent = new Float32Array(rows * SMOOTH);
    this.#sum = new Float64Array(rows);
  }

  push(powers: Float32Array, offset = 0): void {
    const rows = this.#rows;
    const slot = (this.#hop % SMOOTH) * rows;
    const fresh = this.#hop % FLOOR_BLOCK === 0;
    if (fresh) this.#blocks.push(new Float32Array(rows).fill(Number.POSITIVE_INFINITY));
    const least = this.#blocks[this.#blocks.length - 1]!;
    const recent = this.#recent;
    const sum = this.#sum;
    const full = this.#hop >= SMOOTH - 1;
    for (let row = 0; row < rows; row++) {
      const power = powers[offset + row]!;
      // Sums drift by rounding; a fresh one each block keeps them honest.
      let total = sum[row]! + power - recent[slot + row]!;
      recent[slot + row] = power;
      if (fresh) {
        total = 0;
        for (let k = 0; k < SMOOTH; k++) total += recent[k * rows + row]!;
      }
      sum[row] = total;
      if (full && total < least[row]!) least[row] = total;
    }
    this.#hop++;
  }

  /** Number of blocks so far; the last may be part-filled. */
  get blocks(): number {
    return this.#blocks.length;
  }

  /** Floor of every row around `block`, from all blocks within reach that are there. */
  floor(block: number, out: Float32Array): void {
    out.fill(Number.POSITIVE_INFINITY);
    const from = Math.max(0, block - FLOOR_REACH);
    const to = Math.min(this.#blocks.length, block + FLOOR_REACH + 1);
    for (let index = from; index < to; index++) {
      const least = this.#blocks[index]!;
      for (let row = 0; row < this.#rows; row++) if (least[row]! < out[row]!) out[row] = least[row]!;
    }
    for (let row = 0; row < this.#rows; row++) {
      out[row] = out[row] === Number.POSITIVE_INFINITY ? 0 : Math.max(0, out[row]! / SMOOTH);
    }
  }
}

const SMOOTH = 5;
