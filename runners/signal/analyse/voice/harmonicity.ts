import { Fft } from "../../dsp/fft.ts";

/** Bins used: 86 Hz to 3.4 kHz at 21.5 Hz, where voices have their harmonics. */
const FIRST = 4;
const LAST = 158;

/** Bins of a spectrum that `HarmonyFinder` reads. */
export const COMB_BINS: number = LAST;

/** Half the width, in bins, of the average that is taken off: more than a child's fundamental. */
const REACH = 17;

/** Transform over frequency: one step of lag is 1 / (512 · 21.5 Hz) = 91 µs. */
const SIZE = 512;

/** Lags searched: 2 ms (500 Hz) to 16 ms (62 Hz). */
const LAG_MIN = 22;
const LAG_MAX = 176;

/** A longer lag has to be this much better for each octave: a multiple of the period fits just as well as the period. */
const OCTAVE_COST = 0.04;

const COSTS = Float64Array.from({ length: LAG_MAX + 1 }, (_, lag) => OCTAVE_COST * Math.log2(lag / LAG_MIN));

/** High harmonics count less: a gliding pitch smears them. */
const WEIGHTS = Float64Array.from({ length: LAST }, (_, k) => 1 / (1 + k / 40));

export interface Harmony {
  /** How much of what stands out in the spectrum stands at multiples of one frequency, 0 to about 0.8. */
  readonly clarity: Float32Array;
  /** Fundamental in octaves above 1 Hz; of no meaning where clarity is low. */
  readonly pitch: Float32Array;
}

/**
 * Finds the harmonic comb of voiced speech: log spectrum above the floor, less its own average over frequency, against cosines.
 * The logarithm lets weak harmonics count as much as strong ones, so that one resonance (a knock, a beep) is no comb.
 */
export class HarmonyFinder {
  readonly #fft = new Fft(SIZE);
  readonly #real = new Float64Array(SIZE);
  readonly #imaginary = new Float64Array(SIZE);
  readonly #log = new Float64Array(LAST + REACH + 1);
  readonly #total = new Float64Array(2);

  /** Two hops at once. `floor` is power a bin. */
  pair(first: Float32Array, second: Float32Array, floor: Float32Array, hop: number, out: Harmony): void {
    // Most of a recording of speech may be pauses: nothing above the floor has no harmonics.
    if (!stands(first, floor) && !stands(second, floor)) return;
    this.#real.fill(0);
    this.#imaginary.fill(0);
    this.#total[0] = this.#comb(first, floor, this.#real);
    this.#total[1] = this.#comb(second, floor, this.#imaginary);
    this.#fft.transform(this.#real, this.#imaginary);
    this.#peak(this.#real, this.#total[0], hop, out);
    if (hop + 1 < out.clarity.length) this.#peak(this.#imaginary, this.#total[1], hop + 1, out);
  }

  #comb(powers: Float32Array, floor: Float32Array, out: Float64Array): number {
    const log = this.#log;
    let top = 0;
    for (let k = FIRST; k < LAST; k++) if (powers[k]! > top) top = powers[k]!;
    // Four times the least is about the mean of noise; 40 dB under the strongest bin nothing is heard.
    const least = 1e-4 * top + 1e-14;
    for (let k = FIRST; k < LAST; k++) log[k] = Math.log(1 + powers[k]! / (4 * floor[k]! + least));
    let sum = 0;
    for (let k = FIRST; k < FIRST + REACH; k++) sum += log[k]!;
    let count = REACH;
    let total = 0;
    for (let k = FIRST; k < LAST; k++) {
      if (k + REACH < LAST) {
        sum += log[k + REACH]!;
        count++;
      }
      if (k - REACH - 1 >= FIRST) {
        sum -= log[k - REACH - 1]!;
        count--;
      }
      const relief = (log[k]! - sum / count) * WEIGHTS[k]!;
      out[k] = relief;
      total += Math.abs(relief);
    }
    return total;
  }

  #peak(lags: Float64Array, total: number, hop: number, out: Harmony): void {
    let best = 0;
    let best_score = Number.NEGATIVE_INFINITY;
    for (let lag = LAG_MIN; lag <= LAG_MAX; lag++) {
      const value = (lags[lag]! + lags[SIZE - lag]!) / 2;
      const score = value - total * COSTS[lag]!;
      if (score > best_score) {
        best_score = score;
        best = lag;
      }
    }
    const value = (lags[best]! + lags[SIZE - best]!) / 2;
    const before = (lags[best - 1]! + lags[SIZE - best + 1]!) / 2;
    const after = (lags[best + 1]! + lags[SIZE - best - 1]!) / 2;
    const curve = before - 2 * value + after;
    const shift = curve < 0 ? Math.max(-0.5, Math.min(0.5, (0.5 * (before - after)) / curve)) : 0;
    const peaked = value >= before && value >= after;
    out.clarity[hop] = total > 0 && peaked ? value / total : 0;
    out.pitch[hop] = Math.log2((SIZE * 44_100) / 2048 / (best + shift));
  }
}

/** Whether there is more than steady noise, whose mean is some 8 dB above the least of it. */
function stands(powers: Float32Array, floor: Float32Array): boolean {
  let sum = 0;
  let least = 0;
  for (let k = FIRST; k < LAST; k++) {
    sum += powers[k]!;
    least += floor[k]!;
  }
  return sum > 6 * least;
}
