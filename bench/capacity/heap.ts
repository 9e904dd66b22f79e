/** A binary heap of jobs by a number, smallest first, equal ones in the order in which they came. In flat arrays: millions go through it. */

export interface Held {
  readonly key: number;
  /** When it came. */
  readonly at: number;
  readonly account: number;
  readonly work_s: number;
}

/** Numbers of one job: key, place in the order of arrival, and the rest of `Held`. */
const WIDTH = 5;

export class Heap {
  #held = new Float64Array(1_024 * WIDTH);
  #arrivals = 0;
  size = 0;

  push(key: number, at: number, account: number, work_s: number): void {
    if ((this.size + 1) * WIDTH > this.#held.length) {
      const grown = new Float64Array(2 * this.#held.length);
      grown.set(this.#held);
      this.#held = grown;
    }
    this.#held.set([key, this.#arrivals++, at, account, work_s], this.size * WIDTH);
    let place = this.size++;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (!this.#before(place, above)) return;
      this.#swap(place, above);
      place = above;
    }
  }

  /** Throws where there is none. */
  pop(): Held {
    if (this.size === 0) throw new Error("Cannot pop: the heap is empty");
    const [key, , at, account, work_s] = this.#held as unknown as [number, number, number, number, number];
    this.size--;
    this.#held.copyWithin(0, this.size * WIDTH, (this.size + 1) * WIDTH);
    for (let place = 0; ; ) {
      let least = place;
      for (const below of [2 * place + 1, 2 * place + 2])
        if (below < this.size && this.#before(below, least)) least = below;
      if (least === place) return { key, at, account, work_s };
      this.#swap(place, least);
      place = least;
    }
  }

  /** The smallest key; infinity where there is none. */
  get least(): number {
    return this.size === 0 ? Number.POSITIVE_INFINITY : this.#held[0]!;
  }

  /** When the one came that is here longest; looks at all. */
  oldest(): number | undefined {
    if (this.size === 0) return undefined;
    let oldest = Number.POSITIVE_INFINITY;
    for (let place = 0; place < this.size; place++) oldest = Math.min(oldest, this.#held[place * WIDTH + 2]!);
    return oldest;
  }

  #before(one: number, other: number): boolean {
    const [a, b] = [one * WIDTH, other * WIDTH];
    const held = this.#held;
    return held[a]! < held[b]! || (held[a] === held[b] && held[a + 1]! < held[b + 1]!);
  }

  #swap(one: number, other: number): void {
    const held = this.#held;
    for (let n = 0; n < WIDTH; n++) {
      const kept = held[one * WIDTH + n]!;
      held[one * WIDTH + n] = held[other * WIDTH + n]!;
      held[other * WIDTH + n] = kept;
    }
  }
}

/** Waits by their logarithm, to a hundredth: as many as one likes in little memory. */
export class Waits {
  readonly #counts = new Map<number, number>();
  count = 0;
  most = 0;

  add(seconds: number): void {
    const place = Math.round(Math.log1p(Math.max(0, seconds) * 1_000) / STEP);
    this.#counts.set(place, (this.#counts.get(place) ?? 0) + 1);
    this.count++;
    this.most = Math.max(this.most, seconds);
  }

  /** The wait that this share of all is below, seconds; 0 where there are none. */
  at(share: number): number {
    let left = share * this.count;
    for (const [place, count] of [...this.#counts].sort(([a], [b]) => a - b)) {
      left -= count;
      if (left <= 0) return Math.expm1(place * STEP) / 1_000;
    }
    return this.most;
  }
}

const STEP = Math.log(1.01);
