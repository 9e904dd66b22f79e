/**
 * Band-limited waveforms by addition of partials, one table for every quarter octave of pitch, so that the highest partial lies between
 * 18 and 21 kHz whatever the note, and reading them needs no correction at steps.
 */
import { type Control, STEP } from "./control.ts";
import { sine } from "./exact.ts";

/** Samples of one cycle; each table repeats its first at the end. */
export const CYCLE = 2048;

/** The highest partial may reach this share of the rate. */
const EDGE = 0.475;

const SINE = Float64Array.from({ length: CYCLE }, (_, n) => sine(n / CYCLE));

/** Numbers of partials that tables are made for: quarter octaves from 1 to 1024. */
const COUNTS = counts();

/** For a number of partials that fit, the index of the fullest table. */
const LEVELS = levels();

export class Wavetable {
  readonly #tables: readonly Float32Array[];

  /** @param partial amplitude of a sine at `k` times the fundamental, k from 1 on; negative inverts it */
  constructor(partial: (k: number) => number) {
    const sum = new Float64Array(CYCLE);
    const tables: Float32Array[] = [];
    let k = 1;
    for (const count of COUNTS) {
      for (; k <= count; k++) {
        const amplitude = partial(k);
        if (amplitude === 0) continue;
        for (let n = 0, at = 0; n < CYCLE; n++) {
          sum[n] = sum[n]! + amplitude * SINE[at]!;
          at = (at + k) & (CYCLE - 1);
        }
      }
      const table = new Float32Array(CYCLE + 1);
      table.set(sum);
      table[CYCLE] = table[0]!;
      tables.push(table);
    }
    this.#tables = tables;
  }

  /** The table for a note of `step` cycles a sample. */
  at(step: number): Float32Array {
    // Below 20.5 Hz more would fit than there are; a step of nothing or less stands still.
    const fit = step > 0 ? Math.min(1024, Math.floor(EDGE / step)) : 1024;
    return this.#tables[LEVELS[fit]!]!;
  }
}

const waves = new Map<string, Wavetable>();

/** Classic waves, made at their first use: peaks of ±1 but for the ripple beside steps; all begin at zero, rising or falling through it. */
export function wavetable(
  name: "sine" | "saw" | "square" | "triangle" | "organ" | "reed" | "glass" | "hollow",
): Wavetable {
  let wave = waves.get(name);
  if (wave === undefined) {
    wave = new Wavetable(PARTIALS[name]!);
    waves.set(name, wave);
  }
  return wave;
}

const TWO_BY_PI = 0.6366197723675814;

const PARTIALS: Record<string, (k: number) => number> = {
  sine: (k) => (k === 1 ? 1 : 0),
  saw: (k) => TWO_BY_PI / k,
  square: (k) => (k % 2 === 1 ? (2 * TWO_BY_PI) / k : 0),
  triangle: (k) => (k % 2 === 1 ? ((k % 4 === 1 ? 1 : -1) * 2 * TWO_BY_PI * TWO_BY_PI) / (k * k) : 0),
  // Drawbars 8', 4', 2 2/3', 2'.
  organ: (k) => [0, 0.6, 0.4, 0.25, 0.2, 0, 0.08, 0, 0.1][k] ?? 0,
  reed: (k) => (k <= 40 ? (0.7 * (k % 2 === 1 ? 1 : 0.55)) / (k * Math.sqrt(k)) : 0),
  glass: (k) => [0, 0.7, 0.12, 0.2, 0.05, 0.14, 0, 0.08, 0.02, 0.05, 0, 0.03, 0, 0.02][k] ?? 0,
  hollow: (k) => (k % 2 === 1 ? 1 / (k * Math.sqrt(k)) : 0.08 / k),
};

function counts(): readonly number[] {
  const out: number[] = [];
  // 2^(1/4), rounded up so that small counts are all there.
  for (let count = 1; count < 1024; count = Math.max(count + 1, Math.floor(count * 1.189207115))) out.push(count);
  out.push(1024);
  return out;
}

function levels(): Uint8Array {
  const out = new Uint8Array(1025);
  for (let fit = 1, level = 0; fit <= 1024; fit++) {
    while (level + 1 < COUNTS.length && COUNTS[level + 1]! <= fit) level++;
    out[fit] = level;
  }
  return out;
}

/** A slow irregular motion in ±1, read in a circle: one value every `STEP` samples. Its length is a power of two. */
export type Drift = Float32Array;

export interface Reading {
  readonly wave: Wavetable;
  /** Of the note, as a control signal, and this wave's factor on it. */
  readonly hertz: Control;
  readonly ratio: number;
  readonly drift: Drift;
  /** Where the drift is entered, and how far it bends the pitch: a share. */
  readonly drift_at: number;
  readonly drift_depth: number;
  readonly gain_left: number;
  readonly gain_right: number;
  /** Turns. */
  readonly phase: number;
}

/** Adds a wave to one channel, or to two with gains of their own. */
export function addWave(left: Float32Array, right: Float32Array | undefined, rate: number, reading: Reading): void {
  const { wave, hertz, drift, gain_left, gain_right } = reading;
  const scale = reading.ratio / rate;
  const mask = drift.length - 1;
  const depth = reading.drift_depth;
  const enter = reading.drift_at;
  const frames = left.length;
  let x = (reading.phase - Math.floor(reading.phase)) * CYCLE;
  let from = hertz[0]! * scale * (1 + depth * drift[enter & mask]!);
  for (let at = 0, block = 0; at < frames; at += STEP, block++) {
    const to = hertz[block + 1]! * scale * (1 + depth * drift[(enter + block + 1) & mask]!);
    const top = Math.max(from, to);
    let step = Math.min(0.45, from) * CYCLE;
    const bend = (Math.min(0.45, to) * CYCLE - step) / STEP;
    from = to;
    const end = Math.min(frames, at + STEP);
    const table = wave.at(top);
    if (right === undefined) {
      for (let n = at; n < end; n++) {
        const index = x | 0;
        const value = table[index]!;
        left[n] = left[n]! + gain_left * (value + (x - index) * (table[index + 1]! - value));
        x += step;
        if (x >= CYCLE) x -= CYCLE;
        step += bend;
      }
    } else {
      for (let n = at; n < end; n++) {
        const index = x | 0;
        const first = table[index]!;
        const value = first + (x - index) * (table[index + 1]! - first);
        left[n] = left[n]! + gain_left * value;
        right[n] = right[n]! + gain_right * value;
        x += step;
        if (x >= CYCLE) x -= CYCLE;
        step += bend;
      }
    }
  }
}

/** Adds a pulse to one channel or two: two saws apart by `width` of a cycle, which may move (0.05 to 0.95). Mean 0, peaks near ±1. */
export function addPulse(
  left: Float32Array,
  right: Float32Array | undefined,
  rate: number,
  reading: Reading,
  width: Control,
): void {
  const { wave, hertz, drift, gain_left, gain_right } = reading;
  const scale = reading.ratio / rate;
  const mask = drift.length - 1;
  const depth = reading.drift_depth;
  const enter = reading.drift_at;
  const frames = left.length;
  let x = (reading.phase - Math.floor(reading.phase)) * CYCLE;
  let from = hertz[0]! * scale * (1 + depth * drift[enter & mask]!);
  for (let at = 0, block = 0; at < frames; at += STEP, block++) {
    const to = hertz[block + 1]! * scale * (1 + depth * drift[(enter + block + 1) & mask]!);
    const table = wave.at(Math.max(from, to));
    let step = Math.min(0.45, from) * CYCLE;
    const bend = (Math.min(0.45, to) * CYCLE - step) / STEP;
    from = to;
    let apart = width[block]! * CYCLE;
    const spread = (width[block + 1]! * CYCLE - apart) / STEP;
    const end = Math.min(frames, at + STEP);
    for (let n = at; n < end; n++) {
      const index = x | 0;
      const first = table[index]!;
      let y = x + apart;
      if (y >= CYCLE) y -= CYCLE;
      const other = y | 0;
      const second = table[other]!;
      const value =
        first + (x - index) * (table[index + 1]! - first) - second - (y - other) * (table[other + 1]! - second);
      left[n] = left[n]! + gain_left * value;
      if (right !== undefined) right[n] = right[n]! + gain_right * value;
      x += step;
      if (x >= CYCLE) x -= CYCLE;
      step += bend;
      apart += spread;
    }
  }
}

/** Adds two waves of one table to two channels in one pass: half the traffic of one after the other, for unisons. */
export function addTwins(left: Float32Array, right: Float32Array, rate: number, one: Reading, other: Reading): void {
  const { wave, hertz, drift } = one;
  const mask = drift.length - 1;
  const frames = left.length;
  const scale_a = one.ratio / rate;
  const scale_b = other.ratio / rate;
  const depth = one.drift_depth;
  const left_a = one.gain_left;
  const right_a = one.gain_right;
  const left_b = other.gain_left;
  const right_b = other.gain_right;
  let x = (one.phase - Math.floor(one.phase)) * CYCLE;
  let y = (other.phase - Math.floor(other.phase)) * CYCLE;
  let from_a = hertz[0]! * scale_a * (1 + depth * drift[one.drift_at & mask]!);
  let from_b = hertz[0]! * scale_b * (1 + depth * drift[other.drift_at & mask]!);
  for (let at = 0, block = 0; at < frames; at += STEP, block++) {
    const to_a = hertz[block + 1]! * scale_a * (1 + depth * drift[(one.drift_at + block + 1) & mask]!);
    const to_b = hertz[block + 1]! * scale_b * (1 + depth * drift[(other.drift_at + block + 1) & mask]!);
    const table = wave.at(Math.max(from_a, to_a, from_b, to_b));
    let step_a = Math.min(0.45, from_a) * CYCLE;
    let step_b = Math.min(0.45, from_b) * CYCLE;
    const bend_a = (Math.min(0.45, to_a) * CYCLE - step_a) / STEP;
    const bend_b = (Math.min(0.45, to_b) * CYCLE - step_b) / STEP;
    from_a = to_a;
    from_b = to_b;
    const end = Math.min(frames, at + STEP);
    for (let n = at; n < end; n++) {
      const i = x | 0;
      const j = y | 0;
      const a = table[i]!;
      const b = table[j]!;
      const u = a + (x - i) * (table[i + 1]! - a);
      const v = b + (y - j) * (table[j + 1]! - b);
      left[n] = left[n]! + left_a * u + left_b * v;
      right[n] = right[n]! + right_a * u + right_b * v;
      x += step_a;
      if (x >= CYCLE) x -= CYCLE;
      y += step_b;
      if (y >= CYCLE) y -= CYCLE;
      step_a += bend_a;
      step_b += bend_b;
    }
  }
}
