/** A constant that lies under a recording, as a faulty converter leaves it: unheard, unmeasured by BS.1770, and in the way of its peaks. */
import type { Audio, Streamed } from "../../packages/plugin/mod.ts";

/** Frames that are looked at at once: 0.37 s. */
const BLOCK = 16_384;
/** Of so many blocks one tells whether there may be an offset at all. */
const SPARSE = 16;
/** -40 dBFS: less costs no recording half a decibel. */
const OFFSET_MIN = 0.01;
/** dB of headroom that an offset has to cost. */
const COST_DB = 0.5;
/** Share of the offset by which blocks may stray from it: what comes and goes is no constant. */
const STEADY = 0.25;

/**
 * The same recording without the constant that costs it headroom, and what was taken from each channel; null where
 * nothing costs any.
 */
export function withoutOffset(
  audio: Audio | Streamed,
): { readonly audio: Streamed; readonly offsets: readonly number[] } | null {
  const sound = streamed(audio);
  const { channels, frames } = sound;
  if (means(sound, SPARSE).every(({ mean }) => Math.abs(mean) < OFFSET_MIN)) return null;
  const found = means(sound, 1);
  const offsets = found.map(({ mean, astray }) =>
    Math.abs(mean) >= OFFSET_MIN && astray <= STEADY * Math.abs(mean) ? mean : 0,
  );
  const peak = Math.max(...found.map(({ low, high }) => Math.max(high, -low)));
  const left = Math.max(...found.map(({ low, high }, n) => Math.max(high - offsets[n]!, offsets[n]! - low)));
  if (!(20 * Math.log10(peak / left) >= COST_DB)) return null;
  return {
    offsets,
    audio: {
      ...{ channels, frames, sample_rate: sound.sample_rate, peak: left },
      samples(from, to, out) {
        sound.samples(from, to, out);
        for (const [n, offset] of offsets.entries())
          if (offset !== 0) for (let at = 0; at < to - from; at++) out[n]![at] = out[n]![at]! - offset;
      },
    },
  };
}

interface Found {
  readonly mean: number;
  /** Root mean square of the distance of blocks' means from it. */
  readonly astray: number;
  readonly low: number;
  readonly high: number;
}

/** Of each channel, over every `nth` block. */
function means(sound: Streamed, nth: number): readonly Found[] {
  const { channels, frames } = sound;
  const block = Array.from({ length: channels }, () => new Float32Array(BLOCK));
  const sums = block.map(() => [] as { readonly sum: number; readonly count: number }[]);
  const edges = block.map(() => ({ low: 0, high: 0 }));
  for (let from = 0; from < frames; from += nth * BLOCK) {
    const to = Math.min(frames, from + BLOCK);
    sound.samples(from, to, block);
    for (const [n, channel] of block.entries()) {
      let [sum, low, high] = [0, edges[n]!.low, edges[n]!.high];
      for (let at = 0; at < to - from; at++) {
        const value = channel[at]!;
        sum += value;
        if (value < low) low = value;
        else if (value > high) high = value;
      }
      edges[n] = { low, high };
      sums[n]!.push({ sum, count: to - from });
    }
  }
  return sums.map((of_blocks, n) => {
    const total = of_blocks.reduce((all, { count }) => all + count, 0);
    const mean = of_blocks.reduce((all, { sum }) => all + sum, 0) / total;
    const power = of_blocks.reduce((all, { sum, count }) => all + count * (sum / count - mean) ** 2, 0);
    const astray = Math.sqrt(power / total);
    return { mean, astray, ...edges[n]! };
  });
}

function streamed(audio: Audio | Streamed): Streamed {
  if ("samples" in audio) return audio;
  const { channels, sample_rate } = audio;
  return {
    ...{ sample_rate, channels: channels.length, frames: channels[0]!.length, peak: Number.POSITIVE_INFINITY },
    samples(from, to, out) {
      for (const [n, channel] of channels.entries()) out[n]!.set(channel.subarray(from, to));
    },
  };
}
