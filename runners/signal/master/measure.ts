import { breathe } from "../../breathe.ts";
import type { Samples } from "../../samples.ts";
import { SampleError } from "../../source_error.ts";
import { toDecibel } from "../dsp/decibel.ts";
import { CELL, cellFor } from "../dsp/limiter.ts";
import { LoudnessMeter } from "../dsp/loudness.ts";
import { TruePeakMeter } from "../dsp/true_peak.ts";

export interface Measured {
  /** -Infinity where no block passes the gates. */
  readonly lufs: number;
  /** -Infinity for silence. On a ring the larger of the ring's and the file's own. */
  readonly true_peak_dbtp: number;
  /** The meter, for `integrated` under another gain. */
  readonly meter: LoudnessMeter;
}

const BLOCK = 8192;

/** Energy bins in a hop of 100 ms: as many as divide it evenly into bins of about one of the limiter's cells, 294 at 44.1 kHz. */
export function binsPerHop({ sample_rate, frames }: Pick<Samples, "sample_rate" | "frames">): number {
  const hop = Math.round(sample_rate / 10);
  const cell = cellFor(frames);
  for (let apart = 0; apart < CELL; apart++) {
    for (const bin of [cell - apart, cell + apart]) if (hop % bin === 0) return hop / bin;
  }
  return 1;
}

/**
 * Loudness and true peak in one pass.
 *
 * @param bins_per_hop `binsPerHop` where the meter is to foretell the loudness under a limiter
 * @throws the signal's reason, and an error where a sample is not finite
 */
export async function measure(sound: Samples, ring: boolean, signal: AbortSignal, bins_per_hop = 1): Promise<Measured> {
  const loudness = new LoudnessMeter(sound.sample_rate, sound.channels, bins_per_hop);
  const linear = new TruePeakMeter(sound.channels);
  const context = TruePeakMeter.context;
  const round = ring ? new TruePeakMeter(sound.channels, wrapped(sound, -context, context)) : undefined;
  await eachBlock(sound, signal, (channels, from, to) => {
    loudness.push(channels, from, to);
    linear.push(channels, from, to);
    round?.push(channels, from, to);
  });
  const peak = Math.max(linear.finish(), round?.finish(wrapped(sound, 0, context)) ?? 0);
  const lufs = loudness.integrated();
  if (Number.isNaN(peak) || Number.isNaN(lufs))
    throw new SampleError("Cannot master the output: a sample is not finite");
  return { lufs, true_peak_dbtp: toDecibel(peak), meter: loudness };
}

/** Hands out all samples in order, those from index `from` to `to` of the channels, until `visit` says true; lets other work of the thread run now and then, so that an abort is seen. */
export async function eachBlock(
  sound: Samples,
  signal: AbortSignal,
  visit: (channels: readonly Float32Array[], from: number, to: number) => unknown,
): Promise<void> {
  const { whole } = sound;
  const block = whole ?? Array.from({ length: sound.channels }, () => new Float32Array(BLOCK));
  for (let from = 0; from < sound.frames; from += BLOCK) {
    if ((from / BLOCK) % 64 === 0) await breathe(signal);
    const to = Math.min(sound.frames, from + BLOCK);
    if (whole === undefined) sound.samples(from, to, block);
    const at = whole === undefined ? 0 : from;
    if (visit(block, at, at + to - from) === true) return;
  }
}

/** `count` samples from `start` on the ring; `start` may be negative and the ring shorter than `count`. */
export function wrapped(sound: Samples, start: number, count: number): readonly Float32Array[] {
  const out = Array.from({ length: sound.channels }, () => new Float32Array(count));
  for (let at = 0; at < count; ) {
    const from = (((start + at) % sound.frames) + sound.frames) % sound.frames;
    const frames = Math.min(count - at, sound.frames - from);
    sound.samples(
      from,
      from + frames,
      out.map((channel) => channel.subarray(at)),
    );
    at += frames;
  }
  return out;
}
