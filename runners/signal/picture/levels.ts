/** What a waveform shows of each column's stretch of time; every sample belongs to exactly one column. */
export interface Levels {
  /** Smallest and largest sample of all channels; 0 where the column has none. Full scale is ±1. */
  readonly low: Float32Array;
  readonly high: Float32Array;
  /** Root of the mean square, all channels together. */
  readonly rms: Float32Array;
}

/** Measures levels block by block. */
export class LevelMeter {
  readonly #frames: number;
  readonly #columns: number;
  readonly #levels: Levels;
  #taken = 0;
  /** The column that the next sample belongs to, and what is known of it. */
  #column = 0;
  #smallest = Number.POSITIVE_INFINITY;
  #largest = Number.NEGATIVE_INFINITY;
  #squares = 0;

  /**
   * @param frames how many will come
   * @param columns how many, from 1 on; where there are fewer samples, neighbours share one
   */
  constructor(frames: number, columns: number) {
    this.#frames = frames;
    this.#columns = columns;
    this.#levels = {
      low: new Float32Array(columns),
      high: new Float32Array(columns),
      rms: new Float32Array(columns),
    };
  }

  /** Takes the first `frames` of each channel. */
  push(channels: readonly Float32Array[], frames: number): void {
    const [begin, end] = [this.#taken, this.#taken + frames];
    this.#taken = end;
    for (; this.#column < this.#columns; this.#column++) {
      const from = this.#start(this.#column);
      if (from >= end) return;
      const to = Math.max(from + 1, this.#start(this.#column + 1));
      this.#measure(channels, Math.max(from, begin) - begin, Math.min(to, end) - begin);
      if (to > end) return;
      this.#finish((to - from) * channels.length);
    }
  }

  /** Columns of which nothing came are 0. */
  finish(): Levels {
    return this.#levels;
  }

  #start(column: number): number {
    return Math.floor((column * this.#frames) / this.#columns);
  }

  #measure(channels: readonly Float32Array[], from: number, to: number): void {
    let [smallest, largest, squares] = [this.#smallest, this.#largest, this.#squares];
    for (const channel of channels) {
      for (let n = from; n < to; n++) {
        const value = channel[n]!;
        if (value < smallest) smallest = value;
        if (value > largest) largest = value;
        squares += value * value;
      }
    }
    this.#smallest = smallest;
    this.#largest = largest;
    this.#squares = squares;
  }

  #finish(samples: number): void {
    const { low, high, rms } = this.#levels;
    low[this.#column] = this.#smallest;
    high[this.#column] = this.#largest;
    rms[this.#column] = Math.sqrt(this.#squares / samples);
    this.#smallest = Number.POSITIVE_INFINITY;
    this.#largest = Number.NEGATIVE_INFINITY;
    this.#squares = 0;
  }
}

/** The same in half as many columns, whose number is even. */
export function halveLevels({ low, high, rms }: Levels): Levels {
  const pairs = (of: Float32Array, join: (one: number, other: number) => number): Float32Array =>
    Float32Array.from({ length: of.length / 2 }, (_, column) => join(of[2 * column]!, of[2 * column + 1]!));
  return {
    low: pairs(low, Math.min),
    high: pairs(high, Math.max),
    rms: pairs(rms, (one, other) => Math.sqrt((one * one + other * other) / 2)),
  };
}
