import {
  COARSE_BOUND,
  coarsePoints,
  EXACT_REACH,
  exactPoint,
  FINE_PHASES,
  finePoint,
  PHASES,
} from "./interpolation.ts";
import { Sliding } from "./sliding.ts";

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
  readonly #grid = new Float64Array(3);
  readonly #bends = new Float64Array(1024);
  #peak = 0;

  /** @param before what precedes the first sample on a ring: its last `TruePeakMeter.context` samples; silence where absent */
  constructor(channels: number, before?: readonly Float32Array[]) {
    this.#silence = Array.from({ length: channels }, () => new Float32Array(MARGIN));
    this.#sliding = new Sliding(channels, REACH, (buffers, first, last) => {
      for (const buffer of buffers) this.#look(buffer, first, last);
    });
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
    this.#peak = Math.max(this.#peak, largest(x, first, last)); // NaN stays NaN
    if (Number.isNaN(this.#peak) || this.#peak === 0) return;
    const seen: Place[] = [];
    eachCandidate(
      x,
      first,
      last,
      this.#bends,
      COARSE_BOUND + COARSE_DEFICIT,
      () => this.#peak,
      (n, bend) => {
        const place = coarseTop(x, n, this.#grid);
        const most = place.value + COARSE_DEFICIT * bend;
        if (most >= this.#peak) seen.push({ ...place, most, bend });
      },
    );
    const climbed = highest(seen, COARSE_MOST).map((place) => climb(x, place));
    for (const { n, offset, most } of highest(climbed, FINE_MOST)) {
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

/** The `count` places that may be the highest, highest first. */
function highest(places: Place[], count: number): Place[] {
  return places.sort((a, b) => b.most - a.most).slice(0, count);
}

/** The highest of the coarse points from x[n] to x[n+1]. */
function coarseTop(x: Float32Array, n: number, grid: Float64Array): { n: number; offset: number; value: number } {
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
  return { n, offset: at / PHASES, value };
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

/**
 * Calls `candidate` for each interval [n, n+1) that may hold a value of at least `threshold()`: those where
 * `max(|x[n]|, |x[n+1]|) + bound * bend` reaches it, `bend` being the largest second difference nearby.
 * `threshold` is asked anew for each cell, so it may rise on the way.
 */
export function eachCandidate(
  x: Float32Array,
  first: number,
  last: number,
  bends: Float64Array,
  bound: number,
  threshold: () => number,
  candidate: (n: number, bend: number) => void,
): void {
  const cells = Math.ceil((last - first) / CELL);
  // Cell 0 is the one before the stretch, so that the taps to the left are covered too.
  for (let cell = 0; cell < cells + 2; cell++) {
    const from = first + (cell - 1) * CELL;
    bends[cell] = largestBend(x, from, from + CELL);
  }
  for (let cell = 0; cell < cells; cell++) {
    const from = first + cell * CELL;
    const to = Math.min(last, from + CELL);
    const bend = Math.max(bends[cell]!, bends[cell + 1]!, bends[cell + 2]!);
    const least = threshold() - bound * bend;
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

function largest(x: Float32Array, from: number, to: number): number {
  let peak = 0;
  let finite = 0;
  for (let n = from; n < to; n++) {
    const value = Math.abs(x[n]!);
    if (value > peak) peak = value;
    finite += value * 0;
  }
  return finite === 0 ? peak : Number.NaN;
}

function largestBend(x: Float32Array, from: number, to: number): number {
  let bend = 0;
  let before = x[from - 1]!;
  let here = x[from]!;
  for (let n = from; n < to; n++) {
    const after = x[n + 1]!;
    const value = Math.abs(before - 2 * here + after);
    if (value > bend) bend = value;
    before = here;
    here = after;
  }
  return bend;
}
