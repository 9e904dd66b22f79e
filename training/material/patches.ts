/**
 * Plays parts with patches drawn at random instead of a sound bank: two to four operators of frequency modulation, or a filtered saw, pulse or
 * triangle, or a sum of partials; drums as swept sines and filtered noise. For material that no bank resembles; nobody is meant to like it.
 */
import { fromDecibel } from "../../runners/signal/dsp/decibel.ts";
import { random } from "../../runners/signal/dsp/random.ts";
import type { Part } from "./compose.ts";
import { mix } from "./pan.ts";

const RATE = 44_100;

type Stereo = readonly [Float32Array, Float32Array];

interface Patch {
  readonly kind: "fm" | "subtractive" | "additive";
  /** Seconds; sustain is a level of 0 to 1. */
  readonly attack: number;
  readonly decay: number;
  readonly sustain: number;
  readonly release: number;
  /** Frequencies of the modulators in terms of the carrier's. */
  readonly ratios: readonly number[];
  /** Radians at full velocity, and the time constant in which they fall, s. */
  readonly depths: readonly number[];
  readonly falls: readonly number[];
  readonly series: boolean;
  /** Subtractive: 0 saw, 1 pulse, 2 triangle. */
  readonly wave: number;
  /** Cut-off in terms of the note's frequency, and its fall. */
  readonly cutoff: number;
  readonly sweep: number;
  readonly partials: readonly number[];
  /** Cents between two detuned voices, one a side; 0: one voice. */
  readonly detune: number;
  readonly vibrato: number;
}

function patchOf(next: () => number, bass: boolean): Patch {
  const between = (low: number, high: number): number => low + (high - low) * next();
  const held = next() < (bass ? 0.7 : 0.5);
  const kind = (["fm", "fm", "subtractive", "additive"] as const)[Math.floor(next() * 4)]!;
  const operators = 1 + Math.floor(next() * 3);
  const ratio = (): number =>
    next() < 0.75 ? [0.5, 1, 1, 2, 3, 4, 5, 7][Math.floor(next() * (bass ? 5 : 8))]! : between(0.5, bass ? 4 : 9);
  return {
    kind,
    attack: next() < 0.6 ? between(0.001, 0.01) : between(0.01, 0.15),
    decay: between(0.08, held ? 1.5 : 1),
    sustain: held ? between(0.3, 0.9) : 0,
    release: between(0.03, 0.4),
    ratios: Array.from({ length: operators }, ratio),
    depths: Array.from({ length: operators }, () => between(0.2, 4)),
    falls: Array.from({ length: operators }, () => between(0.05, 2)),
    series: next() < 0.5,
    wave: Math.floor(next() * 3),
    cutoff: between(2, bass ? 12 : 24),
    sweep: between(0.05, 1),
    partials: Array.from({ length: 12 }, (_, k) => next() / (k + 1) ** between(0.4, 1.6)),
    detune: next() < 0.4 ? between(3, 18) : 0,
    vibrato: next() < 0.3 ? between(3, 25) : 0,
  };
}

function playNote(patch: Patch, hertz: number, seconds: number, velocity: number, out: Float32Array, at: number): void {
  const total = Math.min(seconds + patch.release * 3, 12);
  const frames = Math.min(out.length - at, Math.floor(total * RATE));
  const step = (2 * Math.PI * hertz) / RATE;
  const loud = velocity * velocity;
  let phase = 0;
  let low = 0;
  let band = 0;
  const tops = patch.partials.map((level, k) => (hertz * (k + 1) < 16_000 ? level : 0));
  for (let n = 0; n < frames; n++) {
    const t = n / RATE;
    let level = t < patch.attack ? t / patch.attack : 1;
    const after = Math.max(0, t - patch.attack);
    level *= patch.sustain + (1 - patch.sustain) * Math.exp(-after / patch.decay);
    if (t > seconds) level *= Math.exp(-(t - seconds) / patch.release);
    phase += step * (1 + patch.vibrato * 5.78e-4 * Math.sin(2 * Math.PI * 5.3 * t) * Math.min(1, t * 2));
    let value = 0;
    if (patch.kind === "fm") {
      let turn = 0;
      for (let k = 0; k < patch.ratios.length; k++) {
        const depth = patch.depths[k]! * velocity * Math.exp(-t / patch.falls[k]!);
        // Depth falls with pitch, so that side bands stay below half of the rate.
        const bent = depth * Math.min(1, 4000 / (hertz * patch.ratios[k]! + 1));
        turn = patch.series
          ? bent * Math.sin(phase * patch.ratios[k]! + turn)
          : turn + bent * Math.sin(phase * patch.ratios[k]!);
      }
      value = Math.sin(phase + turn);
    } else if (patch.kind === "additive") {
      for (let k = 0; k < tops.length; k++) if (tops[k]! > 0) value += tops[k]! * Math.sin(phase * (k + 1));
      value *= 0.6;
    } else {
      const cycle = phase / (2 * Math.PI);
      const x = cycle - Math.floor(cycle);
      const raw = patch.wave === 0 ? 2 * x - 1 : patch.wave === 1 ? (x < 0.3 ? 1 : -0.43) : 4 * Math.abs(x - 0.5) - 1;
      const cutoff = Math.min(14_000, hertz * (1 + patch.cutoff * velocity * Math.exp(-t / patch.sweep)));
      const f = Math.min(1.2, 2 * Math.sin((Math.PI * cutoff) / RATE));
      low += f * band;
      band += f * (raw - low - 0.7 * band);
      value = low;
    }
    out[at + n]! += value * level * loud;
  }
}

interface Drum {
  /** Hz at the attack and later, seconds in between; level of the tone. */
  readonly high: number;
  readonly base: number;
  readonly bend: number;
  readonly tone: number;
  readonly ring: number;
  /** Level of the noise, its decay in seconds, and the corner of its high-pass, 0 to 1 of the rate. */
  readonly noise: number;
  readonly hiss: number;
  readonly corner: number;
  readonly bursts: number;
}

function drumOf(key: number, next: () => number): Drum {
  const between = (low: number, high: number): number => low + (high - low) * next();
  const tone = { high: 0, base: 0, bend: 0.02, tone: 0, ring: 0.1, bursts: 1 };
  if (key === 35 || key === 36)
    return {
      ...tone,
      high: between(90, 400),
      base: between(38, 70),
      bend: between(0.01, 0.05),
      tone: 1,
      ring: between(0.08, 0.5),
      noise: between(0, 0.2),
      hiss: 0.01,
      corner: 0.1,
    };
  if (key === 38 || key === 40 || key === 37)
    return {
      ...tone,
      high: between(200, 400),
      base: between(140, 220),
      tone: between(0.2, 0.7),
      ring: between(0.05, 0.15),
      noise: between(0.5, 1),
      hiss: between(0.05, 0.25),
      corner: between(0.03, 0.2),
    };
  if (key === 39) return { ...tone, noise: 1, hiss: between(0.06, 0.2), corner: between(0.05, 0.15), bursts: 3 };
  if (key >= 41 && key <= 50 && key % 2 === 1 && key !== 49)
    return {
      ...tone,
      high: between(120, 300),
      base: between(70, 180),
      tone: 0.9,
      ring: between(0.15, 0.4),
      noise: 0.15,
      hiss: 0.05,
      corner: 0.1,
    };
  const long = key === 49 || key === 57 || key === 46 || key === 51 || key === 55;
  return {
    ...tone,
    high: between(3000, 8000),
    base: between(3000, 8000),
    tone: next() < 0.3 ? 0.2 : 0,
    ring: 0.1,
    noise: 0.7,
    hiss: long ? between(0.2, 1.2) : between(0.02, 0.08),
    corner: between(0.25, 0.6),
  };
}

function playDrum(drum: Drum, velocity: number, next: () => number, out: Float32Array, at: number): void {
  const frames = Math.min(out.length - at, Math.floor(5 * Math.max(drum.ring * drum.tone, drum.hiss) * RATE + 2000));
  let phase = 0;
  let smooth = 0;
  for (let n = 0; n < frames; n++) {
    const t = n / RATE;
    phase += (2 * Math.PI * (drum.base + (drum.high - drum.base) * Math.exp(-t / drum.bend))) / RATE;
    const white = 2 * next() - 1;
    smooth += drum.corner * (white - smooth);
    const since = drum.bursts > 1 && t < 0.03 ? t % 0.01 : t;
    out[at + n]! +=
      velocity *
      velocity *
      (drum.tone * Math.sin(phase) * Math.exp(-t / drum.ring) +
        drum.noise * (white - smooth) * Math.exp(-since / drum.hiss));
  }
}

/** Adds the parts to `left` and `right`, which are as long as the piece. */
export function playPatches(parts: readonly Part[], seed: number, [left, right]: Stereo): void {
  for (const [index, part] of parts.entries()) {
    const next = random(Math.imul(seed + 17, 0x85eb_ca6b) ^ (part.program * 131 + index));
    const mono = new Float32Array(left.length);
    if (part.program === -1) {
      const drums = new Map<number, Drum>();
      for (const { at, key, velocity } of part.notes) {
        const drum = drums.get(key) ?? drumOf(key, next);
        drums.set(key, drum);
        playDrum(drum, velocity / 127, next, mono, Math.round(at * RATE));
      }
      mix(mono, left, right, fromDecibel(part.level_db), 0);
      continue;
    }
    const patch = patchOf(next, part.stem === "bass");
    const sides = patch.detune > 0 && part.stem !== "bass" ? [-1, 1] : [0];
    for (const side of sides) {
      mono.fill(0);
      for (const { at, until, key, velocity } of part.notes) {
        const hertz = 440 * 2 ** ((key - 69 + (side * patch.detune) / 200) / 12);
        playNote(patch, hertz, until - at, velocity / 127, mono, Math.round(at * RATE));
      }
      mix(
        mono,
        left,
        right,
        0.35 * fromDecibel(part.level_db),
        side === 0 ? part.pan : Math.max(-1, Math.min(1, part.pan + side * 0.6)),
      );
    }
  }
}
