import type { Audio } from "../../core/plugin.ts";

/** What a waveform shows of each column's stretch of time; every sample belongs to exactly one column. */
export interface Levels {
  /** Smallest and largest sample of all channels; 0 where the column has none. Full scale is ±1. */
  readonly low: Float32Array;
  readonly high: Float32Array;
  /** Root of the mean square, all channels together. */
  readonly rms: Float32Array;
}

/** @param columns how many, from 1 on; where there are fewer samples, neighbours share one */
export function levelsOf({ channels }: Audio, columns: number): Levels {
  const frames = channels[0]?.length ?? 0;
  const [low, high, rms] = [new Float32Array(columns), new Float32Array(columns), new Float32Array(columns)];
  for (let column = 0; column < columns && frames > 0; column++) {
    const from = Math.floor((column * frames) / columns);
    const to = Math.max(from + 1, Math.floor(((column + 1) * frames) / columns));
    let [smallest, largest, squares] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
    for (const channel of channels) {
      for (let n = from; n < to; n++) {
        const value = channel[n]!;
        if (value < smallest) smallest = value;
        if (value > largest) largest = value;
        squares += value * value;
      }
    }
    low[column] = smallest;
    high[column] = largest;
    rms[column] = Math.sqrt(squares / ((to - from) * channels.length));
  }
  return { low, high, rms };
}
