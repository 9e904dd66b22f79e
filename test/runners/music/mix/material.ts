import type { MixCharacter, Move, Note, Part, Role, Score } from "../../../../runners/music/compose/mod.ts";
import { exp, sine } from "../../../../runners/signal/dsp/exact.ts";
import { random } from "../../../../runners/signal/dsp/random.ts";

export const RATE = 44_100;

export const PLAIN: MixCharacter = {
  genre: "pop",
  space: 0.4,
  brightness: 0.5,
  drive: 0.2,
  density: 0.5,
  pump: 0,
  width: 0.6,
  age: 0,
};

export function scoreOf(parts: readonly Part[], mix: Partial<MixCharacter> = {}, more: Partial<Score> = {}): Score {
  return {
    bpm: 120,
    metre: { beats_per_bar: 4, division: 2 },
    key: { tonic: 0, mode: "major" },
    beats: 16,
    lead_in: 0,
    ring: false,
    sections: [{ kind: "loop", label: "A", beat: 0, beats: 16, energy: 1 }],
    swing: 0.5,
    chords: [],
    parts,
    moves: [],
    mix: { ...PLAIN, ...mix },
    ...more,
  };
}

export function partOf(role: Role, more: Partial<Part> = {}): Part {
  return { name: role, role, instrument: "piano", notes: [], pan: 0, level_db: 0, ...more };
}

export function note(beat: number, pitch: number, beats = 0.5): Note {
  return { beat, beats, pitch, velocity: 0.8, shift: 0 };
}

export function move(kind: Move["kind"], beat: number, beats: number, parts: readonly string[] = [], amount = 1): Move {
  return { kind, beat, beats, amount, parts };
}

/** Struck tones of falling overtones at 120 beats a minute; `hertz` one a strike, in turn. */
export function struck(seconds: number, hertz: readonly number[], every: number, level = 0.25): Float32Array {
  const out = new Float32Array(Math.round(seconds * RATE));
  const step = Math.round(every * RATE);
  for (let at = 0, turn = 0; at < out.length; at += step, turn++) {
    const f = hertz[turn % hertz.length]!;
    for (let n = 0; n < 2 * step && at + n < out.length; n++) {
      const t = n / RATE;
      const envelope = exp(-3 * t) * Math.min(1, n / 60);
      let sum = 0;
      for (let k = 1; k <= 5 && k * f < 16_000; k++) sum += sine(k * f * t) / (k * k);
      out[at + n] = out[at + n]! + level * envelope * sum;
    }
  }
  return out;
}

/** Kick on every beat, noise on every half beat, at 120 beats a minute. */
export function drummed(seconds: number, seed = 1): Float32Array {
  const out = new Float32Array(Math.round(seconds * RATE));
  const next = random(seed);
  for (let at = 0; at < out.length; at += RATE / 4) {
    const kick = at % (RATE / 2) === 0;
    for (let n = 0; n < RATE / 4 && at + n < out.length; n++) {
      const t = n / RATE;
      const hat = (next() - 0.5) * 0.2 * exp(-40 * t);
      out[at + n] = (kick ? 0.5 * exp(-14 * t) * sine(52 * t + 2 * (1 - exp(-30 * t))) : 0) + hat;
    }
  }
  return out;
}

export function noise(seconds: number, level: number, seed: number): Float32Array {
  const next = random(seed);
  return Float32Array.from({ length: Math.round(seconds * RATE) }, () => level * (2 * next() - 1));
}

export function rms(samples: Float32Array, from = 0, to = samples.length): number {
  let sum = 0;
  for (let n = from; n < to; n++) sum += samples[n]! * samples[n]!;
  return Math.sqrt(sum / Math.max(1, to - from));
}

export function correlation(left: Float32Array, right: Float32Array): number {
  let both = 0;
  let one = 0;
  let other = 0;
  for (let n = 0; n < left.length; n++) {
    both += left[n]! * right[n]!;
    one += left[n]! * left[n]!;
    other += right[n]! * right[n]!;
  }
  return both / Math.sqrt(one * other);
}
