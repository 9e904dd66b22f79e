/** The fader of the whole mix: sections stand as far apart in loudness as their energies say, and a section's edge is heard. */

import { STEP } from "../../signal/dsp/control.ts";
import { gainOf } from "../../signal/dsp/exact.ts";
import { levelOf, stepsIn } from "../../signal/dsp/gain_steps.ts";
import { clamp } from "../../signal/dsp/numbers.ts";
import type { Score } from "../compose/mod.ts";
import { RATE } from "./channel.ts";
import { frameOf } from "./gestures.ts";
import { contrastTarget } from "./targets.ts";

/** What the number of players makes of a section's loudness by itself is moved most of the way, and no further than this, dB. */
const FOLLOWS = 0.85;
const FURTHEST_DB = 7;
/** From the first to the last bar of a build, as far as what follows still comes in louder than its last bar by so much, dB. */
const BUILD_DB = 4;
const ARRIVAL_DB = 2.3;
/** A build is not taken back further for that. */
const BACK_DB = -6;
/** The fader arrives on the downbeat, and is this long on its way. */
const RAMP_S = 0.08;
/** A section fainter than this is silent, and stays so. */
const SILENT = 1e-10;

/**
 * Gain of every step that brings sections near the genre's contrast; undefined where all stand where they should. A ring has no edges.
 *
 * @param powers K-weighted, of every step, under `gains`
 */
export function contrast(
  score: Score,
  powers: Float32Array,
  gains: Float32Array,
  frames: number,
  ring: boolean,
): Float32Array | undefined {
  const { sections } = score;
  if (ring || sections.length < 2) return undefined;
  const steps = stepsIn(frames);
  const edges = sections.map(({ beat }) => Math.min(steps, Math.max(0, frameOf(score, beat) / STEP)));
  const span = contrastTarget(score.mix.genre) / (1 - bend(0));
  let [sum, weight] = [0, 0];
  const misses = sections.map(({ energy, beats }, index) => {
    const power = powerBetween(edges[index]!, edges[index + 1] ?? Math.min(steps, frameOf(score, score.beats) / STEP));
    if (power < SILENT) return undefined;
    const miss = span * bend(energy) - levelOf(power);
    sum += miss * beats;
    weight += beats;
    return miss;
  });
  const mean = weight > 0 ? sum / weight : 0;
  const levels = misses.map((miss) =>
    miss === undefined ? 0 : clamp(FOLLOWS * (miss - mean), -FURTHEST_DB, FURTHEST_DB),
  );
  const rises = sections.map((_, index) => riseOf(index));
  if (rises.every((rise) => rise === undefined) && levels.every((level) => Math.abs(level - levels[0]!) < 0.1))
    return undefined;
  const curve = new Float32Array(steps);
  const ramp = (RAMP_S * RATE) / STEP;
  let at = 0;
  for (let n = 0; n < steps; n++) {
    while (at + 1 < sections.length && n >= edges[at + 1]!) at++;
    const next = at + 1 < sections.length ? Math.max(0, 1 - (edges[at + 1]! - n) / ramp) : 0;
    // Not as pairs: until a loop is compiled to the end, every pair is an array on the heap, 40 MB of them in five minutes.
    const way = rises[at] ?? STILL;
    const start = way[0];
    const climb = way[1] - start;
    const from = edges[at]!;
    const rise = climb === 0 ? start : start + climb * clamp((n - from) / (edges[at + 1]! - from), 0, 1);
    curve[n] = gainOf(levels[at]! + rise + (next > 0 ? next * (levels[at + 1]! - levels[at]! - rise) : 0));
  }
  return curve;

  /** The fader's way over a build, dB: players and risers grow by themselves, and are held under what they lead to. */
  function riseOf(index: number): readonly [from: number, to: number] | undefined {
    const own = sections[index]!;
    const next = sections[index + 1];
    if (own.kind !== "build" || next === undefined) return undefined;
    const half = BUILD_DB / 2;
    const bar = Math.min(score.metre.beats_per_bar, own.beats, next.beats);
    const [before, edge, after] = [-bar, 0, Math.min(2 * bar, next.beats)].map((beats) =>
      Math.min(steps, Math.max(0, frameOf(score, next.beat + beats) / STEP)),
    ) as [number, number, number];
    const last = powerBetween(before, edge);
    const first = powerBetween(edge, after);
    if (last < SILENT || first < SILENT) return [-half, half];
    const step = levelOf(first / last) + levels[index + 1]! - levels[index]!;
    const to = next.energy < own.energy ? half : clamp(step - ARRIVAL_DB, BACK_DB, half);
    return [Math.min(-half, to), to];
  }

  /** Mean of the steps; 0 for none. */
  function powerBetween(from: number, to: number): number {
    let [power, count] = [0, 0];
    for (let n = Math.round(from); n < Math.round(to); n++, count++) power += powers[n]! * gains[n]! * gains[n]!;
    return power / Math.max(1, count);
  }
}

const STILL = [0, 0] as const;

/** Thin beginnings and endings are faint by themselves: below the usual, a third of the way. */
function bend(energy: number): number {
  const value = energy >= 0 ? Math.min(1, energy) : 0;
  return value < USUAL ? USUAL + (value - USUAL) / 3 : value;
}

const USUAL = 0.45;
