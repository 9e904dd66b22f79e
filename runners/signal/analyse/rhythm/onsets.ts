/** Attacks: where the bands rise together, placed in the samples just where the attack begins. */
import { RATE } from "../front.ts";
import { BANDS, type Bands, HOP } from "./bands.ts";

export interface Onset {
  /** Seconds, where the attack begins. */
  readonly time: number;
  /** Mean rise over the bands, log10 of power. */
  readonly strength: number;
}

/** Frames on each side among which an attack is the strongest: 30 ms. */
const ALONE = 3;
/** Frames over which the mean rise is taken, before and behind. */
const BEFORE = 10;
const BEHIND = 7;
/** An attack rises this much above the mean around it: log10 of power, averaged over the bands. */
const ABOVE = 0.045;

export function onsetsOf(samples: Float32Array, { frames, rise }: Bands): Onset[] {
  const novelty = new Float32Array(frames);
  for (let frame = 0; frame < frames; frame++) {
    let sum = 0;
    for (let k = 0; k < BANDS; k++) sum += rise[frame * BANDS + k]!;
    novelty[frame] = sum / BANDS;
  }
  const onsets: Onset[] = [];
  for (let frame = 0; frame < frames; frame++) {
    const here = novelty[frame]!;
    if (here < ABOVE || !isHighest(novelty, frame)) continue;
    let sum = 0;
    const first = Math.max(0, frame - BEFORE);
    const last = Math.min(frames - 1, frame + BEHIND);
    for (let n = first; n <= last; n++) sum += novelty[n]!;
    if (here < sum / (last - first + 1) + ABOVE) continue;
    const time = attack(samples, frame * HOP) / RATE;
    const previous = onsets.at(-1);
    if (previous !== undefined && time - previous.time < 0.025) continue;
    onsets.push({ time, strength: here });
  }
  return onsets;
}

function isHighest(novelty: Float32Array, frame: number): boolean {
  for (let n = Math.max(0, frame - ALONE); n <= frame + ALONE && n < novelty.length; n++) {
    if (novelty[n]! > novelty[frame]! || (novelty[n] === novelty[frame] && n < frame)) return false;
  }
  return true;
}

/** Samples of a cell: 1.5 ms. */
const CELL = 32;
/** The window hears an attack up to half its length ahead; cells looked at before and behind the frame's middle. */
const CELLS_BEFORE = 8;
const CELLS_BEHIND = 20;

/** First sample of the steepest climb around `centre`. The difference of neighbouring samples stands for the signal: attacks are bright. */
function attack(samples: Float32Array, centre: number): number {
  const start = centre - CELLS_BEFORE * CELL;
  const cells = CELLS_BEFORE + CELLS_BEHIND;
  let before = energy(samples, start - CELL) + energy(samples, start - 2 * CELL);
  let steepest = 0;
  let at = CELLS_BEFORE;
  for (let cell = 0; cell < cells; cell++) {
    const now = energy(samples, start + cell * CELL);
    const after = energy(samples, start + (cell + 1) * CELL);
    const climb = now + after - before;
    if (climb > steepest) {
      steepest = climb;
      at = cell;
    }
    before = energy(samples, start + (cell - 1) * CELL) + now;
  }
  // Within the cell: the first sample that stands a quarter as high as the highest that follows.
  let highest = 0;
  const from = Math.max(1, start + (at - 1) * CELL);
  const to = Math.min(samples.length, start + (at + 2) * CELL);
  for (let n = from; n < to; n++) highest = Math.max(highest, Math.abs(samples[n]! - samples[n - 1]!));
  for (let n = from; n < to; n++) if (Math.abs(samples[n]! - samples[n - 1]!) >= 0.25 * highest) return n;
  return Math.max(0, Math.min(samples.length - 1, start + at * CELL));
}

/** Amplitude-like, so that a loud decay does not hide a soft attack. */
function energy(samples: Float32Array, from: number): number {
  const first = Math.max(1, from);
  const last = Math.min(samples.length, from + CELL);
  let sum = 0;
  for (let n = first; n < last; n++) sum += (samples[n]! - samples[n - 1]!) ** 2;
  return Math.sqrt(sum);
}
