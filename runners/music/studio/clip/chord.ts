/** How a hand puts a chord on an instrument. */
import type { ChordSaid } from "../../../language/mod.ts";

export const MAJOR: ChordSaid = { intervals: [0, 4, 7], suffix: "" };
export const MINOR: ChordSaid = { intervals: [0, 3, 7], suffix: "m" };

/** How the notes of a chord are laid out. */
export type Hand = "guitar" | "keys" | "section" | "close";

/**
 * MIDI numbers, ascending, of a chord on `root` (a pitch class) within `low` to `high`.
 *
 * `guitar`: the E shape of a barre, root at the bottom string and doubled; `keys`: root an octave below the close chord; `section`: the
 * same without what is doubled; `close`: all within an octave and a third.
 */
export function voiced(
  root: number,
  intervals: readonly number[],
  hand: Hand,
  [low, high]: readonly [number, number],
): readonly number[] {
  const from = (floor: number): number => floor + ((((root - floor) % 12) + 12) % 12);
  const third = intervals[1] ?? 7;
  const fifth = intervals.find((up) => up >= 6 && up <= 8) ?? 7;
  const above = intervals.filter((up) => up > 8);
  const inside = (pitches: readonly number[]): readonly number[] => {
    const moved = pitches.map((pitch) => {
      let at = pitch;
      while (at < low) at += 12;
      while (at > high) at -= 12;
      return at;
    });
    return [...new Set(moved)].sort((a, b) => a - b);
  };
  if (hand === "guitar") {
    const base = from(Math.max(low, 40));
    if (intervals.length === 2) return inside([base, base + 7, base + 12]);
    const seventh = above.find((up) => up <= 11);
    const top = above.find((up) => up > 11);
    return inside([
      base,
      base + fifth,
      base + (seventh ?? 12),
      base + 12 + third,
      base + 12 + fifth,
      base + (top === undefined ? 24 : top + 12),
    ]);
  }
  if (hand === "close") return inside(intervals.map((up) => from(Math.max(low, 55)) + up));
  const base = from(Math.max(low + 12, 55));
  return inside([
    base - 12,
    ...intervals.slice(hand === "section" && intervals.length > 3 ? 1 : 0).map((up) => base + up),
  ]);
}
