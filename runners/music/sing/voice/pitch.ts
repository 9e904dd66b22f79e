/** How a phrase's pitch moves: glides between notes, a scoop into the first, vibrato that grows, and the drift of a living voice. */
import { type Control, control, STEP } from "../../../signal/dsp/control.ts";
import { cosine, exp2, sine } from "../../../signal/dsp/exact.ts";
import { random } from "../../../signal/dsp/random.ts";
import { drawn, lane, reach } from "./lane.ts";
import type { SungPhrase } from "./notes.ts";
import type { Voice } from "./voices.ts";

/** Seconds. */
const GLIDE = 0.075;
/** Share of a glide that is sung before the beat. */
const GLIDE_BEFORE = 0.65;
const SCOOP_SEMITONES = 0.7;
const SCOOP = 0.09;
/** Notes from this length on are coloured by vibrato, from this far into them. Seconds. */
const VIBRATO_FROM = 0.42;
const VIBRATO_DELAY = 0.22;
const VIBRATO_GROWS = 0.45;

/** Hz for `frames` frames from `origin` on. */
export function pitchOf(
  phrase: SungPhrase,
  voice: Voice,
  origin: number,
  frames: number,
  rate: number,
  seed: number,
): Control {
  const next = random(seed);
  const first = phrase[0]!;
  const line = lane(first.pitches[0]!.pitch - SCOOP_SEMITONES);
  const depth = lane(0);
  let previous = first.pitches[0]!.pitch - SCOOP_SEMITONES;
  let last_end = Number.NEGATIVE_INFINITY;
  for (const note of phrase) {
    const at = note.frame - origin;
    for (let k = 0; k < note.pitches.length; k++) {
      const { frame, pitch } = note.pitches[k]!;
      const begins = at + frame;
      const length = (note.pitches[k + 1]?.frame ?? note.frames) - frame;
      const rest = begins - last_end > 0.1 * rate;
      // The first note of a phrase, and one after a rest, is reached from below while the voice sets in.
      const scoops = k === 0 && rest;
      const glide = Math.min(scoops ? SCOOP : GLIDE, (0.5 * length) / rate) * rate;
      const before = scoops ? 0.55 : GLIDE_BEFORE;
      reach(
        line,
        begins - glide * before,
        scoops ? pitch - SCOOP_SEMITONES * Math.min(1, length / rate / 0.3) : previous,
      );
      reach(line, begins + glide * (1 - before), pitch);
      reach(line, begins + length - 0.04 * rate, pitch);
      previous = pitch;
      last_end = begins + length;
      reach(depth, begins, 0);
      if (length > VIBRATO_FROM * rate) {
        const full = Math.min(1, (length / rate - VIBRATO_FROM) / 0.6 + 0.35);
        reach(depth, begins + VIBRATO_DELAY * rate, 0);
        reach(depth, begins + (VIBRATO_DELAY + VIBRATO_GROWS) * rate, full);
        reach(depth, begins + length - 0.06 * rate, full);
        reach(depth, begins + length, 0);
      }
    }
  }
  reach(line, last_end - 0.05 * rate, previous);
  reach(line, last_end + 0.05 * rate, previous - 0.5);
  const out = drawn(line, control(frames), true);
  const swing = drawn(depth, control(frames), false);
  let phase = next();
  let slow = next();
  let slower = next();
  for (let n = 0; n < out.length; n++) {
    phase += ((voice.vibrato_hertz + 0.35 * sine(slower)) * STEP) / rate;
    slow += (2.3 * STEP) / rate;
    slower += (0.71 * STEP) / rate;
    const cents = voice.vibrato_cents * swing[n]! * sine(phase) + 2 * sine(slow) + 1.5 * cosine(slower * 1.9);
    out[n] = 440 * exp2((out[n]! - 69 + cents / 100) / 12);
  }
  return out;
}
