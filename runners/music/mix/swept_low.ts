import { STEP } from "../../signal/dsp/control.ts";
import { warp } from "../../signal/dsp/exact.ts";
import { RATE } from "./channel.ts";
import { wrap } from "./frames.ts";
import type { Sweep } from "./gestures.ts";
import { BLOCK } from "./steps.ts";

/** A low-pass of 12 dB an octave whose cut-off moves, blended with what came in (V. Zavalishin's state-variable form). */
export class SweptLow {
  #ic1 = 0;
  #ic2 = 0;

  clear(): void {
    this.#ic1 = 0;
    this.#ic2 = 0;
  }

  /** In place; `at` may lie before a ring's first frame. */
  run(samples: Float64Array, count: number, { cutoff, wet }: Sweep, at: number, frames: number): void {
    const k = 1.2;
    const steps = cutoff.length;
    if (isDry(wet, Math.floor(wrap(at, frames) / STEP))) {
      this.clear();
      return;
    }
    let ic1 = this.#ic1;
    let ic2 = this.#ic2;
    for (let from = 0; from < count; from += STEP) {
      const step = Math.floor(wrap(at + from, frames) / STEP);
      const next = step + 1 < steps ? step + 1 : step;
      const share = wet[step]!;
      const slope = (wet[next]! - share) / STEP;
      const g = warp(Math.min(0.46, cutoff[step]! / RATE));
      const a1 = 1 / (1 + g * (g + k));
      const a2 = g * a1;
      const a3 = g * a2;
      const end = Math.min(count, from + STEP);
      for (let n = from; n < end; n++) {
        const v0 = samples[n]!;
        const v3 = v0 - ic2;
        const v1 = a1 * ic1 + a2 * v3;
        const v2 = ic2 + a2 * ic1 + a3 * v3;
        ic1 = 2 * v1 - ic1;
        ic2 = 2 * v2 - ic2;
        samples[n] = v0 + (share + slope * (n - from)) * (v2 - v0);
      }
    }
    this.#ic1 = ic1;
    this.#ic2 = ic2;
  }
}

/**
 * Whether nothing of this block and the next is filtered: a block before its turn the filter runs, so that its memory
 * is what it would be.
 */
function isDry(wet: Float32Array, first: number): boolean {
  for (let n = 0; n < (2 * BLOCK) / STEP; n++) if (wet[(first + n) % wet.length] !== 0) return false;
  return true;
}
