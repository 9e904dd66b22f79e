import type { Curve } from "../analyse/mod.ts";
import type { Affinity } from "./affinity.ts";
import type { Points } from "./points.ts";

/** What a join may do to the bar: keep it, or jump half a bar, or any number of beats. */
export type Strictness = "bar" | "half_bar" | "beat";

/** Every join costs this much, however good: half of what two points taken at random are unlike. */
export const JOIN = 0.3;
/** A bar of half its length is a known figure of music, but seldom what the piece does. */
const HALF_BAR = 0.6;
/** A bar of odd length is heard as a stumble. */
const ODD_BEATS = 1;
/** Hearing one bar again at once is noticed, eight bars again is a second verse. */
const SHORT_REPEAT = 0.25;
/** An odd number of bars so short that they may be halves. */
const HALVED = 0.35;
/** Bar lines that do not agree with the number of beats between them. */
const SLIP = 0.3;
/** What skipping the quietest instead of the loudest part of the piece may be worth. */
const ENERGY = 0.35;

/**
 * Cost of every join that leaves at point `i` and enters at point `j`: row i × count + j. Infinity where there is none.
 *
 * @param forward true: only joins that skip music (j > i); false: only joins that hear it again (j < i)
 * @param energy 0 to 1, or undefined
 * @param target seconds of the output
 */
export function joinCosts(
  points: Points,
  { count, unlike }: Affinity,
  strictness: Strictness,
  forward: boolean,
  energy: Curve | undefined,
  target: number,
): Float32Array {
  const costs = new Float32Array(count * count).fill(Number.POSITIVE_INFINITY);
  const { times, indices, places, bars, phrases, openings, clarity, pauses, beats_per_bar, kind } = points;
  const quiet = quietUntil(times, energy, target);
  // Bars of 1.6 s and less are often half of what a listener counts: an odd number of them may be half a bar.
  const halved = HALVED * Math.max(0, Math.min(1, (2.2 - points.bar_seconds) / 0.6));
  const half = beats_per_bar % 2 === 0 ? beats_per_bar / 2 : -1;
  for (let i = 0; i < count; i++) {
    const first = forward ? i + 1 : 0;
    const last = forward ? count : i;
    for (let j = first; j < last; j++) {
      let cost = JOIN;
      if (kind === "beats") {
        const shift = (((places[j]! - places[i]!) % beats_per_bar) + beats_per_bar) % beats_per_bar;
        if (shift !== 0) {
          if (strictness === "bar" || (strictness === "half_bar" && shift !== half)) continue;
          cost += shift === half ? HALF_BAR : ODD_BEATS;
        }
        // Between both sides lies a bar of another length, or a slip of the beats: one of the two bar lines may be wrong.
        else if (Math.abs(indices[j]! - indices[i]!) % beats_per_bar !== 0) cost += SLIP;
        cost += unlike[i * count + j]!;
        const skipped = Math.abs(bars[j]! - bars[i]!);
        cost += phrasing(phrases[i]!, phrases[j]!, skipped) + (skipped % 2 === 1 ? halved : 0);
        // A bar line, and a clear attack on it, hide a join best; the same boundary of two sections is where pieces turn anyway.
        if (places[j] !== 0) cost += 0.08;
        cost += 0.12 * (1 - clarity[j]!);
        if (!forward) cost += SHORT_REPEAT * Math.max(0, 1 - (bars[i]! - bars[j]!) / 8);
        if (openings[i] === 1 && openings[j] === 1) cost -= 0.15;
      } else {
        // Within sound everything depends on how alike both sides are; between two pauses hardly anything does.
        const silent = pauses[i] === 1 && pauses[j] === 1 ? Math.min(clarity[i]!, clarity[j]!) : 0;
        cost += (1 - 0.75 * silent) * unlike[i * count + j]! + 0.5 * (1 - silent);
        cost += 0.25 * (2 - clarity[i]! - clarity[j]!);
      }
      costs[i * count + j] = cost - (quiet[j]! - quiet[i]!);
    }
  }
  return costs;
}

/** A phrase has four bars, or two, far more often than an odd number; a join should not break it. */
function phrasing(from: number, to: number, bars: number): number {
  const shift = Math.abs(to - from);
  const place = shift % 4 === 0 ? 0 : shift % 2 === 0 ? 0.06 : 0.15;
  const length = bars % 4 === 0 ? 0 : bars % 2 === 0 ? 0.05 : 0.1;
  return place + length;
}

/** `ENERGY` × the time before each point, each moment weighted by how quiet it is, against the target. */
function quietUntil(times: Float64Array, energy: Curve | undefined, target: number): Float64Array {
  const quiet = new Float64Array(times.length);
  if (energy === undefined || energy.values.length === 0) return quiet;
  const { values, hop_seconds } = energy;
  let sum = 0;
  let hop = 0;
  for (let n = 0; n < times.length; n++) {
    const until = Math.min(values.length, Math.floor(times[n]! / hop_seconds));
    for (; hop < until; hop++) sum += (1 - values[hop]!) * hop_seconds;
    quiet[n] = (ENERGY * sum) / target;
  }
  return quiet;
}
