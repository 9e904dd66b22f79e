import { arena } from "./arena.ts";
import { COARSE_REACH, coarsePoints, coarseTaps, PHASES } from "./interpolation.ts";

/** The grid points of a run of intervals, all at once: by the kernel in float32, so within 1e-6 of `coarsePoints`, or by that itself. */
export class CoarseGrid {
  readonly first = new Float32Array(RUN);
  readonly second = new Float32Array(RUN);
  readonly third = new Float32Array(RUN);
  readonly #grid = new Float64Array(PHASES - 1);

  /** Points 1/4, 2/4 and 3/4 between `x[n + i]` and the next, i from 0 to `count` - 1; `count` is at most `CoarseGrid.run`. */
  of(x: Float32Array, n: number, count: number): void {
    const start = n - COARSE_REACH + 1;
    const memory = arena(BYTES);
    if (memory === undefined || start + SAMPLES > x.length) {
      for (let i = 0; i < count; i++) {
        coarsePoints(x, n + i, this.#grid);
        this.first[i] = this.#grid[0]!;
        this.second[i] = this.#grid[1]!;
        this.third[i] = this.#grid[2]!;
      }
      return;
    }
    const { kernels, address } = memory;
    taps32 ??= Float32Array.from(coarseTaps());
    memory.floats(0, taps32.length).set(taps32);
    memory.floats(INPUT, SAMPLES).set(x.subarray(start, start + SAMPLES));
    kernels.coarseGrid(address + INPUT, RUN, address, address + OUTPUT);
    const out = memory.floats(OUTPUT, 3 * RUN);
    this.first.set(out.subarray(0, RUN));
    this.second.set(out.subarray(RUN, 2 * RUN));
    this.third.set(out.subarray(2 * RUN));
  }

  static readonly run = 32;
}

const RUN = 32;
const SAMPLES = RUN + 2 * COARSE_REACH - 1;
const INPUT = 4 * (PHASES - 1) * 2 * COARSE_REACH;
const OUTPUT = INPUT + 4 * (SAMPLES + 1);
const BYTES = OUTPUT + 4 * 3 * RUN;

let taps32: Float32Array | undefined;
