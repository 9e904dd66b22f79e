/**
 * Plays parts as sound chips do: two operators of frequency modulation with feedback (as cards of the nineties; drums are operators too, whose
 * feedback makes the noise), or pulses, stepped triangles and noise of a shift register (as consoles of the eighties). Settings are drawn from the
 * seed, nothing is taken from a chip's own presets. For material whose basses have few overtones and whose drums are tones.
 */
import { fromDecibel } from "../../runners/signal/dsp/decibel.ts";
import { random } from "../../runners/signal/dsp/random.ts";
import type { Note, Part } from "./compose.ts";
import { mix } from "./pan.ts";

const RATE = 44_100;
const TURN = 2 * Math.PI;

type Stereo = readonly [Float32Array, Float32Array];

interface Operator {
  /** In terms of the note's frequency. */
  readonly ratio: number;
  /** 0 sine, 1 its upper half, 2 its magnitude, 3 rising quarters of it. */
  readonly wave: number;
  /** Seconds; sustain is a level of 0 to 1. */
  readonly attack: number;
  readonly decay: number;
  readonly sustain: number;
  readonly release: number;
}

interface Voice {
  readonly carrier: Operator;
  readonly modulator: Operator;
  /** Radians by which the modulator turns the carrier, and itself. */
  readonly depth: number;
  readonly feedback: number;
  /** Both are heard, neither modulates the other. */
  readonly side_by_side: boolean;
  readonly vibrato: number;
}

type Next = () => number;

const between = (next: Next, low: number, high: number): number => low + (high - low) * next();
const oneOf = <T>(next: Next, of: readonly T[]): T => of[Math.floor(next() * of.length)]!;

function operatorOf(next: Next, ratios: readonly number[], held: boolean): Operator {
  return {
    ratio: oneOf(next, ratios),
    wave: next() < 0.6 ? 0 : 1 + Math.floor(next() * 3),
    attack: next() < 0.75 ? between(next, 0.001, 0.012) : between(next, 0.012, 0.12),
    decay: between(next, 0.06, held ? 2 : 0.9),
    sustain: held ? between(next, 0.25, 1) : between(next, 0, 0.1),
    release: between(next, 0.02, 0.3),
  };
}

function voiceOf(next: Next, bass: boolean): Voice {
  const held = next() < (bass ? 0.65 : 0.6);
  return {
    carrier: operatorOf(next, bass ? [1, 1, 1, 0.5, 2] : [1, 1, 1, 2, 0.5, 4], held),
    modulator: operatorOf(next, bass ? [1, 1, 0.5, 2, 3] : [1, 1, 2, 3, 4, 5, 7, 8, 12, 0.5], held),
    depth: bass && next() < 0.4 ? between(next, 0, 0.8) : between(next, 0.2, 5),
    feedback: next() < 0.4 ? 0 : between(next, 0.2, 2.2),
    side_by_side: next() < 0.15,
    vibrato: next() < 0.3 ? between(next, 4, 20) : 0,
  };
}

function waveAt(wave: number, phase: number): number {
  const y = Math.sin(phase);
  if (wave === 0) return y;
  if (wave === 1) return Math.max(0, y);
  if (wave === 2) return Math.abs(y);
  const cycle = phase / TURN;
  return (cycle - Math.floor(cycle)) % 0.5 < 0.25 ? Math.abs(y) : 0;
}

function levelOf(of: Operator, t: number, seconds: number): number {
  const risen = t < of.attack ? t / of.attack : 1;
  const after = Math.max(0, t - of.attack);
  const level = risen * (of.sustain + (1 - of.sustain) * Math.exp(-after / of.decay));
  return t > seconds ? level * Math.exp(-(t - seconds) / of.release) : level;
}

function playVoice(voice: Voice, hertz: number, seconds: number, velocity: number, out: Float32Array, at: number) {
  const frames = Math.min(out.length - at, Math.floor((seconds + 5 * voice.carrier.release) * RATE));
  // Side bands stay below half of the rate.
  const depth = voice.depth * (0.4 + 0.6 * velocity) * Math.min(1, 5000 / (hertz * voice.modulator.ratio));
  const feedback = voice.feedback * Math.min(1, 3000 / (hertz * voice.modulator.ratio));
  let phase = 0;
  let [last, before] = [0, 0];
  for (let n = 0; n < frames; n++) {
    const t = n / RATE;
    phase += ((TURN * hertz) / RATE) * (1 + voice.vibrato * 5.78e-4 * Math.sin(TURN * 6.1 * t));
    const turned = phase * voice.modulator.ratio + feedback * 0.5 * (last + before);
    before = last;
    last = waveAt(voice.modulator.wave, turned) * levelOf(voice.modulator, t, seconds);
    const carried = phase * voice.carrier.ratio;
    const own = levelOf(voice.carrier, t, seconds);
    const value = voice.side_by_side
      ? 0.5 * (waveAt(voice.carrier.wave, carried) * own + last)
      : waveAt(voice.carrier.wave, carried + depth * last) * own;
    out[at + n]! += value * velocity * velocity;
  }
}

interface Pulse {
  /** Share of the cycle that is high; 0: a triangle in sixteen steps. */
  readonly duty: number;
  readonly decay: number;
  readonly sustain: number;
  readonly vibrato: number;
  /** Semitones of a broken chord that one voice runs through, sixty times a second; one entry: none. */
  readonly steps: readonly number[];
}

function pulseOf(next: Next, bass: boolean): Pulse {
  return {
    duty: bass && next() < 0.6 ? 0 : oneOf(next, [0.125, 0.25, 0.5, 0.5]),
    decay: between(next, 0.08, 1.2),
    sustain: next() < 0.5 ? between(next, 0.2, 0.8) : 0,
    vibrato: next() < 0.4 ? between(next, 5, 30) : 0,
    steps: !bass && next() < 0.15 ? [0, oneOf(next, [3, 4, 12]), oneOf(next, [7, 12])] : [0],
  };
}

function playPulse(pulse: Pulse, hertz: number, seconds: number, velocity: number, out: Float32Array, at: number) {
  const frames = Math.min(out.length - at, Math.floor((seconds + 0.03) * RATE));
  let cycle = 0;
  let smooth = 0;
  for (let n = 0; n < frames; n++) {
    const t = n / RATE;
    const step = pulse.steps[Math.floor(t * 60) % pulse.steps.length]!;
    const bent = t > 0.2 ? 1 + pulse.vibrato * 5.78e-4 * Math.sin(TURN * 5.7 * t) : 1;
    cycle += ((hertz * 2 ** (step / 12)) / RATE) * bent;
    cycle -= Math.floor(cycle);
    const value =
      pulse.duty === 0
        ? Math.round((4 * Math.abs(cycle - 0.5) - 1) * 7.5) / 7.5
        : cycle < pulse.duty
          ? 1 - pulse.duty
          : -pulse.duty;
    // Takes the edge off what folds back at half of the rate.
    smooth += 0.6 * (value - smooth);
    const level = pulse.sustain + (1 - pulse.sustain) * Math.exp(-t / pulse.decay);
    out[at + n]! += smooth * Math.round(level * 15) * (1 / 15) * (t > seconds ? 0.3 : 1) * velocity * 0.7;
  }
}

interface Drum {
  /** Hz at the attack and later, and seconds in between. */
  readonly high: number;
  readonly base: number;
  readonly bend: number;
  readonly ring: number;
  readonly ratio: number;
  readonly depth: number;
  readonly feedback: number;
  readonly level: number;
}

type Kind = "kick" | "snare" | "tom" | "short" | "long";

function kindOf(key: number): Kind {
  if (key === 35 || key === 36) return "kick";
  if (key >= 37 && key <= 40) return "snare";
  if ([41, 43, 45, 47, 48, 50].includes(key)) return "tom";
  return [46, 49, 51, 52, 55, 57, 59].includes(key) ? "long" : "short";
}

function drumOf(key: number, next: Next): Drum {
  const kind = kindOf(key);
  const b = (low: number, high: number): number => between(next, low, high);
  if (kind === "kick") {
    const base = b(40, 80);
    return {
      high: base * b(1, 5),
      base,
      bend: b(0.01, 0.06),
      ring: b(0.06, 0.3),
      ratio: oneOf(next, [0.5, 1, 1.5, 2]),
      depth: b(0, 3),
      feedback: b(0, 2),
      level: 1,
    };
  }
  if (kind === "snare") {
    const base = b(150, 420);
    return {
      high: base * b(1, 1.6),
      base,
      bend: 0.02,
      ring: b(0.04, 0.16),
      ratio: b(1.5, 9),
      depth: b(3, 12),
      feedback: b(3, 9),
      level: b(0.5, 0.9),
    };
  }
  if (kind === "tom") {
    const base = b(70, 220) * 2 ** ((key - 45) / 18);
    return {
      high: base * b(1, 2),
      base,
      bend: b(0.02, 0.1),
      ring: b(0.1, 0.3),
      ratio: oneOf(next, [0.5, 1, 1.4, 2]),
      depth: b(0, 2),
      feedback: b(0, 1.5),
      level: 0.8,
    };
  }
  const base = b(900, 6000);
  return {
    high: base,
    base,
    bend: 0.02,
    ring: kind === "long" ? b(0.15, 0.7) : b(0.01, 0.06),
    ratio: b(1.1, 5),
    depth: b(3, 10),
    feedback: b(2, 9),
    level: b(0.2, 0.5),
  };
}

function playDrum(drum: Drum, velocity: number, out: Float32Array, at: number): void {
  const frames = Math.min(out.length - at, Math.floor(6 * drum.ring * RATE));
  let [phase, last, before] = [0, 0, 0];
  for (let n = 0; n < frames; n++) {
    const t = n / RATE;
    phase += (TURN * (drum.base + (drum.high - drum.base) * Math.exp(-t / drum.bend))) / RATE;
    const level = Math.exp(-t / drum.ring);
    const turned = phase * drum.ratio + drum.feedback * 0.5 * (last + before);
    before = last;
    last = Math.sin(turned);
    out[at + n]! += velocity * velocity * drum.level * level * Math.sin(phase + drum.depth * level * last);
  }
}

/** Noise of a shift register of 15 bits, stepped at `hertz`; a register that feeds back early has a pitch. */
function playRegister(drum: Drum, short: boolean, velocity: number, out: Float32Array, at: number): void {
  const frames = Math.min(out.length - at, Math.floor(5 * drum.ring * RATE));
  const hertz = Math.min(18_000, drum.base * (drum.base < 500 ? 25 : 4));
  let [bits, cycle, smooth] = [1, 0, 0];
  for (let n = 0; n < frames; n++) {
    for (cycle += hertz / RATE; cycle >= 1; cycle--)
      bits = (bits >> 1) | (((bits ^ (bits >> (short ? 6 : 1))) & 1) << 14);
    smooth += 0.6 * ((bits & 1) - 0.5 - smooth);
    out[at + n]! += velocity * drum.level * smooth * (Math.round(15 * Math.exp(-n / RATE / drum.ring)) / 15);
  }
}

/** Adds the parts to `left` and `right`, which are as long as the piece. */
export function playChips(parts: readonly Part[], seed: number, [left, right]: Stereo): void {
  // All parts of a piece are of one kind of chip.
  const console_like = random(seed * 7919 + 13)() < 0.3;
  for (const [index, part] of parts.entries()) {
    const next = random(Math.imul(seed + 29, 0x9e37_79b1) ^ (part.program * 197 + index));
    const mono = new Float32Array(left.length);
    if (part.program === -1) {
      const drums = new Map<number, Drum>();
      for (const { at, key, velocity } of part.notes) {
        const drum = drums.get(key) ?? drumOf(key, next);
        drums.set(key, drum);
        const from = Math.round(at * RATE);
        if (console_like && kindOf(key) !== "kick" && kindOf(key) !== "tom")
          playRegister(drum, key % 2 === 0, velocity / 127, mono, from);
        else playDrum(drum, velocity / 127, mono, from);
      }
      mix(mono, left, right, fromDecibel(part.level_db), 0);
      continue;
    }
    const bass = part.stem === "bass";
    const play = console_like ? playerOf(pulseOf(next, bass), playPulse) : playerOf(voiceOf(next, bass), playVoice);
    for (const note of part.notes) play(note, mono);
    mix(mono, left, right, 0.35 * fromDecibel(part.level_db), console_like || bass ? 0 : part.pan);
  }
}

type Player<T> = (of: T, hertz: number, seconds: number, velocity: number, out: Float32Array, at: number) => void;

function playerOf<T>(of: T, player: Player<T>): (note: Note, out: Float32Array) => void {
  return ({ at, until, key, velocity }, out) =>
    player(of, 440 * 2 ** ((key - 69) / 12), until - at, velocity / 127, out, Math.round(at * RATE));
}
