/**
 * Two-pole resonators and two-zero antiresonators in series, as formant synthesisers use them (D. Klatt, JASA 67 (1980), p. 978): gain 1 at
 * 0 Hz, centre and bandwidth may move. All work in place and return their argument.
 */
import { type Control, STEP } from "./control.ts";
import { cosine, exp } from "./exact.ts";

const PI = Math.PI;

/** @param hertz centre; @param width bandwidth at -3 dB in Hz; both read every `STEP` samples */
export function resonate(
  samples: Float32Array,
  rate: number,
  hertz: Control | number,
  width: Control | number,
): Float32Array {
  const frames = samples.length;
  const moving = typeof hertz !== "number" || typeof width !== "number";
  let y1 = 0;
  let y2 = 0;
  let a = 1;
  let b = 0;
  let c = 0;
  for (let at = 0, block = 0; at < frames; at += STEP, block++) {
    if (moving || at === 0) {
      const f = typeof hertz === "number" ? hertz : hertz[block]!;
      const w = typeof width === "number" ? width : width[block]!;
      const r = exp((-PI * w) / rate);
      c = -r * r;
      b = 2 * r * cosine(f / rate);
      a = 1 - b - c;
    }
    const end = Math.min(frames, at + STEP);
    for (let n = at; n < end; n++) {
      const y = a * samples[n]! + b * y1 + c * y2;
      y2 = y1;
      y1 = y;
      samples[n] = y;
    }
  }
  return samples;
}

/** The inverse of `resonate`: where both have the same centre and bandwidth nothing is changed. */
export function antiresonate(
  samples: Float32Array,
  rate: number,
  hertz: Control | number,
  width: Control | number,
): Float32Array {
  const frames = samples.length;
  const moving = typeof hertz !== "number" || typeof width !== "number";
  let x1 = 0;
  let x2 = 0;
  let a = 1;
  let b = 0;
  let c = 0;
  for (let at = 0, block = 0; at < frames; at += STEP, block++) {
    if (moving || at === 0) {
      const f = typeof hertz === "number" ? hertz : hertz[block]!;
      const w = typeof width === "number" ? width : width[block]!;
      const r = exp((-PI * w) / rate);
      const from_c = -r * r;
      const from_b = 2 * r * cosine(f / rate);
      a = 1 / (1 - from_b - from_c);
      b = -from_b * a;
      c = -from_c * a;
    }
    const end = Math.min(frames, at + STEP);
    for (let n = at; n < end; n++) {
      const x = samples[n]!;
      samples[n] = a * x + b * x1 + c * x2;
      x2 = x1;
      x1 = x;
    }
  }
  return samples;
}

/**
 * Adds to `out` what a band-pass lets through of `samples`, times `level`: two poles, zeros at 0 Hz and at half the
 * rate. White noise of power 1 comes out with power `level`² whatever the width, so that a sound's strength and its
 * colour are apart.
 */
export function addBand(
  out: Float32Array,
  samples: Float32Array,
  rate: number,
  hertz: Control,
  width: Control,
  level: Control,
): void {
  const frames = samples.length;
  let x1 = 0;
  let x2 = 0;
  let y1 = 0;
  let y2 = 0;
  let gain = 0;
  for (let at = 0, block = 0; at < frames; at += STEP, block++) {
    const to = level[block + 1] ?? 0;
    const from = level[block] ?? 0;
    const end = Math.min(frames, at + STEP);
    if (from === 0 && to === 0) {
      x1 = 0;
      x2 = 0;
      y1 = 0;
      y2 = 0;
      continue;
    }
    const r = exp((-PI * width[block]!) / rate);
    const c = -r * r;
    const b = 2 * r * cosine(hertz[block]! / rate);
    // Variance of an AR(2) process, and its correlation over two steps (Box and Jenkins, ch. 3), which the zeros bring in.
    const rho1 = b / (1 - c);
    const rho2 = b * rho1 + c;
    const power = (2 * (1 - rho2) * (1 - c)) / ((1 + c) * ((1 - c) * (1 - c) - b * b));
    const norm = 1 / Math.sqrt(power);
    gain = from * norm;
    const step = ((to - from) * norm) / STEP;
    for (let n = at; n < end; n++) {
      const x = samples[n]!;
      const y = x - x2 + b * y1 + c * y2;
      x2 = x1;
      x1 = x;
      y2 = y1;
      y1 = y;
      out[n] = out[n]! + gain * y;
      gain += step;
    }
  }
}
