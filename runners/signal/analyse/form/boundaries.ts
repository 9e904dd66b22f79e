/** Where sections begin: the division of the bars that explains them best. */
import { BANDS } from "../timbre/colour.ts";
import type { Bars } from "./bars.ts";
import { lags } from "./likeness.ts";

/** How much each kind of difference counts: of levels and attacks a decibel in every band, of the other vectors their unit. */
const [LEVEL, ATTACK, WIDTH] = [1 / 6, 0.87, 1];
/** Of chroma and of lags; where there are no bars to compare, spans of two seconds fall on chords as they come, and lags say less. */
const [CHROMA, LAG] = [0.85, 3.1];
const [FREE_CHROMA, FREE_LAG] = [1, 1.5];
/** What a further section costs, in the same squared units, where bars within a section differ by NOISE. */
const [PRICE, FREE_PRICE] = [2.6, 1.5];
const NOISE = 0.5;
/** Restless pieces pay more and still ones less: the price grows with this power of what varies, within these bounds. */
const [NOISE_POWER, NOISE_MIN, NOISE_MAX] = [0.3, 0.5, 4];
/** What lengths cost that music seldom has: odd, a multiple of two, a multiple of four but not of eight, and each bar under four. */
const [ODD, TWO, FOUR, SHORT] = [2, 1, 0.1, 1.33];
/** At the edges of the piece any length from four bars on is free, and each bar under four costs this. */
const EDGE_SHORT = 2;
/** Bars in a section. */
const [LEAST, MOST] = [2, 128];
/** Bars on each side that lags are smoothed over, and the likeness that is none yet. */
const [LAG_REACH, LAG_FLOOR] = [1, 0.1];

/**
 * First bars of the sections, ascending, the first of them 0.
 *
 * Minimises, over all divisions, the squared distance of the bars from their section's mean, a price a section, and a price for lengths
 * that music seldom has: an optimal partition by dynamic programming (Jackson et al. 2005), on levels and attacks in bands,
 * on chroma, and on the lags at which bars repeat earlier ones (Serrà et al., "Unsupervised music structure annotation by time
 * series structure features and segment similarity", IEEE Trans. Multimedia 2014).
 */
export function boundaries(bars: Bars, alike: Float32Array): number[] {
  const { count } = bars;
  const cost = new Costs(bars, alike);
  const restless = Math.max(NOISE_MIN, Math.min(NOISE_MAX, cost.noise() / NOISE)) ** NOISE_POWER;
  const price = (bars.steady ? PRICE : FREE_PRICE) * restless;
  const best = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY);
  const from = new Int32Array(count + 1);
  best[0] = 0;
  for (let end = 1; end <= count; end++) {
    for (let start = Math.max(0, end - MOST); start < end; start++) {
      if (end - start < LEAST && count >= 2 * LEAST) continue;
      const value =
        best[start]! +
        cost.of(start, end) +
        price +
        lengthPrice(end - start, start === 0 || end === count, bars.steady);
      if (value < best[end]!) {
        best[end] = value;
        from[end] = start;
      }
    }
  }
  const starts: number[] = [];
  for (let end = count; end > 0; end = from[end]!) starts.push(from[end]!);
  return starts.reverse();
}

/** Sections of 4, 8, 12 or 16 bars are the rule. What touches the edge of the piece may be cut, or hold an upbeat or a last chord. */
function lengthPrice(bars: number, at_edge: boolean, steady: boolean): number {
  const missing = Math.max(0, 4 - bars);
  if (at_edge) return EDGE_SHORT * missing;
  if (!steady) return SHORT * missing;
  if (bars % 8 === 0) return 0;
  if (bars % 4 === 0) return FOUR;
  return (bars % 2 === 0 ? TWO : ODD) + SHORT * missing;
}

/** Sums over bars, so that the scatter of any section is a difference of two. */
class Costs {
  readonly #dimensions: number;
  readonly #sums: Float64Array;
  readonly #squares: Float64Array;
  readonly #weights: Float64Array;

  constructor(bars: Bars, alike: Float32Array) {
    const { count } = bars;
    const lag = lags(alike, count, LAG_REACH);
    const lag_width = count;
    const width = bars.colour_width + 12 + lag_width;
    const values = new Float64Array(count * width);
    const chroma = bars.steady ? CHROMA : FREE_CHROMA;
    // A long piece has more repeats to show than a short one: their sum is kept in proportion.
    const repeats = (bars.steady ? LAG : FREE_LAG) / Math.sqrt(Math.max(24, count) / 6);
    for (let bar = 0; bar < count; bar++) {
      const at = bar * width;
      const colour = bar * bars.colour_width;
      for (let band = 0; band < BANDS; band++) {
        values[at + band] = (LEVEL / Math.sqrt(BANDS)) * bars.colour[colour + band]!;
        values[at + BANDS + band] = (ATTACK / Math.sqrt(BANDS)) * bars.colour[colour + BANDS + band]!;
      }
      values[at + 2 * BANDS] = WIDTH * bars.colour[colour + 2 * BANDS]!;
      for (let k = 0; k < 12; k++) values[at + bars.colour_width + k] = chroma * bars.chroma[12 * bar + k]!;
      for (let k = 0; k < lag_width; k++) {
        const alike_now = Math.max(0, (lag[bar * lag_width + k]! - LAG_FLOOR) / (1 - LAG_FLOOR));
        values[at + bars.colour_width + 12 + k] = repeats * alike_now;
      }
    }
    this.#dimensions = width;
    this.#sums = new Float64Array((count + 1) * width);
    this.#squares = new Float64Array(count + 1);
    this.#weights = new Float64Array(count + 1);
    for (let bar = 0; bar < count; bar++) {
      const weight = bars.weight[bar]!;
      this.#weights[bar + 1] = this.#weights[bar]! + weight;
      let squares = 0;
      for (let k = 0; k < width; k++) {
        const value = values[bar * width + k]!;
        this.#sums[(bar + 1) * width + k] = this.#sums[bar * width + k]! + weight * value;
        squares += weight * value * value;
      }
      this.#squares[bar + 1] = this.#squares[bar]! + squares;
    }
  }

  /** Scatter of bars `start` to `end`: Σ w |x|² - |Σ w x|² / Σ w. */
  of(start: number, end: number): number {
    const width = this.#dimensions;
    let squared = 0;
    for (let k = 0; k < width; k++) {
      const sum = this.#sums[end * width + k]! - this.#sums[start * width + k]!;
      squared += sum * sum;
    }
    const weight = this.#weights[end]! - this.#weights[start]!;
    return this.#squares[end]! - this.#squares[start]! - (weight > 0 ? squared / weight : 0);
  }

  /** Half the squared distance of a bar from the next, the median: what varies within sections. */
  noise(): number {
    const width = this.#dimensions;
    const count = this.#weights.length - 1;
    const steps: number[] = [];
    const value = (bar: number, k: number): number =>
      (this.#sums[(bar + 1) * width + k]! - this.#sums[bar * width + k]!) /
      Math.max(1e-9, this.#weights[bar + 1]! - this.#weights[bar]!);
    for (let bar = 1; bar < count; bar++) {
      let sum = 0;
      for (let k = 0; k < width; k++) sum += (value(bar, k) - value(bar - 1, k)) ** 2;
      steps.push(sum / 2);
    }
    steps.sort((a, b) => a - b);
    return steps[steps.length >> 1] ?? 0;
  }
}
