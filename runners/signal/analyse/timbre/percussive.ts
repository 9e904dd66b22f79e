import { BANDS, type Colour } from "./colour.ts";

/** Frames on each side that the steady part is the median of: 0.3 s in all. */
const STEADY_REACH = 5;
/** Bands on each side that the struck part is the median of. */
const STRUCK_REACH = 5;

/**
 * Share of the energy that is percussive, 0 to 1: median filtering along time keeps what lasts, along frequency what is struck, and
 * both share out the energy by their squares (Fitzgerald, "Harmonic/percussive separation using median filtering", DAFx 2010).
 */
export function percussiveShare(colour: Colour): number {
  const { bands, frames } = colour;
  const along_time = new Float64Array(2 * STEADY_REACH + 1);
  const along_bands = new Float64Array(2 * STRUCK_REACH + 1);
  let struck = 0;
  let all = 0;
  for (let frame = 0; frame < frames; frame++) {
    for (let band = 0; band < BANDS; band++) {
      const value = bands[frame * BANDS + band]!;
      if (value === 0) continue;
      let count = 0;
      for (let f = Math.max(0, frame - STEADY_REACH); f <= Math.min(frames - 1, frame + STEADY_REACH); f++) {
        along_time[count++] = bands[f * BANDS + band]!;
      }
      const steady = median(along_time, count);
      count = 0;
      for (let b = Math.max(0, band - STRUCK_REACH); b <= Math.min(BANDS - 1, band + STRUCK_REACH); b++) {
        along_bands[count++] = bands[frame * BANDS + b]!;
      }
      const blow = median(along_bands, count);
      const mask = steady + blow > 0 ? blow / (steady + blow) : 0;
      struck += mask * value;
      all += value;
    }
  }
  return all > 0 ? struck / all : 0;
}

/** Of the first `count` values, which it puts in order. */
function median(values: Float64Array, count: number): number {
  for (let i = 1; i < count; i++) {
    const value = values[i]!;
    let j = i - 1;
    for (; j >= 0 && values[j]! > value; j--) values[j + 1] = values[j]!;
    values[j + 1] = value;
  }
  return count % 2 === 1 ? values[count >> 1]! : 0.5 * (values[(count >> 1) - 1]! + values[count >> 1]!);
}
