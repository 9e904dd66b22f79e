import type { Audio, Streamed } from "../../../contract/mod.ts";
import type { Block } from "./blocks.ts";

type Samples = Float32Array | Float64Array;

/**
 * Makes one channel of five stems that sum to the source out of three estimates that need not: the instrumental is what the vocals leave,
 * other what drums and bass leave of it. No sample is beyond `peak`: what a stem would have above that stays with its neighbours.
 *
 * @param source its samples from index `from` on
 * @param peak at least the largest sample of the source
 */
export function divide(
  source: Float32Array,
  from: number,
  count: number,
  estimates: readonly [vocals: Samples, drums: Samples, bass: Samples],
  peak: number,
  channel: number,
  stems: Block,
): void {
  const [vocals, drums, bass] = estimates;
  const to_vocals = stems.vocals[channel]!;
  const to_drums = stems.drums[channel]!;
  const to_bass = stems.bass[channel]!;
  const to_other = stems.other[channel]!;
  const to_instrumental = stems.instrumental[channel]!;
  for (let n = 0; n < count; n++) {
    const x = source[from + n]!;
    // Between these, what is left of x is within ±peak as well.
    const v = within(vocals[n]!, Math.max(-peak, x - peak), Math.min(peak, x + peak));
    const rest = x - v;
    let d = within(drums[n]!, -peak, peak);
    let b = within(bass[n]!, -peak, peak);
    let o = rest - d - b;
    // Beyond the bounds, drums and then bass give way; that is enough, for the rest is within them.
    const over = o - within(o, -peak, peak);
    if (over !== 0) {
      const moved = within(d + over, -peak, peak) - d;
      d += moved;
      b = within(b + over - moved, -peak, peak);
      o = rest - d - b;
    }
    to_vocals[n] = v;
    to_drums[n] = d;
    to_bass[n] = b;
    to_other[n] = o;
    to_instrumental[n] = rest;
  }
}

function within(value: number, low: number, high: number): number {
  return value < low ? low : Math.min(value, high);
}

/** The source's largest sample, or full scale where that is larger. */
export function peakOf(audio: Audio | Streamed): number {
  let peak = 1;
  if ("samples" in audio) return Math.max(peak, audio.peak);
  for (const channel of audio.channels) {
    for (let n = 0; n < channel.length; n++) {
      const value = Math.abs(channel[n]!);
      if (value > peak) peak = value;
    }
  }
  return peak;
}
