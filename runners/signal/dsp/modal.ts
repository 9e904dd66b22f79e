/** Modal synthesis: a struck body as a sum of damped sines. */
import { cosine, exp2, gainOf, log2, sine } from "./exact.ts";

export interface Mode {
  readonly hertz: number;
  /** Seconds to fall by 60 dB. */
  readonly t60: number;
  readonly gain: number;
  /** -1 left to 1 right. */
  readonly pan: number;
}

/** Where a mode is no longer worth its time. */
const FLOOR_DB = -84;

/** Adds the modes, struck at frame `at` and all beginning at zero phase, so without a step. Modes above 0.45 of the rate are left out. */
export function ring(left: Float32Array, right: Float32Array, rate: number, at: number, modes: readonly Mode[]): void {
  for (const { hertz, t60, gain, pan } of modes) {
    if (hertz >= 0.45 * rate || hertz <= 0 || t60 <= 0) continue;
    // Ten bits of amplitude in t60: 2^-9.966 is -60 dB.
    const radius = exp2(-9.965784284662087 / (t60 * rate));
    const frames = Math.min(left.length, at + Math.ceil((t60 * rate * -FLOOR_DB) / 60));
    const first = 2 * radius * cosine(hertz / rate);
    const second = -radius * radius;
    const turn = (pan + 1) / 8;
    const to_left = gain * cosine(turn);
    const to_right = gain * sine(turn);
    // y[n] = r^n sin(nω): y[-1] = -sin(ω)/r, y[0] = 0.
    let y1 = 0;
    let y2 = -sine(hertz / rate) / radius;
    for (let n = at; n < frames; n++) {
      left[n] = left[n]! + to_left * y1;
      right[n] = right[n]! + to_right * y1;
      const y = first * y1 + second * y2;
      y2 = y1;
      y1 = y;
    }
  }
}

/** Gain of a mode at `hertz` where a mallet as soft as `cutoff` strikes: 6 dB an octave above it. */
export function softened(hertz: number, cutoff: number): number {
  return hertz <= cutoff ? 1 : gainOf(-6.0206 * log2(hertz / cutoff));
}
