/** A grain scheduler: a few short sounds, placed at random many times. */
import { type Control, STEP } from "./control.ts";
import { cosine, exp2, sine } from "./exact.ts";

export interface Scatter {
  /** Grains a second, on average; a Poisson process. */
  readonly density: number | Control;
  /** Levels vary by up to this many dB downwards. */
  readonly spread_db: number;
  /** Half width of the panorama, 0 to 1. */
  readonly width: number;
  readonly gain: number;
}

/** Adds randomly chosen `templates` to both channels. The last grains may be cut by the end of the buffer. */
export function scatter(
  left: Float32Array,
  right: Float32Array,
  rate: number,
  next: () => number,
  templates: readonly Float32Array[],
  { density, spread_db, width, gain }: Scatter,
): void {
  const frames = left.length;
  for (let at = 0, block = 0; at < frames; at += STEP, block++) {
    const expected = ((typeof density === "number" ? density : density[block]!) * STEP) / rate;
    // Dense textures have several in one step: whole ones, and the rest by chance.
    let count = Math.floor(expected);
    if (next() < expected - count) count++;
    for (; count > 0; count--) {
      const place = at + Math.floor(next() * STEP);
      const level = gain * exp2(-0.16609640474436813 * spread_db * next());
      const pan = width * (2 * next() - 1);
      mixIn(left, right, templates[Math.floor(next() * templates.length)]!, place, level, pan);
    }
  }
}

/** Adds a mono sound at frame `at` with constant power; what lies outside the buffer is left out. */
export function mixIn(
  left: Float32Array,
  right: Float32Array,
  sound: Float32Array,
  at: number,
  gain: number,
  pan: number,
): void {
  const turn = (pan + 1) / 8;
  const to_left = gain * cosine(turn) * Math.SQRT2;
  const to_right = gain * sine(turn) * Math.SQRT2;
  const from = Math.max(0, -at);
  const to = Math.min(sound.length, left.length - at);
  for (let n = from; n < to; n++) {
    const value = sound[n]!;
    left[at + n] = left[at + n]! + to_left * value;
    right[at + n] = right[at + n]! + to_right * value;
  }
}
