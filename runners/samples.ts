/** Audio as engines read it when it may be too long for memory: stretch by stretch. */
import type { Audio, Streamed } from "../core/plugin.ts";

/** Anything whose samples can be had stretch by stretch: audio in memory, a file of samples, or what is to be delivered. */
export type Samples = Omit<Streamed, "peak">;

/** `audio` to be read stretch by stretch. */
export function samplesOf(audio: Audio | Streamed): Samples {
  if ("samples" in audio) return audio;
  const { channels, sample_rate } = audio;
  return {
    sample_rate,
    frames: channels[0]?.length ?? 0,
    channels: channels.length,
    samples(from, to, out) {
      for (const [index, channel] of channels.entries()) out[index]!.set(channel.subarray(from, to));
    },
  };
}
