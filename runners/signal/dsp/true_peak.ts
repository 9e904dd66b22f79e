import { type Arena, arena } from "./arena.ts";
import {
  COARSE_BOUND,
  coarsePoints,
  EXACT_REACH,
  exactPoint,
  FINE_PHASES,
  finePoint,
  PHASES,
} from "./interpolation.ts";
import { Sliding, type Visit } from "./sliding.ts";

/** Samples that share one look at their second differences; above `COARSE_REACH`, so that neighbours cover the taps. */
const CELL = 32;

/** The same for the fine grid, which still lets go of the last 100 Hz: a third of this was the most that noise showed. */
const FINE_DEFICIT = 0.01;

/**
 * Places that are looked at closer in each stretch of 8,192 samples. Only steady tones have more that are worth it, and there one is
 * like another; without a limit ten minutes of them would take as long.
 */
const COARSE_MOST = 64;
const FINE_MOST = 16;

/** Context of an interval: the exact taps, and a step of the climb to either side. */
const REACH = EXACT_REACH + 2;

/** Samples of silence before and after that are looked at too: an abrupt edge swings out beyond itself. */
const MARGIN = 8;

/**
 * How far below the true peak the coarse grid can read, per unit of second difference: a quarter-sample grid misses at most
 * 8 % of a tone at half the sample rate, whose second difference is 4, and the coarse taps lose as much again above 20 kHz.
 */
const COARSE_DEFICIT = 0.06;

/**
 * The true peak of ITU-R BS.1770-4 annex 2, as an amplitude: the largest magnitude of the band-limited signal between the samples.
 *
 * A 4x grid (48 taps) finds where the peak may be, a 1,024-tap interpolator climbs to its top on 64 positions per sample, and where
 * that comes near the highest so far 8,192 taps say how high it is. So it does not under-read near half the sample rate as a 4x
 * meter does, and costs less, for most of the signal is never interpolated at all.
 * NaN where a sample was not finite.
 */
export class TruePeakMeter {
  /** Samples of context that the constructor and `finish` take from a ring. */
  static readonly context = REACH;
  readonly #sliding: Sliding;
  readonly #silence: readonly Float32Array[];
  readonly #grid = new Float64Array(4);
  readonly #relief = new Relief();
  #peak = 0;

  /**
   * @param before what precedes the first sample on a ring: its last `TruePeakMeter.context` samples; silence where absent
   * @param size samples that are gathered before they are looked at, for what is short
   */
  constructor(channels: number, before?: readonly Float32Array[], size?: number) {
    this.#silence = Array.from({ length: channels }, () => new Float32Array(MARGIN));
    const visit: Visit = (buffers, first, last) => {
      for (const buffer of buffers) this.#look(buffer, first, last);
    };
    this.#sliding = new Sliding(channels, REACH, visit, size);
    if (before === undefined) this.#sliding.push(this.#silence, 0, MARGIN);
    else this.#sliding.prime(before);
  }

  push(channels: readonly Float32Array[], from = 0, to = channels[0]?.length ?? 0): void {
    this.#sliding.push(channels, from, to);
  }

  /** The peak of all that was pushed; 1 is full scale. `after` follows on a ring: its first samples; silence where absent. */
  finish(after?: readonly Float32Array[]): number {
    if (after === undefined) this.#sliding.push(this.#silence, 0, MARGIN);
    this.#sliding.flush(after);
    return this.#peak;
  }

  #look(x: Float32Array, first: number, last: number): void {
    this.#peak = Math.max(this.#peak, this.#relief.survey(x, first, last)); // NaN stays NaN
    if (Number.isNaN(this.#peak) || this.#peak === 0) return;
    const seen: Place[] = [];
    eachCandidate(
      x,
      first,
      last,
      this.#relief,
      COARSE_BOUND + COARSE_DEFICIT,
      () => (seen.length < COARSE_MOST ? this.#peak : Math.max(this.#peak, seen[COARSE_MOST - 1]!.most)),
      (n, bend) => {
        const value = coarseTop(x, n, this.#grid);
        const most = value + COARSE_DEFICIT * bend;
        const least = seen.length < COARSE_MOST ? this.#peak : seen[COARSE_MOST - 1]!.most;
        if (most >= least) insert(seen, { n, offset: this.#grid[3]!, value, most, bend }, COARSE_MOST);
      },
    );
    const climbed: Place[] = [];
    let highest = this.#peak;
    for (const place of seen) {
      if (place.most < highest) break;
      const top = climb(x, place);
      // What a place further down may reach at most has to be more than is already there.
      highest = Math.max(highest, top.value);
      insert(climbed, top, FINE_MOST);
    }
    for (const { n, offset, most } of climbed) {
      if (most < this.#peak) break;
      // Next to a sample the peak is the sample, which was looked at before.
      if (offset > 1e-3 && offset < 1 - 1e-3) this.#peak = Math.max(this.#peak, Math.abs(exactPoint(x, n, offset)));
    }
  }
}

/** Something high between x[n] and x[n+1]: how high as seen so far, and how high it may be. `offset` is 0 to 1. */
interface Place {
  readonly n: number;
  readonly offset: number;
  readonly value: number;
  readonly most: number;
  readonly bend: number;
}

/** Keeps the `count` places that may be the highest, highest first. */
function insert(places: Place[], place: Place, count: number): void {
  let at = places.length < count ? places.length : count - 1;
  if (at < places.length && places[at]!.most >= place.most) return;
  for (; at > 0 && places[at - 1]!.most < place.most; at--) places[at] = places[at - 1]!;
  places[at] = place;
}

/** The highest of the coarse points from x[n] to x[n+1]; how far along it lies goes into `grid[3]`. */
function coarseTop(x: Float32Array, n: number, grid: Float64Array): number {
  coarsePoints(x, n, grid);
  let value = Math.abs(x[n]!);
  let at = 0;
  for (let phase = 1; phase <= PHASES; phase++) {
    const here = Math.abs(phase < PHASES ? grid[phase - 1]! : x[n + 1]!);
    if (here > value) {
      value = here;
      at = phase;
    }
  }
  grid[3] = at / PHASES;
  return value;
}

/** Climbs on the fine grid to the top nearby, and takes the top of the parabola there. */
function climb(x: Float32Array, { n, offset, bend }: Place): Place {
  const step = FINE_PHASES / 8;
  let at = offset * FINE_PHASES;
  const sign = finePoint(x, n, at) < 0 ? -1 : 1;
  let before = sign * finePoint(x, n, at - step);
  let top = sign * finePoint(x, n, at);
  let after = sign * finePoint(x, n, at + step);
  for (let steps = 0; steps < 4 && (before > top || after > top); steps++) {
    if (after > before) {
      at += step;
      before = top;
      top = after;
      after = sign * finePoint(x, n, at + step);
    } else {
      at -= step;
      after = top;
      top = before;
      before = sign * finePoint(x, n, at - step);
    }
  }
  // Still on a slope: the top belongs to another interval, and is found from there.
  const topped = before <= top && after <= top;
  const curvature = before - 2 * top + after;
  const place = (at + (topped && curvature < 0 ? (step * (before - after)) / (2 * curvature) : 0)) / FINE_PHASES;
  const whole = Math.floor(place);
  const value = topped ? apex(before, top, after) : top;
  return { n: n + whole, offset: place - whole, value, most: value + FINE_DEFICIT * bend, bend };
}

/** True peak of whole channels, as an amplitude. */
export function truePeak(channels: readonly Float32Array[]): number {
  const meter = new TruePeakMeter(channels.length);
  meter.push(channels);
  return meter.finish();
}

/** What `survey` finds in each run of `CELL` samples, one entry more on each side; grown as needed. */
export class Relief {
  /** Largest magnitude of the cell's samples and of the one that follows. */
  tops = new Float32Array(512);
  /** Largest second difference in the cell. */
  bends = new Float32Array(512);

  /** Looks once at all samples from `first` to `last`; returns the largest magnitude, NaN where one is not finite. */
  survey(x: Float32Array, first: number, last: number): number {
    const cells = Math.ceil((last - first) / CELL);
    if (this.bends.length < cells + 2) {
      this.tops = new Float32Array(2 * cells + 2);
      this.bends = new Float32Array(2 * cells + 2);
    }
    const start = 16 + 8 * (cells + 2);
    const count = (cells + 2) * CELL + 2;
    const memory = first - CELL - 1 + count <= x.length ? arena(start + 4 * count + 16) : undefined;
    return memory === undefined
      ? this.#surveyPlainly(x, first, cells)
      : this.#surveyByKernel(x, first, cells, memory, start);
  }

  #surveyByKernel(x: Float32Array, first: number, cells: number, memory: Arena, start: number): number {
    const count = (cells + 2) * CELL + 2;
    const from = first - CELL - 1;
    const { kernels, address } = memory;
    memory.floats(start, count).set(x.subarray(from, from + count));
    const bends = 4 * (cells + 2);
    const peak = kernels.survey(address + start + 4, cells + 2, address, address + bends);
    this.tops.set(memory.floats(0, cells + 2));
    this.bends.set(memory.floats(bends, cells + 2));
    return Number.isFinite(peak) ? peak : Number.NaN;
  }

  /** The same, to the last bit. */
  #surveyPlainly(x: Float32Array, first: number, cells: number): number {
    let peak = 0;
    let sum = 0;
    // Cell 0 is the one before the stretch, so that the taps to the left are covered too.
    for (let cell = 0; cell < cells + 2; cell++) {
      const from = first + (cell - 1) * CELL;
      let top = 0;
      let bend = 0;
      let before = x[from - 1]!;
      let here = x[from]!;
      for (let n = from + 1; n <= from + CELL; n++) {
        const after = x[n]!;
        const size = Math.abs(here);
        if (size > top) top = size;
        sum += size;
        const curve = Math.abs(Math.fround(Math.fround(before + after) - 2 * here));
        if (curve > bend) bend = curve;
        before = here;
        here = after;
      }
      if (cell > 0 && cell <= cells && top > peak) peak = top;
      this.tops[cell] = Math.max(top, Math.abs(here));
      this.bends[cell] = bend;
    }
    // Cells may reach a little beyond the stretch, which is looked at later in any case.
    return Number.isFinite(sum) ? peak : Number.NaN;
  }
}

/**
 * Calls `visit` for each run of up to `most` intervals, a multiple of `CELL`, of what `relief` has surveyed that may hold a value of at
 * least `threshold`: in them one where no sample reaches `least` does not. That is `threshold - bound * bend`, `bend` being the largest
 * second difference nearby.
 */
export function eachRun(
  first: number,
  last: number,
  most: number,
  relief: Relief,
  bound: number,
  threshold: number,
  visit: (from: number, to: number, least: number) => void,
): void {
  const { tops, bends } = relief;
  const cells = Math.ceil((last - first) / CELL);
  let from = -1;
  let lowest = threshold;
  for (let cell = 0; cell <= cells; cell++) {
    const at = Math.min(last, first + cell * CELL);
    const least =
      cell < cells
        ? threshold - bound * Math.max(bends[cell]!, bends[cell + 1]!, bends[cell + 2]!)
        : Number.POSITIVE_INFINITY;
    const may = cell < cells && tops[cell + 1]! >= least;
    if (from >= 0 && (!may || at - from >= most)) {
      visit(from, at, lowest);
      from = -1;
    }
    if (!may) continue;
    if (from < 0) {
      from = at;
      lowest = least;
    } else lowest = Math.min(lowest, least);
  }
}

/**
 * Calls `candidate` for each interval [n, n+1) of what `relief` has surveyed that may hold a value of at least `threshold()`:
 * those where `max(|x[n]|, |x[n+1]|) + bound * bend` reaches it, `bend` being the largest second difference nearby.
 * `threshold` is asked anew for each cell, so it may rise on the way.
 */
function eachCandidate(
  x: Float32Array,
  first: number,
  last: number,
  relief: Relief,
  bound: number,
  threshold: () => number,
  candidate: (n: number, bend: number) => void,
): void {
  const { tops, bends } = relief;
  const cells = Math.ceil((last - first) / CELL);
  for (let cell = 0; cell < cells; cell++) {
    const bend = Math.max(bends[cell]!, bends[cell + 1]!, bends[cell + 2]!);
    const least = threshold() - bound * bend;
    if (tops[cell + 1]! < least) continue;
    const from = first + cell * CELL;
    const to = Math.min(last, from + CELL);
    let previous = Math.abs(x[from]!);
    for (let n = from; n < to; n++) {
      const next = Math.abs(x[n + 1]!);
      if (previous >= least || next >= least) candidate(n, bend);
      previous = next;
    }
  }
}

/** Top of the parabola through three equally spaced points of which the middle one is the highest. */
export function apex(before: number, top: number, after: number): number {
  const curvature = before - 2 * top + after;
  if (curvature >= 0) return top;
  const slope = after - before;
  return top - (slope * slope) / (8 * curvature);
}
