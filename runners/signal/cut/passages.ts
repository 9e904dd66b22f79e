import type { Audio, Streamed } from "../../../contract/mod.ts";
import { breathe } from "../../breathe.ts";

/** Seconds of the beginning and of the ending: as long as the longest cut, and together as what comes without configuration. */
const SECONDS = 300;
/** Frames that are read between two looks at the signal. */
const BLOCK = 1 << 18;

/** Where audio has a hole: its samples on both sides lie beside each other, and are none that follow one another. Seconds. */
export interface Splice {
  readonly at: number;
  /** How long the hole is. */
  readonly skipped: number;
}

/** The beginning and the ending of what is too long to be heard as a whole: a cut of five minutes at the most is made of these. */
export async function passagesOf(
  source: Streamed,
  signal: AbortSignal,
  seconds: number = SECONDS,
): Promise<readonly [Audio, Splice]> {
  const { sample_rate, frames } = source;
  const half = Math.min(Math.round(seconds * sample_rate), frames >> 1);
  const channels = Array.from({ length: source.channels }, () => new Float32Array(2 * half));
  for (const [from, at] of [
    [0, 0],
    [frames - half, half],
  ] as const) {
    for (let done = 0; done < half; done += BLOCK) {
      await breathe(signal);
      const count = Math.min(BLOCK, half - done);
      const out = channels.map((channel) => channel.subarray(at + done, at + done + count));
      source.samples(from + done, from + done + count, out);
    }
  }
  return [
    { sample_rate, channels },
    { at: half / sample_rate, skipped: (frames - 2 * half) / sample_rate },
  ];
}
