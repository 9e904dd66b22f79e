/** Sources for whatever an action declares: music, and something like speech where the name of a source asks for a voice. */
import type { Limits } from "../../core/plugin.ts";
import { music, seeded } from "../../test/audio.ts";

const RATE = 44_100;
/** Bytes of a second of 16-bit stereo. */
const BYTES_A_SECOND = 4 * RATE;

/** The length nearest to `seconds` that the declaration admits, also as a 16-bit stereo WAV file. */
export function admitted(seconds: number, { seconds_min, seconds_max, bytes_max }: Limits): number {
  return Math.max(seconds_min, Math.min(seconds, seconds_max, Math.floor(bytes_max / BYTES_A_SECOND - 1)));
}

/** Stereo, different for each `index`, so that an action that refuses the same audio twice takes them. */
export function sourceFor(name: string, index: number, seconds: number): readonly Float32Array[] {
  if (!/voice|vocal|speech|narration/iu.test(name)) return music(index + 1, seconds);
  const spoken = voice(index + 1, seconds);
  return [spoken, spoken];
}

/** Formants in Hz of five vowels of an adult, after Peterson and Barney (1952), table II. */
const VOWELS = [
  [730, 1_090, 2_440],
  [530, 1_840, 2_480],
  [270, 2_290, 3_010],
  [570, 840, 2_410],
  [300, 870, 2_240],
] as const;

/**
 * Like a voice that reads aloud: pulses at a gliding pitch through three resonances, a syllable about every 0.2 s, each begun by noise,
 * sentences of 2 to 4 s and pauses of about 1 s between. Peaks near 0.5.
 */
export function voice(seed: number, seconds: number): Float32Array {
  const next = seeded(seed);
  const out = new Float32Array(Math.round(seconds * RATE));
  for (let at = Math.round(0.5 * RATE); at < out.length; ) {
    const sentence = Math.min(out.length, at + Math.round((2 + 2 * next()) * RATE));
    const pitch = 100 + 60 * next();
    for (const begin = at; at < sentence; ) {
      const length = Math.min(sentence - at, Math.round((0.15 + 0.1 * next()) * RATE));
      const fall = 1 - (0.2 * (at - begin)) / (sentence - begin);
      syllable(out.subarray(at, at + length), VOWELS[Math.floor(next() * VOWELS.length)]!, pitch * fall, next);
      at += length;
    }
    at += Math.round((0.7 + 0.6 * next()) * RATE);
  }
  return out;
}

function syllable(out: Float32Array, formants: readonly number[], pitch: number, next: () => number): void {
  const consonant = Math.min(out.length, Math.round(0.04 * RATE));
  const bands = formants.map(() => ({ one: 0, two: 0 }));
  let phase = 0;
  for (let n = 0; n < out.length; n++) {
    phase += pitch / RATE;
    const pulse = phase >= 1 ? 1 : 0;
    phase %= 1;
    const hiss = n < consonant ? 0.05 * (2 * next() - 1) : 0;
    let value = 0;
    for (const [band, state] of bands.entries()) {
      // A resonance 90 Hz wide at the formant.
      const radius = Math.exp((-Math.PI * 90) / RATE);
      const here =
        pulse +
        hiss +
        2 * radius * Math.cos((2 * Math.PI * formants[band]!) / RATE) * state.one -
        radius ** 2 * state.two;
      state.two = state.one;
      state.one = here;
      value += here / (band + 1);
    }
    out[n] = 0.03 * value * Math.sin((Math.PI * (n + 0.5)) / out.length);
  }
}
