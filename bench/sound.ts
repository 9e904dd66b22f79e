/** What can be measured of a short sound without knowing what it is. */
import { Fft } from "../runners/signal/dsp/fft.ts";

export interface Features {
  readonly seconds: number;
  readonly peak: number;
  readonly dc: number;
  /** Largest of the first and last samples, against the peak. */
  readonly edge: number;
  /** Hz, of the power-weighted mean of log frequency. */
  readonly centroid: number;
  /** Seconds from 10 % to 90 % of the first event's highest 1 ms peak. */
  readonly attack: number;
  /** Where 10 % and 90 % of the energy lie, and the loudest 50 ms, as shares of the length. */
  readonly early: number;
  readonly late: number;
  readonly loudest: number;
  /** Longest stretch under -60 dB of the peak, seconds, the last decay apart. */
  readonly hole: number;
  readonly events: number;
  readonly correlation: number;
  readonly crest_db: number;
  /** Standard deviation of the level of 250 ms blocks in the middle 60 %, dB. */
  readonly unsteady_db: number;
  /** Octaves of centroid from the first to the last loud fifth. */
  readonly tilt: number;
  /** Octaves between the 10th and 90th percentile of the strongest partial, of loud frames. */
  readonly pitch_span: number;
  readonly vector: readonly number[];
}

const SIZE = 1024;
const HOP = 512;

export function featuresOf(channels: readonly Float32Array[], rate: number): Features {
  const left = channels[0]!;
  const right = channels[1] ?? left;
  const frames = left.length;
  const mono = left.map((value, n) => 0.5 * (value + right[n]!));
  let peak = 0;
  let sum = 0;
  let energy = 0;
  let ll = 0;
  let rr = 0;
  let lr = 0;
  for (let n = 0; n < frames; n++) {
    const a = left[n]!;
    const b = right[n]!;
    peak = Math.max(peak, Math.abs(a), Math.abs(b));
    sum += a + b;
    energy += a * a + b * b;
    ll += a * a;
    rr += b * b;
    lr += a * b;
  }
  const rms = Math.sqrt(energy / (2 * frames));
  const blocks = levels(mono, Math.round(0.01 * rate));
  const spectra = spectraOf(mono, rate);
  const centroid = weighted(spectra.map(({ octave, power }) => [octave, power] as const));
  const third = Math.max(1, Math.floor(spectra.length / 5));
  const loud = spectra.filter(({ power }) => power > 1e-4 * Math.max(...spectra.map((one) => one.power)));
  const part = Math.max(1, Math.floor(loud.length / 5));
  const tilt =
    weighted(loud.slice(-part).map(({ octave, power }) => [octave, power] as const)) -
    weighted(loud.slice(0, part).map(({ octave, power }) => [octave, power] as const));
  const tops = loud.map(({ top }) => top).sort((one, other) => one - other);
  const pitch_span =
    tops.length === 0 ? 0 : tops[Math.floor(tops.length * 0.9)]! - tops[Math.floor(tops.length * 0.1)]!;
  const fifths = [0, 1, 2, 3, 4].map((index) =>
    spectra.slice(index * third, index === 4 ? undefined : (index + 1) * third),
  );
  const shares = bandShares(spectra);
  const total = blocks.reduce((one, other) => one + other * other, 0) || 1e-12;
  const at = (share: number): number => {
    let reached = 0;
    for (let n = 0; n < blocks.length; n++) {
      reached += blocks[n]! * blocks[n]!;
      if (reached >= share * total) return n / blocks.length;
    }
    return 1;
  };
  const early = at(0.1);
  const late = at(0.9);
  const coarse = levels(mono, Math.round(0.05 * rate));
  const loudest = coarse.indexOf(Math.max(...coarse)) / Math.max(1, coarse.length - 1);
  const unsteady_db = steadiness(mono, rate);
  const attack = attackOf(mono, rate);
  const events = onsets(mono, rate);
  const correlation = ll * rr > 0 ? lr / Math.sqrt(ll * rr) : 1;
  const modulation = fluctuation(blocks);
  const seconds = frames / rate;
  const flat = flatness(spectra);
  return {
    seconds,
    peak,
    dc: Math.abs(sum / (2 * frames)),
    edge:
      Math.max(Math.abs(left[0]!), Math.abs(left[frames - 1]!), Math.abs(right[0]!), Math.abs(right[frames - 1]!)) /
      (peak || 1),
    centroid: 2 ** centroid,
    attack,
    early,
    late,
    loudest,
    hole: holeOf(blocks, peak) * 0.01,
    events,
    correlation,
    crest_db: 20 * Math.log10((peak || 1e-9) / (rms || 1e-9)),
    unsteady_db,
    tilt,
    pitch_span,
    vector: [
      ...shares,
      centroid,
      Math.log2(seconds),
      Math.log2(attack + 1e-3),
      early,
      late,
      loudest,
      20 * Math.log10((peak || 1e-9) / (rms || 1e-9)),
      correlation,
      tilt,
      pitch_span,
      Math.log2(events + 1),
      flat,
      ...modulation,
      ...fifths.map((some) => Math.log10(some.reduce((power, one) => power + one.power, 1e-9 * total))),
    ],
  };
}

interface Spectrum {
  /** log2 Hz of the centroid, and of the strongest bin. */
  readonly octave: number;
  readonly top: number;
  readonly power: number;
  readonly bands: Float64Array;
  readonly flat: number;
}

function spectraOf(mono: Float32Array, rate: number): Spectrum[] {
  const fft = new Fft(SIZE);
  const out: Spectrum[] = [];
  for (let at = 0; at === 0 || at + HOP <= mono.length; at += HOP) {
    const real = new Float64Array(SIZE);
    const imaginary = new Float64Array(SIZE);
    for (let n = 0; n < SIZE; n++)
      real[n] = (mono[at + n] ?? 0) * (0.5 - 0.5 * Math.cos((2 * Math.PI * (n + 0.5)) / SIZE));
    fft.transform(real, imaginary);
    let power = 0;
    let sum = 0;
    let top = 1;
    let highest = 0;
    let logs = 0;
    const bands = new Float64Array(20);
    for (let bin = 1; bin < SIZE / 2; bin++) {
      const value = real[bin]! ** 2 + imaginary[bin]! ** 2;
      const octave = Math.log2((bin * rate) / SIZE);
      power += value;
      sum += value * octave;
      logs += Math.log(value + 1e-12);
      // Half octaves from 43 Hz on.
      const band = Math.min(19, Math.floor((octave - 5.4) * 2.1));
      bands[band] = bands[band]! + value;
      if (value > highest) {
        highest = value;
        top = octave;
      }
    }
    const mean = power / (SIZE / 2);
    out.push({
      octave: power > 0 ? sum / power : 10,
      top,
      power,
      bands,
      flat: Math.exp(logs / (SIZE / 2)) / (mean + 1e-12),
    });
  }
  return out;
}

function bandShares(spectra: readonly Spectrum[]): number[] {
  const sums = new Float64Array(20);
  for (const { bands } of spectra) for (let n = 0; n < 20; n++) sums[n] = sums[n]! + bands[n]!;
  const total = sums.reduce((one, other) => one + other, 1e-12);
  return [...sums].map((value) => Math.log10(value / total + 1e-5));
}

function flatness(spectra: readonly Spectrum[]): number {
  return Math.log10(weighted(spectra.map(({ flat, power }) => [flat, power] as const)) + 1e-6);
}

function weighted(pairs: readonly (readonly [value: number, weight: number])[]): number {
  let sum = 0;
  let weight = 1e-12;
  for (const [value, by] of pairs) {
    sum += value * by;
    weight += by;
  }
  return sum / weight;
}

/** RMS of blocks. */
function levels(mono: Float32Array, size: number): number[] {
  const out: number[] = [];
  for (let at = 0; at < mono.length; at += size) {
    let sum = 0;
    const end = Math.min(mono.length, at + size);
    for (let n = at; n < end; n++) sum += mono[n]! ** 2;
    out.push(Math.sqrt(sum / (end - at)));
  }
  return out;
}

function steadiness(mono: Float32Array, rate: number): number {
  const blocks = levels(mono, Math.round(0.25 * rate)).map((value) => 20 * Math.log10(value + 1e-6));
  const middle = blocks.slice(Math.floor(blocks.length * 0.2), Math.ceil(blocks.length * 0.8));
  const mean = middle.reduce((one, other) => one + other, 0) / middle.length;
  return Math.sqrt(middle.reduce((one, other) => one + (other - mean) ** 2, 0) / middle.length);
}

function attackOf(mono: Float32Array, rate: number): number {
  const step = Math.max(1, Math.round(0.001 * rate));
  const peaks: number[] = [];
  for (let at = 0; at < mono.length; at += step) {
    let peak = 0;
    for (let n = at; n < Math.min(mono.length, at + step); n++) peak = Math.max(peak, Math.abs(mono[n]!));
    peaks.push(peak);
  }
  const first = peaks.slice(0, 250);
  const top = Math.max(...first);
  const begin = first.findIndex((value) => value > 0.1 * top);
  const end = first.findIndex((value) => value > 0.7 * top);
  return (end - begin) * 0.001;
}

function holeOf(blocks: readonly number[], peak: number): number {
  const floor = peak * 1e-3;
  let longest = 0;
  let run = 0;
  for (const level of blocks) {
    if (level < floor) run++;
    else {
      longest = Math.max(longest, run);
      run = 0;
    }
  }
  return longest;
}

/** Rises of 5 ms energy by 9 dB over the lowest of the 60 ms before, above -20 dB of the loudest, 140 ms apart. */
function onsets(mono: Float32Array, rate: number): number {
  const blocks = levels(mono, Math.round(0.005 * rate)).map((value) => 20 * Math.log10(value + 1e-7));
  const top = Math.max(...blocks);
  let count = 0;
  let last = -100;
  for (let n = 0; n < blocks.length; n++) {
    if (blocks[n]! < top - 20) continue;
    let before = -140;
    let least = 140;
    for (let back = 1; back <= 12; back++) {
      const value = blocks[n - back] ?? -140;
      before = Math.max(before, value);
      least = Math.min(least, value);
    }
    if (blocks[n]! - least > 9 && blocks[n]! - before > 3 && n - last > 27) {
      count++;
      last = n;
    }
  }
  return count;
}

/** Strength of level fluctuation around 1, 2, 4, 8, 16 and 32 Hz. */
function fluctuation(blocks: readonly number[]): number[] {
  const mean = blocks.reduce((one, other) => one + other, 0) / blocks.length || 1e-9;
  return [1, 2, 4, 8, 16, 32].map((hertz) => {
    let real = 0;
    let imaginary = 0;
    for (let n = 0; n < blocks.length; n++) {
      real += (blocks[n]! / mean - 1) * Math.cos(2 * Math.PI * hertz * n * 0.01);
      imaginary += (blocks[n]! / mean - 1) * Math.sin(2 * Math.PI * hertz * n * 0.01);
    }
    return Math.log10(Math.hypot(real, imaginary) / blocks.length + 1e-3);
  });
}
