/**
 * A gentle broadband compressor for sound that is all there, to go before the limiter where that alone would have to give way too far.
 *
 * Feed-forward and linked: one level for all channels, from their K-weighted energies, so that a bass does not pull the rest along. It
 * sees as far ahead as behind, so there is no attack to overshoot and no delay.
 */
import { HannMean } from "./hann.ts";

/** Cells that share a level: 5 ms at 44.1 kHz. */
export const CELLS_PER_STEP = 15;

/** Steps to either side over which the level is taken: 65 ms in all, more than a period of any bass. */
const REACH_STEPS = 6;

/** Seconds in which a reduction halves its distance to a lower one: slow after a long stretch, faster after a short one. */
const RELEASE_S = 0.15;
const MEAN_S = 0.8;

/** Range of levels, in dB, over which the slope sets in. */
const KNEE_DB = 12;

/** dB above the middle of the knee below which nothing more is told apart: what is fainter is left alone. */
const FLOOR_DB = -120;

export class Compressor {
  readonly #levels: Float32Array;
  readonly #cells: number;
  readonly #ring: boolean;
  readonly #step_s: number;
  readonly #reduction: Float32Array;
  readonly #mean: HannMean;

  /**
   * @param energy K-weighted energy of each cell, summed over samples and channels
   * @param cell_s seconds in a cell
   * @param cells_per_step of cells that are longer than usual, fewer
   */
  constructor(energy: Float32Array, cell_s: number, ring: boolean, cells_per_step = CELLS_PER_STEP) {
    this.#cells = energy.length;
    this.#ring = ring;
    const steps = Math.max(1, Math.round(energy.length / cells_per_step));
    this.#step_s = (cell_s * energy.length) / steps;
    this.#reduction = new Float32Array(steps);
    this.#mean = new HannMean(steps, REACH_STEPS, ring);
    const levels = new Float32Array(steps);
    for (let step = 0; step < steps; step++) {
      const from = Math.floor((step * energy.length) / steps);
      const to = Math.floor(((step + 1) * energy.length) / steps);
      let sum = 0;
      for (let cell = from; cell < to; cell++) sum += energy[cell]!;
      levels[step] = Math.max(FLOOR_DB, 10 * Math.log10(sum / Math.max(1, to - from)));
    }
    // A mean of levels, not of powers: a click among them is hardly seen, and is the limiter's to take.
    this.#levels = new Float32Array(steps);
    this.#mean.of(levels, this.#levels);
  }

  /** The level, in dB, that `share` (0 to 1) of the time is at or below, silence left out. */
  level(share: number): number {
    const heard = this.#levels.filter((level) => level > FLOOR_DB + 1).sort();
    return heard[Math.min(heard.length - 1, Math.floor(share * heard.length))] ?? FLOOR_DB;
  }

  /**
   * Gain of each cell, at most 1, into `gains`.
   *
   * @param slope dB of reduction for each dB above the knee: 1 - 1/ratio
   * @param threshold_db middle of the knee
   */
  gains(slope: number, threshold_db: number, gains: Float32Array): void {
    const steps = this.#levels.length;
    const reduction = this.#reduction;
    for (let step = 0; step < steps; step++) reduction[step] = slope * kneed(this.#levels[step]! - threshold_db);
    this.#release(reduction);
    this.#mean.of(reduction, reduction);
    const per_cell = steps / this.#cells;
    for (let cell = 0; cell < this.#cells; cell++) {
      const place = (cell + 0.5) * per_cell - 0.5;
      const whole = Math.floor(place);
      const low = this.#at(whole);
      gains[cell] = Math.exp((-Math.LN10 / 20) * (low + (place - whole) * (this.#at(whole + 1) - low)));
    }
  }

  #at(step: number): number {
    const steps = this.#reduction.length;
    return this.#reduction[this.#ring ? (step + steps) % steps : Math.max(0, Math.min(steps - 1, step))]!;
  }

  /** Falls slowly, and no further than to its own mean of the last while before it falls on; a ring begins as the rounds before left it. */
  #release(reduction: Float32Array): void {
    const fast = Math.exp(-this.#step_s / RELEASE_S);
    const slow = Math.exp(-this.#step_s / MEAN_S);
    const steps = reduction.length;
    const rounds = this.#ring ? 1 + Math.ceil((8 * MEAN_S) / (steps * this.#step_s)) : 1;
    let mean = reduction[0]!;
    let held = reduction[0]!;
    for (let round = 1; round <= rounds; round++) {
      for (let step = 0; step < steps; step++) {
        const wanted = reduction[step]!;
        mean = wanted + (mean - wanted) * slow;
        const rest = Math.max(wanted, Math.min(mean, held));
        held = Math.max(wanted, rest + (held - rest) * fast);
        if (round === rounds) reduction[step] = held;
      }
    }
  }
}

/** dB above a knee of `KNEE_DB`: 0 below it, `over` above it, a parabola between. */
function kneed(over: number): number {
  const half = KNEE_DB / 2;
  if (over <= -half) return 0;
  if (over >= half) return over;
  return (over + half) ** 2 / (2 * KNEE_DB);
}
