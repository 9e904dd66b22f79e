/**
 * State-variable filter in topology-preserving form (V. Zavalishin, The Art of VA Filter Design, ch. 4): stable and free of zipper noise
 * while its cut-off moves.
 */
import { type Control, STEP } from "./control.ts";
import { warp } from "./exact.ts";

export type Pass = "low" | "band" | "high";

/**
 * Filters in place, 12 dB an octave (6 either side for `band`, whose peak gain is 1).
 *
 * @param cutoff Hz, 5 to 0.46 of the rate; clamped
 * @param q resonance; 0.707 is maximally flat
 */
export function svf(
  samples: Float32Array,
  rate: number,
  pass: Pass,
  cutoff: number | Control,
  q = Math.SQRT1_2,
): Float32Array {
  const moving = typeof cutoff !== "number";
  const k = 1 / q;
  const frames = samples.length;
  const low = pass === "low" ? 1 : 0;
  const band = pass === "band" ? k : pass === "high" ? -k : 0;
  const direct = pass === "high" ? 1 : 0;
  const from_low = pass === "high" ? -1 : low;
  let ic1 = 0;
  let ic2 = 0;
  let a1 = 0;
  let a2 = 0;
  let a3 = 0;
  for (let at = 0, block = 0; at < frames; at += STEP, block++) {
    if (moving || at === 0) {
      const hertz = moving ? cutoff[block]! : cutoff;
      const g = warp(Math.min(0.46, Math.max(5 / rate, hertz / rate)));
      a1 = 1 / (1 + g * (g + k));
      a2 = g * a1;
      a3 = g * a2;
    }
    const end = Math.min(frames, at + STEP);
    for (let n = at; n < end; n++) {
      const v0 = samples[n]!;
      const v3 = v0 - ic2;
      const v1 = a1 * ic1 + a2 * v3;
      const v2 = ic2 + a2 * ic1 + a3 * v3;
      ic1 = 2 * v1 - ic1;
      ic2 = 2 * v2 - ic2;
      samples[n] = direct * v0 + band * v1 + from_low * v2;
    }
  }
  return samples;
}
