/** What every row of the grid sounds like, for the comparison of rows and of sections. */
import { BANDS, type Colour } from "../timbre/colour.ts";
import type { Grid } from "./grid.ts";

/** Levels this far below the piece's loudest row are taken as silence, dB. */
const FLOOR_DB = -60;

export interface Rows {
  readonly count: number;
  /** Level of the bands, dB below the loudest row's whole power, not under FLOOR_DB: `BANDS` values a row. */
  readonly levels: Float32Array;
  /** How much the bands rise from frame to frame, dB on average: `BANDS` values a row. */
  readonly attacks: Float32Array;
  /** Share of the side signal in the energy: one value a row. */
  readonly width: Float32Array;
}

export function rowsOf(colour: Colour, grid: Grid): Rows {
  const count = grid.edges.length - 1;
  const levels = new Float32Array(count * BANDS);
  const attacks = new Float32Array(count * BANDS);
  const width = new Float32Array(count);
  let loudest = 0;
  for (let row = 0; row < count; row++) {
    const [from, to] = framesOf(colour, grid, row);
    for (let frame = from; frame < to; frame++) {
      width[row]! += colour.width[frame]! / (to - from);
      for (let band = 0; band < BANDS; band++) {
        levels[row * BANDS + band]! += colour.bands[frame * BANDS + band]! / (to - from);
      }
    }
    let power = 0;
    for (let band = 0; band < BANDS; band++) power += levels[row * BANDS + band]!;
    loudest = Math.max(loudest, power);
  }
  const floor = loudest * 10 ** (FLOOR_DB / 10) + 1e-12;
  for (let row = 0; row < count; row++) {
    const [from, to] = framesOf(colour, grid, row);
    for (let band = 0; band < BANDS; band++) {
      let rise = 0;
      for (let frame = Math.max(1, from); frame < to; frame++) {
        const at = frame * BANDS + band;
        const ratio = (colour.bands[at]! + floor) / (colour.bands[at - BANDS]! + floor);
        if (ratio > 1) rise += 10 * Math.log10(ratio);
      }
      attacks[row * BANDS + band] = rise / Math.max(1, to - from);
    }
  }
  for (let n = 0; n < levels.length; n++) levels[n] = 10 * Math.log10((levels[n]! + floor) / (loudest + floor));
  return { count, levels, attacks, width };
}

/** At least one frame a row. */
function framesOf(colour: Colour, grid: Grid, row: number): readonly [number, number] {
  const last = Math.max(0, colour.frames - 1);
  const from = Math.min(last, Math.round(grid.edges[row]! / colour.hop_seconds));
  const to = Math.min(colour.frames, Math.max(from + 1, Math.round(grid.edges[row + 1]! / colour.hop_seconds)));
  return [from, to];
}
