/** Band-limited oscillators that add to `out`. Frequency and gain are numbers or control signals. */
import { type Control, STEP } from "./control.ts";
import { sine } from "./exact.ts";

export type Wave = "sine" | "saw" | "square" | "triangle" | "pulse";

const TABLE = 2048;
const SINE = Float64Array.from({ length: TABLE + 2 }, (_, n) => sine(n / TABLE));

/**
 * Saw and pulses are corrected by two-sample polynomial band-limited steps (Välimäki and Huovilainen 2007); the triangle's harmonics fall
 * by 12 dB an octave of themselves.
 *
 * @param hertz clamped to 0.45 of the rate
 * @param width share of a pulse that is high
 * @returns `out`
 */
export function oscillate(
  out: Float32Array,
  rate: number,
  kind: Wave,
  hertz: number | Control,
  gain: number | Control = 1,
  phase = 0,
  width = 0.5,
): Float32Array {
  const frames = out.length;
  const duty = kind === "pulse" ? width : 0.5;
  let p = phase - Math.floor(phase);
  for (let at = 0, block = 0; at < frames; at += STEP, block++) {
    const f0 = typeof hertz === "number" ? hertz : hertz[block]!;
    const f1 = typeof hertz === "number" ? hertz : hertz[block + 1]!;
    let level = typeof gain === "number" ? gain : gain[block]!;
    const slope = typeof gain === "number" ? 0 : (gain[block + 1]! - level) / STEP;
    let step = Math.min(0.45, Math.abs(f0) / rate);
    const bend = (Math.min(0.45, Math.abs(f1) / rate) - step) / STEP;
    const end = Math.min(frames, at + STEP);
    for (let n = at; n < end; n++) {
      let value = 0;
      if (kind === "sine") {
        const x = p * TABLE;
        const index = x | 0;
        const left = SINE[index]!;
        value = left + (x - index) * (SINE[index + 1]! - left);
      } else if (kind === "saw") {
        value = 2 * p - 1 - step2(p, step);
      } else if (kind === "triangle") {
        value = p < 0.5 ? 4 * p - 1 : 3 - 4 * p;
      } else {
        let q = p - duty;
        if (q < 0) q += 1;
        value = (p < duty ? 1 : -1) + step2(p, step) - step2(q, step) + (1 - 2 * duty);
      }
      out[n] = out[n]! + level * value;
      level += slope;
      p += step;
      if (p >= 1) p -= 1;
      step += bend;
    }
  }
  return out;
}

function step2(phase: number, step: number): number {
  if (phase < step) {
    const t = phase / step;
    return t + t - t * t - 1;
  }
  if (phase > 1 - step) {
    const t = (phase - 1) / step;
    return t * t + t + t + 1;
  }
  return 0;
}

/** Two-operator frequency modulation with a sine carrier: index in radians of peak phase deviation. Adds to `out`. */
export function modulate(
  out: Float32Array,
  rate: number,
  hertz: number | Control,
  ratio: number,
  index: number | Control,
  gain: number | Control = 1,
): Float32Array {
  const frames = out.length;
  let p = 0;
  let m = 0;
  for (let at = 0, block = 0; at < frames; at += STEP, block++) {
    const step = Math.min(0.45, (typeof hertz === "number" ? hertz : hertz[block]!) / rate);
    const depth = (typeof index === "number" ? index : index[block]!) / 6.283185307179586;
    let level = typeof gain === "number" ? gain : gain[block]!;
    const slope = typeof gain === "number" ? 0 : (gain[block + 1]! - level) / STEP;
    const m_step = Math.min(0.45, step * ratio);
    const end = Math.min(frames, at + STEP);
    for (let n = at; n < end; n++) {
      let x = p + depth * SINE[(m * TABLE) | 0]!;
      x = (x - Math.floor(x)) * TABLE;
      const whole = x | 0;
      const left = SINE[whole]!;
      out[n] = out[n]! + level * (left + (x - whole) * (SINE[whole + 1]! - left));
      level += slope;
      p += step;
      if (p >= 1) p -= 1;
      m += m_step;
      if (m >= 1) m -= 1;
    }
  }
  return out;
}
