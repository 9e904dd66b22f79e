/**
 * A drone has no beginning: partials, each with a slow tide of its own, over two saws behind a filter that breathes.
 * All joins on a ring.
 */

import { whole } from "../../../signal/dsp/chorus.ts";
import { type Control, control, STEP } from "../../../signal/dsp/control.ts";
import { cosine, sine } from "../../../signal/dsp/exact.ts";
import { hertzOf, octaves } from "../../../signal/dsp/octave_table.ts";
import { hash32, random } from "../../../signal/dsp/random.ts";
import { release } from "../../../signal/dsp/release.ts";
import { svf } from "../../../signal/dsp/svf.ts";
import { addWave, CYCLE, wavetable } from "../../../signal/dsp/wavetable.ts";
import { type Performance, type PlayedNote, RATE, type Stem } from "../performance.ts";
import { levelOf } from "./patch.ts";

const STILL = new Float32Array(2);

/** Ratio, gain, pan, cycles a second of the tide. */
const PARTIALS: readonly (readonly [ratio: number, gain: number, pan: number, hertz: number])[] = [
  [1, 0.5, 0, 0.05],
  [1.0031, 0.22, -0.7, 0.071],
  [0.9969, 0.22, 0.7, 0.063],
  [2.0013, 0.2, 0.5, 0.09],
  [1.9988, 0.2, -0.5, 0.083],
  [3.001, 0.13, -0.8, 0.11],
  [4.002, 0.09, 0.8, 0.13],
  [4.9975, 0.06, -0.4, 0.17],
  [6.003, 0.05, 0.4, 0.15],
  [8.004, 0.035, -0.9, 0.19],
  [12.01, 0.018, 0.9, 0.21],
];

export function* playDrone({ events, frames, ring, seed }: Performance): Generator<undefined, Stem> {
  const left = new Float32Array(frames);
  const right = new Float32Array(frames);
  for (const event of events) if (event.velocity > 0) yield* add(left, right, event, ring, seed);
  return [left, right];
}

function* add(
  left: Float32Array,
  right: Float32Array,
  event: PlayedNote,
  ring: number,
  seed: number,
): Generator<undefined, void> {
  const gate = gateOf(event, left.length, 1.6, ring);
  const length = gate.frames;
  if (length <= 0) return;
  const frame = event.frame;
  // By the pitch, so that a note taken up again joins the one before.
  const next = random(hash32(seed, Math.round(event.pitch * 100)));
  const f = hertzOf(event.pitch);
  const one = new Float32Array(length);
  const other = new Float32Array(length);
  const wave = wavetable("sine");
  const turn = (step: number, phase: number): number => {
    const at = step * frame + phase;
    return at - Math.floor(at);
  };
  const steady = (hertz: number): { hertz: Control; step: number } => {
    const step = whole(hertz / RATE, ring);
    return { hertz: control(length).fill(step * RATE), step };
  };
  for (const [ratio, gain, pan, hertz] of PARTIALS) {
    if (f * ratio > 16_000) continue;
    const step = whole((f * ratio) / RATE, ring);
    const tide = whole((hertz * (0.7 + 0.6 * next())) / RATE, ring);
    const phase = next();
    const level = control(length);
    for (let n = 0; n < level.length; n++) level[n] = gain * (0.62 + 0.38 * sine(phase + tide * (frame + n * STEP)));
    addPartial(one, other, wave.at(step), step, turn(step, next()), level, (pan + 1) / 8);
    yield undefined;
  }
  for (const [channel, cents] of [
    [one, -5],
    [other, 5],
  ] as const) {
    const { hertz, step } = steady(f * octaves(cents / 1200));
    const saw = new Float32Array(length);
    addWave(saw, undefined, RATE, {
      wave: wavetable("saw"),
      hertz,
      ratio: 1,
      drift: STILL,
      drift_at: 0,
      drift_depth: 0,
      gain_left: 0.4,
      gain_right: 0,
      // The edge of a saw is its steepest place: it does not fall on the seam of a ring.
      phase: turn(step, 0.35 + 0.35 * next()),
    });
    yield undefined;
    const breath = whole((0.06 + 0.04 * next()) / RATE, ring);
    const phase = next();
    const cutoff = control(length);
    const open = f * 2.2 + 260 + 500 * (event.velocity - 0.6);
    for (let n = 0; n < cutoff.length; n++)
      cutoff[n] = Math.max(60, open * octaves(1.1 * sine(phase + breath * (frame + n * STEP))));
    svf(saw, RATE, "low", cutoff, 1.2);
    yield undefined;
    svf(saw, RATE, "low", cutoff, 0.6);
    mix(channel, saw, 1);
    release(saw);
    yield undefined;
  }
  const level = 0.19 * levelOf(Math.min(1, event.velocity));
  gate.add(left, one, level);
  gate.add(right, other, level);
  release(one, other);
}

/** Adds a steady wave at a moving level to both channels in one pass. `turns`: of the pan, 0 left to a quarter right. */
function addPartial(
  left: Float32Array,
  right: Float32Array,
  table: Float32Array,
  step: number,
  phase: number,
  level: Control,
  turns: number,
): void {
  const to_left = Math.SQRT2 * cosine(turns);
  const to_right = Math.SQRT2 * sine(turns);
  const frames = left.length;
  const pace = Math.min(0.45, step) * CYCLE;
  let x = phase * CYCLE;
  for (let at = 0, block = 0; at < frames; at += STEP, block++) {
    let gain = level[block]!;
    const slope = (level[block + 1]! - gain) / STEP;
    const end = Math.min(frames, at + STEP);
    for (let n = at; n < end; n++) {
      const index = x | 0;
      const first = table[index]!;
      const value = gain * (first + (x - index) * (table[index + 1]! - first));
      left[n] = left[n]! + to_left * value;
      right[n] = right[n]! + to_right * value;
      x += pace;
      if (x >= CYCLE) x -= CYCLE;
      gain += slope;
    }
  }
}

/** A note of what has no beginning: fades in over its first seconds and out after its end, so that two that meet add up to one. */
export function gateOf(event: PlayedNote, frames: number, seconds: number, ring: number) {
  const frame = Math.max(0, Math.round(event.frame));
  const held = Math.max(1, Math.round(event.frames));
  const fade = Math.max(64, Math.min(Math.round(seconds * RATE), held, ring > 0 ? Math.floor(ring / 4) : held));
  const length = Math.max(0, Math.min(held + fade, frames - frame));
  return {
    frames: length,
    /** Adds `from`, whose sample `first` is the note's first frame, round and round. */
    add(to: Float32Array, from: Float32Array, gain: number, first = 0): void {
      for (let n = 0, at = first; n < length; n++, at++) {
        if (at === from.length) at = 0;
        let level = gain;
        if (n < fade) level *= 0.5 - 0.5 * cosine(n / (2 * fade));
        if (n >= held) level *= 0.5 + 0.5 * cosine((n - held) / (2 * fade));
        to[frame + n] = to[frame + n]! + level * from[at]!;
      }
    },
  };
}

function mix(to: Float32Array, from: Float32Array, gain: number): void {
  for (let n = 0; n < to.length; n++) to[n] = to[n]! + gain * from[n]!;
}
