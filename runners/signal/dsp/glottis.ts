/**
 * What the vocal folds send into the throat: the derivative of their flow after D. and L. Klatt's KLGLOTT88 (JASA 87 (1990), p. 820), with
 * its closing edge band-limited, and breath that the open folds let through.
 */
import { type Control, STEP } from "./control.ts";
import { hash32 } from "./random.ts";

export interface Glottis {
  /** Hz, above 0 also where nobody sings. */
  readonly pitch: Control;
  /** Peak of the derivative at closure; 0 for no voice. */
  readonly voice: Control;
  /** Share of the period that the folds are open, 0.3 to 0.95. */
  readonly open: Control;
  /** Hz of a one-pole low-pass: the folds close softly where it is low. */
  readonly soft: Control;
  /** RMS of breath noise. */
  readonly breath: Control;
  /** Random deviation from period to period, as shares: of its length and of its strength. */
  readonly jitter: number;
  readonly shimmer: number;
  readonly seed: number;
}

/** Fills `out` with voice and breath, and `gate` with 0 to 1: how open the folds are, 1 where there is no voice. */
export function glottis(out: Float32Array, gate: Float32Array, rate: number, parts: Glottis): void {
  const { pitch, voice, open, soft, breath, jitter, shimmer, seed } = parts;
  const frames = out.length;
  let phase = 0;
  let cycle = 0;
  let length = 1;
  let strength = 1;
  let low = 0;
  let state = (hash32(seed, 7) | 1) >>> 0;
  for (let at = 0, block = 0; at < frames; at += STEP, block++) {
    const end = Math.min(frames, at + STEP);
    let hertz = pitch[block]!;
    const hertz_step = (pitch[block + 1]! - hertz) / STEP;
    let loud = voice[block]!;
    const loud_step = (voice[block + 1]! - loud) / STEP;
    let air = breath[block]! * 1.7320508;
    const air_step = (breath[block + 1]! * 1.7320508 - air) / STEP;
    const oq = open[block]!;
    // One-pole low-pass by the bilinear rule's small-angle form; exact enough below a quarter of the rate.
    const w = (2 * Math.PI * soft[block]!) / rate;
    const k = w / (1 + w);
    const inverse = 1 / oq;
    for (let n = at; n < end; n++) {
      const dp = (hertz * length) / rate;
      let value = 0;
      let window = 0;
      if (phase < oq) {
        const x = phase * inverse;
        value = x * (2 - 3 * x);
        window = 6.75 * x * x * (1 - x);
        // The folds shut between this sample and the next: the step up by 1 is rounded (polyBLEP) on both sides.
        if (phase + dp >= oq) {
          const t = (oq - phase) / dp;
          value += 0.5 * (1 - t) * (1 - t);
        }
      } else if (phase - dp < oq) {
        const t = (phase - oq) / dp;
        value -= 0.5 * (1 - t) * (1 - t);
      }
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      low += k * (value * strength * loud - low);
      // Breath comes in puffs while the folds swing; without voice it flows.
      const swing = loud > 0.02 ? 1 : loud * 50;
      const passing = 1 - swing + swing * (0.25 + 0.75 * window);
      gate[n] = passing;
      out[n] = low + air * passing * (state / 2147483648);
      phase += dp;
      if (phase >= 1) {
        phase -= 1;
        cycle++;
        const draw = hash32(seed, cycle);
        length = 1 + jitter * ((draw & 0xffff) / 32768 - 1);
        strength = 1 + shimmer * ((draw >>> 16) / 32768 - 1);
      }
      hertz += hertz_step;
      loud += loud_step;
      air += air_step;
    }
  }
}
