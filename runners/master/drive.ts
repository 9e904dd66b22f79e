import { fromDecibel } from "../dsp/decibel.ts";
import { GainCurve, limiterGain, PeakMap } from "../dsp/limiter.ts";
import type { LoudnessMeter } from "../dsp/loudness.ts";
import { eachBlock, type Samples, wrapped } from "./measure.ts";

/** How far beyond plain gain the limiter may be driven, in dB. */
const DRIVE_DB_MAX = 30;

/** Where a further decibel of drive gives less than this, more drive only flattens: the limiter has reached what it can. */
const SLOPE_MIN = 0.1;

/** LU within which the model is solved; the measured result decides in the end. */
const TOLERANCE_LU = 0.002;

/** What the sound becomes under a drive: foretold from energies, without filtering again. */
export class Drive {
  readonly #sound: Samples;
  readonly #sample_rate: number;
  readonly #ring: boolean;
  readonly #meter: LoudnessMeter;
  readonly #power: Float64Array;
  readonly #signal: AbortSignal;
  #map: PeakMap | undefined;
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

  /** The limiter's curve at `gain_db`; undefined where no peak passes `ceiling_dbtp`. */
  async curve(gain_db: number, ceiling_dbtp: number): Promise<GainCurve | undefined> {
    const drive = fromDecibel(gain_db);
    const ceiling = fromDecibel(ceiling_dbtp);
    const map = await this.#mapFor(ceiling / drive);
    const gains = limiterGain(map, drive, ceiling, this.#sample_rate);
    return gains === undefined ? undefined : new GainCurve(gains, map);
  }

  /** Foretold loudness in LUFS at `gain_db`. */
  async lufs(gain_db: number, ceiling_dbtp: number): Promise<number> {
    const curve = await this.curve(gain_db, ceiling_dbtp);
    const gain = fromDecibel(gain_db) ** 2;
    const { bin, frames } = this.#meter;
    for (let index = 0; index < this.#power.length; index++) {
      const from = index * bin;
      this.#power[index] = gain * (curve === undefined ? 1 : curve.power(from, Math.min(frames, from + bin)));
    }
    return this.#meter.integrated(this.#power);
  }

  /**
   * The least gain in dB, from `least_db` up, at which the foretold loudness is `target_lufs`.
   * Where the limiter cannot reach it, the gain beyond which more gives next to nothing, and `reached: false`.
   */
  async solve(
    target_lufs: number,
    ceiling_dbtp: number,
    least_db: number,
  ): Promise<{ gain_db: number; reached: boolean }> {
    let low = least_db;
    let low_error = (await this.lufs(low, ceiling_dbtp)) - target_lufs;
    if (low_error >= -TOLERANCE_LU) return { gain_db: low, reached: true };
    const most = least_db + DRIVE_DB_MAX;
    let high = low;
    let high_error = low_error;
    while (high_error < 0) {
      low = high;
      low_error = high_error;
      high = Math.min(most, low + Math.max(0.1, Math.min(4, -1.5 * low_error)));
      high_error = (await this.lufs(high, ceiling_dbtp)) - target_lufs;
      const slope = (high_error - low_error) / (high - low);
      if (high_error < 0 && (high === most || slope < SLOPE_MIN)) return { gain_db: high, reached: false };
    }
    // False position; halving the weight of an end that stays (Illinois) keeps it from creeping.
    for (let side = 0, steps = 0; steps < 20; steps++) {
      const middle = (low * high_error - high * low_error) / (high_error - low_error);
      const error = (await this.lufs(middle, ceiling_dbtp)) - target_lufs;
      if (Math.abs(error) <= TOLERANCE_LU) return { gain_db: middle, reached: true };
      if (error > 0) {
        high = middle;
        high_error = error;
        if (side === 1) low_error /= 2;
        side = 1;
      } else {
        low = middle;
        low_error = error;
        if (side === -1) high_error /= 2;
        side = -1;
      }
    }
    return { gain_db: (low + high) / 2, reached: true };
  }

  /** Peaks of the sound itself from `threshold` up; looked for again only when a lower one is asked. */
  async #mapFor(threshold: number): Promise<PeakMap> {
    if (this.#map !== undefined && threshold >= this.#threshold) return this.#map;
    // 1.5 dB of room: the solver asks for a little more each time.
    this.#threshold = threshold * fromDecibel(-1.5);
    const context = PeakMap.context;
    const before = this.#ring ? wrapped(this.#sound, -context, context) : undefined;
    const map = new PeakMap(this.#sound.channels, this.#sound.frames, this.#threshold, before);
    await eachBlock(this.#sound, this.#signal, (block, frames) => map.push(block, 0, frames));
    map.finish(this.#ring ? wrapped(this.#sound, 0, context) : undefined);
    this.#map = map;
    return map;
  }
}
