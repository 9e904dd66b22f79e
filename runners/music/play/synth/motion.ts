/** Control signals of a voice: envelopes, glide, vibrato, drift. */
import { type Control, control, STEP } from "../../../signal/dsp/control.ts";
import { exp2, sine } from "../../../signal/dsp/exact.ts";
import { hertzOf } from "../../../signal/dsp/octave_table.ts";
import { random } from "../../../signal/dsp/random.ts";
import type { Drift } from "../../../signal/dsp/wavetable.ts";
import type { Phrase } from "./phrase.ts";

/** Seconds; `sustain` is a level. Decay and release fall by 60 dB in their time, attack is straight. */
export interface Adsr {
  readonly attack: number;
  readonly decay: number;
  readonly sustain: number;
  readonly release: number;
}

/** Factor for one control step of a fall by 60 dB in `seconds`. */
export function fall(seconds: number, rate: number): number {
  return exp2((-9.965784284662087 * STEP) / Math.max(STEP, seconds * rate));
}

/** 0 to 1 from the start, released at frame `off`; ends at 0. Notes after the first do not begin it anew. */
export function adsr(frames: number, rate: number, { attack, decay, sustain, release }: Adsr, off: number): Control {
  const out = control(frames);
  const rise = STEP / Math.max(STEP, attack * rate);
  const down = fall(decay, rate);
  const away = fall(release, rate);
  const last = Math.max(1, Math.round(off / STEP));
  let level = 0;
  let rising = true;
  for (let n = 1; n < out.length; n++) {
    if (n > last) level *= away;
    else if (rising) {
      level += rise;
      if (level >= 1) {
        level = 1;
        rising = false;
      }
    } else level = sustain + (level - sustain) * down;
    out[n] = level;
  }
  return out;
}

/** Frames from the end of a phrase to where its release has fallen by 75 dB. */
export function tail(release: number, rate: number): number {
  return Math.ceil(Math.max(0.004, release * 1.25) * rate);
}

export interface Vibrato {
  readonly hertz: number;
  readonly cents: number;
  /** Seconds before it begins, counted anew by each note; as long again to full depth. */
  readonly delay: number;
}

/**
 * Hz of a phrase's notes: jumps, or glides by an exponential approach.
 *
 * @param glide seconds in which nine tenths of a connected interval are gone
 * @param slide the same for notes that are to slide
 */
export function pitches(
  phrase: Phrase,
  frames: number,
  rate: number,
  glide: number,
  slide: number,
  vibrato?: Vibrato,
): Control {
  const out = control(frames);
  const notes = phrase.notes;
  let index = 0;
  let height = notes[0]!.pitch;
  let goal = height;
  let base = hertzOf(height);
  let share = 1;
  let moving = false;
  let since = 0;
  let phase = 0;
  const turn = vibrato === undefined ? 0 : (vibrato.hertz * STEP) / rate;
  for (let n = 0; n < out.length; n++) {
    while (index + 1 < notes.length && notes[index + 1]!.at <= n * STEP) {
      index++;
      const note = notes[index]!;
      goal = note.pitch;
      const time = note.slide ? slide : glide;
      // A tenth is left after 2.3 time constants: 2^-3.32.
      share = time > 0 ? 1 - exp2((-3.321928 * STEP) / (time * rate)) : 1;
      moving = true;
      since = 0;
    }
    if (moving) {
      height += (goal - height) * share;
      if (Math.abs(goal - height) < 0.0005) {
        height = goal;
        moving = false;
      }
      base = hertzOf(height);
    }
    if (vibrato === undefined) out[n] = base;
    else {
      const time = (since * STEP) / rate - vibrato.delay;
      const depth = time <= 0 ? 0 : Math.min(1, time / Math.max(0.05, vibrato.delay));
      if (depth > 0) {
        out[n] = base * (1 + depth * vibrato.cents * 0.00057779 * sine(phase));
        phase += turn;
      } else out[n] = base;
    }
    since++;
  }
  return out;
}

/** A slow irregular motion in ±1 of about `hertz` turns a second, 11.9 s long, joined end to beginning. */
export function drifting(seed: number, rate: number, hertz = 0.5): Drift {
  const out = new Float32Array(16_384);
  const next = random(seed);
  const seconds = (out.length * STEP) / rate;
  for (let part = 0; part < 6; part++) {
    const cycles = Math.max(1, Math.round(seconds * hertz * (0.3 + 0.35 * part)));
    const phase = next();
    const gain = 0.5 / (1 + 0.4 * part);
    for (let n = 0; n < out.length; n++) out[n] = out[n]! + gain * sine((cycles * n) / out.length + phase);
  }
  return out;
}
