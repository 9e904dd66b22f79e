import { exp2 } from "./exact.ts";

const SIZE = 1024;
// One more than the end of the octave: x - floor(x) rounds to 1 for the smallest negative x.
const TABLE = Float64Array.from({ length: SIZE + 2 }, (_, n) => exp2(n / SIZE));
const WHOLE = Float64Array.from({ length: 129 }, (_, n) => exp2(n - 64));

/** 2^x for -64 <= x < 64 from a table, within a ten-millionth: for control signals that want one every few samples. */
export function octaves(x: number): number {
  const whole = Math.floor(x);
  const place = (x - whole) * SIZE;
  const index = place | 0;
  const value = TABLE[index]!;
  return (value + (place - index) * (TABLE[index + 1]! - value)) * WHOLE[whole + 64]!;
}

/** Hz of a MIDI number: 69 is 440. */
export function hertzOf(pitch: number): number {
  return 440 * octaves((pitch - 69) / 12);
}
