/** Drum loops and bass lines by formula, with their beats known. */
import { seeded } from "../../../audio.ts";

const RATE = 44_100;

export interface Loop {
  readonly samples: Float32Array;
  readonly beats: readonly number[];
  readonly downbeats: readonly number[];
}

export interface LoopOptions {
  readonly bpm: number;
  readonly beats_per_bar?: number;
  readonly seconds: number;
  /** Where the second quaver lies, 0.5 to 0.67. */
  readonly swing?: number;
  /** Relative change of tempo from beginning to end. */
  readonly drift?: number;
  /** Only these sound. */
  readonly parts?: readonly ("kick" | "snare" | "hat" | "bass" | "chords")[];
  readonly start?: number;
}

/** Kick on the one (and three of four), snare on the other strong beats, hats on quavers, bass and chords that change with the bar. */
export function loop(options: LoopOptions): Loop {
  const { bpm, seconds, beats_per_bar = 4, swing = 0.5, drift = 0, start = 0.3 } = options;
  const parts = new Set(options.parts ?? ["kick", "snare", "hat", "bass", "chords"]);
  const samples = new Float32Array(Math.round(seconds * RATE));
  const beats: number[] = [];
  for (let time = start; time < seconds - 0.05; time += 60 / (bpm * (1 + (drift * time) / seconds))) beats.push(time);
  const next = seeded(7);
  const roots = [55, 73.42, 65.41, 49];
  for (const [n, beat] of beats.entries()) {
    const length = (beats[n + 1] ?? beat + 60 / bpm) - beat;
    const place = n % beats_per_bar;
    const root = roots[Math.floor(n / beats_per_bar) % 4]!;
    const strong = place === 0 || (beats_per_bar === 4 && place === 2);
    if (strong && parts.has("kick")) kick(samples, beat, place === 0 ? 0.7 : 0.55);
    if (!strong && parts.has("snare")) burst(samples, beat, beats_per_bar === 3 ? 0.15 : 0.35, 18, next);
    if (parts.has("hat")) for (const at of [0, swing]) burst(samples, beat + at * length, 0.12, 70, next);
    if (parts.has("bass") && strong) tone(samples, beat, 1.8 * length, root, 0.25);
    if (parts.has("chords") && place === 0) {
      for (const ratio of [4, 5, 6]) tone(samples, beat, beats_per_bar * length, root * ratio, 0.07);
    }
  }
  return { samples, beats, downbeats: beats.filter((_, n) => n % beats_per_bar === 0) };
}

function kick(samples: Float32Array, at: number, amplitude: number): void {
  const from = Math.round(at * RATE);
  for (let n = 0; n < 0.25 * RATE && from + n < samples.length; n++) {
    const t = n / RATE;
    samples[from + n]! += amplitude * Math.exp(-t * 16) * Math.sin(2 * Math.PI * 48 * t + 9 * (1 - Math.exp(-t * 45)));
  }
}

function burst(samples: Float32Array, at: number, amplitude: number, decay: number, next: () => number): void {
  const from = Math.round(at * RATE);
  for (let n = 0; n < 0.2 * RATE && from + n < samples.length; n++) {
    samples[from + n]! += amplitude * Math.exp((-n * decay) / RATE) * (2 * next() - 1);
  }
}

function tone(samples: Float32Array, at: number, seconds: number, hertz: number, amplitude: number): void {
  const from = Math.round(at * RATE);
  for (let n = 0; n < seconds * RATE && from + n < samples.length; n++) {
    const t = n / RATE;
    const shape = Math.min(1, t / 0.005) * Math.exp((-2 * t) / seconds) * Math.min(1, (seconds - t) / 0.02);
    samples[from + n]! +=
      amplitude * shape * (Math.sin(2 * Math.PI * hertz * t) + 0.4 * Math.sin(4 * Math.PI * hertz * t));
  }
}

/** Syllables of a voiced buzz and hiss at irregular times, as a speaker's. */
export function babble(seed: number, seconds: number): Float32Array {
  const next = seeded(seed);
  const samples = new Float32Array(Math.round(seconds * RATE));
  for (let at = 0.1; at < seconds - 0.5; ) {
    const length = 0.07 + 0.22 * next();
    const hertz = 95 + 60 * next();
    const formant = 400 + 1500 * next();
    const from = Math.round(at * RATE);
    for (let n = 0; n < length * RATE; n++) {
      const t = n / RATE;
      const shape = Math.sin((Math.PI * t) / length) ** 2;
      const pitch = (t * hertz) % 1;
      samples[from + n] = 0.4 * shape * Math.exp(-pitch * 5) * Math.sin((2 * Math.PI * formant * pitch) / hertz);
    }
    if (next() < 0.4) burst(samples, at + length, 0.06, 25, next);
    at += length + 0.02 + (next() < 0.15 ? 0.5 * next() + 0.2 : 0.1 * next());
  }
  return samples;
}

/** F-measure at 70 ms over the whole piece. */
export function hitRate(truth: readonly number[], found: readonly number[]): number {
  const hits = truth.filter((time) => found.some((other) => Math.abs(other - time) <= 0.07)).length;
  return (2 * hits) / Math.max(1, truth.length + found.length);
}
