import { type Sound, stretchOf, type Views, viewsOf } from "../../samples.ts";
import { attackNear, type Flux } from "./attacks.ts";
import { HOP, powerDb } from "./envelopes.ts";

/** A join down to the sample: the output plays the source up to `leave`, then from `enter` on; both are the middle of the crossfade. */
export interface Seam {
  /** Samples of the source. */
  readonly leave: number;
  readonly enter: number;
  /** Length of the crossfade, samples. */
  readonly fade: number;
  /** Correlation of both sides over the crossfade, -1 to 1. */
  readonly correlation: number;
  /** Level of the entering side against the leaving one over the crossfade, dB. */
  readonly step_db: number;
  /** How well the rhythm of both sides agrees around the join, 0 to 1. */
  readonly agreement: number;
}

export interface Aim {
  /** Seconds. */
  readonly leave: number;
  readonly enter: number;
  /** `beat`: the rhythm is aligned too; `free`: only the waveform is. */
  readonly kind: "beat" | "free" | "pause";
  readonly beat_seconds: number;
}

/** The most by which the entering side is moved against the beats' own distance, seconds. */
const SHIFT_MAX = 0.03;
/** Beat times are that good on the whole, seconds: the prior of the shift. */
const SHIFT_SIGMA = 0.008;
/** Crossfades, seconds: before an attack; in sounding material; in a pause. */
const FADE = { attack: 0.02, sustained: 0.05, pause: 0.08 } as const;
/** The crossfade ends this long before the attack, seconds. */
const CLEARANCE = 0.0015;

export function align(audio: Sound, flux: Flux, aim: Aim): Seam {
  const sound = viewsOf(audio);
  const { sample_rate } = sound;
  const { shift, agreement } = aim.kind === "beat" ? rhythmShift(flux, aim) : { shift: 0, agreement: 0 };
  const enter = aim.enter + shift;
  const { centre, fade } = aim.kind === "pause" ? { centre: 0, fade: FADE.pause } : placed(flux, aim.leave, enter);
  return settle(sound, aim.kind, {
    leave: Math.round((aim.leave + centre) * sample_rate),
    enter: Math.round((enter + centre) * sample_rate),
    fade: Math.round(fade * sample_rate),
    agreement,
  });
}

/**
 * By how much the entering side must move so that the attacks around both points fall together, from a beat before to two beats after:
 * single notes are played early and late, a bar of them is not. Correlation of the rises in three bands, against a prior at 0.
 */
function rhythmShift({ sample_rate, bands }: Flux, aim: Aim): { shift: number; agreement: number } {
  const per_second = sample_rate / HOP;
  const reach = Math.round(SHIFT_MAX * per_second);
  const before = Math.round(aim.beat_seconds * per_second);
  const after = 2 * before;
  const leave = Math.round(aim.leave * per_second);
  const enter = Math.round(aim.enter * per_second);
  const score = new Float64Array(2 * reach + 1);
  const length = bands[0].length;
  for (const band of bands) {
    let power_leave = 0;
    let power_enter = 0;
    for (let n = -before; n < after; n++) {
      power_leave += square(band[leave + n]);
      power_enter += square(band[enter + n]);
    }
    const scale = 1 / Math.sqrt(power_leave * power_enter + 1e-9);
    for (let lag = -reach; lag <= reach; lag++) {
      let sum = 0;
      const from = Math.max(-before, -leave, -enter - lag);
      const to = Math.min(after, length - leave, length - enter - lag);
      for (let n = from; n < to; n++) sum += smooth(band, leave + n) * band[enter + lag + n]!;
      score[lag + reach]! += (sum * scale) / 3;
    }
  }
  let top = reach;
  let best = Number.NEGATIVE_INFINITY;
  for (let lag = 0; lag < score.length; lag++) {
    const seconds = (lag - reach) / per_second;
    // A hump of the correlation must outweigh the prior, which says that the beats are where they were found.
    const value = score[lag]! - 0.25 * (1 - Math.exp(-0.5 * (seconds / SHIFT_SIGMA) ** 2));
    if (value > best) {
      best = value;
      top = lag;
    }
  }
  const agreement = Math.max(0, Math.min(1, score[top]!));
  // Rhythms that do not agree tell nothing about where each other's beat is.
  if (agreement < 0.15) return { shift: 0, agreement };
  const left = score[top - 1] ?? score[top]!;
  const right = score[top + 1] ?? score[top]!;
  const bend = left - 2 * score[top]! + right;
  const fraction = bend < 0 ? Math.max(-0.5, Math.min(0.5, (0.5 * (left - right)) / bend)) : 0;
  return { shift: (top - reach + fraction) / per_second, agreement };
}

/** A triangle over 5 hops (7 ms): attacks of one instrument differ that much from note to note. */
function smooth(band: Float32Array, at: number): number {
  return (
    ((band[at - 2] ?? 0) +
      2 * (band[at - 1] ?? 0) +
      3 * (band[at] ?? 0) +
      2 * (band[at + 1] ?? 0) +
      (band[at + 2] ?? 0)) /
    9
  );
}

function square(value: number | undefined): number {
  return value === undefined ? 0 : value * value;
}

/**
 * Where the crossfade lies, seconds against both points, and its length: just before the earlier of both attacks, so
 * that neither is heard twice or cut.
 */
function placed(flux: Flux, leave: number, enter: number): { centre: number; fade: number } {
  const leaving = attackNear(flux, leave - 0.03, leave + 0.04);
  const entering = attackNear(flux, enter - 0.03, enter + 0.04);
  const attacks: number[] = [];
  if (entering.strength > 0.25) attacks.push(entering.time - enter);
  if (leaving.strength > 0.25) attacks.push(leaving.time - leave);
  if (attacks.length === 0) return { centre: 0, fade: FADE.sustained };
  return { centre: Math.min(...attacks) - CLEARANCE - FADE.attack / 2, fade: FADE.attack };
}

/** The last milliseconds: the entering side moves to where the waveforms agree best, if they agree anywhere. */
function settle(sound: Views, kind: Aim["kind"], rough: Omit<Seam, "correlation" | "step_db">): Seam {
  const { frames: length, sample_rate } = sound;
  const window = Math.max(rough.fade, Math.round(0.03 * sample_rate));
  // Half a period of 100 Hz on the beat; a whole one of 80 Hz where no beat forbids it.
  const reach = Math.round((kind === "beat" ? 0.0025 : 0.0125) * sample_rate);
  const half = window >> 1;
  const leave = Math.max(half + reach, Math.min(length - half - reach, rough.leave));
  const enter = Math.max(half + reach, Math.min(length - half - reach, rough.enter));
  if (length < 4 * (half + reach)) return { ...rough, correlation: 0, step_db: 0 };
  const a = mixed(sound, leave - half, window);
  const b = mixed(sound, enter - half - reach, window + 2 * reach);
  let energy_a = 0;
  for (let n = 0; n < window; n++) energy_a += a[n]! * a[n]!;
  let energy_b = 0;
  for (let n = 0; n < window; n++) energy_b += b[n]! * b[n]!;
  const step_db = powerDb(energy_b / window) - powerDb(energy_a / window);
  let top = reach;
  let best = Number.NEGATIVE_INFINITY;
  let correlation = 0;
  for (let lag = 0; lag <= 2 * reach; lag++) {
    let sum = 0;
    for (let n = 0; n < window; n++) sum += a[n]! * b[lag + n]!;
    const value = sum / Math.sqrt(energy_a * energy_b + 1e-12);
    // Moving costs a little, so that noise stays where it is.
    const worth = value - 0.1 * Math.abs((lag - reach) / reach);
    if (worth > best) {
      best = worth;
      top = lag;
      correlation = value;
    }
    energy_b += b[lag + window]! ** 2 - b[lag]! ** 2;
  }
  return { ...rough, leave, enter: enter + top - reach, step_db, correlation: Math.max(-1, Math.min(1, correlation)) };
}

function mixed(sound: Views, from: number, count: number): Float64Array {
  const mix = new Float64Array(count + 1);
  const [left, right = left] = stretchOf(sound, from, from + count);
  for (let n = 0; n < count; n++) mix[n] = 0.6 * left![n]! + 0.4 * right![n]!;
  return mix;
}
