/** Kicks, snares, claps, rims and toms of drum machines. Each returns a mono one-shot; `v` is the velocity, 0 to 1. */
import type { Clap, Hat, Kick, Snare } from "../../../../packs/mod.ts";
import { svf } from "../../../../signal/dsp/svf.ts";
import { RATE } from "../../performance.ts";
import { driven, even, finish, hiss, METAL_909, metal, mix, silence, strike, tone } from "./voice.ts";

export function kick(kind: Kick, v: number, next: () => number): Float32Array {
  const length = kind.t60 * 0.95 + 0.05;
  const out = silence(length);
  // The slow bend is the body; the fast snap falls through the middle in a few milliseconds and is what small speakers play.
  tone(out, {
    hertz: kind.hertz,
    drop: kind.bend * (0.85 + 0.2 * v),
    drop_seconds: kind.bend_seconds,
    attack: 0.0012,
    t60: kind.t60,
    gain: 1,
  });
  tone(out, {
    hertz: kind.hertz * 1.5,
    drop: kind.snap,
    drop_seconds: kind.snap_seconds,
    attack: 0.0004,
    t60: 0.07,
    gain: 0.22 + 0.5 * v,
  });
  hiss(out, {
    seed: Math.floor(next() * 1e6),
    low: kind.click_hertz,
    high: 13_000,
    attack: 0.0002,
    t60: 0.014 + 0.01 * v,
    gain: kind.click * (0.3 + v),
  });
  driven(out, kind.drive * (0.7 + 0.45 * v));
  return finish(out, 1);
}

export function snare(kind: Snare, v: number, next: () => number): Float32Array {
  const out = silence(Math.max(kind.t60, kind.wires_t60) * 1.05 + 0.03);
  const tune = 1 + 0.012 * (next() - 0.5);
  const shell = kind.shell * (0.75 + 0.25 * v);
  tone(out, { hertz: kind.low * tune, drop: 0.45, drop_seconds: 0.05, attack: 0.0006, t60: kind.t60, gain: shell });
  tone(out, {
    hertz: kind.high * tune,
    drop: 0.3,
    drop_seconds: 0.04,
    attack: 0.0006,
    t60: kind.t60 * 0.7,
    gain: 0.62 * shell,
  });
  tone(out, { hertz: kind.high * 1.63 * tune, attack: 0.0004, t60: kind.t60 * 0.35, gain: 0.25 * shell * v });
  const seed = Math.floor(next() * 1e6);
  // Wires answer a little after the stick, and longer where it strikes harder.
  hiss(out, {
    seed,
    low: kind.wires_hertz,
    high: 9000 + 8500 * v,
    attack: 0.001,
    t60: kind.wires_t60 * (0.7 + 0.35 * v),
    gain: kind.wires * (0.45 + 0.65 * v),
  });
  hiss(out, {
    seed: seed + 1,
    low: 500,
    high: 4200,
    attack: 0.0008,
    t60: kind.wires_t60 * 0.5,
    gain: 0.45 * kind.wires,
  });
  hiss(out, { seed: seed + 2, low: 2600, high: 0, attack: 0.0001, t60: 0.018, gain: kind.snap * (0.2 + v) });
  driven(out, kind.drive * (0.7 + 0.5 * v));
  return finish(out, 1);
}

/** Several hands not quite together, then the room: sawtooth-shaped bursts through a band-pass, as the 808 and the 909 do it. */
export function clap(kind: Clap, v: number, next: () => number): Float32Array {
  const out = silence(kind.tail * 1.15 + 0.06);
  let delay = 0;
  const seed = Math.floor(next() * 1e6);
  for (let hand = 0; hand < 4; hand++) {
    const last = hand === 3;
    hiss(out, {
      seed: seed + hand,
      low: 420,
      high: 0,
      attack: 0.0004,
      t60: last ? kind.tail * (0.75 + 0.3 * v) : 0.02,
      gain: last ? 0.9 : 0.75 + 0.15 * next(),
      delay,
      seconds: last ? kind.tail * 1.1 : kind.spread * 1.15,
    });
    delay += kind.spread * (0.85 + 0.3 * next());
  }
  const band = out.slice();
  svf(band, RATE, "band", kind.hertz * (0.97 + 0.06 * next()), 1.1);
  svf(out, RATE, "high", kind.hertz * 0.75, 0.7);
  const air = kind.bright * (0.5 + 0.6 * v);
  for (let n = 0; n < out.length; n++) out[n] = 1.25 * band[n]! + 0.4 * air * out[n]!;
  driven(out, 1.2);
  return finish(out, 0.9);
}

/** A stick across the rim: two short modes and a tick. */
export function rim(low: number, high: number, v: number, next: () => number): Float32Array {
  const out = silence(0.09);
  const tune = 1 + 0.01 * (next() - 0.5);
  tone(out, { hertz: low * tune, attack: 0.0003, t60: 0.05, gain: 0.8 });
  tone(out, { hertz: high * tune, attack: 0.0002, t60: 0.035, gain: 0.55 + 0.4 * v });
  hiss(out, { seed: Math.floor(next() * 1e6), low: 3000, high: 14_000, t60: 0.012, gain: 0.5 * v });
  driven(out, 2);
  return finish(out, 0.8);
}

/** @param skin share of noise: a real drum's skin and room */
export function tom(
  hertz: number,
  t60: number,
  skin: number,
  drive: number,
  v: number,
  next: () => number,
): Float32Array {
  const out = silence(t60 * 1.02 + 0.04);
  const tune = 1 + 0.01 * (next() - 0.5);
  tone(out, { hertz: hertz * tune, drop: 0.35 + 0.25 * v, drop_seconds: 0.22, attack: 0.001, t60, gain: 1 });
  tone(out, { hertz: hertz * 1.59 * tune, drop: 0.25, drop_seconds: 0.15, attack: 0.001, t60: t60 * 0.45, gain: 0.32 });
  const seed = Math.floor(next() * 1e6);
  hiss(out, { seed, low: 200, high: 3200, attack: 0.0008, t60: t60 * 0.3, gain: skin });
  hiss(out, { seed: seed + 1, low: 1800, high: 11_000, t60: 0.016, gain: 0.25 * (0.3 + v) });
  driven(out, drive);
  return finish(out, 0.95);
}

/** Hats: a dense cluster of squares and noise above 6 to 8 kHz under two falls. */
export function hat(kind: Hat, sort: "closed" | "pedal" | "open", v: number, next: () => number): Float32Array {
  const t60 = kind[sort] * (sort === "closed" ? 0.75 + 0.4 * v : 0.9 + 0.12 * v);
  const out = silence(t60 * 1.1 + 0.01);
  metal(out, kind.cluster, kind.tune * (1 + 0.01 * (next() - 0.5)), 1.2 * kind.metal, next);
  const noise = silence(t60 * 1.1 + 0.01);
  hiss(noise, {
    seed: Math.floor(next() * 1e6),
    low: 0,
    high: 0,
    t60: 50,
    gain: 0.9 * (1 - kind.metal),
    seconds: t60 * 1.1 + 0.01,
  });
  mix(out, noise, 1);
  const ping = out.slice();
  const low = kind.low * (sort === "pedal" ? 0.85 : 0.92 + 0.1 * v);
  svf(out, RATE, "high", low, 0.9);
  svf(out, RATE, "high", low * 0.8, 0.7);
  // A narrower band at the bottom gives it its note.
  svf(ping, RATE, "band", low * 0.78, 2.2);
  mix(out, ping, 0.28 * kind.metal);
  if (v < 0.75) svf(out, RATE, "low", 9000 + 12_000 * v, 0.6);
  strike(
    out,
    sort === "pedal" ? 0.004 : 0.0003,
    sort === "open" ? 0.12 : t60 * 0.35,
    t60,
    sort === "open" ? 0.72 : 0.5,
  );
  return even(out, sort === "open" ? 0.16 : 0.15);
}

export interface Cymbal {
  readonly t60: number;
  readonly tune: number;
  readonly low: number;
  readonly bell: number;
  readonly wash: number;
}

/** Crashes and rides: clusters that sparkle at the stroke and wash away, high partials first. */
export function cymbal(kind: Cymbal, v: number, next: () => number): Float32Array {
  const seconds = kind.t60 * 0.95;
  const out = silence(seconds);
  metal(out, METAL_909, kind.tune * (1 + 0.006 * (next() - 0.5)), 0.7, next);
  metal(out, METAL_909, kind.tune * 1.483, 0.5, next);
  hiss(out, { seed: Math.floor(next() * 1e6), low: 0, high: 0, t60: 40, gain: 0.9 * kind.wash, seconds });
  const dark = out.slice();
  svf(out, RATE, "high", kind.low * 1.9, 0.7);
  svf(out, RATE, "high", kind.low * 1.5, 0.7);
  strike(out, 0.0008, 0.35 * kind.t60, kind.t60 * 0.8, 0.45 + 0.2 * kind.wash);
  svf(dark, RATE, "high", kind.low, 0.8);
  svf(dark, RATE, "low", kind.low * 3.2, 0.7);
  strike(dark, 0.003, 0.3, kind.t60, 0.7);
  mix(out, dark, 0.55);
  if (kind.bell > 0) {
    const ping = silence(Math.min(seconds, 1.2));
    for (const [ratio, gain] of [
      [1, 1],
      [1.51, 0.7],
      [2.43, 0.6],
      [3.79, 0.35],
    ] as const)
      tone(ping, { hertz: 745 * kind.tune * ratio, attack: 0.0003, t60: 1.1 / ratio, gain: gain * kind.bell });
    mix(out, ping, 0.35 * (0.4 + v));
  }
  hiss(out, { seed: Math.floor(next() * 1e6), low: 5000, high: 0, t60: 0.03, gain: 0.5 * v });
  return finish(out, 0.55);
}
