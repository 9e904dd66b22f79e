import { fromDecibel } from "../dsp/decibel.ts";
import { GainCurve, LimiterScratch, limiterGain, PACES, PeakMap } from "../dsp/limiter.ts";
import type { LoudnessMeter } from "../dsp/loudness.ts";
import { eachBlock, type Samples, wrapped } from "./measure.ts";

/** How far beyond plain gain the limiter may be driven, in dB, and how far at a step while looking for the target. */
const DRIVE_DB_MAX = 60;
const STEP_DB_MAX = 4;

/** Where a further decibel of drive gives less than this many LU, a faster pace takes over. */
const SLOPE_MIN = 0.1;

/** Of what falls short, the gentlest within this many LU of the loudest is taken. */
const NEXT_TO_NOTHING_LU = 0.2;

/** LU within which the model is solved; the measured result decides in the end. */
const TOLERANCE_LU = 0.002;

export interface Solution {
  readonly gain_db: number;
  /** Index into `PACES`. */
  readonly pace: number;
  readonly reached: boolean;
}

/** What the sound becomes under a drive: foretold from energies, without filtering again. */
export class Drive {
  readonly #sound: Samples;
  readonly #sample_rate: number;
  readonly #ring: boolean;
  readonly #meter: LoudnessMeter;
  readonly #power: Float64Array;
  readonly #signal: AbortSignal;
  #map: PeakMap | undefined;
  #scratch: LimiterScratch | undefined;
  #threshold = Number.POSITIVE_INFINITY;

  /** @param meter has measured `sound` with energy bins */
  constructor(sound: Samples, sample_rate: number, ring: boolean, meter: LoudnessMeter, signal: AbortSignal) {
    this.#sound = sound;
    this.#sample_rate = sample_rate;
    this.#ring = ring;
    this.#meter = meter;
    this.#power = new Float64Array(meter.bins);
    this.#signal = signal;
  }

  /** The limiter's curve at `gain_db` and `PACES[pace]`; undefined where no peak passes `ceiling_dbtp`. Good until the next call. */
  async curve(gain_db: number, ceiling_dbtp: number, pace: number): Promise<GainCurve | undefined> {
    const drive = fromDecibel(gain_db);
    const ceiling = fromDecibel(ceiling_dbtp);
    const map = await this.#mapFor(ceiling / drive);
    this.#scratch ??= new LimiterScratch(map.peaks.length);
    const gains = limiterGain(map, drive, ceiling, this.#sample_rate, PACES[pace], this.#scratch);
    return gains === undefined ? undefined : new GainCurve(gains, map);
  }

  /** Foretold loudness in LUFS at `gain_db`. */
  async lufs(gain_db: number, ceiling_dbtp: number, pace: number): Promise<number> {
    const curve = await this.curve(gain_db, ceiling_dbtp, pace);
    const gain = fromDecibel(gain_db) ** 2;
    const { bin, frames } = this.#meter;
    for (let index = 0; index < this.#power.length; index++) {
      const from = index * bin;
      this.#power[index] = gain * (curve === undefined ? 1 : curve.power(from, Math.min(frames, from + bin)));
    }
    return this.#meter.integrated(this.#power);
  }

  /**
   * The least gain in dB, from `least_db` up, at which the foretold loudness is `target_lufs`, at the slowest pace from that of
   * `start` on that gets there. Where none does, the gentlest beyond which more gives next to nothing, and `reached: false`.
   *
   * @param start where to look first
   */
  async solve(
    target_lufs: number,
    ceiling_dbtp: number,
    least_db: number,
    start: Omit<Solution, "reached">,
  ): Promise<Solution> {
    const short: (Omit<Solution, "reached"> & { readonly error: number })[] = [];
    let from_db = start.gain_db;
    for (let pace = start.pace; pace < PACES.length; pace++) {
      const measured = async (gain_db: number): Promise<number> => {
        const error = (await this.lufs(gain_db, ceiling_dbtp, pace)) - target_lufs;
        short.push({ gain_db, pace, error });
        return error;
      };
      // At the fastest pace the whole range is looked at: faint sound between loud peaks only counts when it has come up.
      const slope_min = pace === PACES.length - 1 ? Number.NEGATIVE_INFINITY : SLOPE_MIN;
      const found = await enclose(measured, least_db, from_db, slope_min);
      if (found.high_error >= 0) return { gain_db: await bracketed(measured, found), pace, reached: true };
      from_db = found.high;
    }
    const best = Math.max(...short.map(({ error }) => error));
    const { gain_db, pace } = short
      .filter(({ error }) => error >= best - NEXT_TO_NOTHING_LU)
      .sort((a, b) => a.pace - b.pace || a.gain_db - b.gain_db)[0]!;
    return { gain_db, pace, reached: false };
  }

  /** Peaks of the sound itself from `threshold` up; looked for again only when a lower one is asked. */
  async #mapFor(threshold: number): Promise<PeakMap> {
    if (this.#map !== undefined && threshold >= this.#threshold) return this.#map;
    // Room below: the solver asks for a little more each time, and where it has asked twice, for a lot.
    this.#threshold = threshold * fromDecibel(this.#map === undefined ? -1.5 : -6);
    const context = PeakMap.context;
    const before = this.#ring ? wrapped(this.#sound, -context, context) : undefined;
    const map = new PeakMap(this.#sound.channels, this.#sound.frames, this.#threshold, before);
    await eachBlock(this.#sound, this.#signal, (block, frames) => map.push(block, 0, frames));
    map.finish(this.#ring ? wrapped(this.#sound, 0, context) : undefined);
    this.#map = map;
    return map;
  }
}

/** A gain in dB with the LU it is off at each end. */
interface Bracket {
  readonly low: number;
  readonly low_error: number;
  readonly high: number;
  readonly high_error: number;
}

type Errors = (gain_db: number) => Promise<number>;

/**
 * Steps from `from` up to where the error is no longer below 0, or down to where it is, but not below `least`. `high_error` stays
 * below 0 where a decibel gives less than `slope_min`, or the limiter is driven as far as it may be.
 */
async function enclose(error: Errors, least: number, from: number, slope_min: number): Promise<Bracket> {
  let low = from;
  let low_error = await error(from);
  let high = low;
  let high_error = low_error;
  for (let step = 0.25; low_error > 0 && low > least; step *= 4) {
    high = low;
    high_error = low_error;
    low = Math.max(least, low - step);
    low_error = await error(low);
  }
  while (high_error < -TOLERANCE_LU) {
    low = high;
    low_error = high_error;
    high = Math.min(least + DRIVE_DB_MAX, low + Math.max(0.1, Math.min(STEP_DB_MAX, -1.5 * low_error)));
    if (high <= low) break;
    high_error = await error(high);
    if (high_error < 0 && (high_error - low_error) / (high - low) < slope_min) break;
  }
  return { low, low_error, high, high_error: high_error >= -TOLERANCE_LU ? Math.max(0, high_error) : high_error };
}

/** False position; halving the weight of an end that stays (Illinois) keeps it from creeping. */
async function bracketed(error: Errors, bracket: Bracket): Promise<number> {
  let { low, low_error, high, high_error } = bracket;
  if (low_error >= -TOLERANCE_LU) return low;
  if (high_error <= TOLERANCE_LU) return high;
  for (let side = 0, steps = 0; steps < 20; steps++) {
    const middle = (low * high_error - high * low_error) / (high_error - low_error);
    const middle_error = await error(middle);
    if (Math.abs(middle_error) <= TOLERANCE_LU) return middle;
    if (middle_error > 0) {
      high = middle;
      high_error = middle_error;
      if (side === 1) low_error /= 2;
      side = 1;
    } else {
      low = middle;
      low_error = middle_error;
      if (side === -1) high_error /= 2;
      side = -1;
    }
  }
  return (low + high) / 2;
}
