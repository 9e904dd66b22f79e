/** The fader of the whole mix: what is meant to be bigger is louder, and a section's edge is heard. */

import { STEP } from "../../signal/dsp/control.ts";
import { gainOf } from "../../signal/dsp/exact.ts";
import { stepsIn } from "../../signal/dsp/gain_steps.ts";
import type { Score } from "../compose/mod.ts";
import { RATE } from "./channel.ts";
import { frameOf } from "./gestures.ts";

/** dB from the faintest section to one of full energy, on top of what players and their number make of it. */
const SPAN_DB = 4.5;
/** Where players shade by themselves, less is added. */
const NATURAL_SPAN_DB = 3;
/** The fader arrives on the downbeat, and is this long on its way. */
const RAMP_S = 0.08;

/** Gain of every step; undefined where all sections are alike. A ring has no edges. */
export function contrast(score: Score, natural: boolean, frames: number, ring: boolean): Float32Array | undefined {
  const { sections } = score;
  if (ring || sections.length < 2) return undefined;
  const beats = sections.reduce((sum, section) => sum + section.beats, 0);
  const mean = sections.reduce((sum, { energy, beats: long }) => sum + bend(energy) * long, 0) / Math.max(1, beats);
  const span = natural ? NATURAL_SPAN_DB : SPAN_DB;
  const gains = new Float32Array(stepsIn(frames));
  const levels = sections.map(({ energy }) => span * (bend(energy) - mean));
  if (levels.every((level) => Math.abs(level - levels[0]!) < 0.1)) return undefined;
  const ramp = (RAMP_S * RATE) / STEP;
  const edges = sections.map(({ beat }) => frameOf(score, beat) / STEP);
  let at = 0;
  for (let n = 0; n < gains.length; n++) {
    while (at + 1 < sections.length && n >= edges[at + 1]!) at++;
    const next = at + 1 < sections.length ? Math.max(0, 1 - (edges[at + 1]! - n) / ramp) : 0;
    gains[n] = gainOf(levels[at]! + (next > 0 ? next * (levels[at + 1]! - levels[at]!) : 0));
  }
  return gains;
}

/** Thin beginnings and endings are faint by themselves: below the usual, a third of the way. */
function bend(energy: number): number {
  const value = energy >= 0 ? Math.min(1, energy) : 0;
  return value < USUAL ? USUAL + (value - USUAL) / 3 : value;
}

const USUAL = 0.45;
