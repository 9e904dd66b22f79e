/** The five kits: what each makes of a key of the General MIDI percussion map. */
import { saturate } from "../../../../signal/dsp/envelope.ts";
import { reverberate } from "../../../../signal/dsp/reverb.ts";
import { svf } from "../../../../signal/dsp/svf.ts";
import { RATE } from "../../performance.ts";
import { type Clap, clap, cymbal, type Hat, hat, type Kick, kick, rim, type Snare, snare, tom } from "./drums.ts";
import { PERCUSSION } from "./percussion.ts";
import { finish, METAL_808, METAL_909 } from "./voice.ts";

export type KitName = "electronic_kit" | "house_kit" | "trap_kit" | "lofi_kit" | "breakbeat_kit";

export interface Kit {
  readonly kick: Kick;
  readonly second: Kick;
  readonly snare: Snare;
  readonly other: Snare;
  readonly clap: Clap;
  readonly hat: Hat;
  readonly rim: readonly [low: number, high: number];
  /** Hz of the lowest tom, seconds, share of skin, drive. */
  readonly tom: readonly [hertz: number, t60: number, skin: number, drive: number];
  /** Moves the pitch of each tom, in Hz, into the key; absent where there is none. */
  readonly tuned?: (hertz: number) => number;
  /** Factor on the length of cymbals, and on their pitch. */
  readonly cymbals: readonly [length: number, tune: number];
  /** What every sound goes through; may lengthen it by a room. */
  readonly finish: (samples: Float32Array, v: number) => Float32Array;
}

const clean = (samples: Float32Array): Float32Array => samples;

const KICK_808: Kick = {
  hertz: 49,
  snap: 1.6,
  snap_seconds: 0.03,
  bend: 1.05,
  bend_seconds: 0.075,
  t60: 1.5,
  click: 0.35,
  click_hertz: 1800,
  drive: 1.7,
};
const KICK_909: Kick = {
  hertz: 51,
  snap: 2.4,
  snap_seconds: 0.042,
  bend: 1.7,
  bend_seconds: 0.12,
  t60: 0.48,
  click: 0.7,
  click_hertz: 2200,
  drive: 2.3,
};
const SNARE_808: Snare = {
  low: 178,
  high: 331,
  t60: 0.16,
  shell: 0.8,
  wires: 0.5,
  wires_t60: 0.22,
  wires_hertz: 1500,
  snap: 0.3,
  drive: 1.2,
};
const SNARE_909: Snare = {
  low: 186,
  high: 286,
  t60: 0.15,
  shell: 0.85,
  wires: 0.75,
  wires_t60: 0.26,
  wires_hertz: 1100,
  snap: 0.4,
  drive: 1.6,
};

export const KITS: Readonly<Record<KitName, Kit>> = {
  electronic_kit: {
    kick: { ...KICK_909, hertz: 50, t60: 0.62, bend: 1.4, click: 0.55, drive: 1.9 },
    second: KICK_808,
    snare: SNARE_909,
    other: { ...SNARE_808, wires: 0.7 },
    clap: { hertz: 1150, spread: 0.0105, tail: 0.24, bright: 0.9 },
    hat: { cluster: METAL_808, tune: 1.62, metal: 0.6, low: 7600, closed: 0.075, pedal: 0.1, open: 0.48 },
    rim: [480, 1750],
    tom: [82, 0.5, 0.14, 1.3],
    cymbals: [1, 1],
    finish: clean,
  },
  house_kit: {
    kick: KICK_909,
    second: { ...KICK_909, t60: 0.36, click: 0.4, snap: 1.9 },
    snare: SNARE_909,
    other: { ...SNARE_909, low: 205, high: 318, wires_t60: 0.19, snap: 0.6 },
    clap: { hertz: 1080, spread: 0.0112, tail: 0.3, bright: 1.15 },
    hat: { cluster: METAL_909, tune: 2.05, metal: 0.52, low: 7400, closed: 0.085, pedal: 0.11, open: 0.52 },
    rim: [520, 1900],
    tom: [86, 0.45, 0.2, 1.6],
    cymbals: [1, 1],
    finish: clean,
  },
  trap_kit: {
    kick: { ...KICK_808, hertz: 47, t60: 0.95, click: 0.75, snap: 2.2, drive: 2.6 },
    second: { ...KICK_808, t60: 1.7 },
    snare: {
      ...SNARE_808,
      low: 196,
      high: 356,
      t60: 0.12,
      wires: 0.95,
      wires_t60: 0.24,
      wires_hertz: 1700,
      snap: 0.8,
      drive: 1.9,
    },
    other: { ...SNARE_909, low: 220, high: 370, wires: 1, wires_t60: 0.2, snap: 0.9, drive: 2.1 },
    clap: { hertz: 1320, spread: 0.009, tail: 0.34, bright: 1.4 },
    hat: { cluster: METAL_808, tune: 1.86, metal: 0.68, low: 8600, closed: 0.05, pedal: 0.075, open: 0.42 },
    rim: [620, 2300],
    tom: [76, 0.6, 0.06, 1.7],
    cymbals: [0.9, 1.08],
    finish: clean,
  },
  lofi_kit: {
    kick: {
      ...KICK_909,
      hertz: 54,
      snap: 1.5,
      bend: 0.9,
      bend_seconds: 0.09,
      t60: 0.4,
      click: 0.3,
      click_hertz: 900,
      drive: 1.6,
    },
    second: { ...KICK_808, hertz: 52, t60: 0.6 },
    snare: {
      low: 172,
      high: 262,
      t60: 0.17,
      shell: 0.75,
      wires: 0.6,
      wires_t60: 0.2,
      wires_hertz: 700,
      snap: 0.3,
      drive: 1.6,
    },
    other: {
      low: 190,
      high: 300,
      t60: 0.13,
      shell: 0.6,
      wires: 0.6,
      wires_t60: 0.16,
      wires_hertz: 900,
      snap: 0.35,
      drive: 1.6,
    },
    clap: { hertz: 950, spread: 0.012, tail: 0.2, bright: 0.6 },
    hat: { cluster: METAL_909, tune: 1.55, metal: 0.38, low: 5600, closed: 0.075, pedal: 0.1, open: 0.36 },
    rim: [440, 1500],
    tom: [88, 0.42, 0.3, 1.5],
    cymbals: [0.75, 0.9],
    finish: dusty,
  },
  breakbeat_kit: {
    kick: {
      hertz: 57,
      snap: 1.7,
      snap_seconds: 0.03,
      bend: 0.75,
      bend_seconds: 0.07,
      t60: 0.36,
      click: 0.6,
      click_hertz: 1200,
      drive: 2.4,
    },
    second: {
      hertz: 62,
      snap: 1.5,
      snap_seconds: 0.03,
      bend: 0.6,
      bend_seconds: 0.06,
      t60: 0.3,
      click: 0.5,
      click_hertz: 1300,
      drive: 2.2,
    },
    snare: {
      low: 208,
      high: 334,
      t60: 0.2,
      shell: 0.75,
      wires: 0.95,
      wires_t60: 0.24,
      wires_hertz: 800,
      snap: 0.6,
      drive: 2.2,
    },
    other: {
      low: 240,
      high: 391,
      t60: 0.16,
      shell: 0.7,
      wires: 0.85,
      wires_t60: 0.17,
      wires_hertz: 950,
      snap: 0.6,
      drive: 2.2,
    },
    clap: { hertz: 1100, spread: 0.011, tail: 0.22, bright: 0.9 },
    hat: { cluster: METAL_909, tune: 1.82, metal: 0.34, low: 6200, closed: 0.085, pedal: 0.12, open: 0.5 },
    rim: [500, 1680],
    tom: [94, 0.42, 0.34, 1.9],
    cymbals: [0.9, 0.95],
    finish: roomy,
  },
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
  return kit.finish(raw(kit, key, v, next), v);
}

function raw(kit: Kit, key: number, v: number, next: () => number): Float32Array {
  const ratio = TOMS[key];
  if (ratio !== undefined) {
    const [hertz, t60, skin, drive] = kit.tom;
    return tom(kit.tuned?.(hertz * ratio) ?? hertz * ratio, t60 / Math.sqrt(ratio), skin, drive, v, next);
  }
  const [length, tune] = kit.cymbals;
  switch (key) {
    case 35:
      return kick(kit.second, v, next);
    case 36:
      return kick(kit.kick, v, next);
    case 37:
      return rim(kit.rim[0], kit.rim[1], v, next);
    case 38:
      return snare(kit.snare, v, next);
    case 39:
      return clap(kit.clap, v, next);
    case 40:
      return snare(kit.other, v, next);
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
