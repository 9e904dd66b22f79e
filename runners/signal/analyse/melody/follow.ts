import { LOWEST_NOTE, NOTES } from "../harmony/notes.ts";

/** Registers in which tunes lie, MIDI numbers: full weight between the inner two, none beyond the outer two. */
const REGISTER = [45, 57, 79, 95] as const;
/** What a note loses by those that sound above it: tunes lie on top. */
const COVERED = 0.35;
/** What a note loses by how much it has sounded lately and will: what stays or comes back again and again is accompaniment. */
const WORN = 0.55;
/** Steps on each side that are "lately". */
const WORN_REACH = 24;
/** Semitones above that still cover. */
const COVER_REACH = 24;
/** What silence is worth against a note's salience. */
const REST = 0.38;
/** What a change of note costs, and each semitone of it up to an octave; what beginning and ending cost. */
const MOVE = 0.16;
const LEAP = 0.02;
const EDGE = 0.14;

export interface Followed {
  /** Index of the note (from `LOWEST_NOTE`) of each step; -1 for none. */
  readonly path: Int16Array;
  /** 0 to 1 for each step. */
  readonly sureness: Float64Array;
}

/** The best path through activations (`NOTES` a step), where stepping is better than leaping, by Viterbi. */
export function follow(activations: Float32Array, levels: Float64Array): Followed {
  const steps = levels.length;
  const salience = salienceOf(activations, levels);
  const states = NOTES + 1;
  let best = new Float64Array(states);
  let next = new Float64Array(states);
  const back = new Int16Array(steps * states);
  for (let step = 0; step < steps; step++) {
    const row = step * NOTES;
    for (let to = 0; to < NOTES; to++) {
      let top = best[NOTES]! - EDGE;
      let from = NOTES;
      for (let note = 0; note < NOTES; note++) {
        const away = note > to ? note - to : to - note;
        const score = best[note]! - (away === 0 ? 0 : MOVE + LEAP * Math.min(12, away));
        if (score > top) {
          top = score;
          from = note;
        }
      }
      back[step * states + to] = from;
      next[to] = top + salience[row + to]!;
    }
    let top = best[NOTES]!;
    let from = NOTES;
    for (let note = 0; note < NOTES; note++) {
      if (best[note]! - EDGE > top) {
        top = best[note]! - EDGE;
        from = note;
      }
    }
    back[step * states + NOTES] = from;
    next[NOTES] = top + REST;
    [best, next] = [next, best];
  }
  const path = new Int16Array(steps);
  let state = 0;
  for (let k = 1; k < states; k++) if (best[k]! > best[state]!) state = k;
  for (let step = steps - 1; step >= 0; step--) {
    path[step] = state === NOTES ? -1 : state;
    state = back[step * states + state]!;
  }
  const sureness = new Float64Array(steps);
  for (let step = 0; step < steps; step++)
    if (path[step]! >= 0) sureness[step] = sure(salience.subarray(step * NOTES, (step + 1) * NOTES), path[step]!);
  return { path, sureness };
}

/** How salient the note is, and how far it leads. */
function sure(salience: Float64Array, note: number): number {
  const own = salience[note]!;
  let other = 0;
  for (let n = 0; n < NOTES; n++) if (n < note - 1 || n > note + 1) other = Math.max(other, salience[n]!);
  return Math.max(0, Math.min(1, 0.6 * own + 0.8 * Math.max(0, own - other)));
}

function salienceOf(activations: Float32Array, levels: Float64Array): Float64Array {
  const steps = levels.length;
  const salience = new Float64Array(steps * NOTES);
  const weights = Float64Array.from({ length: NOTES }, (_, n) => weightOf(n + LOWEST_NOTE));
  const worn = meansAround(activations, steps);
  for (let step = 0; step < steps; step++) {
    const row = step * NOTES;
    // Quiet steps count less, but a decay is no rest.
    const level = Math.min(1, 1.6 * Math.sqrt(levels[step]!));
    for (let n = 0; n < NOTES; n++) {
      if (weights[n] === 0 || activations[row + n] === 0) continue;
      let above = 0;
      for (let m = n + 3; m < Math.min(NOTES, n + COVER_REACH); m++)
        above = Math.max(above, activations[row + m]! * weights[m]!);
      salience[row + n] =
        level * Math.max(0, weights[n]! * Math.sqrt(activations[row + n]!) - COVERED * above - WORN * worn[row + n]!);
    }
  }
  return salience;
}

/** The mean activation of each note over the steps around. */
function meansAround(activations: Float32Array, steps: number): Float32Array {
  const means = new Float32Array(activations.length);
  for (let note = 0; note < NOTES; note++) {
    let [sum, from, to] = [0, 0, 0];
    for (let step = 0; step < steps; step++) {
      while (to < Math.min(steps, step + WORN_REACH + 1)) sum += activations[to++ * NOTES + note]!;
      while (from < step - WORN_REACH) sum -= activations[from++ * NOTES + note]!;
      means[step * NOTES + note] = Math.max(0, sum / (to - from));
    }
  }
  return means;
}

function weightOf(pitch: number): number {
  const [out, low, high, end] = REGISTER;
  return Math.max(0, Math.min(1, (pitch - out) / (low - out), (end - pitch) / (end - high)));
}
