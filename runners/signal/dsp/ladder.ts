/**
 * Four one-poles in a loop with saturation, the low-pass of transistor and diode ladders: topology-preserving with the linear part of the
 * loop solved (V. Zavalishin, The Art of VA Filter Design, ch. 5). A high-pass in the loop takes resonance from the lowest notes, as the
 * coupling capacitors of the TB-303 do.
 */
import { type Control, STEP } from "./control.ts";
import { warp } from "./exact.ts";

/**
 * Filters in place.
 *
 * @param rate of `samples`; run it at twice the rate of sound, for it distorts
 * @param cutoff Hz
 * @param resonance 0 to 1, where 1 sings by itself
 * @param stride samples for one control value: `STEP` times the oversampling
 */
export function ladder(
  samples: Float32Array,
  rate: number,
  cutoff: Control,
  resonance: Control,
  drive: number,
  stride = STEP,
): void {
  const frames = samples.length;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let s4 = 0;
  let last = 0;
  let loop = 0;
  const pole = 1 - (6.283185307179586 * 60) / rate;
  for (let at = 0, block = 0; at < frames; at += stride, block++) {
    const g = warp(Math.min(0.45, Math.max(10, cutoff[block]!) / rate));
    const k = 4.1 * resonance[block]!;
    const G = g / (1 + g);
    const H = 1 / (1 + g);
    const G2 = G * G;
    const solve = 1 / (1 + k * G2 * G2);
    // What resonance takes from the bass is given back in part.
    const input = drive * (1 + 0.35 * k);
    const end = Math.min(frames, at + stride);
    for (let n = at; n < end; n++) {
      const S = H * (G2 * G * s1 + G2 * s2 + G * s3 + s4);
      let u = (input * samples[n]! - k * (S - loop)) * solve;
      u = u > 3 ? 1 : u < -3 ? -1 : (u * (27 + u * u)) / (27 + 9 * u * u);
      let v = (u - s1) * G;
      const y1 = v + s1;
      s1 = y1 + v;
      v = (y1 - s2) * G;
      const y2 = v + s2;
      s2 = y2 + v;
      v = (y2 - s3) * G;
      const y3 = v + s3;
      s3 = y3 + v;
      v = (y3 - s4) * G;
      const y4 = v + s4;
      s4 = y4 + v;
      // The part of the loop below 60 Hz, which does not go round.
      last = last + (1 - pole) * (y4 - last);
      loop = last;
      samples[n] = y4;
    }
  }
}
