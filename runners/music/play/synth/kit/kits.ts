/** Drum machines: what each makes of a key of the General MIDI percussion map. */
import type { DrumMachinePack } from "../../../../packs/mod.ts";
import { saturate } from "../../../../signal/dsp/envelope.ts";
import { reverberate } from "../../../../signal/dsp/reverb.ts";
import { svf } from "../../../../signal/dsp/svf.ts";
import type { Drum } from "../../drums.ts";
import { RATE } from "../../performance.ts";
import { clap, cymbal, hat, kick, rim, snare, tom } from "./drums.ts";
import { percussion, tambourine, vibraslap } from "./percussion.ts";
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

/** One stroke, mono, peak near 1 for kicks and snares. `v` is a velocity, 0 to 1. */
export function stroke(kit: Kit, drum: Drum, v: number, next: () => number): Float32Array {
  return FINISHES[kit.finish](raw(kit, drum, v, next), v);
}

type Make = (kit: Kit, v: number, next: () => number) => Float32Array;

const PARTS: Readonly<Record<NonNullable<Drum["part"]>, Make>> = {
  kick: (kit, v, next) => kick(kit.kick, v, next),
  second_kick: (kit, v, next) => kick(kit.second_kick, v, next),
  snare: (kit, v, next) => snare(kit.snare, v, next),
  second_snare: (kit, v, next) => snare(kit.second_snare, v, next),
  clap: (kit, v, next) => clap(kit.clap, v, next),
  rim: ({ rim: { low_hertz, high_hertz } }, v, next) => rim(low_hertz, high_hertz, v, next),
  closed_hat: (kit, v, next) => hat(kit.hat, "closed", v, next),
  pedal_hat: (kit, v, next) => hat(kit.hat, "pedal", v, next),
  open_hat: (kit, v, next) => hat(kit.hat, "open", v, next),
  tambourine: (_kit, v, next) => tambourine(v, next),
  vibraslap: (_kit, v, next) => vibraslap(v, next),
};

function raw(kit: Kit, drum: Drum, v: number, next: () => number): Float32Array {
  if (drum.part !== undefined) return PARTS[drum.part](kit, v, next);
  if (drum.tom !== undefined) {
    const { hertz, t60, skin, drive } = kit.tom;
    const { ratio } = drum.tom;
    return tom(kit.tuned?.(hertz * ratio) ?? hertz * ratio, t60 / Math.sqrt(ratio), skin, drive, v, next);
  }
  if (drum.cymbal !== undefined) {
    const { t60, tune, low_hertz, bell, wash } = drum.cymbal;
    const { length, tune: own } = kit.cymbals;
    return cymbal({ t60: t60 * length, tune: own * tune, low: low_hertz, bell, wash }, v, next);
  }
  return percussion(drum)(v, next);
}
