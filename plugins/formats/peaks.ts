/** Peaks for drawing a waveform of any width, out of an output's levels. */

/** Full scale of the levels. */
const FULL = 32_768;

/**
 * `{ duration, bins, min, max }`: the smallest and the largest sample of each bin, -1 to 1; as many bins as samples at
 * most.
 */
export function peaksOf(levels: Buffer, duration: number, wanted: number): object {
  const frames = levels.readUInt32LE(0);
  const stretch = levels.readUInt32LE(4);
  const bins = Math.min(wanted, Math.ceil(frames / stretch));
  const [min, max]: [number[], number[]] = [[], []];
  for (let bin = 0; bin < bins; bin++) {
    const first = Math.floor((bin * frames) / bins / stretch);
    const last = Math.max(first, Math.ceil(((bin + 1) * frames) / bins / stretch) - 1);
    let [low, high] = [FULL, -FULL];
    for (let at = 8 + 4 * first; at <= 8 + 4 * last; at += 4) {
      low = Math.min(low, levels.readInt16LE(at));
      high = Math.max(high, levels.readInt16LE(at + 2));
    }
    min.push(decimals(low));
    max.push(decimals(high));
  }
  return { duration, bins, min, max };
}

const decimals = (value: number): number => Math.round((value / FULL) * 10_000) / 10_000;
