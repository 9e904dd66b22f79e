import type { Streamed } from "../../../contract/mod.ts";

/** Seconds of the beginning and of the ending: as long as the longest cut, and together as what comes without configuration. */
const SECONDS = 300;

/** Where audio has a hole: its samples on both sides lie beside each other, and are none that follow one another. Seconds. */
export interface Splice {
  readonly at: number;
  /** How long the hole is. */
  readonly skipped: number;
}

/**
 * The beginning and the ending of what is too long to be heard as a whole: a cut of five minutes at the most is made of
 * these. What is not too long comes back as it is.
 */
export function passagesOf(source: Streamed, seconds: number = SECONDS): readonly [Streamed, Splice | undefined] {
  const { sample_rate, frames } = source;
  const half = Math.round(seconds * sample_rate);
  if (frames <= 2 * half) return [source, undefined];
  const skipped = frames - 2 * half;
  const audio: Streamed = {
    ...{ sample_rate, channels: source.channels, frames: 2 * half, peak: source.peak },
    samples(from, to, out) {
      const before = Math.max(from, Math.min(to, half));
      if (before > from) source.samples(from, before, out);
      if (to > before)
        source.samples(
          before + skipped,
          to + skipped,
          out.map((channel) => channel.subarray(before - from)),
        );
    },
  };
  return [audio, { at: half / sample_rate, skipped: skipped / sample_rate }];
}
