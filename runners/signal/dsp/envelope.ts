/** Envelopes that count in samples, for what is too quick for control signals. All work in place and return their argument. */
import { cosine, exp2 } from "./exact.ts";

/** A linear rise over `attack` seconds, then an exponential fall by 60 dB in `t60` seconds. */
export function decay(samples: Float32Array, rate: number, attack: number, t60: number): Float32Array {
  const rise = Math.max(1, Math.round(attack * rate));
  const ratio = exp2(-9.965784284662087 / Math.max(1, t60 * rate));
  let level = 1;
  for (let n = 0; n < samples.length; n++) {
    if (n < rise) samples[n] = (samples[n]! * n) / rise;
    else {
      samples[n] = samples[n]! * level;
      level *= ratio;
    }
  }
  return samples;
}

/** Raised cosines at both ends, in seconds; 0 leaves an end alone. */
export function fade(samples: Float32Array, rate: number, begin: number, end: number): Float32Array {
  const frames = samples.length;
  const rise = Math.min(frames >> 1, Math.round(begin * rate));
  const fall = Math.min(frames >> 1, Math.round(end * rate));
  for (let n = 0; n < rise; n++) samples[n] = samples[n]! * (0.5 - 0.5 * cosine(n / (2 * rise)));
  for (let n = 0; n < fall; n++)
    samples[frames - 1 - n] = samples[frames - 1 - n]! * (0.5 - 0.5 * cosine(n / (2 * fall)));
  return samples;
}

/** Saturation by a rational tanh, gain 1 for small signals, bounded by ±1. */
export function saturate(samples: Float32Array, drive: number): Float32Array {
  for (let n = 0; n < samples.length; n++) {
    const x = Math.min(3, Math.max(-3, samples[n]! * drive));
    samples[n] = (x * (27 + x * x)) / (27 + 9 * x * x);
  }
  return samples;
}

/** Takes the mean away slowly: a one-pole high-pass at `hertz`. */
export function blockDc(samples: Float32Array, rate: number, hertz: number): Float32Array {
  const pole = 1 - (6.283185307179586 * hertz) / rate;
  let last = 0;
  let y = 0;
  for (let n = 0; n < samples.length; n++) {
    const x = samples[n]!;
    y = x - last + pole * y;
    last = x;
    samples[n] = y;
  }
  return samples;
}
