/**
 * What instruments sound like, in figures: each alone, as the orchestra plays it.
 *
 *   bun bench/instruments.ts [instrument …]        one line of JSON for each
 *
 * - `brightness`: spectral centroid at velocities 0.2 to 1, Hz (mean of octaves over three notes), and `rising`, the share of steps at which
 *   it grows. Real pianos, plucked strings, winds and drums all brighten with force.
 * - `air_db`: energy above 8 kHz against all, of the first 60 ms and of all of a firm note.
 * - `alike`: highest correlation of a strike with the one before, at any lag up to 2 ms, mean of seven equal strikes. 1: a machine gun.
 * - `decay`: dB a second from 0.2 to 1.2 s of a note that is held.
 * - `patches_db`: mean difference of third-octave spectra between the same firm notes with six seeds, each against the others; level left out.
 * - `level_db`: peak of a firm note.
 */
import { type Instrument, instruments } from "../runners/music/compose/instruments.ts";
import { instrumentOf, type Part, type Score } from "../runners/music/compose/mod.ts";
import { perform } from "../runners/music/play/orchestra.ts";
import { patchOf } from "../runners/music/play/patches.ts";
import { RATE } from "../runners/music/play/performance.ts";
import { Fft } from "../runners/signal/dsp/fft.ts";

const { signal } = new AbortController();
const BEAT = RATE / 2;
/** Kick, snare, closed and open hat, tom, ride. */
const DRUMS = [36, 38, 42, 46, 45, 51];

interface Strike {
  readonly beat: number;
  readonly beats: number;
  readonly pitch: number;
  readonly velocity: number;
}

async function played(instrument: Instrument, strikes: readonly Strike[], beats: number, seed = 1) {
  const part = {
    ...{ name: instrument, role: "lead", instrument, pan: 0, level_db: 0 },
    notes: strikes.map((strike) => ({ shift: 0, ...strike })),
  } as unknown as Part;
  const score = {
    ...{ bpm: 120, metre: { beats_per_bar: 4, division: 2 }, key: { tonic: 0, mode: "major" }, beats, lead_in: 0 },
    ...{ ring: false, sections: [], swing: 0.5, chords: [], parts: [part], moves: [] },
    mix: { genre: "pop", space: 0, brightness: 0, drive: 0, density: 0, pump: 0, width: 0, age: 0 },
  } as unknown as Score;
  const [left, right] = await perform(part, score, { frames: beats * BEAT, ring: 0, seed, signal });
  return right === undefined ? left : left.map((value, n) => 0.5 * (value + right[n]!));
}

/** Power in each bin of a stretch, Hann. */
function spectrum(samples: Float32Array, from: number, size: number): Float64Array {
  const real = new Float64Array(size);
  for (let n = 0; n < size; n++) real[n] = (samples[from + n] ?? 0) * (0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size));
  const imaginary = new Float64Array(size);
  new Fft(size).transform(real, imaginary);
  return Float64Array.from({ length: size / 2 }, (_, k) => real[k]! ** 2 + imaginary[k]! ** 2);
}

const sum = (values: ArrayLike<number>, from = 0, to = values.length): number => {
  let all = 0;
  for (let n = from; n < to; n++) all += values[n]!;
  return all;
};
const mean = (values: readonly number[]): number => sum(values) / Math.max(1, values.length);
const decibel = (power: number): number => 10 * Math.log10(power + 1e-15);

/** Centroid of the amplitudes, Hz. */
function centroid(power: Float64Array, size: number): number {
  const hertz = RATE / size;
  let [above, below] = [0, 1e-12];
  for (const [k, value] of power.entries()) {
    above += k * hertz * Math.sqrt(value);
    below += Math.sqrt(value);
  }
  return above / below;
}

function thirds(power: Float64Array, size: number): number[] {
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

function onset(samples: Float32Array, from: number, to: number): number {
  let highest = 0;
  for (let n = from; n < to; n++) highest = Math.max(highest, Math.abs(samples[n] ?? 0));
  for (let n = from; n < to; n++) if (Math.abs(samples[n] ?? 0) > 0.1 * highest) return n;
  return from;
}

/** Highest correlation of two stretches at any lag up to 2 ms. */
function alike(samples: Float32Array, a: number, b: number): number {
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

async function measured(instrument: Instrument): Promise<object> {
  const pack = instrumentOf(instrument);
  const kit = patchOf(instrument)?.action === "kit" || pack.drum_machine !== undefined;
  const [low, high] = pack.sampled?.reach ?? pack.range;
  const midi = (name: string): number => {
    const [, letter, sign, octave] = /^([A-G])([#b]?)(-?\d)$/u.exec(name)!;
    return 12 * (Number(octave) + 1) + "C D EF G A B".indexOf(letter!) + (sign === "#" ? 1 : sign === "b" ? -1 : 0);
  };
  const pitches = kit
    ? DRUMS
    : [0.25, 0.5, 0.75].map((share) => Math.round(midi(low) + share * (midi(high) - midi(low))));
  const velocities = Array.from({ length: 9 }, (_, n) => 0.2 + 0.1 * n);
  const centroids: number[][] = velocities.map(() => []);
  const [airs, attacks, likes, decays, levels]: number[][] = [[], [], [], [], []];
  for (const pitch of pitches) {
    const force = await played(
      instrument,
      velocities.map((velocity, n) => ({ beat: 4 * n, beats: 2, pitch, velocity })),
      40,
    );
    for (const [n] of velocities.entries()) {
      const from = onset(force, 4 * n * BEAT, (4 * n + 2) * BEAT);
      centroids[n]!.push(Math.log2(centroid(spectrum(force, from - 64, 8192), 8192)));
      if (n !== 6) continue;
      const above = (size: number): number => {
        const power = spectrum(force, Math.max(0, from - 64), size);
        return decibel(sum(power, Math.round((8000 * size) / RATE)) / (sum(power) + 1e-12));
      };
      airs!.push(above(16_384));
      attacks!.push(above(2700));
      const level = (second: number): number => {
        const at = from + Math.round(second * RATE);
        return decibel(sum(force.subarray(at, at + 4410).map((value) => value * value)));
      };
      decays!.push((level(0.2) - level(0.8)) / 0.6);
      levels!.push(decibel(force.subarray(from, from + RATE).reduce((top, value) => Math.max(top, value * value), 0)));
    }
    const equal = await played(
      instrument,
      Array.from({ length: 8 }, (_, n) => ({ beat: 2 * n, beats: 0.5, pitch, velocity: 0.8 })),
      18,
    );
    const starts = Array.from({ length: 8 }, (_, n) =>
      onset(equal, Math.max(0, 2 * n * BEAT - 900), (2 * n + 1) * BEAT),
    );
    for (let n = 1; n < 8; n++) likes!.push(alike(equal, starts[n - 1]!, starts[n]!));
  }
  const spectra: number[][] = [];
  for (let seed = 1; seed <= 6; seed++) {
    const all: number[] = [];
    for (const pitch of pitches) {
      const firm = await played(instrument, [{ beat: 0, beats: 2, pitch, velocity: 0.8 }], 3, seed);
      all.push(...thirds(spectrum(firm, onset(firm, 0, BEAT), 32_768), 32_768));
    }
    spectra.push(all);
  }
  const differences: number[] = [];
  for (const [n, a] of spectra.entries())
    for (const b of spectra.slice(n + 1)) differences.push(mean(a.map((value, k) => Math.abs(value - b[k]!))));
  const brightness = centroids.map((values) => Math.round(2 ** mean(values)));
  const rising = mean(brightness.slice(1).map((value, n) => Number(value > brightness[n]!)));
  const round = (value: number, digits = 1): number => Number(value.toFixed(digits));
  return {
    instrument,
    brightness,
    ...{ rising: round(rising, 2), octaves: round(Math.log2(brightness[8]! / brightness[1]!), 2) },
    air_db: [round(mean(attacks!)), round(mean(airs!))],
    ...{ alike: round(mean(likes!), 3), decay: round(mean(decays!)), patches_db: round(mean(differences), 2) },
    level_db: round(mean(levels!)),
  };
}

const asked = process.argv.slice(2) as Instrument[];
for (const instrument of asked.length > 0 ? asked : instruments())
  console.log(JSON.stringify(await measured(instrument)));
