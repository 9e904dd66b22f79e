import type { Audio, Job } from "../../../contract/mod.ts";

/** Its number is raised whenever the same request and seed would give other samples. */
export const ENGINE = "studio/17";

/** Frames a second of all that is made. */
const RATE = 44_100;

/** A part of a job: its progress from 0 to 1 is the whole's from `from` to `from + width`. */
export function share(job: Job, from: number, width: number): Job {
  return { signal: job.signal, progress: (fraction, stage) => job.progress(from + width * fraction, stage) };
}

/** Equal parts of a job that may run side by side: its progress goes from `from` to 1 as theirs do together. */
export function partsOf(job: Job, from: number, count: number): readonly Job[] {
  const done = new Float64Array(count);
  return Array.from({ length: count }, (_, index) => ({
    signal: job.signal,
    progress(fraction, stage) {
      done[index] = fraction;
      job.progress(from + ((1 - from) * done.reduce((sum, one) => sum + one, 0)) / count, stage);
    },
  }));
}

/** What models of music give is often mono; what is delivered has two channels. */
export function stereo({ sample_rate, channels }: Audio): Audio {
  return channels.length === 1 ? { sample_rate, channels: [channels[0]!, channels[0]!] } : { sample_rate, channels };
}

/** What recording is told of a piece that is to last `seconds`; undefined: as long as it sounds. */
export function within(seconds: number | undefined): { readonly frames_max?: number } {
  return seconds === undefined ? {} : { frames_max: Math.round(seconds * RATE) };
}
