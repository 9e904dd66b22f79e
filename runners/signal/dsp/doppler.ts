/** A delay line whose length moves: what passes by changes its pitch. */
import { type Control, STEP } from "./control.ts";

/**
 * Reads `input` at n - delay(n) · rate by four-point Hermite interpolation, into a new buffer of the same length; silence before the first
 * sample. Pitch rises while `delay` (seconds) falls.
 */
export function delayed(input: Float32Array, rate: number, delay: Control): Float32Array {
  const frames = input.length;
  const out = new Float32Array(frames);
  for (let at = 0, block = 0; at < frames; at += STEP, block++) {
    let length = delay[block]! * rate;
    const slope = (delay[block + 1]! * rate - length) / STEP;
    const end = Math.min(frames, at + STEP);
    for (let n = at; n < end; n++) {
      const position = n - length;
      length += slope;
      const whole = Math.floor(position);
      if (whole < 1 || whole + 2 >= frames) continue;
      const t = position - whole;
      const a = input[whole - 1]!;
      const b = input[whole]!;
      const c = input[whole + 1]!;
      const d = input[whole + 2]!;
      const c1 = 0.5 * (c - a);
      const c2 = a - 2.5 * b + 2 * c - 0.5 * d;
      const c3 = 0.5 * (d - a) + 1.5 * (b - c);
      out[n] = ((c3 * t + c2) * t + c1) * t + b;
    }
  }
  return out;
}
