/**
 * Something like speech, by formula: pulses or noise through the formants of vowels, fricatives and stops between them, syllables in words, words in
 * phrases, pauses as asked. With the very times at which it sounds. And what is near a microphone beside a voice.
 */
import { seeded } from "./audio.ts";

const RATE = 44_100;

export interface Voice {
  /** Mean fundamental, Hz: about 110 for men, 210 for women, 300 for children. */
  readonly pitch_hz: number;
  /** Formants against a man's: about 1, 1.17 and 1.35. */
  readonly formants: number;
  readonly whispered?: boolean;
  /** Syllables a second. */
  readonly rate?: number;
}

export const MAN: Voice = { pitch_hz: 105, formants: 1 };
export const WOMAN: Voice = { pitch_hz: 205, formants: 1.17 };
export const CHILD: Voice = { pitch_hz: 310, formants: 1.35 };

/** F1, F2, F3 of a man, Hz: after Peterson and Barney (1952). */
const VOWELS = [
  [270, 2290, 3010],
  [390, 1990, 2550],
  [530, 1840, 2480],
  [660, 1720, 2410],
  [730, 1090, 2440],
  [570, 840, 2410],
  [440, 1020, 2240],
  [300, 870, 2240],
] as const;

export interface Phrase {
  /** Seconds. */
  readonly start: number;
  readonly end: number;
}

/** Phrases at `times`, full scale about 0.3, silence between. `sounding` is where there is sound, pauses within a phrase under 0.1 s. */
export function speech(
  seed: number,
  seconds: number,
  phrases: readonly Phrase[],
  voice: Voice = MAN,
): { readonly samples: Float32Array; readonly sounding: readonly Phrase[] } {
  const samples = new Float32Array(Math.round(seconds * RATE));
  const next = seeded(seed);
  const sounding = phrases.map(({ start, end }) => {
    const spoken = phrase(next, end - start, voice);
    samples.set(spoken.subarray(0, Math.max(0, samples.length - Math.round(start * RATE))), Math.round(start * RATE));
    return { start, end };
  });
  let peak = 0;
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  return { samples: samples.map((sample) => (sample * 0.3) / peak), sounding };
}

/** Phrases of `lengths` seconds with `gaps` between, in turn, from `first` until `seconds` are full. */
export function timetable(
  seconds: number,
  first: number,
  lengths: readonly number[],
  gaps: readonly number[],
): readonly Phrase[] {
  const out: Phrase[] = [];
  for (let at = first, n = 0; ; n++) {
    const end = at + lengths[n % lengths.length]!;
    if (end > seconds) return out;
    out.push({ start: at, end });
    at = end + gaps[n % gaps.length]!;
  }
}

function phrase(next: () => number, seconds: number, voice: Voice): Float32Array {
  const length = Math.round(seconds * RATE);
  const syllable = RATE / (voice.rate ?? 4.2);
  const out = new Float32Array(length);
  const formants = [0, 1, 2].map(() => new Resonator());
  const hiss = new Resonator();
  let target = VOWELS[0] as readonly number[];
  let from = target;
  let onset = 0;
  let next_onset = 0;
  let consonant = 0;
  let kind = 0;
  let phase = 0;
  let lilt = 0;
  let colour = 5000;
  for (let n = 0; n < length; n++) {
    if (n >= next_onset) {
      from = target;
      target = VOWELS[Math.floor(next() * VOWELS.length)]!;
      onset = next_onset;
      next_onset += Math.round(syllable * (0.7 + 0.6 * next()));
      // A phrase does not end in a consonant's beginning.
      if (length - next_onset < 0.1 * RATE) next_onset = length;
      kind = Math.floor(next() * 4);
      consonant = Math.round((kind === 3 ? 0.03 : 0.05 + 0.06 * next()) * RATE);
      colour = 2500 + 4500 * next();
      lilt = 0.12 * (next() - 0.5);
    }
    const into = n - onset;
    const left = next_onset - n;
    // 0 fricative, 1 stop, 2 nasal or glide, 3 next to none.
    const open = Math.min(1, Math.max(0, (into - consonant) / (0.02 * RATE)), left / (0.015 * RATE));
    const closed = kind === 2 ? 0.35 : kind === 1 ? 0.02 : kind === 0 ? 0.05 : 0.3;
    const glide = Math.min(1, Math.max(0, (into - consonant) / (0.06 * RATE)));
    const noise = 2 * next() - 1;
    const progress = n / length;
    const pitch =
      voice.pitch_hz * 2 ** (0.18 - 0.4 * progress + lilt * Math.sin((Math.PI * into) / syllable) + 0.01 * noise);
    phase += pitch / RATE;
    let source = noise * 0.25;
    if (voice.whispered !== true) {
      source = noise * 0.01;
      if (phase >= 1) {
        phase -= 1;
        source += 6;
      }
    }
    let sample = source;
    for (let k = 0; k < 3; k++) {
      const hertz = (from[k]! + (target[k]! - from[k]!) * glide) * voice.formants;
      if (n % 32 === 0) formants[k]!.tune(hertz, 50 + 0.05 * hertz);
      sample = formants[k]!.step(sample);
    }
    if (n % 32 === 0) hiss.tune(colour, 1200);
    const frication = kind === 0 && into < consonant ? hiss.step(noise) * 1.2 * bump(into / consonant) : hiss.step(0);
    const edge = Math.min(1, n / (0.01 * RATE), (length - n) / (0.03 * RATE));
    const burst = kind === 1 && into > consonant - 0.008 * RATE && into < consonant ? 0.3 * noise : 0;
    out[n] = edge * (sample * (closed + (1 - closed) * open) + frication + burst);
  }
  return out;
}

const bump = (x: number): number => Math.sin(Math.PI * Math.min(1, Math.max(0, x))) ** 0.5;

/** Klatt's resonator (1980), unity gain at 0 Hz for formants. */
class Resonator {
  #a = 1;
  #b = 0;
  #c = 0;
  #y1 = 0;
  #y2 = 0;

  tune(hertz: number, bandwidth: number): void {
    this.#c = -Math.exp((-2 * Math.PI * bandwidth) / RATE);
    this.#b = 2 * Math.exp((-Math.PI * bandwidth) / RATE) * Math.cos((2 * Math.PI * Math.min(hertz, 20_000)) / RATE);
    this.#a = 1 - this.#b - this.#c;
  }

  step(x: number): number {
    const y = this.#a * x + this.#b * this.#y1 + this.#c * this.#y2;
    this.#y2 = this.#y1;
    this.#y1 = y;
    return y;
  }
}

/** A desk thump: a falling tone of some 80 Hz that dies away in a quarter of a second. */
export function thump(seed: number, amplitude = 0.5): Float32Array {
  const next = seeded(seed);
  const hertz = 50 + 70 * next();
  const decay = 0.03 + 0.05 * next();
  return Float32Array.from({ length: 0.4 * RATE }, (_, n) => {
    const t = n / RATE;
    const body = Math.sin(2 * Math.PI * (hertz * t + hertz * 0.01 * (1 - Math.exp(-t * 40)))) * Math.exp(-t / decay);
    return amplitude * (body + 0.2 * (2 * next() - 1) * Math.exp(-t / 0.006));
  });
}

/** A knock on wood: five modes and the blow. */
export function knock(seed: number, amplitude = 0.5): Float32Array {
  const next = seeded(seed);
  const modes = [0, 1, 2, 3, 4].map(() => [150 + 1250 * next(), 0.008 + 0.025 * next(), next()] as const);
  return Float32Array.from({ length: 0.2 * RATE }, (_, n) => {
    const t = n / RATE;
    let sum = 0.5 * (2 * next() - 1) * Math.exp(-t / 0.003);
    for (const [hertz, decay, strength] of modes) {
      sum += strength * Math.sin(2 * Math.PI * hertz * t) * Math.exp(-t / decay);
    }
    return 0.5 * amplitude * sum;
  });
}

/** Somebody types: clicks of a few milliseconds, eight a second. */
export function keys(seed: number, seconds: number, amplitude = 0.2): Float32Array {
  const next = seeded(seed);
  const out = new Float32Array(Math.round(seconds * RATE));
  for (let at = 0; at < out.length; at += Math.round((0.07 + 0.15 * next()) * RATE)) {
    const strength = amplitude * (0.4 + 0.6 * next());
    for (let n = at; n < Math.min(out.length, at + 2500); n++) {
      out[n]! += strength * (2 * next() - 1) * Math.exp(-(n - at) / (0.006 * RATE));
    }
  }
  return out;
}

/** A breath: band of noise that swells and goes. */
export function breath(seed: number, seconds: number, amplitude = 0.1): Float32Array {
  const next = seeded(seed);
  const band = new Resonator();
  band.tune(1200, 1500);
  const length = Math.round(seconds * RATE);
  return Float32Array.from(
    { length },
    (_, n) => amplitude * band.step(2 * next() - 1) * Math.sin((Math.PI * n) / length) * 4,
  );
}

/** Mains hum with its harmonics. */
export function hum(seconds: number, hertz = 50, amplitude = 0.05): Float32Array {
  return Float32Array.from({ length: Math.round(seconds * RATE) }, (_, n) => {
    let sum = 0;
    for (let k = 1; k <= 10; k++) sum += Math.sin((2 * Math.PI * hertz * k * n) / RATE + k) / k;
    return amplitude * sum;
  });
}

/** Adds `part` to `whole` from `seconds` on. */
export function add(whole: Float32Array, part: Float32Array, seconds: number): void {
  const at = Math.round(seconds * RATE);
  for (let n = 0; n < part.length && at + n < whole.length; n++) whole[at + n]! += part[n]!;
}
