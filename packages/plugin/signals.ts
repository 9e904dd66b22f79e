/** Signals for authors' tests. */
import { type Audio, SAMPLE_RATE } from "../../contract/mod.ts";

/** A sine of `hertz` in every channel, full scale × `amplitude`. */
export function tone(hertz: number, seconds: number, { amplitude = 0.5, channels = 2 } = {}): Audio {
  const at = (position: number): number => amplitude * Math.sin((2 * Math.PI * hertz * position) / SAMPLE_RATE);
  return make(seconds, channels, () => at);
}

/** White noise between ±`amplitude`, the same for the same `seed`, different in each channel. */
export function noise(seconds: number, { amplitude = 0.5, channels = 2, seed = 1 } = {}): Audio {
  return make(seconds, channels, (channel) => {
    // xorshift32 (Marsaglia 2003), good enough for test signals; 0 is its fixed point.
    let state = (Math.imul(seed, 0x9e3779b1) ^ (channel + 1)) >>> 0 || 1;
    return () => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return amplitude * ((state >>> 0) / 2 ** 31 - 1);
    };
  });
}

export function silence(seconds: number, { channels = 2 } = {}): Audio {
  return make(seconds, channels, () => () => 0);
}

function make(seconds: number, channels: number, voice: (channel: number) => (position: number) => number): Audio {
  const length = Math.round(seconds * SAMPLE_RATE);
  const made = Array.from({ length: channels }, (_, channel) => {
    const at = voice(channel);
    return Float32Array.from({ length }, (_, position) => at(position));
  });
  return { sample_rate: SAMPLE_RATE, channels: made };
}
