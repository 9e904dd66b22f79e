/** Drum machines: what each makes of a key of the General MIDI percussion map. */
import type { DrumMachinePack } from "../../../../packs/mod.ts";
import { saturate } from "../../../../signal/dsp/envelope.ts";
import { reverberate } from "../../../../signal/dsp/reverb.ts";
import { svf } from "../../../../signal/dsp/svf.ts";
import { RATE } from "../../performance.ts";
import { clap, cymbal, hat, kick, rim, snare, tom } from "./drums.ts";
import { PERCUSSION } from "./percussion.ts";
import { finish } from "./voice.ts";

export interface Kit extends DrumMachinePack {
  /** Moves the pitch of each tom, in Hz, into the key; absent where there is none. */
  readonly tuned?: (hertz: number) => number;
}

/** What every sound of a kit goes through; may lengthen it by a room. */
const FINISHES: Readonly<Record<Kit["finish"], (samples: Float32Array, v: number) => Float32Array>> = {
  clean: (samples) => samples,
  dusty,
  roomy,
};

/** A sampler of twelve bits through tape: less top, soft peaks, steps that can be heard in the tail. */
function dusty(samples: Float32Array, v: number): Float32Array {
  let held = 0;
  for (let n = 0; n < samples.length; n++) {
    // A quantiser whose steps follow the level keeps the tail from gating.
    if ((n & 1) === 0) held = Math.round(samples[n]! * 360) / 360;
    samples[n] = held;
  }
  svf(samples, RATE, "low", 8200 + 2600 * v, 0.8);
  svf(samples, RATE, "high", 38, 0.7);
  const peak = peakOf(samples);
  saturate(samples, 1.5);
  return finish(samples, 0.95 * peak);
}

/** A small live room, pressed hard: the tail comes up as on a sampled break. */
function roomy(samples: Float32Array): Float32Array {
  const peak = peakOf(samples);
  const frames = samples.length + Math.round(0.22 * RATE);
  const left = new Float32Array(frames);
  left.set(samples);
  const right = left.slice();
  reverberate(left, right, RATE, { t60: 0.32, size: 0.42, damping: 0.35, dry: 1, early: 0.2, tail: 0.16 });
  // Mono: kick and snare stay in the middle.
  for (let n = 0; n < frames; n++) left[n] = 0.5 * (left[n]! + right[n]!);
  press(left);
  // The stroke's first millisecond, which the compressor lets by, is bent down.
  saturate(left, 3.2);
  return finish(left, 0.95 * peak);
}

function peakOf(samples: Float32Array): number {
  let peak = 0;
  for (let n = 0; n < samples.length; n++) peak = Math.max(peak, Math.abs(samples[n]!));
  return peak;
}

/** A peak compressor, 2:1 above an eighth, 1 ms and 120 ms: the body comes up under the stroke. */
function press(samples: Float32Array): void {
  let level = 0;
  for (let n = 0; n < samples.length; n++) {
    const size = Math.abs(samples[n]!);
    level += (size - level) * (size > level ? 0.0224 : 0.00019);
    const over = level / 0.12;
    if (over > 1) samples[n] = samples[n]! / Math.sqrt(over);
  }
}

/** The key as this map knows it: 35 to 82, others go to what is nearest in kind. */
export function known(key: number): number {
  const whole = Math.round(key);
  if (whole >= 35 && whole <= 82) return whole;
  const near: Record<number, number> = {
    27: 71,
    28: 38,
    29: 73,
    30: 73,
    31: 75,
    32: 37,
    33: 37,
    34: 67,
    83: 54,
    84: 81,
    85: 75,
    86: 64,
    87: 63,
  };
  return near[whole] ?? (whole < 35 ? 36 : 70);
}

const TOMS: Readonly<Record<number, number>> = { 41: 1, 43: 1.19, 45: 1.42, 47: 1.68, 48: 1.98, 50: 2.3 };

/** One stroke, mono, peak near 1 for kicks and snares. `v` is a velocity, 0 to 1. */
export function stroke(kit: Kit, key: number, v: number, next: () => number): Float32Array {
  return FINISHES[kit.finish](raw(kit, key, v, next), v);
}

function raw(kit: Kit, key: number, v: number, next: () => number): Float32Array {
  const ratio = TOMS[key];
  if (ratio !== undefined) {
    const { hertz, t60, skin, drive } = kit.tom;
    return tom(kit.tuned?.(hertz * ratio) ?? hertz * ratio, t60 / Math.sqrt(ratio), skin, drive, v, next);
  }
  const { length, tune } = kit.cymbals;
  switch (key) {
    case 35:
      return kick(kit.second_kick, v, next);
    case 36:
      return kick(kit.kick, v, next);
    case 37:
      return rim(kit.rim.low_hertz, kit.rim.high_hertz, v, next);
    case 38:
      return snare(kit.snare, v, next);
    case 39:
      return clap(kit.clap, v, next);
    case 40:
      return snare(kit.second_snare, v, next);
    case 42:
      return hat(kit.hat, "closed", v, next);
    case 44:
      return hat(kit.hat, "pedal", v, next);
    case 46:
      return hat(kit.hat, "open", v, next);
    case 49:
      return cymbal({ t60: 2.6 * length, tune, low: 2600, bell: 0, wash: 0.8 }, v, next);
    case 57:
      return cymbal({ t60: 2.9 * length, tune: tune * 0.88, low: 2200, bell: 0, wash: 0.85 }, v, next);
    case 52:
      return cymbal({ t60: 1.9 * length, tune: tune * 0.79, low: 1700, bell: 0, wash: 1 }, v, next);
    case 55:
      return cymbal({ t60: 0.95 * length, tune: tune * 1.25, low: 3400, bell: 0, wash: 0.8 }, v, next);
    case 51:
      return cymbal({ t60: 1.7 * length, tune, low: 3600, bell: 0.35, wash: 0.4 }, v, next);
    case 59:
      return cymbal({ t60: 1.9 * length, tune: tune * 0.93, low: 3200, bell: 0.28, wash: 0.5 }, v, next);
    case 53:
      return cymbal({ t60: 1.3 * length, tune: tune * 1.05, low: 3400, bell: 1, wash: 0.2 }, v, next);
    default:
      return (PERCUSSION[key] ?? PERCUSSION[70]!)(v, next);
  }
}
