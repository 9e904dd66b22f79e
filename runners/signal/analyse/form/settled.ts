import { BANDS } from "../timbre/colour.ts";
import type { Rows } from "./rows.ts";

/** Rows on each side that are compared: four seconds of half-second rows. */
const REACH = 8;
/** Rows that a beginning may move by. */
const MOVE = 3;

/** Moves the first rows of sections, where no bar line says where they begin, to the row nearby where the levels change most. */
export function settled(starts: readonly number[], rows: Rows): number[] {
  const moved: number[] = [];
  for (const [index, start] of starts.entries()) {
    if (index === 0) {
      moved.push(start);
      continue;
    }
    let best = start;
    let most = -1;
    const low = Math.max(moved.at(-1)! + 1, start - MOVE);
    const high = Math.min((starts[index + 1] ?? rows.count) - 1, start + MOVE);
    for (let row = low; row <= high; row++) {
      const step = change(rows, row);
      if (step > most) [best, most] = [row, step];
    }
    moved.push(best);
  }
  return moved;
}

/** Squared distance of the mean levels before and after the beginning of a row, dB² a band. */
function change(rows: Rows, row: number): number {
  const reach = Math.min(REACH, row, rows.count - row);
  let sum = 0;
  for (let band = 0; band < BANDS; band++) {
    let step = 0;
    for (let k = 0; k < reach; k++)
      step += rows.levels[(row + k) * BANDS + band]! - rows.levels[(row - 1 - k) * BANDS + band]!;
    sum += (step / Math.max(1, reach)) ** 2;
  }
  return sum / BANDS;
}
