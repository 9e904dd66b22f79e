/** What a block of samples is by steps: its peaks and its powers. */
import { STEP } from "../../signal/dsp/control.ts";

/** Frames worked on at once; a multiple of STEP. */
export const BLOCK = 1024;
/** Largest magnitude of each step into `out` from `first` on. */
export function peaksOf(
  left: Float64Array,
  right: Float64Array | undefined,
  count: number,
  out: Float32Array,
  first: number,
): void {
  for (let from = 0, step = first; from < count; from += STEP, step++) {
    const end = Math.min(count, from + STEP);
    let most = 0;
    // Not Math.max, which also looks for what is no number and for the sign of zero; neither is here (`#load`).
    for (let n = from; n < end; n++) {
      const size = Math.abs(left[n]!);
      if (size > most) most = size;
    }
    if (right !== undefined)
      for (let n = from; n < end; n++) {
        const size = Math.abs(right[n]!);
        if (size > most) most = size;
      }
    out[step] = most;
  }
}

/** Mean square of each step, summed over channels, into `out` from `first` on. */
export function powersOf(
  left: Float64Array,
  right: Float64Array | undefined,
  count: number,
  out: Float32Array,
  first: number,
): void {
  for (let from = 0, step = first; from < count; from += STEP, step++) {
    const end = Math.min(count, from + STEP);
    let sum = 0;
    for (let n = from; n < end; n++) sum += left[n]! * left[n]!;
    if (right !== undefined) for (let n = from; n < end; n++) sum += right[n]! * right[n]!;
    out[step] = sum / (end - from);
  }
}
