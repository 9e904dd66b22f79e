/** Puts beats where they are to the millisecond, and drops those before the first sound and after the last. */
import type { Track } from "./bars.ts";
import { STEP } from "./bars.ts";
import type { Activations } from "./network.ts";
import type { Onset } from "./onsets.ts";

export interface Settled {
  readonly beats: number[];
  readonly positions: number[];
}

/** Seconds of a row of activations, and of the first one's middle. */
export const ROW: number = 2 * STEP;
export const FIRST: number = 0.5 * STEP;
/** Seconds on each side within which an attack may be the beat's own. */
const REACH = 0.03;
/** Beats on each side whose common line a beat is drawn to. */
const NEIGHBOURS = 3;

export function settle(track: Track, heard: Activations, seconds: number, onsets: readonly Onset[]): Settled {
  const heard_at = track.beats.map((beat) => centre(heard, beat));
  const first = (onsets[0]?.time ?? 0) - 0.1;
  const last = (onsets.at(-1)?.time ?? seconds) + 0.1;
  const lined = heard_at.map((_, n) => onLine(heard_at, n));
  const beats: number[] = [];
  const positions: number[] = [];
  for (const [n, beat] of lined.entries()) {
    if (beat < first || beat > last || beat < 0 || beat >= seconds || beat <= (beats.at(-1) ?? -1)) continue;
    beats.push(beat);
    positions.push(track.positions[n]!);
  }
  return { beats, positions };
}

/** Centre of the activation within two rows of `beat`. */
function centre({ beat: values }: Activations, beat: number): number {
  const row = Math.round((beat - FIRST) / ROW);
  let weight = 0;
  let sum = 0;
  for (let n = Math.max(0, row - 2); n <= Math.min(values.length - 1, row + 2); n++) {
    weight += values[n]!;
    sum += values[n]! * (FIRST + n * ROW);
  }
  return weight > 0.2 && Math.abs(sum / weight - beat) < REACH ? sum / weight : beat;
}

/** Where the straight line through the neighbours puts beat `n`: human and machine time alike are smooth over a bar. */
function onLine(beats: readonly number[], n: number): number {
  const first = Math.max(0, n - NEIGHBOURS);
  const last = Math.min(beats.length - 1, n + NEIGHBOURS);
  const count = last - first + 1;
  if (count < 3) return beats[n]!;
  let mean_x = 0;
  let mean_y = 0;
  for (let k = first; k <= last; k++) {
    mean_x += k / count;
    mean_y += beats[k]! / count;
  }
  let product = 0;
  let square = 0;
  for (let k = first; k <= last; k++) {
    product += (k - mean_x) * (beats[k]! - mean_y);
    square += (k - mean_x) ** 2;
  }
  return mean_y + (product / square) * (n - mean_x);
}
