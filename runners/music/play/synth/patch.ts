/**
 * A subtractive synthesiser: layers of waves, a resonant low-pass, two envelopes. Renders phrases; patches are in the
 * packs of instruments.
 */

import type { SynthFilter, SynthPatch } from "../../../packs/mod.ts";
import { type Control, control, STEP, shape } from "../../../signal/dsp/control.ts";
import { sine } from "../../../signal/dsp/exact.ts";
import { lowPassPair } from "../../../signal/dsp/low_pass_pair.ts";
import { octaves } from "../../../signal/dsp/octave_table.ts";
import { svf } from "../../../signal/dsp/svf.ts";
import { addPulse, addTwins, addWave, type Drift, type Reading, wavetable } from "../../../signal/dsp/wavetable.ts";
import { adsr, pitches, tail } from "./motion.ts";
import type { Phrase } from "./phrase.ts";

/** Channels of one phrase, from its first frame to the end of its release. */
export type Sound = readonly [Float32Array] | readonly [Float32Array, Float32Array];

/** Level of a velocity, 1 at 0.8: 40 dB from the softest to the firmest. */
export function levelOf(velocity: number): number {
  const v = velocity / 0.8;
  return v * Math.sqrt(v);
}

/** Frames that a phrase sounds in all, within what is to be rendered. */
export function extent(phrase: Phrase, release: number, frames: number, rate: number): number {
  return Math.max(
    0,
    Math.min(phrase.held + tail(release, rate), phrase.cut + FADE - phrase.frame, frames - phrase.frame),
  );
}

/** Frames in which a voice that is taken over falls silent: 3 ms. */
export const FADE = 132;

export function renderPatch(
  patch: SynthPatch,
  phrase: Phrase,
  frames: number,
  rate: number,
  next: () => number,
  drift: Drift,
): Sound {
  const length = extent(phrase, patch.amp.release, frames, rate);
  const left = new Float32Array(length);
  const right = patch.stereo ? new Float32Array(length) : undefined;
  const { filter } = patch;
  const hertz = pitches(phrase, length, rate, patch.glide ?? 0, patch.slide ?? 0.09, patch.vibrato);
  if (patch.blip !== undefined) blip(hertz, rate, patch.blip.semitones, patch.blip.seconds);
  addLayers(patch, hertz, left, right, rate, next, drift);
  const opening = adsr(length, rate, filter.adsr, phrase.held);
  const cutoff = cutoffs(filter, phrase, hertz, opening, rate, next());
  const level = adsr(length, rate, patch.amp, phrase.held);
  loudness(level, phrase, patch.gain);
  if (right === undefined) {
    if (filter.floor !== undefined) svf(left, rate, "high", hertz[0]! * filter.floor, 0.7);
    svf(left, rate, "low", cutoff, filter.slope === 24 ? filter.q * RESONANCE_24 : filter.q);
    if (filter.slope === 24) svf(left, rate, "low", cutoff, 0.541);
    shape(left, level);
    end(left);
    return [left];
  }
  if (filter.floor !== undefined) {
    svf(left, rate, "high", hertz[0]! * filter.floor, 0.7);
    svf(right, rate, "high", hertz[0]! * filter.floor, 0.7);
  }
  lowPassPair(left, right, rate, cutoff, filter.slope === 24 ? filter.q * RESONANCE_24 : filter.q, filter.slope, level);
  end(left);
  end(right);
  return [left, right];
}

/** The second stage of 24 dB takes a little of the peak away; the first is given more. */
const RESONANCE_24 = 1.3;

/** The last frames fade out, so that what is cut does not click. */
export function end(channel: Float32Array): void {
  const count = Math.min(FADE, channel.length);
  for (let n = 0; n < count; n++) channel[channel.length - 1 - n] = channel[channel.length - 1 - n]! * (n / count);
}

function addLayers(
  patch: SynthPatch,
  hertz: Control,
  left: Float32Array,
  right: Float32Array | undefined,
  rate: number,
  next: () => number,
  drift: Drift,
): void {
  let waiting: Reading | undefined;
  for (const layer of patch.layers) {
    const ratio = octaves(((layer.semitones ?? 0) + (layer.cents ?? 0) / 100) / 12);
    const pan = right === undefined ? 0 : (layer.pan ?? 0);
    const turn = (pan + 1) / 8;
    const reading: Reading = {
      wave: wavetable(layer.wave === "pulse" ? "saw" : layer.wave),
      hertz,
      ratio,
      drift,
      drift_at: Math.floor(next() * drift.length),
      drift_depth: (patch.drift ?? 0) * 0.00057779,
      gain_left: layer.gain * (right === undefined ? 1 : Math.SQRT2 * sine(0.25 - turn)),
      gain_right: layer.gain * Math.SQRT2 * sine(turn),
      phase: layer.phase ?? next(),
    };
    if (layer.wave !== "pulse") {
      // Two of a kind go through in one pass.
      if (right !== undefined && waiting?.wave === reading.wave) {
        addTwins(left, right, rate, waiting, reading);
        waiting = undefined;
      } else {
        if (waiting !== undefined) addWave(left, right, rate, waiting);
        waiting = reading;
      }
    } else {
      const width = control(left.length);
      const phase = next();
      const step = ((layer.sway_hertz ?? 0) * STEP) / rate;
      for (let n = 0; n < width.length; n++)
        width[n] = Math.min(0.95, Math.max(0.05, (layer.width ?? 0.5) + (layer.sway ?? 0) * sine(phase + n * step)));
      addPulse(left, right, rate, reading, width);
    }
  }
  if (waiting !== undefined) addWave(left, right, rate, waiting);
}

/** The filter's cut-off over a phrase. */
function cutoffs(
  filter: SynthFilter,
  phrase: Phrase,
  hertz: Control,
  opening: Control,
  rate: number,
  phase: number,
): Control {
  const out = new Float32Array(hertz.length);
  const notes = phrase.notes;
  let index = -1;
  let rest = 0;
  const step = ((filter.sway_hertz ?? 0) * STEP) / rate;
  const sway = filter.sway ?? 0;
  for (let n = 0; n < out.length; n++) {
    while (index + 1 < notes.length && notes[index + 1]!.at <= n * STEP) {
      index++;
      const note = notes[index]!;
      rest =
        (filter.key * (note.pitch - 60)) / 12 +
        filter.velocity * 1.25 * (note.velocity - 0.8) -
        (note.staccato ? 0.3 : 0);
    }
    const moved = sway === 0 ? 0 : sway * sine(phase + n * step);
    out[n] = Math.min(20_000, filter.hertz * octaves(rest + filter.envelope * opening[n]! + moved));
  }
  return out;
}

/** An envelope takes on the levels of the notes, smoothly from one to the next. */
export function loudness(level: Control, phrase: Phrase, gain: number): void {
  const notes = phrase.notes;
  let index = -1;
  let value = levelOf(notes[0]!.velocity) * gain;
  let goal = value;
  for (let n = 0; n < level.length; n++) {
    while (index + 1 < notes.length && notes[index + 1]!.at <= n * STEP)
      goal = levelOf(notes[++index]!.velocity) * gain;
    value += (goal - value) * 0.15;
    level[n] = level[n]! * value;
  }
  level[level.length - 1] = 0;
}

function blip(hertz: Control, rate: number, semitones: number, seconds: number): void {
  let height = semitones / 12;
  const down = octaves((-9.965784 * STEP) / (seconds * rate));
  for (let n = 0; n < hertz.length && height > 0.0005; n++) {
    hertz[n] = hertz[n]! * octaves(height);
    height *= down;
  }
}

/** Adds a sound to a stem at a frame. */
export function place(stem: Sound, sound: Sound, frame: number): void {
  for (let channel = 0; channel < stem.length; channel++) {
    const to = stem[channel]!;
    const from = sound[channel] ?? sound[0]!;
    const count = Math.min(from.length, to.length - frame);
    for (let n = 0; n < count; n++) to[frame + n] = to[frame + n]! + from[n]!;
  }
}
