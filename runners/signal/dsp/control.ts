/** Slow signals: one value every `STEP` samples, joined by straight lines. What moves cut-offs, pitches and levels. */
import { cosine, exp2, log2 } from "./exact.ts";

/** Samples between two control values: 0.7 ms at 44.1 kHz. */
export const STEP = 32;

export type Control = Float32Array;

/** A corner: seconds, value. */
export type Corner = readonly [seconds: number, value: number];

/** Values for `frames` samples, one beyond the end. */
export function control(frames: number): Control {
  return new Float32Array(Math.floor(frames / STEP) + 2);
}

/**
 * Straight lines through `corners`, held before the first and after the last; with `"exponential"` straight in the logarithm, for
 * frequencies and levels above 0.
 */
export function curve(
  frames: number,
  rate: number,
  corners: readonly Corner[],
  shape: "linear" | "exponential" = "linear",
): Control {
  const out = control(frames);
  const even = shape === "linear";
  const values = corners.map(([, value]) => (even ? value : log2(value)));
  let next = 0;
  for (let n = 0; n < out.length; n++) {
    const time = (n * STEP) / rate;
    while (next < corners.length && corners[next]![0] <= time) next++;
    const before = Math.max(0, next - 1);
    const after = Math.min(corners.length - 1, next);
    const span = corners[after]![0] - corners[before]![0];
    const share = span > 0 ? Math.min(1, Math.max(0, (time - corners[before]![0]) / span)) : 0;
    const value = values[before]! + share * (values[after]! - values[before]!);
    out[n] = even ? value : exp2(value);
  }
  return out;
}

/** A random walk without corners: uniform values between `low` and `high`, `hertz` of them a second, joined by half cosines. */
export function wander(
  frames: number,
  rate: number,
  next: () => number,
  hertz: number,
  low: number,
  high: number,
): Control {
  const out = control(frames);
  let from = next();
  let to = next();
  let phase = next();
  const step = (hertz * STEP) / rate;
  for (let n = 0; n < out.length; n++) {
    out[n] = low + (high - low) * (from + (to - from) * (0.5 - 0.5 * cosine(phase / 2)));
    phase += step;
    while (phase >= 1) {
      phase -= 1;
      from = to;
      to = next();
    }
  }
  return out;
}

/** A cosine between `low` and `high` that begins at `phase` turns (0: at `high`). */
export function wave(frames: number, rate: number, hertz: number, low: number, high: number, phase = 0): Control {
  const out = control(frames);
  const step = (hertz * STEP) / rate;
  for (let n = 0; n < out.length; n++) out[n] = low + (high - low) * (0.5 + 0.5 * cosine(phase + n * step));
  return out;
}

/** The product of two, or of one and a number, in a new one. */
export function times(one: Control, other: Control | number): Control {
  const out = new Float32Array(one.length);
  for (let n = 0; n < out.length; n++) out[n] = one[n]! * (typeof other === "number" ? other : other[n]!);
  return out;
}

/** Multiplies samples in place by `gain`. */
export function shape(samples: Float32Array, gain: Control): void {
  const frames = samples.length;
  for (let block = 0, at = 0; at < frames; block++, at += STEP) {
    let value = gain[block]!;
    const slope = (gain[block + 1]! - value) / STEP;
    const end = Math.min(frames, at + STEP);
    for (let n = at; n < end; n++) {
      samples[n] = samples[n]! * value;
      value += slope;
    }
  }
}
