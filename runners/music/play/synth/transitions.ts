/** Gestures between sections: what rises peaks at the end of its note, what falls or strikes begins with it. */
import { pitchClass } from "../../../notes.ts";
import type { InstrumentPack } from "../../../packs/mod.ts";
import { type Control, control, STEP, shape } from "../../../signal/dsp/control.ts";
import { saturate } from "../../../signal/dsp/envelope.ts";
import { cosine, exp2, sine } from "../../../signal/dsp/exact.ts";
import { octaves } from "../../../signal/dsp/octave_table.ts";
import { hash32, random } from "../../../signal/dsp/random.ts";
import { release } from "../../../signal/dsp/release.ts";
import { reverberate } from "../../../signal/dsp/reverb.ts";
import { svf } from "../../../signal/dsp/svf.ts";
import { addWave, wavetable } from "../../../signal/dsp/wavetable.ts";
import { type Performance, type PlayedNote, RATE, type Stem } from "../performance.ts";
import { cymbal } from "./kit/drums.ts";
import { hiss, silence, tone } from "./kit/voice.ts";
import { end, levelOf } from "./patch.ts";

interface Gesture {
  readonly left: Float32Array;
  readonly right: Float32Array;
  /** Level to which it is brought at velocity 0.8. */
  readonly peak: number;
}

type Kind = NonNullable<InstrumentPack["gesture"]>;
type Make = (frames: number, pitch: number, next: () => number) => Gesture;

const STILL = new Float32Array(2);

export function* playTransition(kind: Kind, { events, frames, seed }: Performance): Generator<undefined, Stem> {
  const left = new Float32Array(frames);
  const right = new Float32Array(frames);
  const make = GESTURES[kind];
  for (const [index, event] of events.entries()) {
    if (!(event.velocity > 0) || event.frame >= frames) continue;
    const held = Math.max(64, Math.round(event.frames));
    const gesture = make(held, event.pitch, random(hash32(seed, index)));
    add(left, gesture.left, right, gesture.right, event, gesture.peak);
    release(gesture.left, gesture.right);
    yield undefined;
  }
  return [left, right];
}

function add(
  left: Float32Array,
  one: Float32Array,
  right: Float32Array,
  other: Float32Array,
  event: PlayedNote,
  goal: number,
): void {
  let peak = 0;
  for (let n = 0; n < one.length; n++) peak = Math.max(peak, Math.abs(one[n]!), Math.abs(other[n]!));
  if (!(peak > 0)) return;
  const gain = (goal * levelOf(Math.min(1, event.velocity))) / peak;
  const frame = Math.max(0, Math.round(event.frame));
  const count = Math.min(one.length, left.length - frame);
  for (let n = 0; n < count; n++) {
    left[frame + n] = left[frame + n]! + gain * one[n]!;
    right[frame + n] = right[frame + n]! + gain * other[n]!;
  }
}

/** A control signal of the share of the way, 0 to 1, over `frames`. */
function along(frames: number, value: (share: number) => number): Control {
  const out = control(frames);
  for (let n = 0; n < out.length; n++) out[n] = value(Math.min(1, (n * STEP) / frames));
  return out;
}

/** Noise in both channels that has little in common. */
function sweep(
  frames: number,
  next: () => number,
  cutoff: Control,
  q: number,
  level: Control,
  rest: "high" | "low" = "high",
): [Float32Array, Float32Array] {
  const make = (): Float32Array => {
    const noise = new Float32Array(frames);
    hiss(noise, { seed: Math.floor(next() * 1e9), low: 0, high: 0, t60: 1000, gain: 1, seconds: frames / RATE });
    const narrow = noise.slice();
    svf(narrow, RATE, "band", cutoff, q);
    svf(noise, RATE, rest, cutoff, 0.8);
    for (let n = 0; n < frames; n++) noise[n] = narrow[n]! + 0.35 * noise[n]!;
    release(narrow);
    shape(noise, level);
    return noise;
  };
  const one = make();
  const other = make();
  for (let n = 0; n < frames; n++) {
    const a = one[n]!;
    const b = other[n]!;
    one[n] = 0.9 * a + 0.44 * b;
    other[n] = 0.44 * a + 0.9 * b;
  }
  return [one, other];
}

/** Saws that climb or fall, spread to both sides. */
function siren(
  frames: number,
  hertz: Control,
  level: Control,
  next: () => number,
  left: Float32Array,
  right: Float32Array,
): void {
  for (const [cents, pan] of [
    [-14, -0.8],
    [-4, 0.3],
    [5, -0.3],
    [13, 0.8],
  ] as const) {
    const part = new Float32Array(frames);
    addWave(part, undefined, RATE, {
      wave: wavetable("saw"),
      hertz,
      ratio: octaves(cents / 1200),
      drift: STILL,
      drift_at: 0,
      drift_depth: 0,
      gain_left: 0.25,
      gain_right: 0,
      phase: next(),
    });
    shape(part, level);
    svf(part, RATE, "high", 180, 0.7);
    const gain_left = cosine((pan + 1) / 8);
    const gain_right = sine((pan + 1) / 8);
    for (let n = 0; n < frames; n++) {
      left[n] = left[n]! + part[n]! * gain_left;
      right[n] = right[n]! + part[n]! * gain_right;
    }
    release(part);
  }
}

/** Noise and saws that climb two octaves and grow until the last sample of the note, then a breath of room. */
const riser: Make = (frames, pitch, next) => {
  const base = 110 * octaves(pitchClass(pitch) / 12);
  const growth = along(frames, (share) => 0.03 + 0.97 * share * share * (0.4 + 0.6 * share));
  const cutoff = along(frames, (share) => 300 * octaves(5.1 * share));
  const [left, right] = sweep(frames, next, cutoff, 1.4, growth);
  const hertz = along(frames, (share) => base * octaves(2 * share * share));
  siren(
    frames,
    hertz,
    growth.map((value) => 1.1 * value * value),
    next,
    left,
    right,
  );
  // A tremolo that hurries towards the end, from eighths to something like a roll.
  let phase = 0;
  const pulse = control(frames);
  for (let n = 0; n < pulse.length; n++) {
    const share = Math.min(1, (n * STEP) / frames);
    phase += ((3 + 13 * share * share) * STEP) / RATE;
    pulse[n] = 1 - 0.3 * share * (0.5 - 0.5 * cosine(phase)) * (share > 0.97 ? 0 : 1);
  }
  shape(left, pulse);
  shape(right, pulse);
  return { left: cutOff(left), right: cutOff(right), peak: 0.28 };
};

/** The last 2 ms go to zero, so that the end is sudden but clean. */
function cutOff(samples: Float32Array): Float32Array {
  const count = Math.min(88, samples.length);
  for (let n = 0; n < count; n++) samples[samples.length - 1 - n] = samples[samples.length - 1 - n]! * (n / count);
  return samples;
}

const downlifter: Make = (frames, pitch, next) => {
  const base = 880 * octaves(pitchClass(pitch) / 12);
  const fall = along(frames, (share) => (1 - share) * (1 - share) * Math.min(1, share * 60 + 0.02));
  const cutoff = along(frames, (share) => 13_000 * octaves(-5.6 * Math.sqrt(share)));
  const [left, right] = sweep(frames, next, cutoff, 1.2, fall, "low");
  const hertz = along(frames, (share) => base * octaves(-3 * Math.sqrt(share)));
  siren(
    frames,
    hertz,
    fall.map((value) => 0.7 * value * value),
    next,
    left,
    right,
  );
  end(left);
  end(right);
  return { left, right, peak: 0.26 };
};

/** A blow and its hall: a kick an octave too low, a crash without metal, a tail over the length of the note. */
const impact: Make = (frames, pitch, next) => {
  const seconds = Math.max(2.5, Math.min(7, frames / RATE + 1));
  const length = Math.ceil(seconds * RATE);
  const boom = silence(seconds);
  const hertz = 36.7 * octaves(pitchClass(pitch) / 24);
  tone(boom, { hertz, drop: 1.7, drop_seconds: 0.2, attack: 0.001, t60: Math.min(2.2, seconds * 0.5), gain: 0.8 });
  tone(boom, { hertz: hertz * 2.02, drop: 1.4, drop_seconds: 0.16, attack: 0.001, t60: 1.1, gain: 0.6 });
  tone(boom, { hertz: hertz * 3.1, drop: 1.1, drop_seconds: 0.12, attack: 0.001, t60: 0.5, gain: 0.4 });
  hiss(boom, { seed: Math.floor(next() * 1e6), low: 60, high: 1200, attack: 0.001, t60: 0.8, gain: 1.3 });
  saturate(boom, 1.8);
  const left = new Float32Array(length);
  const right = new Float32Array(length);
  for (const channel of [left, right]) {
    hiss(channel, { seed: Math.floor(next() * 1e6), low: 260, high: 11_000, attack: 0.0006, t60: 1.4, gain: 0.6 });
    hiss(channel, { seed: Math.floor(next() * 1e6), low: 3500, high: 0, t60: 0.08, gain: 0.3 });
  }
  reverberate(left, right, RATE, { t60: seconds * 0.75, size: 2.6, damping: 0.4, dry: 0.8, early: 0.3, tail: 0.35 });
  const low = boom.slice();
  svf(low, RATE, "high", 24, 0.7);
  for (let n = 0; n < length; n++) {
    left[n] = left[n]! + low[n]!;
    right[n] = right[n]! + low[n]!;
  }
  release(boom, low);
  end(left);
  end(right);
  return { left, right, peak: 0.32 };
};

/** A sine that falls out of the music, two octaves and more over the note. */
const subDrop: Make = (frames, pitch, _next) => {
  const out = new Float32Array(frames);
  const from = 98 * octaves(pitchClass(pitch) / 24);
  const hertz = along(frames, (share) => 27 + (from - 27) * (1 - share) * (1 - share));
  addWave(out, undefined, RATE, {
    wave: wavetable("sine"),
    hertz,
    ratio: 1,
    drift: STILL,
    drift_at: 0,
    drift_depth: 0,
    gain_left: 1,
    gain_right: 0,
    phase: 0,
  });
  const level = along(
    frames,
    (share) => (share < 0.55 ? 1 : cosine((share - 0.55) / 1.8)) * Math.min(1, share * frames * 0.002 + 0.0),
  );
  saturate(out, 1.5);
  shape(out, level);
  end(out);
  return { left: out, right: out.slice(), peak: 0.3 };
};

/** A crash played backwards: it swells to the end of the note and is gone. */
const reverseCymbal: Make = (frames, _pitch, next) => {
  const seconds = frames / RATE;
  const kind = { t60: seconds * 1.25, tune: 0.95, low: 2300, bell: 0, wash: 0.85 };
  const make = (): Float32Array => {
    const forward = cymbal(kind, 0.7, next);
    const out = new Float32Array(frames);
    // The stroke itself would click: its first millisecond is rounded off.
    const rise = 44;
    for (let n = 0; n < frames; n++) {
      const from = frames - 1 - n;
      out[n] = (forward[from] ?? 0) * (from < rise ? from / rise : 1);
    }
    release(forward);
    const swell = control(frames);
    for (let n = 0; n < swell.length; n++) swell[n] = exp2(-3 * (1 - Math.min(1, (n * STEP) / frames)));
    shape(out, swell);
    const open = Math.min(frames, 400);
    for (let n = 0; n < open; n++) out[n] = (out[n]! * n) / open;
    return out;
  };
  const one = make();
  const other = make();
  const left = one.map((value, n) => 0.9 * value + 0.44 * other[n]!);
  const right = other.map((value, n) => 0.9 * value + 0.44 * one[n]!);
  release(one, other);
  return { left, right, peak: 0.27 };
};

const GESTURES: Readonly<Record<Kind, Make>> = {
  rise: riser,
  swell: reverseCymbal,
  fall: downlifter,
  drop: subDrop,
  impact,
};
