/**
 * The state-variable low-pass of svf.ts for two channels at once, with the gain after it: one pass over memory, and the channels' chains of
 * dependent operations fill one another's gaps.
 */
import { type Control, STEP } from "./control.ts";
import { warp } from "./exact.ts";

/** Butterworth's second stage for 24 dB an octave; the first takes the resonance. */
const SECOND_Q = 0.541;

/**
 * In place, then multiplied by `level`.
 *
 * @param cutoff Hz; clamped to 0.46 of the rate
 * @param q resonance of the first stage
 */
export function lowPassPair(
  left: Float32Array,
  right: Float32Array,
  rate: number,
  cutoff: Control,
  q: number,
  slope: 12 | 24,
  level: Control,
): void {
  const frames = left.length;
  const k = 1 / q;
  const j = 1 / SECOND_Q;
  let l1 = 0;
  let l2 = 0;
  let r1 = 0;
  let r2 = 0;
  let l3 = 0;
  let l4 = 0;
  let r3 = 0;
  let r4 = 0;
  for (let at = 0, block = 0; at < frames; at += STEP, block++) {
    const g = warp(Math.min(0.46, Math.max(5, cutoff[block]!) / rate));
    const a1 = 1 / (1 + g * (g + k));
    const a2 = g * a1;
    const a3 = g * a2;
    const b1 = 1 / (1 + g * (g + j));
    const b2 = g * b1;
    const b3 = g * b2;
    let gain = level[block]!;
    const bend = (level[block + 1]! - gain) / STEP;
    const end = Math.min(frames, at + STEP);
    if (slope === 24) {
      for (let n = at; n < end; n++) {
        const x3 = left[n]! - l2;
        const x1 = a1 * l1 + a2 * x3;
        const x2 = l2 + a2 * l1 + a3 * x3;
        const y3 = right[n]! - r2;
        const y1 = a1 * r1 + a2 * y3;
        const y2 = r2 + a2 * r1 + a3 * y3;
        l1 = 2 * x1 - l1;
        l2 = 2 * x2 - l2;
        r1 = 2 * y1 - r1;
        r2 = 2 * y2 - r2;
        const u3 = x2 - l4;
        const u1 = b1 * l3 + b2 * u3;
        const u2 = l4 + b2 * l3 + b3 * u3;
        const v3 = y2 - r4;
        const v1 = b1 * r3 + b2 * v3;
        const v2 = r4 + b2 * r3 + b3 * v3;
        l3 = 2 * u1 - l3;
        l4 = 2 * u2 - l4;
        r3 = 2 * v1 - r3;
        r4 = 2 * v2 - r4;
        left[n] = gain * u2;
        right[n] = gain * v2;
        gain += bend;
      }
    } else {
      for (let n = at; n < end; n++) {
        const x3 = left[n]! - l2;
        const x1 = a1 * l1 + a2 * x3;
        const x2 = l2 + a2 * l1 + a3 * x3;
        const y3 = right[n]! - r2;
        const y1 = a1 * r1 + a2 * y3;
        const y2 = r2 + a2 * r1 + a3 * y3;
        l1 = 2 * x1 - l1;
        l2 = 2 * x2 - l2;
        r1 = 2 * y1 - r1;
        r2 = 2 * y2 - r2;
        left[n] = gain * x2;
        right[n] = gain * y2;
        gain += bend;
      }
    }
  }
}
