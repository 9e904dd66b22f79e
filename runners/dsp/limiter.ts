import { COARSE_BOUND, COARSE_REACH, coarsePoints, PHASES } from "./interpolation.ts";
import { Sliding } from "./sliding.ts";
import { apex, eachCandidate, Relief } from "./true_peak.ts";

/**
 * A look-ahead true-peak limiter in two steps, for sound that is all there: `PeakMap` finds the peaks between the samples once,
 * `limiterGain` turns them into a gain curve for any drive. The curve moves before the peak comes, so the result has no delay.
 *
 * Both work on cells of about `CELL` samples; `GainCurve` joins the cells to a smooth gain for each sample.
 */
export const CELL = 15;

/** Largest true peak in each cell, over all channels; 0 where it stays under the threshold. */
export class PeakMap {
  /** Cells in one sample; on a ring the cells divide it evenly. */
  readonly cells_per_sample: number;
  readonly peaks: Float32Array;
  readonly ring: boolean;
  readonly #frames: number;
  readonly #sliding: Sliding;

  /**
   * @param threshold amplitude; peaks below it are not looked for
   * @param before on a ring, its last `PeakMap.context` samples
   */
  constructor(channels: number, frames: number, threshold: number, before?: readonly Float32Array[]) {
    const cells = Math.max(1, Math.ceil(frames / CELL));
    this.ring = before !== undefined;
    this.#frames = frames;
    this.cells_per_sample = this.ring ? cells / frames : 1 / CELL;
    this.peaks = new Float32Array(cells);
    const relief = new Relief();
    const grid = new Float64Array(3);
    this.#sliding = new Sliding(channels, PeakMap.context, (buffers, first, last, position) => {
      for (const x of buffers) {
        relief.survey(x, first, last);
        eachCandidate(
          x,
          first,
          last,
          relief,
          COARSE_BOUND,
          () => threshold,
          (n) => {
            const peak = intervalPeak(x, n, grid);
            if (peak >= threshold) this.#mark(position + n - first, peak);
          },
        );
      }
    });
    if (before !== undefined) this.#sliding.prime(before);
  }

  static readonly context = 2 * COARSE_REACH;

  push(channels: readonly Float32Array[], from = 0, to = channels[0]?.length ?? 0): void {
    this.#sliding.push(channels, from, to);
  }

  finish(after?: readonly Float32Array[]): void {
    this.#sliding.flush(after);
  }

  /** An interval belongs to the cells of both its samples. */
  #mark(n: number, peak: number): void {
    const next = n + 1 < this.#frames ? n + 1 : this.ring ? 0 : n;
    for (const sample of [n, next]) {
      const cell = Math.min(this.peaks.length - 1, Math.floor((sample + 0.5) * this.cells_per_sample));
      if (this.peaks[cell]! < peak) this.peaks[cell] = peak;
    }
  }
}

/** How fast the gain moves. The peaks are met at any pace; a faster one gives way less around them, and bends the wave more. */
export interface Pace {
  /** Half the length of the smoothing window: the attack takes twice as many cells. */
  readonly attack_cells: number;
  /** Seconds for which a reduction is held, so that the curve does not follow the waves of a bass: half a period of 20 Hz is best. */
  readonly hold_s: number;
  /** After an isolated peak the gain comes back within this time constant, */
  readonly release_s: number;
  /** but not above the mean reduction of the last while, which rises and falls this slowly: dense material is turned down, not pumped. */
  readonly mean_rise_s: number;
  readonly mean_fall_s: number;
}

/** From the one that nobody hears (attack 6 ms) to one that dips by the millisecond, for crest factors that no other reaches. */
export const PACES: readonly Pace[] = [
  { attack_cells: 9, hold_s: 0.025, release_s: 0.07, mean_rise_s: 0.25, mean_fall_s: 0.5 },
  { attack_cells: 6, hold_s: 0.01, release_s: 0.04, mean_rise_s: 0.25, mean_fall_s: 0.3 },
  { attack_cells: 3, hold_s: 0.004, release_s: 0.015, mean_rise_s: 0.2, mean_fall_s: 0.15 },
  { attack_cells: 1, hold_s: 0, release_s: 0.002, mean_rise_s: 0.1, mean_fall_s: 0.03 },
  { attack_cells: 0, hold_s: 0, release_s: 0.0003, mean_rise_s: 0.5, mean_fall_s: 0.005 },
];

/** What `limiterGain` works in, for those who call it again and again; the gains it returns lie here until the next call. */
export class LimiterScratch {
  readonly needed: Float32Array;
  readonly held: Float32Array;

  constructor(cells: number) {
    this.needed = new Float32Array(cells);
    this.held = new Float32Array(cells);
  }
}

/**
 * Gain for each cell (amplitude, at most 1) so that no peak of `map` times `drive` passes `ceiling`; undefined where none would.
 *
 * Reduction in dB → widest over hold and look-ahead → two-speed release → Hann smoothing. Each step stays at or above the
 * reduction that is needed, so the peaks are met whatever the time constants.
 */
export function limiterGain(
  map: PeakMap,
  drive: number,
  ceiling: number,
  sample_rate: number,
  pace: Pace = PACES[0]!,
  scratch: LimiterScratch = new LimiterScratch(map.peaks.length),
): Float32Array | undefined {
  const cells = map.peaks.length;
  const { needed, held } = scratch;
  needed.fill(0);
  let any = false;
  for (let cell = 0; cell < cells; cell++) {
    const over = (map.peaks[cell]! * drive) / ceiling;
    if (over > 1) {
      needed[cell] = 20 * Math.log10(over);
      any = true;
    }
  }
  if (!any) return undefined;
  const { ring } = map;
  const cell_rate = sample_rate * map.cells_per_sample;
  // Two cells more than the window: the curve of a sample draws on two cells to either side.
  const ahead = pace.attack_cells + 2;
  const behind = Math.max(ahead, Math.round(pace.hold_s * cell_rate));
  slidingMaximum(needed, behind, ahead, ring, held);
  release(held, pace, cell_rate, ring);
  smooth(held, pace.attack_cells, ring, needed);
  return needed;
}

/** Gain for each sample from the cells' gains: a cubic B-spline, so a mean of at most four neighbours that never exceeds them. */
export class GainCurve {
  readonly #gains: Float32Array;
  readonly #cells_per_sample: number;
  readonly #ring: boolean;

  constructor(gains: Float32Array, map: PeakMap) {
    this.#gains = gains;
    this.#cells_per_sample = map.cells_per_sample;
    this.#ring = map.ring;
  }

  /** Gains of the samples `from` to `to`, into `out` from its start. */
  fill(from: number, to: number, out: Float64Array): void {
    const step = this.#cells_per_sample;
    for (let n = from; n < to; ) {
      // Cell i has its centre at i + 1/2; what lies between two centres is one piece of the spline.
      const cell = Math.floor((n + 0.5) * step - 0.5);
      const end = Math.max(n + 1, Math.min(to, Math.ceil((cell + 1.5) / step - 0.5)));
      const g0 = this.#at(cell - 1);
      const g1 = this.#at(cell);
      const g2 = this.#at(cell + 1);
      const g3 = this.#at(cell + 2);
      if (g0 === 1 && g1 === 1 && g2 === 1 && g3 === 1) {
        out.fill(1, n - from, end - from);
        n = end;
        continue;
      }
      const c0 = (g0 + 4 * g1 + g2) / 6;
      const c1 = (g2 - g0) / 2;
      const c2 = (g0 - 2 * g1 + g2) / 2;
      const c3 = (g3 - g0 + 3 * (g1 - g2)) / 6;
      for (; n < end; n++) {
        const t = (n + 0.5) * step - 0.5 - cell;
        out[n - from] = c0 + t * (c1 + t * (c2 + t * c3));
      }
    }
  }

  /** Mean of the squared gain over the samples `from` to `to`, by the cell. */
  power(from: number, to: number): number {
    const first = Math.floor(from * this.#cells_per_sample);
    const last = Math.max(first + 1, Math.floor(to * this.#cells_per_sample));
    let sum = 0;
    for (let cell = first; cell < last; cell++) sum += this.#at(cell) ** 2;
    return sum / (last - first);
  }

  #at(cell: number): number {
    const cells = this.#gains.length;
    if (this.#ring) return this.#gains[modulo(cell, cells)]!;
    return this.#gains[Math.max(0, Math.min(cells - 1, cell))]!;
  }
}

/** Largest magnitude from x[n] to x[n+1] on the coarse grid, with the top of a parabola where it lies inside. */
function intervalPeak(x: Float32Array, n: number, grid: Float64Array): number {
  coarsePoints(x, n, grid);
  let before = Math.abs(x[n]!);
  let peak = before;
  for (let phase = 1; phase < PHASES; phase++) {
    const here = Math.abs(grid[phase - 1]!);
    const after = Math.abs(phase + 1 < PHASES ? grid[phase]! : x[n + 1]!);
    if (here >= before && here >= after) peak = Math.max(peak, apex(before, here, after));
    before = here;
  }
  return Math.max(peak, before, Math.abs(x[n + 1]!));
}

/** For each place the maximum from `behind` places before to `ahead` places after, by a queue of falling values, into `out`. */
function slidingMaximum(values: Float32Array, behind: number, ahead: number, ring: boolean, out: Float32Array): void {
  const count = values.length;
  // The queue goes round in as many entries as the window needs at most.
  const mask = 2 ** Math.ceil(Math.log2(behind + ahead + 2)) - 1;
  const places = new Int32Array(mask + 1);
  const queue = new Float32Array(mask + 1);
  let head = 0;
  let tail = 0;
  for (let place = -behind; place < count + ahead; place++) {
    const inside = place >= 0 && place < count;
    const value = inside ? values[place]! : ring ? values[modulo(place, count)]! : 0;
    while (tail > head && queue[(tail - 1) & mask]! <= value) tail--;
    places[tail & mask] = place;
    queue[tail++ & mask] = value;
    const target = place - ahead;
    if (target < 0) continue;
    while (places[head & mask]! < target - behind) head++;
    out[target] = queue[head & mask]!;
  }
}

/** The remainder that is never negative. */
function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}

/** Seconds that a ring runs before its own round, so that the release has settled: eight times the longest time constant. */
const SETTLING_S = 4;

/** Two-speed release in place; on a ring it begins from where the rounds before would have left it. */
function release(held: Float32Array, pace: Pace, cell_rate: number, ring: boolean): void {
  const fast = Math.exp(-1 / (pace.release_s * cell_rate));
  const rise = Math.exp(-1 / (pace.mean_rise_s * cell_rate));
  const fall = Math.exp(-1 / (pace.mean_fall_s * cell_rate));
  let mean = 0;
  let reduction = 0;
  const rounds = ring ? 1 + Math.ceil((SETTLING_S * cell_rate) / held.length) : 1;
  for (let round = 1; round <= rounds; round++) {
    for (let cell = 0; cell < held.length; cell++) {
      const needed = held[cell]!;
      mean = needed + (mean - needed) * (needed > mean ? rise : fall);
      const rest = Math.min(mean, reduction);
      reduction = Math.max(needed, rest + (reduction - rest) * fast);
      // A reduction of a millionth of a dB is none: the curve rests at exactly 1 there.
      if (reduction < 1e-6) reduction = 0;
      if (round === rounds) held[cell] = reduction;
    }
  }
}

/** Hann-weighted mean of the reductions over the attack window, as gains, into `out`. */
function smooth(reduction: Float32Array, attack: number, ring: boolean, out: Float32Array): void {
  const count = reduction.length;
  const weights = new Float64Array(2 * attack + 1);
  let sum = 0;
  for (let k = 0; k < weights.length; k++) {
    weights[k] = Math.cos((Math.PI / 2) * ((k - attack) / (attack + 1))) ** 2;
    sum += weights[k]!;
  }
  let active = -1;
  for (let cell = -attack; cell < count; cell++) {
    // The last cell ahead that is not at rest; where there is none in the window, the gain is 1.
    const ahead = cell + attack;
    const entering = ring ? reduction[modulo(ahead, count)]! : (reduction[Math.min(count - 1, ahead)] ?? 0);
    if (entering > 0) active = ahead;
    if (cell < 0) continue;
    if (active < cell - attack) {
      out[cell] = 1;
      continue;
    }
    let mean = 0;
    for (let k = 0; k < weights.length; k++) {
      const place = cell + k - attack;
      const value = ring ? reduction[modulo(place, count)]! : reduction[Math.max(0, Math.min(count - 1, place))]!;
      mean += weights[k]! * value;
    }
    out[cell] = 10 ** (-mean / (20 * sum));
  }
}
