/** How much a piece's beats and bar lines are to be relied on. */
import { STEP } from "./bars.ts";
import type { Activations } from "./network.ts";
import type { Settled } from "./settle.ts";

export interface Certainty {
  /** 0 to 1. */
  readonly confidence: number;
  /** 0 to 1. */
  readonly downbeat_confidence: number;
}

/** What the best path through noise and speech reaches, on the mean of its beats, and what clear music does. */
const CHANCE = 0.3;
const CLEAR = 0.85;
/** Fewer beats may be another pulse of the same strokes: of excerpts with two to four, three quarters of those at 0.85 were right. */
const BEATS_ENOUGH = 5;

/**
 * The activations themselves, on the beats against between them: a clear beat is near 1 on and near 0 between; speech, noise and free time
 * never reach far.
 *
 * @param margin of the metre, nats a bar
 */
export function certaintyOf({ beats, positions }: Settled, heard: Activations, margin: number): Certainty {
  let on = 0;
  let between = 0;
  let down = 0;
  let downs = 0;
  let plain = 0;
  for (const [n, beat] of beats.entries()) {
    on += peak(heard.beat, beat);
    const next = beats[n + 1] ?? 2 * beat - (beats[n - 1] ?? beat);
    between += peak(heard.beat, (beat + next) / 2);
    if (positions[n] === 1) {
      down += peak(heard.downbeat, beat);
      downs++;
    } else plain += peak(heard.downbeat, beat);
  }
  on /= beats.length;
  between /= beats.length;
  down /= Math.max(1, downs);
  plain /= Math.max(1, beats.length - downs);
  const enough = Math.min(1, beats.length / BEATS_ENOUGH);
  const confidence = enough * clamp((on * (1 - 0.3 * between) - CHANCE) / (CLEAR - CHANCE));
  const clear = clamp((down - plain) * 1.4);
  const metre = clamp(margin / 2);
  return { confidence, downbeat_confidence: Math.min(confidence, clear * (0.4 + 0.6 * metre)) };
}

/** The highest activation within a row of `time`. */
function peak(values: Float32Array, time: number): number {
  const row = Math.round((time / STEP - 0.5) / 2);
  return Math.max(values[row - 1] ?? 0, values[row] ?? 0, values[row + 1] ?? 0);
}

function clamp(value: number): number {
  return Math.max(0, Math.min(1, value));
}
