import type { Arena } from "./arena.ts";
import { CoarseGrid } from "./coarse_grid.ts";
import { HannMean } from "./hann.ts";
import { COARSE_BOUND, COARSE_REACH } from "./interpolation.ts";
import { Sliding } from "./sliding.ts";
import { apex, eachRun, Relief } from "./true_peak.ts";

/**
 * A look-ahead true-peak limiter in two steps, for sound that is all there: `PeakMap` finds the peaks between the samples once,
 * `limiterGain` turns them into a gain curve for any drive. The curve moves before the peak comes, so the result has no delay.
 *
 * Both work on cells of about `CELL` samples; `GainCurve` joins the cells to a smooth gain for each sample.
 */
export const CELL = 15;

/** Cells of the longest sound that has the finest: 47 min at 44.1 kHz. Several numbers are kept for each. */
const CELLS_MAX = 2 ** 23;

/** Samples in a cell: `CELL`, and twice or four times as many in what is so long that its cells would fill memory. */
export function cellFor(frames: number): number {
  let cell = CELL;
  while (frames > cell * CELLS_MAX) cell *= 2;
  return cell;
}

/** Largest true peak in each cell, over all channels; 0 where it stays under the threshold. */
export class PeakMap {
  /** Cells in one sample; on a ring the cells divide it evenly. */
  readonly cells_per_sample: number;
  /** Samples in a cell, about. */
  readonly cell: number;
  readonly peaks: Float32Array;
  readonly ring: boolean;
  readonly #frames: number;
  readonly #sliding: Sliding;

  /**
   * @param threshold amplitude; peaks below it are not looked for
   * @param before on a ring, its last `PeakMap.context` samples
   */
  constructor(channels: number, frames: number, threshold: number, before?: readonly Float32Array[]) {
    this.cell = cellFor(frames);
    const cells = Math.max(1, Math.ceil(frames / this.cell));
    this.ring = before !== undefined;
    this.#frames = frames;
    this.cells_per_sample = this.ring ? cells / frames : 1 / this.cell;
    this.peaks = new Float32Array(cells);
    const relief = new Relief();
    const grid = new CoarseGrid();
    this.#sliding = new Sliding(channels, PeakMap.context, (buffers, first, last, position) => {
      for (const x of buffers) {
        relief.survey(x, first, last);
        eachRun(first, last, CoarseGrid.run, relief, COARSE_BOUND, threshold, (from, to, least) => {
          grid.of(x, from, to - from);
          this.#markRun(x, from, to, position - first, Math.max(least, 1e-9), threshold, grid);
        });
      }
    });
    if (before !== undefined) this.#sliding.prime(before);
  }

  /** Samples of context on a ring: a run of the survey, and the taps beyond it. */
  static readonly context = 4 * COARSE_REACH;

  push(channels: readonly Float32Array[], from = 0, to = channels[0]?.length ?? 0): void {
    this.#sliding.push(channels, from, to);
  }

  finish(after?: readonly Float32Array[]): void {
    this.#sliding.flush(after);
  }

  /**
   * Peaks of the intervals `from` to `to`, where one of its samples reaches `least`. An interval belongs to the cells
   * of both its samples.
   */
  #markRun(
    x: Float32Array,
    from: number,
    to: number,
    offset: number,
    least: number,
    threshold: number,
    grid: CoarseGrid,
  ): void {
    let cell = this.#cellOf(from + offset);
    let previous = Math.abs(x[from]!);
    for (let n = from; n < to; n++) {
      const next = Math.abs(x[n + 1]!);
      const beside = this.#cellOf(n + 1 + offset);
      if (previous >= least || next >= least) {
        const i = n - from;
        const peak = highestOf(previous, grid.at(1, i), grid.at(2, i), grid.at(3, i), next);
        if (peak >= threshold) {
          if (this.peaks[cell]! < peak) this.peaks[cell] = peak;
          if (this.peaks[beside]! < peak) this.peaks[beside] = peak;
        }
      }
      previous = next;
      cell = beside;
    }
  }

  #cellOf(sample: number): number {
    const inside = sample < this.#frames ? sample : this.ring ? 0 : this.#frames - 1;
    return Math.min(this.peaks.length - 1, Math.floor((inside + 0.5) * this.cells_per_sample));
  }
}

/** How fast the gain moves. The peaks are met at any pace; a faster one gives way less around them, and bends the wave more. */
export interface Pace {
  /** Half the length of the smoothing window, in cells of `CELL` samples: the attack takes twice as many. */
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
  readonly #means: (HannMean | undefined)[] = [];
  readonly #room: Float32Array<ArrayBuffer>;

  constructor(cells: number) {
    this.needed = new Float32Array(cells);
    this.held = new Float32Array(cells);
    this.#room = new Float32Array(cells + 2 * Math.max(...PACES.map(({ attack_cells }) => attack_cells)));
  }

  /** All but the gains that were returned last. */
  get spare(): readonly Float32Array<ArrayBufferLike>[] {
    return [this.held, this.#room];
  }

  mean(reach: number, ring: boolean): HannMean {
    const count = this.held.length;
    const room = count + 2 * reach <= this.#room.length ? this.#room : undefined;
    const mean = this.#means[reach] ?? new HannMean(count, reach, ring, room);
    this.#means[reach] = mean;
    return mean;
  }
}

/**
 * Gain for each cell (amplitude, at most 1) so that no peak of `map` times `drive` passes `ceiling`; undefined where none would.
 *
 * Reduction in dB → widest over hold and look-ahead → two-speed release → Hann smoothing. Each step stays at or above the
 * reduction that is needed, so the peaks are met whatever the time constants.
 *
 * @param before gains that each cell has had already, slow ones; they are part of the result
 */
export function limiterGain(
  map: PeakMap,
  drive: number,
  ceiling: number,
  sample_rate: number,
  pace: Pace = PACES[0]!,
  scratch: LimiterScratch = new LimiterScratch(map.peaks.length),
  before?: Float32Array,
): Float32Array | undefined {
  const { needed, held } = scratch;
  if (!need(map.peaks, drive / ceiling, before, needed)) return before;
  const { ring } = map;
  const cell_rate = sample_rate * map.cells_per_sample;
  const reach = Math.round((pace.attack_cells * CELL) / map.cell);
  // Two cells more than the window: the curve of a sample draws on two cells to either side.
  const ahead = reach + 2;
  const behind = Math.max(ahead, Math.round(pace.hold_s * cell_rate));
  slidingMaximum(needed, behind, ahead, ring, held);
  release(held, pace, cell_rate, ring);
  scratch.mean(reach, ring).of(held, needed);
  for (let cell = 0; cell < needed.length; cell++) {
    const reduction = needed[cell]!;
    const gain = reduction === 0 ? 1 : Math.exp((-Math.LN10 / 20) * reduction);
    needed[cell] = before === undefined ? gain : gain * before[cell]!;
  }
  return needed;
}

/** dB by which each cell's peak is over, 0 where it is not; false where none is. */
function need(peaks: Float32Array, factor: number, before: Float32Array | undefined, out: Float32Array): boolean {
  let any = false;
  const last = peaks.length - 1;
  for (let cell = 0; cell < peaks.length; cell++) {
    let over = peaks[cell]! * factor;
    // The curve of a sample draws on two cells to either side.
    if (before !== undefined)
      over *= Math.max(before[Math.max(0, cell - 2)]!, before[cell]!, before[Math.min(last, cell + 2)]!);
    if (over > 1) {
      out[cell] = 20 * Math.log10(over);
      any = true;
    } else out[cell] = 0;
  }
  return any;
}

/** Gain for each sample from the cells' gains: a cubic B-spline, so a mean of at most four neighbours that never exceeds them. */
export class GainCurve {
  /** One for each cell. */
  readonly gains: Float32Array;
  readonly #cells_per_sample: number;
  readonly #ring: boolean;

  constructor(gains: Float32Array, map: PeakMap) {
    this.gains = gains;
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

  /**
   * The same by the kernel: the gains of `count` samples to `offset` bytes from the arena's start, the cells that they come of behind.
   * Returns whether any cell is not 1: where none is, no gain is.
   */
  fillByKernel(from: number, count: number, memory: Arena, offset: number): boolean {
    const step = this.#cells_per_sample;
    const first = Math.floor((from + 0.5) * step - 0.5) - 1;
    const last = Math.floor((from + count - 0.5) * step - 0.5) + 2;
    const cells = memory.floats(offset + 8 * (count + 1), last - first + 1);
    if (first >= 0 && last < this.gains.length) cells.set(this.gains.subarray(first, last + 1));
    else for (let cell = first; cell <= last; cell++) cells[cell - first] = this.#at(cell);
    const { kernels, address } = memory;
    const out = address + offset;
    return kernels.gainCurve(out + 8 * (count + 1), first, from, count, step, out) !== 0;
  }

  /** Bytes that `fillByKernel` needs from its offset on. */
  bytesFor(count: number): number {
    return 8 * (count + 1) + 4 * (Math.ceil(count * this.#cells_per_sample) + 6);
  }

  /** Squared gain at the middle of each run of `samples`, times `factor`, into `out`. */
  power(samples: number, factor: number, out: Float32Array): void {
    const gains = this.gains;
    const last = gains.length - 1;
    const per_run = samples * this.#cells_per_sample;
    for (let run = 0; run < out.length; run++) {
      const gain = gains[Math.min(last, Math.floor((run + 0.5) * per_run))]!;
      out[run] = factor * gain * gain;
    }
  }

  #at(cell: number): number {
    const cells = this.gains.length;
    if (this.#ring) return this.gains[modulo(cell, cells)]!;
    return this.gains[Math.max(0, Math.min(cells - 1, cell))]!;
  }
}

/** Largest magnitude of five points in a row, with the top of a parabola where one of the inner ones is highest. */
function highestOf(before: number, first: number, second: number, third: number, after: number): number {
  const a = Math.abs(first);
  const b = Math.abs(second);
  const c = Math.abs(third);
  let peak = Math.max(before, a, b, c, after);
  if (a >= before && a >= b) peak = Math.max(peak, apex(before, a, b));
  if (b >= a && b >= c) peak = Math.max(peak, apex(a, b, c));
  if (c >= b && c >= after) peak = Math.max(peak, apex(b, c, after));
  return peak;
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
