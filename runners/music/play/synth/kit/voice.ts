/** Building stones of drum machines. All write mono one-shots at 44.1 kHz and begin at their first sample. */
import { blockDc, saturate } from "../../../../signal/dsp/envelope.ts";
import { exp2 } from "../../../../signal/dsp/exact.ts";
import { octaves } from "../../../../signal/dsp/octave_table.ts";
import { release } from "../../../../signal/dsp/release.ts";
import { svf } from "../../../../signal/dsp/svf.ts";
import { wavetable } from "../../../../signal/dsp/wavetable.ts";
import { RATE } from "../../performance.ts";

const TABLE = wavetable("sine").at(0.4);

export function silence(seconds: number): Float32Array {
  return new Float32Array(Math.ceil(seconds * RATE));
}

/** Per-sample factor of a fall by 60 dB in `seconds`. */
export function fading(seconds: number): number {
  return exp2(-9.965784284662087 / Math.max(1, seconds * RATE));
}

export interface Tone {
  readonly hertz: number;
  /** Octaves above that it begins at, and seconds of that drop's fall by 60 dB. */
  readonly drop?: number;
  readonly drop_seconds?: number;
  /** Seconds to rise, and to fall by 60 dB. */
  readonly attack?: number;
  readonly t60: number;
  readonly gain: number;
  /** Turns. */
  readonly phase?: number;
}

/** Adds a sine whose pitch drops: membranes, kicks, toms. */
export function tone(
  out: Float32Array,
  { hertz, drop = 0, drop_seconds = 0.05, attack = 0, t60, gain, phase = 0 }: Tone,
): void {
  const down = fading(t60);
  const lower = octaves((-9.965784 * 8) / (drop_seconds * RATE));
  const rise = Math.max(1, attack * RATE);
  let height = drop;
  let level = gain;
  let x = phase * 2048;
  let step = 0;
  for (let n = 0; n < out.length && level > 1e-5; n++) {
    if ((n & 7) === 0) {
      step = (Math.min(18_000, hertz * octaves(height)) / RATE) * 2048;
      height *= lower;
    }
    const index = x | 0;
    const value = TABLE[index]!;
    const rising = n < rise ? n / rise : 1;
    out[n] = out[n]! + level * rising * (value + (x - index) * (TABLE[index + 1]! - value));
    level *= down;
    x += step;
    if (x >= 2048) x -= 2048;
  }
}

export interface Hiss {
  readonly seed: number;
  /** Hz of a high-pass and of a low-pass; 0 leaves one out. */
  readonly low: number;
  readonly high: number;
  readonly q?: number;
  readonly attack?: number;
  readonly t60: number;
  readonly gain: number;
  /** Seconds before it begins. */
  readonly delay?: number;
  /** Frames over which it ends at the latest; the whole where absent. */
  readonly seconds?: number;
}

/** Adds filtered white noise under an exponential envelope. */
export function hiss(
  out: Float32Array,
  { seed, low, high, q = 0.7, attack = 0, t60, gain, delay = 0, seconds }: Hiss,
): void {
  const from = Math.round(delay * RATE);
  const count = Math.min(out.length - from, Math.ceil((seconds ?? t60 * 1.4) * RATE));
  if (count <= 0) return;
  const noise = new Float32Array(count);
  let state = (Math.imul(seed ^ 0x5bd1e995, 0x9e3779b1) ^ (seed >>> 15)) | 0 || 1;
  for (let n = 0; n < count; n++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    noise[n] = state / 2147483648;
  }
  if (low > 0) svf(noise, RATE, "high", low, q);
  if (high > 0) svf(noise, RATE, "low", high, q);
  const down = fading(t60);
  const rise = Math.max(1, attack * RATE);
  // Short of silence it would end with a click: the last 5 ms fade.
  const fade = Math.min(count, 220);
  let level = gain;
  for (let n = 0; n < count; n++) {
    const rising = (n < rise ? n / rise : 1) * Math.min(1, (count - n) / fade);
    out[from + n] = out[from + n]! + level * rising * noise[n]!;
    level *= down;
  }
  release(noise);
}

/** The six squares of the TR-808's cymbals and hats, Hz (its service notes). */
export const METAL_808 = [205.3, 304.4, 369.6, 522.7, 540, 800] as const;
/** Higher and denser, as sampled alloy is. */
export const METAL_909 = [317, 465, 610, 837, 1021, 1347, 1733, 2179] as const;

/** Adds a cluster of squares, each with a phase of its own. */
export function metal(
  out: Float32Array,
  hertz: readonly number[],
  tune: number,
  gain: number,
  next: () => number,
): void {
  const square = wavetable("square");
  const share = gain / Math.sqrt(hertz.length);
  for (const pitch of hertz) {
    const step = (pitch * tune) / RATE;
    const table = square.at(step);
    const stride = step * 2048;
    let x = next() * 2048;
    for (let n = 0; n < out.length; n++) {
      const index = x | 0;
      const value = table[index]!;
      out[n] = out[n]! + share * (value + (x - index) * (table[index + 1]! - value));
      x += stride;
      if (x >= 2048) x -= 2048;
    }
  }
}

/** Two exponential stages, a sharp one and a long one, over samples that have none. */
export function strike(samples: Float32Array, attack: number, fast: number, slow: number, share: number): void {
  const rise = Math.max(1, attack * RATE);
  const one = fading(fast);
  const two = fading(slow);
  let sharp = 1 - share;
  let long = share;
  for (let n = 0; n < samples.length; n++) {
    samples[n] = samples[n]! * (n < rise ? n / rise : 1) * (sharp + long);
    sharp *= one;
    long *= two;
  }
}

/** Adds `from` times `gain`. */
export function mix(to: Float32Array, from: Float32Array, gain: number, delay = 0): void {
  const start = Math.round(delay * RATE);
  const count = Math.min(from.length, to.length - start);
  for (let n = 0; n < count; n++) to[start + n] = to[start + n]! + gain * from[n]!;
}

/** Saturates at `drive` and brings the level of small signals back by half of it in dB. */
export function driven(samples: Float32Array, drive: number): Float32Array {
  saturate(samples, drive);
  const back = 1 / Math.sqrt(drive);
  for (let n = 0; n < samples.length; n++) samples[n] = samples[n]! * back;
  return blockDc(samples, RATE, 12);
}

/** Scales to a peak and fades the last 5 ms out. */
export function finish(samples: Float32Array, peak: number): Float32Array {
  let top = 0;
  for (let n = 0; n < samples.length; n++) top = Math.max(top, Math.abs(samples[n]!));
  const gain = top > 0 ? peak / top : 0;
  for (let n = 0; n < samples.length; n++) samples[n] = samples[n]! * gain;
  const fade = Math.min(samples.length, 220);
  for (let n = 0; n < fade; n++) samples[samples.length - 1 - n] = samples[samples.length - 1 - n]! * (n / fade);
  return samples;
}

/** Scales clusters and noise, whose peaks are chance, to an RMS over their first 20 ms, and fades the last 5 ms out. */
export function even(samples: Float32Array, rms: number): Float32Array {
  const count = Math.min(samples.length, Math.round(0.02 * RATE));
  let power = 0;
  for (let n = 0; n < count; n++) power += samples[n]! * samples[n]!;
  let peak = 0;
  for (let n = 0; n < samples.length; n++) peak = Math.max(peak, Math.abs(samples[n]!));
  const wish = power > 0 ? rms / Math.sqrt(power / count) : 0;
  return finish(samples, Math.min(0.85, wish * peak));
}

/** Modes of a struck body, each a sine under its own fall. */
export function body(
  out: Float32Array,
  modes: readonly (readonly [hertz: number, t60: number, gain: number])[],
  tune = 1,
): void {
  for (const [hertz, t60, gain] of modes) {
    if (hertz * tune < 18_500) tone(out, { hertz: hertz * tune, t60, gain });
  }
}
