/** Blocks of samples in and out of what lies whole in memory, whose frames may lie before a ring's first. */
import { STEP } from "../../signal/dsp/control.ts";
import type { Stem } from "../play/mod.ts";

export function keep(samples: Float64Array, count: number, out: Float32Array, at: number): void {
  for (let n = 0; n < count; n++) out[at + n] = samples[n]!;
}

/** `count` samples from `at` on, which may lie before a ring's first. */
export function wrapped(source: Float32Array, out: Float64Array, at: number, count: number, frames: number): void {
  if (at >= 0) for (let n = 0; n < count; n++) out[n] = source[at + n]!;
  else for (let n = 0; n < count; n++) out[n] = source[wrap(at + n, frames)]!;
}

/** Scales a block in place and adds it to a bus, unless it lies before a ring's first frame. */
export function place(samples: Float64Array, gain: number, bus: Float32Array, at: number, count: number): void {
  if (at < 0) {
    for (let n = 0; n < count; n++) samples[n] = samples[n]! * gain;
    return;
  }
  for (let n = 0; n < count; n++) {
    const value = samples[n]! * gain;
    samples[n] = value;
    bus[at + n] = bus[at + n]! + value;
  }
}

export function scaleSide(left: Float64Array, right: Float64Array, count: number, side: number): void {
  const same = 0.5 * (1 + side);
  const other = 0.5 * (1 - side);
  for (let n = 0; n < count; n++) {
    const l = left[n]!;
    const r = right[n]!;
    left[n] = same * l + other * r;
    right[n] = same * r + other * l;
  }
}

/** The same as `applySteps` for frames before a ring's first. */
export function scaleWrapped(
  samples: Float64Array,
  level: Float32Array,
  at: number,
  count: number,
  frames: number,
): void {
  const steps = level.length;
  for (let n = 0; n < count; n++) {
    const frame = wrap(at + n, frames);
    const step = Math.floor(frame / STEP);
    const from = level[step]!;
    const to = level[step + 1 < steps ? step + 1 : 0]!;
    const length = Math.min(STEP, frames - step * STEP);
    samples[n] = samples[n]! * (from + ((to - from) * (frame - step * STEP)) / length);
  }
}

export function wrap(frame: number, frames: number): number {
  return frame >= 0 ? frame % frames : ((frame % frames) + frames) % frames;
}

/** A stem that is longer than its ring comes round. */
export function folded(stem: Stem, frames: number): Stem {
  if (stem[0].length <= frames) return stem;
  const fold = (source: Float32Array): Float32Array => {
    const out = source.slice(0, frames);
    for (let n = frames; n < source.length; n++) out[n % frames] = out[n % frames]! + source[n]!;
    return out;
  };
  return stem.length === 2 ? [fold(stem[0]), fold(stem[1])] : [fold(stem[0])];
}
