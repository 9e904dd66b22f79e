/** Fluctuations as people have them: long-range correlated, of a spectrum that falls as 1/f. */
import { hash32 } from "./random.ts";

/** Places between which a line is drawn lie this far apart on the finest level, and twice as far on each further one. */
const FINEST = 0.5;
const LEVELS = 9;
/** Variance of a straight line between two uniform numbers from -1 to 1, in the mean over the line, is 2/9. */
const DEVIATION = Math.sqrt((LEVELS * 2) / 9);

/**
 * 1/f noise by place: a sum of levels of equal power, each half as dense as the one before (Voss and McCartney's way,
 * by hashes so that any place may be asked for). Mean 0, deviation 1, never beyond 6.4; measured slope of its spectrum:
 * -1.06.
 *
 * @param seed unsigned 32 bits
 * @param place in beats, or whatever the levels are to be measured by: from 0.5 to 128 of them
 */
export function pink(seed: number, place: number): number {
  let sum = 0;
  let x = place / FINEST;
  for (let level = 0; level < LEVELS; level++, x /= 2) {
    const of = hash32(seed, level);
    const cell = Math.floor(x);
    const [a, b] = [uniform(of, cell), uniform(of, cell + 1)];
    sum += a + (x - cell) * (b - a);
  }
  return sum / DEVIATION;
}

/** From -1 to 1. */
function uniform(seed: number, index: number): number {
  return hash32(seed, index) / 0x8000_0000 - 1;
}
