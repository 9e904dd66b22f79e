import { breathe } from "../../breathe.ts";
import type { Samples } from "../../samples.ts";
import { CELLS_PER_STEP, Compressor } from "../dsp/compressor.ts";
import { fromDecibel } from "../dsp/decibel.ts";
import { CELL, GainCurve, LimiterScratch, limiterGain, PACES, PeakMap } from "../dsp/limiter.ts";
import type { LoudnessMeter } from "../dsp/loudness.ts";
import { bend, FRAME, meanReduction } from "./bend.ts";
import { eachBlock, wrapped } from "./measure.ts";
import { underread } from "./underread.ts";
import { GROUPS, REDUCTION_DB_MAX, SLOW, WAYS } from "./ways.ts";

/** How far beyond plain gain the sound may be driven, in dB, and how far at a step while looking for the target. */
const DRIVE_DB_MAX = 36;
const STEP_DB_MAX = 6;

/** Where a further decibel of drive gives less than this many LU, the next way takes over. */
const SLOPE_MIN = 0.1;

/** Of what falls short, the gentlest within this many LU of the loudest is taken. */
const NEXT_TO_NOTHING_LU = 0.2;

/** LU within which the model is solved; the measured result decides in the end. */
const TOLERANCE_LU = 0.002;

/** The compressor's knee has its middle at the level that this much of the time is at or below. */
const KNEE_SHARE = 0.4;

export interface Solution {
  readonly gain_db: number;
  /** Index into `WAYS`. */
  readonly way: number;
  readonly reached: boolean;
}

/** What the sound becomes under a drive: foretold from energies, without filtering again. */
export class Drive {
  readonly #sound: Samples;
  readonly #ring: boolean;
  readonly #meter: LoudnessMeter;
  readonly #power: Float32Array;
  readonly #signal: AbortSignal;
  #map: PeakMap | undefined;
  #scratch: LimiterScratch | undefined;
  #threshold = Number.POSITIVE_INFINITY;
  #energies: Float32Array | undefined;
  #compressor: Compressor | undefined;
  /** The compressor's gains, for this slope. */
  #compressed: Float32Array | undefined;
  #slope = 0;
  #last: { readonly key: string; readonly curve: GainCurve | undefined } | undefined;

  /** @param meter has measured `sound` with energy bins of about a cell */
  constructor(sound: Samples, ring: boolean, meter: LoudnessMeter, signal: AbortSignal) {
    this.#sound = sound;
    this.#ring = ring;
    this.#meter = meter;
    this.#power = new Float32Array(meter.bins);
    this.#signal = signal;
  }

  /** The curve of all gains at `gain_db` and `WAYS[way]`; undefined where it would be 1 throughout. Good until the next call. */
  async curve(gain_db: number, ceiling_dbtp: number, way: number): Promise<GainCurve | undefined> {
    const key = `${gain_db} ${ceiling_dbtp} ${way}`;
    if (this.#last?.key === key) return this.#last.curve;
    // Of three hours each curve takes a second.
    await breathe(this.#signal);
    const { slope, pace } = WAYS[way]!;
    const drive = fromDecibel(gain_db);
    const ceiling = fromDecibel(ceiling_dbtp);
    const map = await this.#mapFor(ceiling / drive);
    this.#scratch ??= new LimiterScratch(map.peaks.length);
    const before = slope === 0 ? undefined : this.#compressedBy(slope, map);
    const gains = limiterGain(map, drive, ceiling, this.#sound.sample_rate, PACES[pace], this.#scratch, before);
    const curve = gains === undefined ? undefined : new GainCurve(gains, map);
    this.#last = { key, curve };
    return curve;
  }

  /** dB by which the limiter sees peaks of the sound low, at most, of those that are above `ceiling_dbtp` at `gain_db`. */
  async underread(gain_db: number, ceiling_dbtp: number): Promise<number> {
    const threshold = fromDecibel(ceiling_dbtp - gain_db);
    return underread(this.#sound, await this.#mapFor(threshold), threshold);
  }

  /** Foretold loudness in LUFS at `gain_db`. */
  async lufs(gain_db: number, ceiling_dbtp: number, way: number): Promise<number> {
    const curve = await this.curve(gain_db, ceiling_dbtp, way);
    const gain = fromDecibel(gain_db) ** 2;
    if (curve === undefined) this.#power.fill(gain);
    else curve.power(this.#meter.bin, gain, this.#power);
    return this.#meter.integrated(this.#power);
  }

  /**
   * The least gain in dB, from `least_db` up, at which the foretold loudness is `target_lufs`, by the slowest limiter where that does no
   * more than catch peaks, else by that way of the first of `GROUPS` that gets there that bends the wave least. Where none does, the
   * gentlest beyond which more gives next to nothing, and `reached: false`.
   */
  async solve(target_lufs: number, ceiling_dbtp: number, least_db: number): Promise<Solution> {
    return await this.#search(target_lufs, ceiling_dbtp, least_db, { gain_db: least_db, way: SLOW }, []);
  }

  /** The same from the way of `before` on, which is looked at near its gain. */
  async #search(
    target_lufs: number,
    ceiling_dbtp: number,
    least_db: number,
    before: Omit<Solution, "reached">,
    tried: Tried[],
  ): Promise<Solution> {
    let way = SLOW;
    let from_db = before.gain_db;
    for (const group of GROUPS) {
      const found: (Solution & { readonly bend_db: number })[] = [];
      for (let rest = group.length; rest > 0; rest--, way++) {
        if (way < before.way) continue;
        const solution = await this.#along(way, target_lufs, ceiling_dbtp, least_db, from_db, tried);
        from_db = solution.gain_db;
        if (!solution.reached) continue;
        if (way === SLOW && (await this.#reduction(from_db, ceiling_dbtp)) <= REDUCTION_DB_MAX) return solution;
        found.push({ ...solution, bend_db: await this.#bend(from_db, ceiling_dbtp, way) });
      }
      const best = found.sort((a, b) => a.bend_db - b.bend_db)[0];
      if (best !== undefined) return { gain_db: best.gain_db, way: best.way, reached: true };
    }
    return gentlest(tried);
  }

  /** The same after a measurement: along the way that was found before, and only where that does not get there by one that follows. */
  async again(
    target_lufs: number,
    ceiling_dbtp: number,
    least_db: number,
    before: Omit<Solution, "reached">,
  ): Promise<Solution> {
    const tried: Tried[] = [];
    const solution = await this.#along(before.way, target_lufs, ceiling_dbtp, least_db, before.gain_db, tried);
    if (solution.reached || before.way === WAYS.length - 1) return solution.reached ? solution : gentlest(tried);
    const next = { gain_db: solution.gain_db, way: before.way + 1 };
    return await this.#search(target_lufs, ceiling_dbtp, least_db, next, tried);
  }

  /** Where it does not get to the target, `gain_db` is where it was given up. */
  async #along(
    way: number,
    target_lufs: number,
    ceiling_dbtp: number,
    least_db: number,
    from_db: number,
    tried: Tried[],
  ): Promise<Solution> {
    const measured = async (gain_db: number): Promise<number> => {
      const error = (await this.lufs(gain_db, ceiling_dbtp, way)) - target_lufs;
      tried.push({ gain_db, way, error });
      return error;
    };
    // With the fastest limiter the whole range is looked at: faint sound between loud peaks only counts when it has come up.
    const slope_min = WAYS[way]!.pace === PACES.length - 1 ? Number.NEGATIVE_INFINITY : SLOPE_MIN;
    const found = await enclose(measured, least_db, from_db, slope_min);
    if (found.high_error < 0) return { gain_db: found.high, way, reached: false };
    return { gain_db: await bracketed(measured, found), way, reached: true };
  }

  /** dB by which the slowest limiter turns down what is heard, on average. */
  async #reduction(gain_db: number, ceiling_dbtp: number): Promise<number> {
    const curve = await this.curve(gain_db, ceiling_dbtp, SLOW);
    return curve === undefined ? 0 : meanReduction(this.#scratch!.held, this.#energiesOf(curve.gains.length));
  }

  async #bend(gain_db: number, ceiling_dbtp: number, way: number): Promise<number> {
    const curve = await this.curve(gain_db, ceiling_dbtp, way);
    if (curve === undefined) return Number.NEGATIVE_INFINITY;
    const frame = Math.round((FRAME * CELL) / this.#map!.cell);
    return bend(curve.gains, this.#energiesOf(curve.gains.length), frame);
  }

  /** K-weighted energy of each cell: that of the bin around its middle. */
  #energiesOf(cells: number): Float32Array {
    if (this.#energies !== undefined) return this.#energies;
    const { energies, bin } = this.#meter;
    const per_cell = this.#sound.frames / cells / bin;
    const out = new Float32Array(cells);
    const last = energies.length - 1;
    for (let cell = 0; cell < cells; cell++) out[cell] = energies[Math.min(last, Math.floor((cell + 0.5) * per_cell))]!;
    this.#energies = out;
    return out;
  }

  #compressedBy(slope: number, map: PeakMap): Float32Array {
    if (this.#compressed !== undefined && this.#slope === slope) return this.#compressed;
    const cells = map.peaks.length;
    const cell_s = 1 / (this.#sound.sample_rate * map.cells_per_sample);
    const cells_per_step = Math.round((CELLS_PER_STEP * CELL) / map.cell);
    this.#compressor ??= new Compressor(this.#energiesOf(cells), cell_s, this.#ring, cells_per_step);
    this.#compressed ??= new Float32Array(cells);
    this.#slope = slope;
    this.#compressor.gains(slope, this.#compressor.level(KNEE_SHARE), this.#compressed);
    return this.#compressed;
  }

  /** Peaks of the sound itself from `threshold` up; looked for again only when a lower one is asked. */
  async #mapFor(threshold: number): Promise<PeakMap> {
    if (this.#map !== undefined && threshold >= this.#threshold) return this.#map;
    // Room below: the solver asks for a little more each time. Asked again, it gets all there are.
    this.#threshold = this.#map === undefined ? threshold * fromDecibel(-3) : 0;
    const context = PeakMap.context;
    const before = this.#ring ? wrapped(this.#sound, -context, context) : undefined;
    const map = new PeakMap(this.#sound.channels, this.#sound.frames, this.#threshold, before);
    await eachBlock(this.#sound, this.#signal, (channels, from, to) => map.push(channels, from, to));
    map.finish(this.#ring ? wrapped(this.#sound, 0, context) : undefined);
    this.#map = map;
    return map;
  }
}

/** What was looked at: the LU it is off. */
type Tried = Omit<Solution, "reached"> & { readonly error: number };

function gentlest(tried: readonly Tried[]): Solution {
  const best = Math.max(...tried.map(({ error }) => error));
  const { gain_db, way } = tried
    .filter(({ error }) => error >= best - NEXT_TO_NOTHING_LU)
    .sort((a, b) => a.way - b.way || a.gain_db - b.gain_db)[0]!;
  return { gain_db, way, reached: false };
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
