/** Half the rate, for what was made at twice the rate because it distorts: a linear-phase half-band filter without delay. */
import { cosine, sine } from "./exact.ts";
import { release } from "./release.ts";

/** Odd taps on each side; the even ones of a half-band filter are zero. */
const REACH = 20;
const TAPS = taps();

/** Every second sample of `samples` after a low-pass: flat to 0.2 of their rate, 80 dB down from 0.3 on. Outside lies silence. */
export function halve(samples: Float32Array): Float32Array {
  const frames = samples.length >> 1;
  const out = new Float32Array(frames);
  const margin = 2 * REACH;
  const padded = new Float32Array(samples.length + 2 * margin);
  padded.set(samples, margin);
  for (let n = 0; n < frames; n++) {
    const centre = 2 * n + margin;
    let sum = 0.5 * padded[centre]!;
    for (let k = 0, apart = 1; k < REACH; k++, apart += 2)
      sum += TAPS[k]! * (padded[centre - apart]! + padded[centre + apart]!);
    out[n] = sum;
  }
  release(padded);
  return out;
}

/** Sinc under a four-term Blackman-Harris window, gain 1 at zero. */
function taps(): Float64Array {
  const out = new Float64Array(REACH);
  let sum = 0;
  for (let k = 0; k < REACH; k++) {
    const n = 2 * k + 1;
    const x = n / (4 * REACH) + 0.5;
    const window = 0.35875 - 0.48829 * cosine(x) + 0.14128 * cosine(2 * x) - 0.01168 * cosine(3 * x);
    out[k] = (sine(n / 4) / (Math.PI * n)) * window;
    sum += 2 * out[k]!;
  }
  return out.map((tap) => (tap * 0.5) / sum);
}
