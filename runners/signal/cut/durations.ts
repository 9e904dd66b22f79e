import type { Frame } from "./endings.ts";

/** A join may move by this much when it is aligned; the plan leaves room for it. Seconds. */
const ROOM = 0.07;
/** The promise, seconds. */
const TOLERANCE = 1;

/** Cost of an output that is `error` seconds too long (negative: too short). Infinity outside the promise. */
export function durationCost(error: number): number {
  const off = Math.abs(error);
  if (off > TOLERANCE - ROOM) return Number.POSITIVE_INFINITY;
  if (off <= 0.5 - ROOM) return 0.12 * (off / 0.5) ** 2;
  // Half a second is what nobody minds; beyond, each tenth counts.
  return 0.8 + 0.8 * ((off - 0.5) / 0.5);
}

/** The best beginning and ending for every base length, so that the search need not try them. */
export class Framing {
  readonly frames: readonly Frame[];
  /** Lengths that can be mended: base length minus target, seconds. */
  readonly error_min: number;
  readonly error_max: number;
  readonly #costs: Float32Array;
  readonly #choices: Int32Array;

  /** @param frames the first is the source's own, which the base length is counted with */
  constructor(frames: readonly Frame[]) {
    this.frames = frames;
    const natural = lengthOf(frames[0]!);
    const shifts = frames.map((frame) => lengthOf(frame) - natural);
    this.error_min = -TOLERANCE - Math.max(...shifts);
    this.error_max = TOLERANCE - Math.min(...shifts);
    const steps = Math.ceil((this.error_max - this.error_min) / STEP) + 1;
    this.#costs = new Float32Array(steps).fill(Number.POSITIVE_INFINITY);
    this.#choices = new Int32Array(steps);
    for (let step = 0; step < steps; step++) {
      const base = this.error_min + step * STEP;
      for (const [index, shift] of shifts.entries()) {
        const cost = frames[index]!.cost + durationCost(base + shift);
        if (cost < this.#costs[step]!) {
          this.#costs[step] = cost;
          this.#choices[step] = index;
        }
      }
    }
  }

  /** @param error length with the source's own beginning and ending, minus target, seconds */
  cost(error: number): number {
    const step = Math.round((error - this.error_min) / STEP);
    return this.#costs[step] ?? Number.POSITIVE_INFINITY;
  }

  /** The frame behind `cost(error)`; meaningless where that is Infinity. */
  choose(error: number): Frame {
    const step = Math.round((error - this.error_min) / STEP);
    return this.frames[this.#choices[step] ?? 0]!;
  }
}

/** Grid of lengths, seconds. */
const STEP = 0.02;

function lengthOf({ start, end }: Frame): number {
  return end - start;
}
