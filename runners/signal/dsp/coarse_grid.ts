import { type Arena, arena } from "./arena.ts";
import { COARSE_REACH, coarsePoints, coarseTaps, PHASES } from "./interpolation.ts";

/** Intervals that are worked on at once, at most. */
const RUN = 512;
const TAPS = (PHASES - 1) * 2 * COARSE_REACH;
const SAMPLES = RUN + 2 * COARSE_REACH;
/** Where the kernel finds samples and leaves points, in bytes from the arena's start; taps come before. */
const INPUT = 4 * TAPS;
const OUTPUT = INPUT + 4 * SAMPLES;
const BYTES = OUTPUT + 4 * 3 * RUN;

/** The grid points of a run of intervals, all at once: by the kernel in float32, so within 1e-6 of `coarsePoints`, or by that itself. */
export class CoarseGrid {
  static readonly run = RUN;
  readonly #grid = new Float64Array(PHASES - 1);
  #memory: Arena | undefined;
  #taps: Float32Array = new Float32Array(0);
  #input: Float32Array = new Float32Array(0);
  #points: Float32Array = new Float32Array(3 * RUN);
  #stride = RUN;

  /** Points 1/4, 2/4 and 3/4 between `x[n + i]` and the next, i from 0 to `count` - 1; `count` is at most `CoarseGrid.run`. */
  of(x: Float32Array, n: number, count: number): void {
    const start = n - COARSE_REACH + 1;
    const stride = (count + 7) & ~7;
    const end = start + stride + 2 * COARSE_REACH - 1;
    const memory = end > x.length ? undefined : arena(BYTES);
    this.#stride = stride;
    if (memory === undefined) {
      this.#ofPlainly(x, n, count);
      return;
    }
    if (memory !== this.#memory) this.#view(memory);
    taps ??= Float32Array.from(coarseTaps());
    this.#taps.set(taps);
    this.#input.set(x.subarray(start, end));
    memory.kernels.coarseGrid(memory.address + INPUT, stride, memory.address, memory.address + OUTPUT);
  }

  /** Point `phase` (1 to 3) after `x[n + i]` of the last run; good until anyone's next use of the arena. */
  at(phase: number, i: number): number {
    return this.#points[(phase - 1) * this.#stride + i]!;
  }

  #ofPlainly(x: Float32Array, n: number, count: number): void {
    if (this.#memory !== undefined) {
      this.#memory = undefined;
      this.#points = new Float32Array(3 * RUN);
    }
    for (let i = 0; i < count; i++) {
      coarsePoints(x, n + i, this.#grid);
      for (let phase = 0; phase < 3; phase++) this.#points[phase * this.#stride + i] = this.#grid[phase]!;
    }
  }

  #view(memory: Arena): void {
    this.#memory = memory;
    this.#taps = memory.floats(0, TAPS);
    this.#input = memory.floats(INPUT, SAMPLES);
    this.#points = memory.floats(OUTPUT, 3 * RUN);
  }
}

let taps: Float32Array | undefined;
