/** What the benches of instruments share: strikes as the orchestra plays them, and what is measured of them. */
import type { Instrument } from "../../runners/music/compose/instruments.ts";
import type { Part, Score } from "../../runners/music/compose/mod.ts";
import { perform } from "../../runners/music/play/orchestra.ts";
import { RATE } from "../../runners/music/play/performance.ts";
import { Fft } from "../../runners/signal/dsp/fft.ts";

const { signal } = new AbortController();
/** Frames at 120 BPM. */
export const BEAT = RATE / 2;
export interface Strike {
  readonly beat: number;
  readonly beats: number;
  readonly pitch: number;
  readonly velocity: number;
}

/** @returns the middle of both channels */
export async function played(
  instrument: Instrument,
  strikes: readonly Strike[],
  beats: number,
  seed = 1,
  genre = "pop",
): Promise<Float32Array> {
  const part = {
    ...{ name: instrument, role: "lead", instrument, pan: 0, level_db: 0 },
    notes: strikes.map((strike) => ({ shift: 0, ...strike })),
  } as unknown as Part;
  const score = {
    ...{ bpm: 120, metre: { beats_per_bar: 4, division: 2 }, key: { tonic: 0, mode: "major" }, beats, lead_in: 0 },
    ...{ ring: false, sections: [], swing: 0.5, chords: [], parts: [part], moves: [] },
    mix: { genre, space: 0, brightness: 0, drive: 0, density: 0, pump: 0, width: 0, age: 0 },
  } as unknown as Score;
  const [left, right] = await perform(part, score, { frames: beats * BEAT, ring: 0, seed, signal });
  return right === undefined ? left : left.map((value, n) => 0.5 * (value + right[n]!));
}

/** Power in each bin of a stretch, Hann. */
export function spectrum(samples: Float32Array, from: number, size: number): Float64Array {
  const real = new Float64Array(size);
  for (let n = 0; n < size; n++) real[n] = (samples[from + n] ?? 0) * (0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size));
  const imaginary = new Float64Array(size);
  new Fft(size).transform(real, imaginary);
  return Float64Array.from({ length: size / 2 }, (_, k) => real[k]! ** 2 + imaginary[k]! ** 2);
}

export const sum = (values: ArrayLike<number>, from = 0, to = values.length): number => {
  let all = 0;
  for (let n = from; n < to; n++) all += values[n]!;
  return all;
};
export const mean = (values: readonly number[]): number => sum(values) / Math.max(1, values.length);
export const decibel = (power: number): number => 10 * Math.log10(power + 1e-15);

/** Centroid of the amplitudes, Hz. */
export function centroid(power: Float64Array, size: number): number {
  const hertz = RATE / size;
  let [above, below] = [0, 1e-12];
  for (const [k, value] of power.entries()) {
    above += k * hertz * Math.sqrt(value);
    below += Math.sqrt(value);
  }
  return above / below;
}

export function thirds(power: Float64Array, size: number): number[] {
  const out: number[] = [];
  for (let hertz = 50; hertz < 16_000; hertz *= 2 ** (1 / 3)) {
    const at = (value: number): number => Math.round((value * size) / RATE);
    out.push(decibel(sum(power, at(hertz), Math.max(at(hertz) + 1, at(hertz * 2 ** (1 / 3))))));
  }
  const highest = Math.max(...out);
  const heard = out.map((value) => Math.max(value, highest - 60));
  const level = mean(heard);
  return heard.map((value) => value - level);
}

export function onset(samples: Float32Array, from: number, to: number): number {
  let highest = 0;
  for (let n = from; n < to; n++) highest = Math.max(highest, Math.abs(samples[n] ?? 0));
  for (let n = from; n < to; n++) if (Math.abs(samples[n] ?? 0) > 0.1 * highest) return n;
  return from;
}

/** Highest correlation of two stretches at any lag up to 2 ms. */
export function alike(samples: Float32Array, a: number, b: number): number {
  const count = Math.round(0.15 * RATE);
  let best = 0;
  for (let lag = -88; lag <= 88; lag++) {
    let [both, first, second] = [0, 1e-20, 1e-20];
    for (let n = 0; n < count; n++) {
      const x = samples[a + n] ?? 0;
      const y = samples[b + n + lag] ?? 0;
      both += x * y;
      first += x * x;
      second += y * y;
    }
    best = Math.max(best, both / Math.sqrt(first * second));
  }
  return best;
}
