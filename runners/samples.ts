/** Audio as engines read it when it may be too long for memory: stretch by stretch. */
import type { Audio, Streamed } from "../contract/mod.ts";

/** Anything whose samples can be had stretch by stretch: audio in memory, a file of samples, or what is to be delivered. */
export interface Samples extends Omit<Streamed, "peak"> {
  /** All of each channel where it is in memory: nothing need be copied to be looked at then. */
  readonly whole?: readonly Float32Array[];
}

/** `audio` to be read stretch by stretch. */
export function samplesOf(audio: Audio | Streamed): Samples {
  if ("samples" in audio) return audio;
  const { channels, sample_rate } = audio;
  return {
    sample_rate,
    frames: channels[0]?.length ?? 0,
    channels: channels.length,
    whole: channels,
    samples(from, to, out) {
      for (const [index, channel] of channels.entries()) out[index]!.set(channel.subarray(from, to));
    },
  };
}

/** Samples at hand: those asked for begin at `at` in each channel. */
interface View {
  readonly channels: readonly Float32Array[];
  readonly at: number;
}

/** Audio to look at, here and there but mostly onwards. What is in memory is never copied. */
export interface Views extends Omit<Samples, "samples"> {
  /** Samples `from` to `to`, good until the next call. */
  view(from: number, to: number): View;
}

/** All of it in memory. */
export function wholeOf(audio: Audio | Streamed): Audio {
  if (!("samples" in audio)) return audio;
  const { sample_rate, frames } = audio;
  const channels = Array.from({ length: audio.channels }, () => new Float32Array(frames));
  for (let from = 0; from < frames; from += STRETCH) {
    const to = Math.min(frames, from + STRETCH);
    audio.samples(
      from,
      to,
      channels.map((channel) => channel.subarray(from, to)),
    );
  }
  return { sample_rate, channels };
}

export function framesOf(audio: Audio | Streamed): number {
  return "samples" in audio ? audio.frames : (audio.channels[0]?.length ?? 0);
}

/** Samples `from` to `to` of each channel, fewer where it ends before; good until the next call. */
export function stretchOf(sound: Views, from: number, to: number): readonly Float32Array[] {
  const first = Math.min(sound.frames, Math.max(0, from));
  const last = Math.min(sound.frames, Math.max(first, to));
  const { channels, at } = sound.view(first, last);
  return channels.map((channel) => channel.subarray(at, at + last - first));
}

/** Frames that are fetched at once of what is not in memory. */
const STRETCH = 1 << 16;

/** What can be looked at. */
export type Sound = Audio | Streamed | Views;

/** Views are themselves. */
export function viewsOf(audio: Sound): Views {
  if ("view" in audio) return audio;
  if (!("samples" in audio)) {
    const { channels, sample_rate } = audio;
    return {
      sample_rate,
      frames: channels[0]?.length ?? 0,
      channels: channels.length,
      view: (from) => ({ channels, at: from }),
    };
  }
  const { frames, channels, sample_rate } = audio;
  let stretch = Array.from({ length: channels }, () => new Float32Array(STRETCH));
  let start = 0;
  let end = 0;
  return {
    ...{ sample_rate, frames, channels },
    view(from, to) {
      if (from < start || to > end) {
        if (to - from > stretch[0]!.length) stretch = stretch.map(() => new Float32Array(to - from));
        start = from;
        end = Math.min(frames, from + stretch[0]!.length);
        audio.samples(start, end, stretch);
      }
      return { channels: stretch, at: from - start };
    },
  };
}
