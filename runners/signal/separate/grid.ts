/**
 * Time and frequency as the separator sees them: frames of 4096 samples every 1024 (93 and 23 ms at 44.1 kHz), and bands of
 * neighbouring bins, single where harmonics are told apart and wider where the ear no longer does so.
 */
import { sine } from "../dsp/exact.ts";

export const SIZE = 4096;
export const HOP = 1024;
/** Frames that cover any one sample. */
export const OVERLAP = SIZE / HOP;
/** Hertz from one bin to the next at 44.1 kHz. */
export const BIN_HERTZ = 44_100 / SIZE;

/** Bins 0 to 255 alone, then by 2 up to 511, by 4 up to 1023, by 16 up to 2047; half the sample rate goes with the last. */
const PLAN: readonly (readonly [last: number, step: number])[] = [
  [256, 1],
  [512, 2],
  [1024, 4],
  [2048, 16],
];

/** First bin of each band, and behind them the first bin that is in none. */
export const EDGES: Int32Array = (() => {
  const edges: number[] = [];
  let bin = 0;
  for (const [last, step] of PLAN) for (; bin < last; bin += step) edges.push(bin);
  return Int32Array.from([...edges, SIZE / 2 + 1]);
})();
export const BANDS: number = EDGES.length - 1;
/** Each part of the plan: the first bin behind it, how often its neighbours are added up, its first band. */
export const GROUPS: readonly (readonly [end: number, times: number, band: number])[] = PLAN.map(([last, step], k) => {
  const begin = k === 0 ? 0 : PLAN[k - 1]![0];
  return [last, Math.log2(step), EDGES.indexOf(begin)];
});
/** Bands below this hold one bin each, and are that bin. */
export const SINGLE = 256;

/** Band of each bin from 0 to half the sample rate. */
export const BAND_OF: Int32Array = (() => {
  const bands = new Int32Array(SIZE / 2 + 1);
  for (let band = 0; band < BANDS; band++) bands.fill(band, EDGES[band]!, EDGES[band + 1]!);
  return bands;
})();

/** Middle of each band in Hz. */
export const HERTZ: Float64Array = Float64Array.from(
  { length: BANDS },
  (_, band) => ((EDGES[band]! + EDGES[band + 1]! - 1) / 2) * BIN_HERTZ,
);

/** Frames of so many samples: frame t starts (OVERLAP - 1) hops before sample t · HOP, so that each sample is in OVERLAP of them. */
export function framesOf(samples: number): number {
  return Math.floor((samples - 1) / HOP) + OVERLAP;
}

/** Square root of Hann's window (periodic): applied twice at this overlap it adds up to 2. */
export const WINDOW: Float64Array = Float64Array.from({ length: SIZE }, (_, n) => sine(n / (2 * SIZE)));

/** What the window, applied twice, adds up to over all frames. */
export const GAIN = OVERLAP / 2;
