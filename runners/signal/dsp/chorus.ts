/** Delays that breathe: the ensemble of string machines, which makes a few oscillators many and mono wide. */
import { STEP } from "./control.ts";
import { sine } from "./exact.ts";

export interface Chorus {
  /** Seconds: the middle of the delays and how far they move from it. */
  readonly delay: number;
  readonly depth: number;
  /** Cycles a second of the slow and of the fast motion, and the share of the fast one. */
  readonly slow: number;
  readonly fast: number;
  readonly flutter: number;
  /** Gains of the direct sound and of the moving one. */
  readonly dry: number;
  readonly wet: number;
}

/**
 * In place on two channels. Three taps a channel, a third of a turn apart and crossed over. Yields now and then.
 *
 * @param ring frames after which the motion comes back to its beginning; 0 where it need not
 */
export function* chorus(
  left: Float32Array,
  right: Float32Array,
  rate: number,
  settings: Chorus,
  ring = 0,
): Generator<undefined, void> {
  const { delay, depth, flutter, dry, wet } = settings;
  const frames = left.length;
  const slow = whole(settings.slow / rate, ring);
  const fast = whole(settings.fast / rate, ring);
  const size = 2 ** Math.ceil(Math.log2((delay + depth) * rate + 4));
  const mask = size - 1;
  const past_left = new Float32Array(size);
  const past_right = new Float32Array(size);
  const taps = new Float64Array(6);
  const moves = new Float64Array(6);
  const gain = wet / 1.8;
  const settle = (index: number, at: number): number =>
    rate *
    (delay +
      depth *
        ((1 - flutter) * sine(slow * at + index / 3 + (index > 2 ? 0.17 : 0)) +
          flutter * sine(fast * at + index / 3 + (index > 2 ? 0.41 : 0))));
  for (let index = 0; index < 6; index++) taps[index] = settle(index, 0);
  for (let at = 0; at < frames; at += STEP) {
    const end = Math.min(frames, at + STEP);
    for (let index = 0; index < 6; index++) moves[index] = (settle(index, at + STEP) - taps[index]!) / STEP;
    let d0 = taps[0]!;
    let d1 = taps[1]!;
    let d2 = taps[2]!;
    let d3 = taps[3]!;
    let d4 = taps[4]!;
    let d5 = taps[5]!;
    const m0 = moves[0]!;
    const m1 = moves[1]!;
    const m2 = moves[2]!;
    const m3 = moves[3]!;
    const m4 = moves[4]!;
    const m5 = moves[5]!;
    for (let n = at; n < end; n++) {
      const one = left[n]!;
      const other = right[n]!;
      past_left[n & mask] = one;
      past_right[n & mask] = other;
      const l0 = read(past_left, mask, n - d0);
      const l1 = read(past_left, mask, n - d1);
      const l2 = read(past_right, mask, n - d2);
      const r0 = read(past_right, mask, n - d3);
      const r1 = read(past_right, mask, n - d4);
      const r2 = read(past_left, mask, n - d5);
      left[n] = dry * one + gain * (l0 + l1 + l2);
      right[n] = dry * other + gain * (r0 + r1 + r2);
      d0 += m0;
      d1 += m1;
      d2 += m2;
      d3 += m3;
      d4 += m4;
      d5 += m5;
    }
    for (let index = 0; index < 6; index++) taps[index] = taps[index]! + moves[index]! * STEP;
    if (at % YIELD === 0) yield undefined;
  }
}

/** Frames after which it yields; a multiple of STEP. */
const YIELD = 2 ** 17;

function read(past: Float32Array, mask: number, place: number): number {
  const index = Math.floor(place);
  const value = past[index & mask]!;
  return value + (place - index) * (past[(index + 1) & mask]! - value);
}

/** `step` cycles a frame, or the nearest that has whole cycles in `ring` frames. */
export function whole(step: number, ring: number): number {
  return ring > 0 ? Math.max(1, Math.round(step * ring)) / ring : step;
}
