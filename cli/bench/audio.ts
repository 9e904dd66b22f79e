/** Sound for benchmarks and tests, by formula: something like music, and something like a voice that reads aloud. */

const RATE = 44_100;

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
 * Like a voice that reads aloud: pulses at a gliding pitch through three resonances, a syllable about every 0.2 s, each
 * begun by noise, sentences of 2 to 4 s and pauses of about 1 s between. Peaks near 0.5.
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

/** Something like music in stereo: four chords in turn, a bass, kick, snare and hi-hat at 120 BPM. Peaks near 0.8. */
export function music(seed: number, seconds: number, sample_rate = 44_100): [Float32Array, Float32Array] {
  const next = seeded(seed);
  const length = Math.round(seconds * sample_rate);
  const left = new Float32Array(length);
  const right = new Float32Array(length);
  const roots = [220, 174.61, 261.63, 196];
  for (let n = 0; n < length; n++) {
    const t = n / sample_rate;
    const root = roots[Math.floor(t / 2) % roots.length]!;
    const beat = (t * 2) % 1;
    const chord = [1, 1.26, 1.498].map((ratio, voice) => Math.sin(2 * Math.PI * root * ratio * t + voice));
    const bass = Math.sin((Math.PI * root * t) / 2) * 0.2;
    const kick = Math.sin(60 * Math.exp(-beat * 20) + 2 * Math.PI * 50 * beat) * Math.exp(-beat * 9) * 0.35;
    const hiss = 2 * next() - 1;
    const snare = Math.floor(t * 2) % 2 === 1 ? hiss * Math.exp(-beat * 14) * 0.25 : 0;
    const hat = hiss * Math.exp(-((t * 4) % 1) * 40) * 0.1;
    left[n] = 0.07 * (chord[0]! + chord[1]!) + bass + kick + snare + hat * 0.6;
    right[n] = 0.07 * (chord[1]! + chord[2]!) + bass + kick + snare + hat;
  }
  return [left, right];
}

/**
 * Mulberry32: uniform in [0, 1), the same on every machine. Not the generator of runners/signal/dsp, so that neither
 * tests itself.
 */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let z = Math.imul(state ^ (state >>> 15), state | 1);
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
    return ((z ^ (z >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/** A WAV file of 16 bits. */
export function writeWav16(channels: readonly Float32Array[]): Uint8Array<ArrayBuffer> {
  const frames = channels[0]?.length ?? 0;
  const bytes = 2 * channels.length * frames;
  const view = new DataView(new ArrayBuffer(44 + bytes));
  const text = (at: number, value: string): void => {
    for (let n = 0; n < value.length; n++) view.setUint8(at + n, value.charCodeAt(n));
  };
  text(0, "RIFF");
  view.setUint32(4, 36 + bytes, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, channels.length, true);
  view.setUint32(24, RATE, true);
  view.setUint32(28, 2 * channels.length * RATE, true);
  view.setUint16(32, 2 * channels.length, true);
  view.setUint16(34, 16, true);
  text(36, "data");
  view.setUint32(40, bytes, true);
  for (let n = 0, at = 44; n < frames; n++)
    for (const channel of channels) {
      view.setInt16(at, Math.round(32_767 * Math.max(-1, Math.min(1, channel[n]!))), true);
      at += 2;
    }
  return new Uint8Array(view.buffer);
}
