/** One sounding sample: read by interpolation, filtered, shaped, and added to the part. The hot loop of the orchestra. */
import { arena } from "../../signal/dsp/arena.ts";
import { exp2, sine, warp } from "../../signal/dsp/exact.ts";
import { RATE } from "./performance.ts";
import type { Wave } from "./sounds/wave.ts";

const { fround } = Math;

/** Frames between two values of envelope, pitch and cut-off: 2.9 ms. Levels are joined by straight lines. */
const STEP = 128;

/** Where a voice is over: -76 dB against its height. */
const FLOOR = 1.5e-4;

/** A delay, a straight rise, a hold, a fall to a level that is held, and the fall after the key is let go. Seconds. */
export interface Envelope {
  readonly delay: number;
  readonly attack: number;
  readonly hold: number;
  /** To fall by 100 dB (level), or from 1 to 0 (filter). */
  readonly decay: number;
  /** Level: amplitude. Filter: 0 to 1. */
  readonly sustain: number;
  readonly release: number;
}

export interface Voice {
  readonly wave: Wave;
  /** Frames of the wave left out at the beginning. */
  readonly skip: number;
  /** Frames of the wave for each of the output. */
  readonly ratio: number;
  readonly frame: number;
  /** Frames until the key is let go; Infinity to ring out. */
  readonly held: number;
  /** Frames until it is cut off within 20 ms, by a hi-hat that closes; Infinity for never. */
  readonly choke: number;
  readonly left: number;
  readonly right: number;
  readonly level: Envelope;
  /** Frames of a rise that softens the beginning; 0 for none. */
  readonly fade: number;
  /** Cents above 8.176 Hz (MIDI 0) as in the SoundFont specification; from 13,500 on there is no filter. */
  readonly cutoff: number;
  /** Resonance. */
  readonly q: number;
  /** Cents that the filter's envelope adds at its height. */
  readonly sweep: number;
  readonly filter: Envelope;
  /** Cents, Hz, seconds until it is fully there, and where it begins in its turn. */
  readonly vibrato: { readonly cents: number; readonly hertz: number; readonly onset: number; readonly phase: number };
  /** Cents from which the pitch glides, and the seconds that it takes. */
  readonly slide: { readonly cents: number; readonly seconds: number };
  /** How much a long note grows and wanes: 0 to 1. */
  readonly swell: number;
}

/** Cents from which on the filter is open: 20 kHz. */
const OPEN = 13_500;

/** Steps that are worked on at once, at most: 46 ms. */
const STEPS = 16;
const CHUNK = STEPS * STEP;
/** Samples of the wave that are read at once, at most. */
const INPUT = 8192;
/** Places in the arena, in bytes. */
const CONTROLS = 4 * (INPUT + 8);
const STATE = CONTROLS + 48 * STEPS;
const ROOM = STATE + 16;
const LEFT = ROOM + 4 * STEP;
const RIGHT = LEFT + 4 * CHUNK;
const BYTES = RIGHT + 4 * CHUNK;

const controls = new Float64Array(6 * STEPS);
const input = new Float32Array(INPUT + 8);
const state = new Float64Array(2);
const block = new Float32Array(STEP);

/**
 * Adds a voice to `left` and `right` (the same array for mono) as far as they reach. By the kernel of
 * ../../signal/dsp/assembly/voice.ts where it runs, else in plain form, with the same samples.
 *
 * @returns the frame after its last
 */
export function sound(voice: Voice, left: Float32Array, right: Float32Array): number {
  const { wave, level: shape, filter } = voice;
  const { end, loop } = wave;
  const limit = left.length;
  const to_right = left !== right && voice.right !== 0;
  const to_left = left === right || voice.left !== 0;
  const bends = voice.vibrato.cents !== 0 || voice.slide.cents !== 0;
  const swells = voice.swell !== 0 && voice.held !== Number.POSITIVE_INFINITY;
  const filtered = voice.cutoff + Math.min(0, voice.sweep) < OPEN;
  const k = 1 / voice.q;
  const attack = shape.attack * RATE;
  const delay = shape.delay * RATE;
  const fall = decibels(-100, shape.decay);
  const release = decibels(-100, Math.max(0.004, shape.release));
  const choke = decibels(-100, 0.03);
  const decays = delay + attack + shape.hold * RATE;
  const begun = Math.max(delay + attack, voice.fade);
  let position = wave.start + voice.skip;
  let ratio = voice.ratio;
  let body = 1;
  let released = 1;
  let sweep_released = 1;
  let before = begun <= STEP ? 1 : 0;
  let a1 = 0;
  let a2 = 0;
  let a3 = 0;
  let over = false;
  state.fill(0);
  let frame = voice.frame;
  for (let age = 0; frame < limit && !over; ) {
    // What moves, step by step.
    const most = Math.min(STEPS, Math.ceil((limit - frame) / STEP));
    let steps = 0;
    let reach = 0;
    while (steps < most && !over) {
      if (bends) ratio = voice.ratio * bent(voice, age);
      if (reach + STEP * ratio > INPUT) break;
      reach += STEP * ratio;
      if (filtered && (age === 0 || voice.sweep !== 0)) {
        if (age > voice.held) sweep_released = Math.max(0, sweep_released - STEP / RATE / filter.release);
        const cents = voice.cutoff + voice.sweep * envelope(filter, age / RATE) * sweep_released;
        const g = warp(Math.min(0.45, (8.176 * exp2(Math.min(OPEN, cents) / 1200)) / RATE));
        a1 = 1 / (1 + g * (g + k));
        a2 = g * a1;
        a3 = g * a2;
      }
      age += STEP;
      if (age > decays && body > shape.sustain) body = Math.max(shape.sustain, body * fall);
      if (age > voice.choke) released *= choke;
      else if (age > voice.held) released *= release;
      let level = body * released;
      if (swells) level *= swelled(voice, age);
      if (age < begun) {
        if (age < delay) level = 0;
        else if (age < delay + attack) level *= (age - delay) / attack;
        if (age < voice.fade) level *= age / voice.fade;
      } else if (level < FLOOR) {
        level = 0;
        over = true;
      }
      const at = 6 * steps;
      controls[at] = ratio;
      controls[at + 1] = before;
      controls[at + 2] = (level - before) / STEP;
      controls[at + 3] = a1;
      controls[at + 4] = a2;
      controls[at + 5] = a3;
      before = level;
      steps++;
    }
    // A pitch so high that one step passes over more than can be read is not to be heard.
    if (steps === 0) break;
    const count = Math.min(limit - frame, steps * STEP);
    const first = Math.floor(position);
    const local = 1 + position - first;
    const memory = arena(BYTES);
    const room = memory?.floats(0, INPUT + 8) ?? input;
    copy(wave, first - 1, Math.min(INPUT + 8, Math.ceil(local + reach) + 4), room);
    if (memory === undefined) {
      plainly(
        input,
        local,
        steps,
        filtered,
        to_left ? left : undefined,
        fround(voice.left),
        to_right ? right : undefined,
        fround(voice.right),
        frame,
      );
    } else {
      memory.doubles(CONTROLS, 6 * STEPS).set(controls);
      const kept = memory.doubles(STATE, 2);
      kept.set(state);
      const out_left = memory.floats(LEFT, count);
      const out_right = memory.floats(RIGHT, count);
      if (to_left) out_left.set(left.subarray(frame, frame + count));
      if (to_right) out_right.set(right.subarray(frame, frame + count));
      const base = memory.address;
      memory.kernels.voice(
        base,
        local,
        steps,
        base + CONTROLS,
        filtered ? 1 : 0,
        base + STATE,
        base + ROOM,
        to_left ? base + LEFT : 0,
        voice.left,
        to_right ? base + RIGHT : 0,
        voice.right,
      );
      if (to_left) left.set(out_left, frame);
      if (to_right) right.set(out_right, frame);
      state.set(kept);
    }
    position += reach;
    if (position >= end) {
      if (loop === 0) break;
      position -= loop * Math.ceil((position - end + 1e-9) / loop);
    }
    frame += count;
  }
  return frame;
}

/** `count` samples from `first` on as the loop continues them; silence after the end of what has none. */
function copy({ data, end, loop }: Wave, first: number, count: number, to: Float32Array): void {
  let from = first;
  for (let done = 0; done < count; ) {
    if (from >= end) {
      if (loop === 0) {
        to.fill(0, done, count);
        return;
      }
      from -= loop;
      continue;
    }
    const length = Math.min(count - done, end - from);
    to.set(data.subarray(from, from + length), done);
    done += length;
    from += length;
  }
}

/** The kernel in TypeScript: single precision where that has it, summed in its order, so that the samples are the same. */
function plainly(
  wave: Float32Array,
  position: number,
  steps: number,
  filtered: boolean,
  left: Float32Array | undefined,
  gain_left: number,
  right: Float32Array | undefined,
  gain_right: number,
  frame: number,
): void {
  let from = position;
  for (let step = 0; step < steps; step++) {
    const at = 6 * step;
    const ratio = controls[at]!;
    read(wave, from, ratio);
    from += STEP * ratio;
    if (filtered) low(controls[at + 3]!, controls[at + 4]!, controls[at + 5]!);
    const level = fround(controls[at + 1]!);
    const rise = fround(controls[at + 2]!);
    const to = frame + step * STEP;
    if (left !== undefined) add(left, to, fround(gain_left * level), fround(gain_left * rise));
    if (right !== undefined) add(right, to, fround(gain_right * level), fround(gain_right * rise));
  }
}

// Hot loops are small functions of their own: within a long one Bun's compiler gives up on them now and then (measured: 10 times).

/** Places are whole numbers of 2^-32 samples. */
function read(data: Float32Array, from: number, ratio: number): void {
  const pace = Math.trunc(ratio * 2 ** 32);
  let place = Math.trunc(from * 2 ** 32);
  for (let n = 0; n < STEP; n++) {
    const index = Math.floor(place * 2 ** -32);
    const t = fround(Math.floor((place - index * 2 ** 32) / 2)) * 2 ** -31;
    place += pace;
    const y0 = data[index - 1]!;
    const y1 = data[index]!;
    const y2 = data[index + 1]!;
    const y3 = data[index + 2]!;
    const c1 = fround(0.5 * fround(y2 - y0));
    const c3 = fround(fround(0.5 * fround(y3 - y0)) + fround(1.5 * fround(y1 - y2)));
    const c2 = fround(fround(fround(y0 - y1) + c1) - c3);
    block[n] = fround(fround(fround(fround(fround(c3 * t) + c2) * t) + c1) * t) + y1;
  }
}

/**
 * State-variable low-pass as in ../../signal/dsp/svf.ts, over the block, with its state kept. The kernel says how four
 * samples are one step.
 */
function low(a1: number, a2: number, a3: number): void {
  const m11 = 2 * a1 - 1;
  const m12 = -2 * a2;
  const m21 = 2 * a2;
  const m22 = 1 - 2 * a3;
  const moved = ([x, y]: Pair): Pair => [m11 * x + m12 * y, m21 * x + m22 * y];
  const k3: Pair = [2 * a2, 2 * a3];
  const k2 = moved(k3);
  const k1 = moved(k2);
  const k0 = moved(k1);
  const input = Float64Array.of(...k0, ...k1, ...k2, ...k3);
  const kept = Float64Array.of(...moved(moved(moved([m11, m21]))), ...moved(moved(moved([m12, m22]))));
  const rows = new Float32Array(12);
  let [p, q] = [a2, 1 - a3];
  rows[8] = a3;
  for (let n = 0; n < 4; n++) {
    rows[n] = p;
    rows[4 + n] = q;
    if (n < 3) rows[9 + n] = p * 2 * a2 + q * 2 * a3;
    [p, q] = [p * m11 + q * m21, p * m12 + q * m22];
  }
  filter(input, kept, rows);
}

/** Weights of four samples in the next state, of the state in it, and in the outputs: of both parts of the state, and of the samples. */
function filter(input: Float64Array, kept: Float64Array, rows: Float32Array): void {
  const [k0x, k0y, k1x, k1y, k2x, k2y, k3x, k3y] = input as unknown as Eight;
  const [ax, ay, bx, by] = kept as unknown as Four;
  const [p0, p1, p2, p3, q0, q1, q2, q3] = rows as unknown as Eight;
  const [h0, h1, h2, h3] = rows.subarray(8) as unknown as Four;
  let [x, y] = state as unknown as Pair;
  for (let n = 0; n < STEP; n += 4) {
    const v0 = block[n]!;
    const v1 = block[n + 1]!;
    const v2 = block[n + 2]!;
    const v3 = block[n + 3]!;
    const s = fround(x);
    const t = fround(y);
    block[n] = fround(fround(p0 * s) + fround(q0 * t)) + fround(h0 * v0);
    block[n + 1] = fround(fround(p1 * s) + fround(q1 * t)) + fround(fround(h1 * v0) + fround(h0 * v1));
    block[n + 2] =
      fround(fround(p2 * s) + fround(q2 * t)) + fround(fround(fround(h2 * v0) + fround(h1 * v1)) + fround(h0 * v2));
    block[n + 3] =
      fround(fround(p3 * s) + fround(q3 * t)) +
      fround(fround(fround(h3 * v0) + fround(h2 * v1)) + fround(fround(h1 * v2) + fround(h0 * v3)));
    const next = ax * x + bx * y + (k0x * v0 + k1x * v1 + (k2x * v2 + k3x * v3));
    y = ay * x + by * y + (k0y * v0 + k1y * v1 + (k2y * v2 + k3y * v3));
    x = next;
  }
  state[0] = x;
  state[1] = y;
}

type Pair = readonly [number, number];
type Four = readonly [number, number, number, number];
type Eight = readonly [...Four, ...Four];

function add(out: Float32Array, at: number, gain: number, rise: number): void {
  const count = Math.min(STEP, out.length - at);
  const pace = fround(4 * rise);
  for (let lane = 0; lane < 4; lane++) {
    let level = fround(gain + fround(rise * lane));
    for (let n = lane; n < count; n += 4) {
      out[at + n] = out[at + n]! + fround(block[n]! * level);
      level = fround(level + pace);
    }
  }
}

/** Factor per block of a fall by `db` in `seconds`. */
function decibels(db: number, seconds: number): number {
  return seconds <= 0 ? 0 : exp2((0.16609640474436813 * db * STEP) / (seconds * RATE));
}

/** Of the filter: straight lines, 0 to 1, until the key is let go. */
function envelope({ delay, attack, hold, decay, sustain }: Envelope, seconds: number): number {
  let time = seconds - delay;
  if (time < 0) return 0;
  if (time < attack) return time / attack;
  time -= attack + hold;
  if (time <= 0 || decay <= 0) return time <= 0 ? 1 : sustain;
  return Math.max(sustain, 1 - time / decay);
}

/** Ratio of frequencies. */
function bent({ vibrato, slide }: Voice, age: number): number {
  const time = age / RATE;
  let cents = 0;
  if (slide.cents !== 0 && time < slide.seconds) {
    // Leaves and arrives gently.
    const u = time / slide.seconds;
    cents += slide.cents * (1 - u * u * (3 - 2 * u));
  }
  if (vibrato.cents !== 0) {
    const there = vibrato.onset <= 0 ? 1 : Math.min(1, Math.max(0, (2 * time) / vibrato.onset - 1));
    if (there > 0) cents += vibrato.cents * there * sine(vibrato.phase + vibrato.hertz * time);
  }
  return cents === 0 ? 1 : exp2(cents / 1200);
}

/** Gain of a long note as it grows to 60 % of its length and wanes: at most 3 dB below its height at the beginning, 2 dB at the end. */
function swelled({ swell, held }: Voice, age: number): number {
  if (swell === 0 || held === Number.POSITIVE_INFINITY) return 1;
  const top = 0.6 * held;
  if (age < top) {
    const u = age / top;
    return 1 - swell * 0.3 * (1 - u * (2 - u));
  }
  const u = Math.min(1, (age - top) / (held - top));
  return 1 - swell * 0.2 * u * u;
}
