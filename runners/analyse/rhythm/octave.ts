/** Whether beats were found at twice the pulse: quick ones of which every second is weaker. */
import { STEP, type Track } from "./bars.ts";
import type { Activations } from "./network.ts";

/** Beats a minute from which a found tempo may be the double of a slow one. */
const QUICK_BPM = 108;
/**
 * How much further the odd beats of bars of four reach than the even ones where only they are beats. In quick music the second and fourth,
 * on which the snare falls, reach as far or further.
 */
const WEAKER = 0.08;

export function isDoubled({ beats, positions, beats_per_bar }: Track, { beat: heard }: Activations): boolean {
  if (beats_per_bar !== 4 || beats.length < 16) return false;
  const tempo = (60 * (beats.length - 1)) / (beats.at(-1)! - beats[0]!);
  if (tempo < QUICK_BPM) return false;
  const sums = [0, 0];
  const counts = [0, 0];
  for (const [n, time] of beats.entries()) {
    const row = Math.round((time / STEP - 0.5) / 2);
    const side = positions[n]! % 2;
    sums[side]! += Math.max(heard[row - 1] ?? 0, heard[row] ?? 0, heard[row + 1] ?? 0);
    counts[side]!++;
  }
  return sums[1]! / Math.max(1, counts[1]!) - sums[0]! / Math.max(1, counts[0]!) > WEAKER;
}
