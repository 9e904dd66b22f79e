import { kernelsAllowed } from "./arena.ts";
import { simd } from "./simd.ts";

/** Frames that are handed over at once, and that the kernel works on at once. */
const RUN = 1024;
export const HOLD = 64;
const OUT = 8 * RUN;
const BASE = 16 * RUN;
/** Of what does not change and of the damping's state, in bytes: see assembly/hall.ts. */
const HEAD = 384;
/** After each line, so that lines do not lie a power of two apart. */
const GAP = 192;
/** Damping and gains lie in this order of the lines. */
const PAIRS = [0, 2, 1, 3, 4, 6, 5, 7] as const;

export interface HallPlan {
  readonly lengths: Int32Array;
  readonly inner: Int32Array;
  /** Four of the left, four of the right. */
  readonly diffuse: Int32Array;
  /** Six of the left, six of the right. */
  readonly taps: Int32Array;
  readonly gains: Float64Array;
  readonly predelay: number;
  /** Powers of two: frames of a line and of the past of the input. */
  readonly size: number;
  readonly span: number;
  readonly through: number;
  readonly early: number;
}

/** Where the hall that plays at the moment has its memory; who played before takes it along. */
let address = 0;
let room = 0;
let owner: HallKernel | undefined;

/** The memory of one hall. A thread has one place for it in the kernels' memory: halls that take turns pay for the move. */
export class HallKernel {
  readonly #plan: HallPlan;
  readonly #bytes: number;
  #kept: Uint8Array | undefined;
  readonly #starts = new Float64Array(8);

  /** Undefined where the kernels cannot run. */
  static create(plan: HallPlan): HallKernel | undefined {
    return kernelsAllowed() && simd() !== undefined ? new HallKernel(plan) : undefined;
  }

  private constructor(plan: HallPlan) {
    this.#plan = plan;
    this.#bytes = BASE + HEAD + 16 * (8 * plan.size + GAP) + 8 * (8 * 512 + GAP) + 16 * plan.span;
  }

  clear(): void {
    this.#kept = undefined;
    if (owner === this) owner = undefined;
  }

  /**
   * In place.
   *
   * @param offset how far line 2 · `which` is longer than written at a frame
   */
  run(
    left: Float64Array,
    right: Float64Array,
    count: number,
    frame: number,
    scale: number,
    offset: (which: number, frame: number) => number,
  ): void {
    const kernels = simd()!;
    this.#enter();
    const memory = kernels.memory.buffer;
    const one = new Float64Array(memory, address, RUN);
    const two = new Float64Array(memory, address + OUT, RUN);
    const head = new Float64Array(memory, address + BASE, HEAD / 8);
    head[18] = scale;
    const starts = this.#starts;
    for (let from = 0; from < count; from += RUN) {
      const length = Math.min(RUN, count - from);
      one.set(left.subarray(from, from + length));
      two.set(right.subarray(from, from + length));
      for (let at = 0; at < length; at += HOLD) {
        const first = frame + from + at;
        for (let which = 0; which < 4; which++) {
          const written = this.#plan.lengths[2 * which]!;
          const start = written + offset(which, first);
          starts[which] = start;
          starts[4 + which] = (written + offset(which, first + HOLD) - start) / HOLD;
        }
        head.set(starts, 40);
        kernels.hall(address + BASE, address + 8 * at, address + OUT + 8 * at, Math.min(HOLD, length - at), first);
      }
      left.set(one.subarray(0, length), from);
      right.set(two.subarray(0, length), from);
    }
  }

  #enter(): void {
    if (owner === this) return;
    const kernels = simd()!;
    if (owner !== undefined) owner.#kept = new Uint8Array(kernels.memory.buffer).slice(address, address + owner.#bytes);
    if (room < this.#bytes) {
      room = this.#bytes;
      address = kernels.reserve(room);
    }
    owner = this;
    const bytes = new Uint8Array(kernels.memory.buffer, address, this.#bytes);
    if (this.#kept === undefined) this.#settle(bytes);
    else bytes.set(this.#kept);
    this.#kept = undefined;
  }

  #settle(bytes: Uint8Array): void {
    bytes.fill(0);
    const { lengths, inner, diffuse, taps, gains, predelay, size, span, through, early } = this.#plan;
    const doubles = new Float64Array(bytes.buffer, bytes.byteOffset + BASE, HEAD / 8);
    const integers = new Int32Array(bytes.buffer, bytes.byteOffset + BASE, HEAD / 4);
    for (const [place, line] of PAIRS.entries()) doubles[8 + place] = gains[line]!;
    doubles[16] = through;
    doubles[17] = early;
    integers.set(lengths, 40);
    integers.set(inner, 48);
    integers.set(diffuse, 56);
    integers.set(taps, 64);
    integers.set([predelay, size - 1, span - 1], 76);
  }
}
