/** What the score asks to move over time, as curves of one value every `STEP` samples. */

import { DRUM_KEYS, musicOf } from "../../packs/mod.ts";
import { STEP } from "../../signal/dsp/control.ts";
import { exp2, log2 } from "../../signal/dsp/exact.ts";
import { stepsIn } from "../../signal/dsp/gain_steps.ts";
import { beatSeconds, clockOf, type Move, type Part, type Role, type Score } from "../compose/mod.ts";
import { RATE } from "./channel.ts";

/** Frame of a beat; beat 0 comes after the lead-in. */
export function frameOf(score: Score, beat: number): number {
  return clockOf(score).seconds(beat) * RATE;
}

/** Frames of the kick's strikes, ascending. */
function kicks(score: Score): number[] {
  const found: number[] = [];
  for (const part of score.parts) {
    if (part.role !== "drums") continue;
    for (const note of part.notes) {
      if (note.pitch === DRUM_KEYS.low_kick || note.pitch === DRUM_KEYS.kick)
        found.push(frameOf(score, note.beat) + note.shift * RATE);
    }
  }
  return found.filter(Number.isFinite).sort((a, b) => a - b);
}

/**
 * The gain of what makes way for the kick at full depth, 0 on the strike: down within 4 ms, back on a parabola within
 * three quarters of a beat.
 */
export function pumping(score: Score, frames: number, ring: boolean): Float32Array {
  const curve = new Float32Array(stepsIn(frames)).fill(1);
  const back = Math.min(0.45, Math.max(0.12, 0.75 * beatSeconds(score.bpm))) * RATE;
  const down = 0.004 * RATE;
  for (const kick of kicks(score)) {
    for (let step = Math.floor((kick - down) / STEP); step * STEP < kick + back; step++) {
      const at = placeOf(step, curve.length, ring);
      if (at < 0) continue;
      const away = step * STEP - kick;
      const x = away < 0 ? -away / down : away / back;
      curve[at] = Math.min(curve[at]!, Math.max(0, Math.min(1, x * (2 - x))));
    }
  }
  return curve;
}

/** Gain under the mutes that concern `part`, or the whole mix where it is undefined; undefined where there are none. */
export function mutes(score: Score, part: Part | undefined, frames: number, ring: boolean): Float32Array | undefined {
  const moves = score.moves.filter((move) => move.kind === "mute" && concerns(move, part));
  if (moves.length === 0) return undefined;
  const curve = new Float32Array(stepsIn(frames)).fill(1);
  for (const move of moves) {
    spread(score, move, curve.length, ring, 0.005, (at, share) => {
      curve[at] = curve[at]! * (1 - share * unit(move.amount));
    });
  }
  return curve;
}

/** Gain of the whole mix under fades; undefined where there are none. Even in decibels but for the faint end, which goes to silence. */
export function fades(score: Score, frames: number): Float32Array | undefined {
  const moves = score.moves.filter(({ kind }) => kind === "fade_in" || kind === "fade_out");
  if (moves.length === 0) return undefined;
  const curve = new Float32Array(stepsIn(frames)).fill(1);
  for (const { kind, beat, beats } of moves) {
    const from = frameOf(score, beat);
    const length = frameOf(score, beat + beats) - from;
    for (let step = 0; step < curve.length; step++) {
      const x = Math.min(1, Math.max(0, (step * STEP - from) / length));
      const up = kind === "fade_in" ? x : 1 - x;
      curve[step] = curve[step]! * up * up;
    }
  }
  return curve;
}

export interface Sweep {
  /** Hz. */
  readonly cutoff: Float32Array;
  /** Share of the filtered sound. */
  readonly wet: Float32Array;
}

const OPEN_HZ = 19_000;
/** 12 ms. */
const SWEEP_FADE_S = 0.012;
const EDGE_STEPS = Math.ceil((SWEEP_FADE_S * RATE) / STEP) + 1;

/** A low-pass that opens or closes; undefined where nothing asks for it. */
export function sweeps(score: Score, part: Part | undefined, frames: number, ring: boolean): Sweep | undefined {
  const moves = score.moves.filter(
    (move) => (move.kind === "filter_open" || move.kind === "filter_close") && concerns(move, part),
  );
  if (moves.length === 0) return undefined;
  const steps = stepsIn(frames);
  const cutoff = new Float32Array(steps).fill(OPEN_HZ);
  const wet = new Float32Array(steps);
  const top = log2(OPEN_HZ);
  for (const move of moves) {
    // An amount of 1 begins (or ends) at 150 Hz.
    const bottom = top - unit(move.amount) * (top - log2(150));
    spread(score, move, steps, ring, SWEEP_FADE_S, (at, share, progress) => {
      const x = move.kind === "filter_open" ? progress : 1 - progress;
      cutoff[at] = exp2(bottom + (top - bottom) * x);
      wet[at] = Math.max(wet[at]!, share);
    });
    // What closes on the last beat stays closed over what rings on.
    if (move.kind === "filter_close" && !ring && move.beat + move.beats >= score.beats - 0.01) {
      const end = Math.floor(frameOf(score, move.beat + move.beats) / STEP);
      for (let at = Math.max(0, Math.min(steps, end - EDGE_STEPS)); at < steps; at++) {
        cutoff[at] = exp2(bottom);
        wet[at] = 1;
      }
    }
  }
  return { cutoff, wet };
}

/**
 * How much more of `part` goes into the delay, 0 to 1; undefined where nothing asks for it. A voice is thrown on the
 * ends of its phrases, by as much as its genre does, where there is room for an echo before it sings on.
 */
export function throws(score: Score, part: Part, frames: number, ring: boolean): Float32Array | undefined {
  const found = score.moves.filter(
    (move) =>
      move.kind === "delay_throw" && (move.parts.length === 0 ? THROWN.has(part.role) : move.parts.includes(part.name)),
  );
  const ends = part.role === "vocal" && !ring ? phraseEnds(score, part) : [];
  if (found.length + ends.length === 0) return undefined;
  const curve = new Float32Array(stepsIn(frames));
  for (const move of [...found, ...ends]) {
    spread(score, move, curve.length, ring, 0.01, (at, share) => {
      curve[at] = Math.max(curve[at]!, share * unit(move.amount));
    });
  }
  return curve;
}

/** Seconds of a phrase's last syllable that are thrown, at most half of it, and beats of rest that an echo needs. */
const THROWN_S = 0.45;
const ROOM_BEATS = 1.25;

/** A voice's notes are its phrases. */
function phraseEnds(score: Score, { notes }: Part): Pick<Move, "beat" | "beats" | "amount">[] {
  const amount = musicOf(score.mix.genre).mix.phrase_echo ?? USUAL_ECHO;
  if (amount === 0) return [];
  const clock = clockOf(score);
  return notes.flatMap(({ beat, beats }, index) => {
    const end = beat + beats;
    const next = notes[index + 1]?.beat ?? Number.POSITIVE_INFINITY;
    const thrown = Math.min(beats / 2, end - clock.beat(clock.seconds(end) - THROWN_S));
    return next - end < ROOM_BEATS ? [] : [{ beat: end - thrown, beats: thrown, amount }];
  });
}

/** For genres that say nothing. */
const USUAL_ECHO = 0.3;

const THROWN: ReadonlySet<Role> = new Set<Role>(["lead", "vocal", "arpeggio"]);

/** 1 where a voice sings, with edges of 80 ms; undefined where no part is sung. */
export function singing(score: Score, frames: number, ring: boolean): Float32Array | undefined {
  const voices = score.parts.filter((part) => part.role === "vocal" && part.notes.length > 0);
  if (voices.length === 0) return undefined;
  const curve = new Float32Array(stepsIn(frames));
  for (const voice of voices) {
    for (const note of voice.notes) {
      spread(score, note, curve.length, ring, 0.08, (at, share) => {
        curve[at] = Math.max(curve[at]!, share);
      });
    }
  }
  return curve;
}

/** Moves without names are the whole mix's. */
function concerns(move: Move, part: Part | undefined): boolean {
  return part === undefined ? move.parts.length === 0 : move.parts.includes(part.name);
}

/** Visits the steps from a beat on: `share` rises and falls within `fade_s` inside the edges, `progress` goes from 0 to 1. */
function spread(
  score: Score,
  span: { readonly beat: number; readonly beats: number },
  steps: number,
  ring: boolean,
  fade_s: number,
  visit: (at: number, share: number, progress: number) => void,
): void {
  const from = frameOf(score, span.beat);
  const to = frameOf(score, span.beat + span.beats);
  if (!(to > from) || !Number.isFinite(to - from)) return;
  const fade = Math.max(1, Math.min(fade_s * RATE, (to - from) / 3));
  const last = ring
    ? Math.min(Math.ceil(to / STEP), Math.floor(from / STEP) + steps)
    : Math.min(steps, Math.ceil(to / STEP));
  for (let step = Math.floor(from / STEP); step < last; step++) {
    const at = placeOf(step, steps, ring);
    if (at < 0) continue;
    const frame = step * STEP;
    const share = Math.min(1, Math.max(0, (frame - from) / fade), Math.max(0, (to - frame) / fade));
    visit(at, share, Math.min(1, Math.max(0, (frame - from) / (to - from))));
  }
}

function placeOf(step: number, steps: number, ring: boolean): number {
  if (ring) return ((step % steps) + steps) % steps;
  return step >= 0 && step < steps ? step : -1;
}

function unit(value: number): number {
  return value >= 0 ? Math.min(1, value) : 0;
}
