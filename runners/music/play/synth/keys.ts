/** Struck instruments: FM and tine pianos, clavinet, bells, and the pluck. */

import type { SynthPatch } from "../../../packs/mod.ts";
import { sine } from "../../../signal/dsp/exact.ts";
import { addPair } from "../../../signal/dsp/fm.ts";
import { hertzOf, octaves } from "../../../signal/dsp/octave_table.ts";
import { release } from "../../../signal/dsp/release.ts";
import { svf } from "../../../signal/dsp/svf.ts";
import { RATE } from "../performance.ts";
import { body, driven, hiss } from "./kit/voice.ts";
import { drifting } from "./motion.ts";
import { levelOf, renderPatch } from "./patch.ts";
import type { Struck } from "./struck.ts";

/** Seconds that fall by half in `per` semitones above middle C. */
const scaled = (seconds: number, pitch: number, per: number): number => seconds * octaves((60 - pitch) / per);

/** The DX7's electric piano: a warm pair, and the tine of a modulator fourteen times as high, which shows with the force. */
export const FM_PIANO: Struck = {
  render: (pitch, force, frames, next) => {
    const f = hertzOf(pitch);
    const body_ = new Float32Array(frames);
    const left = new Float32Array(frames);
    const right = new Float32Array(frames);
    const firm = force * Math.sqrt(force);
    const t60 = scaled(7, pitch, 18);
    // Above, the tine would only hiss: it comes nearer to the note.
    const high = Math.max(3, Math.min(14, Math.floor(15_000 / f) - 1));
    const dim = octaves(-Math.max(0, pitch - 66) / 14);
    addPair(body_, RATE, {
      carrier: f,
      modulator: f,
      index: (0.35 + 1.75 * firm) * Math.sqrt(dim),
      rest: 0.12 + 0.2 * firm,
      index_t60: scaled(2.2, pitch, 24),
      attack: 0.0015,
      t60,
      gain: 0.62,
      // At ratio 1 any other phase would leave a constant behind.
      phase: 0,
    });
    for (const [channel, cents] of [
      [left, -2.2],
      [right, 2.2],
    ] as const) {
      addPair(channel, RATE, {
        carrier: f * octaves(cents / 1200),
        modulator: f * high,
        index: (0.16 + 0.85 * firm) * dim,
        rest: 0.015,
        index_t60: scaled(0.55, pitch, 30),
        attack: 0.0008,
        t60: t60 * 0.8,
        gain: 0.4,
        phase: next(),
      });
    }
    hiss(body_, { seed: Math.floor(next() * 1e6), low: 300, high: 2600, t60: 0.025, gain: 0.05 * firm });
    for (let n = 0; n < frames; n++) {
      left[n] = left[n]! + body_[n]!;
      right[n] = right[n]! + body_[n]!;
    }
    release(body_);
    return [left, right];
  },
  frames: (pitch) => Math.ceil(scaled(7, pitch, 18) * 1.1 * RATE),
  release: (pitch) => Math.max(0.12, scaled(0.3, pitch, 36)),
  forces: 6,
  turns: 2,
  gain: 0.25,
  stereo: true,
};

/**
 * A tine before a magnetic pickup (the Rhodes): the tine swings almost as a sine, the pickup hears the change of a field that falls with
 * distance, so that a firm stroke, which comes near, barks; a bar rings along, and a bell of the tine's upper modes at the attack.
 */
export const TINE_PIANO: Struck = {
  render: (pitch, force, frames, next) => {
    const f = hertzOf(pitch);
    const swing = new Float32Array(frames);
    const t60 = scaled(8, pitch, 16);
    const firm = Math.sqrt(force) * force;
    body(swing, [
      [f, t60, 1],
      [f * 1.0006, t60 * 1.3, 0.12],
      [f * 6.267, Math.min(0.5, scaled(0.34, pitch, 20)), 0.02 + 0.05 * firm],
      [f * 17.55, 0.09, 0.012 * firm],
    ]);
    // Near the pickup's axis the field is steepest to one side: both even and odd partials.
    const reach = (0.28 + 1.35 * firm) * octaves(-Math.max(0, pitch - 55) / 26);
    const offset = 0.42 + 0.05 * next();
    const still = 1 / (1 + offset * offset);
    let last = still;
    const slope = RATE / (6.283185307179586 * f * reach * 0.75);
    const mono = new Float32Array(frames);
    for (let n = 0; n < frames; n++) {
      const x = reach * swing[n]! + offset;
      const field = 1 / (1 + x * x);
      mono[n] = (last - field) * slope;
      last = field;
    }
    release(swing);
    svf(mono, RATE, "low", 5200 + 5200 * force, 0.6);
    hiss(mono, { seed: Math.floor(next() * 1e6), low: 180, high: 1500, t60: 0.03, gain: 0.06 * firm });
    driven(mono, 1.15);
    for (let n = 0; n < Math.min(40, frames); n++) mono[n] = (mono[n]! * n) / 40;
    return [mono];
  },
  frames: (pitch) => Math.ceil(scaled(8, pitch, 16) * 1.1 * RATE),
  release: (pitch) => Math.max(0.14, scaled(0.32, pitch, 36)),
  forces: 6,
  turns: 2,
  gain: 0.28,
  stereo: true,
  tremolo: [4.4, 0.16],
};

/** A string struck by its key's rubber before two pickups, the bright one a little out of phase with the other; damped by wool. */
export const CLAVINET: Struck = {
  render: (pitch, force, frames, next) => {
    const f = hertzOf(pitch);
    const out = new Float32Array(frames);
    const modes: (readonly [number, number, number])[] = [];
    const most = Math.min(34, Math.floor(16_500 / f));
    const dull = 4 + 15 * force;
    const t60 = scaled(3.2, pitch, 20);
    for (let k = 1; k <= most; k++) {
      const stretch = Math.sqrt(1 + 0.00016 * k * k);
      const struck = sine(0.5 * k * 0.14) / Math.sqrt(k);
      const heard = (0.3 + Math.abs(sine(0.5 * k * 0.17) - 0.6 * sine(0.5 * k * 0.31))) / Math.sqrt(k);
      modes.push([
        f * k * stretch,
        t60 / (1 + 0.05 * k + 0.004 * k * k),
        (struck * heard) / (1 + (k * k) / (dull * dull)),
      ]);
    }
    body(out, modes);
    hiss(out, { seed: Math.floor(next() * 1e6), low: 1500, high: 9000, t60: 0.012, gain: 0.25 * force });
    driven(out, 1.6 + 1.2 * force);
    svf(out, RATE, "high", 70, 0.7);
    return [out];
  },
  frames: (pitch) => Math.ceil(scaled(3.2, pitch, 20) * 1.05 * RATE),
  release: () => 0.06,
  forces: 5,
  turns: 2,
  gain: 0.3,
  stereo: false,
};

/** A bell between glass and bronze: a sine that stays, and two inharmonic pairs that fade before it. */
export const BELL_SYNTH: Struck = {
  render: (pitch, force, frames, next) => {
    const f = hertzOf(pitch);
    const left = new Float32Array(frames);
    const right = new Float32Array(frames);
    const t60 = scaled(5.5, pitch, 24);
    const dim = octaves(-Math.max(0, pitch - 72) / 18);
    for (const [channel, cents] of [
      [left, -1.5],
      [right, 1.5],
    ] as const) {
      const tuned = f * octaves(cents / 1200);
      const pair = { attack: 0.001, phase: next() };
      addPair(channel, RATE, {
        ...pair,
        carrier: tuned,
        modulator: f * 3.501,
        index: (0.25 + 1.1 * force) * dim,
        rest: 0.05,
        index_t60: t60 * 0.45,
        t60,
        gain: 0.5,
      });
      addPair(channel, RATE, {
        ...pair,
        carrier: tuned * 2.003,
        modulator: f * 7.07,
        index: (0.2 + 0.9 * force) * dim,
        rest: 0,
        index_t60: t60 * 0.2,
        t60: t60 * 0.6,
        gain: 0.2,
      });
      addPair(channel, RATE, {
        ...pair,
        carrier: tuned * 4.07,
        modulator: f * 9.3,
        index: 0.5 * force * dim,
        rest: 0,
        index_t60: 0.3,
        t60: t60 * 0.25,
        gain: 0.12 * (0.3 + force),
      });
    }
    return [left, right];
  },
  frames: (pitch) => Math.ceil(scaled(5.5, pitch, 24) * 1.1 * RATE),
  // Bells are let ring: the release is long.
  release: (pitch) => scaled(1.5, pitch, 24),
  forces: 5,
  turns: 2,
  gain: 0.34,
  stereo: true,
};

const STEADY = drifting(11, RATE);

/** A patch as a source of notes: `forces` brightnesses, two of each with phases of their own. */
export function sustained(patch: SynthPatch, longest = Number.POSITIVE_INFINITY, turns = 2): Struck {
  return {
    render: (pitch, force, frames, next) =>
      renderPatch(
        // The level of the force is the player's; what is kept is the tone.
        { ...patch, gain: patch.gain / levelOf(force) },
        {
          frame: 0,
          cut: frames,
          held: frames,
          notes: [{ at: 0, pitch, velocity: force, accent: false, staccato: false, slide: false }],
        },
        frames,
        RATE,
        next,
        STEADY,
      ),
    frames: () => longest * RATE,
    release: () => patch.amp.release,
    forces: 6,
    turns,
    gain: 1,
    stereo: patch.stereo === true,
  };
}
