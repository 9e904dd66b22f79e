/** Small pieces of music for the tests: chords, tunes and beats of known truth. */
import type { Audio } from "../../../../contract/mod.ts";
import type { Rhythm } from "../../../../runners/signal/analyse/analysis.ts";
import { random } from "../../../../runners/signal/dsp/random.ts";

export const RATE = 44_100;
/** `bass`: a saw with its upper harmonics filtered off. */
export type Wave = "sine" | "saw" | "square" | "plucked" | "bass";

export interface Tone {
  /** Seconds. */
  readonly at: number;
  readonly seconds: number;
  /** MIDI number at A4 = 440 Hz; may lie between semitones. */
  readonly pitch: number;
  readonly amplitude: number;
  readonly wave: Wave;
}

/** Harmonics up to 8 kHz, so that nothing folds. */
export function render(tones: readonly Tone[], seconds: number): Float32Array {
  const out = new Float32Array(Math.round(seconds * RATE));
  for (const { at, seconds: length, pitch, amplitude, wave } of tones) {
    const hz = 440 * 2 ** ((pitch - 69) / 12);
    const from = Math.round(at * RATE);
    const count = Math.min(out.length - from, Math.round(length * RATE));
    const harmonics = wave === "sine" ? 1 : Math.min(12, Math.floor(8000 / hz));
    for (let h = 1; h <= harmonics; h++) {
      if (wave === "square" && h % 2 === 0) continue;
      const level = amplitude / (wave === "bass" ? h * h : h);
      const decay = wave === "plucked" ? 3 * h : 0.5;
      // A rotating phasor rather than a sine a sample.
      const angle = (2 * Math.PI * hz * h) / RATE;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      let [x, y] = [Math.cos(h), Math.sin(h)];
      const fall = Math.exp(-decay / RATE);
      let gain = level;
      for (let n = 0; n < count; n++) {
        const edge = n < 300 ? n / 300 : count - n < 600 ? (count - n) / 600 : 1;
        out[from + n]! += gain * edge * y;
        gain *= fall;
        const turned = x * c - y * s;
        y = x * s + y * c;
        x = turned;
      }
    }
  }
  return out;
}

/** Root (MIDI) and tones above it, a bass an octave and more below, over `seconds`. */
export function chord(
  at: number,
  seconds: number,
  root: number,
  tones: readonly number[],
  wave: Wave,
  amplitude = 0.1,
): Tone[] {
  const bass = root - 12 * Math.floor((root - 35) / 12);
  return [
    { at, seconds, pitch: bass, amplitude: 1.5 * amplitude, wave: "bass" },
    ...tones.map((tone): Tone => ({ at, seconds, pitch: root + tone, amplitude, wave })),
  ];
}

/** Bursts of noise at every time given: a snare drum of sorts. */
export function strike(out: Float32Array, times: readonly number[], amplitude: number, seed = 1): void {
  const next = random(seed);
  for (const time of times) {
    const from = Math.round(time * RATE);
    for (let n = 0; n < 6000 && from + n < out.length; n++)
      out[from + n]! += amplitude * (2 * next() - 1) * Math.exp(-n / 1200);
  }
}

export function noise(seconds: number, amplitude: number, seed = 1): Float32Array {
  const next = random(seed);
  return Float32Array.from({ length: Math.round(seconds * RATE) }, () => amplitude * (2 * next() - 1));
}

export function mono(samples: Float32Array): Audio {
  return { sample_rate: RATE, channels: [samples] };
}

export function stereo(left: Float32Array, right: Float32Array = left): Audio {
  return { sample_rate: RATE, channels: [left, right] };
}

/** What a perfect ear for rhythm would say. */
export function steady(seconds: number, bpm = 120, beats_per_bar = 4): Rhythm {
  const beats = Array.from({ length: Math.ceil((seconds * bpm) / 60 - 1e-9) }, (_, k) => (k * 60) / bpm);
  return {
    tempo_bpm: bpm,
    confidence: 1,
    beats,
    positions: beats.map((_, k) => 1 + (k % beats_per_bar)),
    metre: { beats_per_bar, division: 2 },
    downbeat_confidence: 1,
    swing: 0.5,
    onsets: beats,
  };
}

/** What it says where there is no beat. */
export const FREE: Rhythm = {
  tempo_bpm: 0,
  confidence: 0,
  beats: [],
  positions: [],
  metre: { beats_per_bar: 4, division: 2 },
  downbeat_confidence: 0,
  swing: 0.5,
  onsets: [],
};
