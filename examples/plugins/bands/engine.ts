/** Divides audio at a frequency. Its place is a child process: what native code does in it cannot harm the server. */
import type { Audio, Job, Runner } from "@tonwerk/plugin";

export interface Crossover {
  readonly audio: Audio;
  readonly hertz: number;
}

export interface Bands {
  readonly low: Audio;
  readonly high: Audio;
}

export const divider: Runner<Crossover, Bands> = {
  name: "divide",
  from: import.meta.url,
  isolation: "process",
  load: async () => ({ run: divide }),
};

/** A low pass of one pole; the high band is the rest, so that both sum to the source. */
function divide({ audio, hertz }: Crossover, { progress, signal }: Job): Bands {
  const share = 1 - Math.exp((-2 * Math.PI * hertz) / audio.sample_rate);
  const low: Float32Array<ArrayBuffer>[] = [];
  const high: Float32Array<ArrayBuffer>[] = [];
  for (const channel of audio.channels) {
    signal.throwIfAborted();
    progress(low.length / audio.channels.length, "dividing");
    let state = 0;
    const below = channel.map((sample) => (state += share * (sample - state)));
    low.push(below);
    high.push(channel.map((sample, at) => sample - below[at]!));
  }
  const { sample_rate } = audio;
  return { low: { sample_rate, channels: low }, high: { sample_rate, channels: high } };
}
