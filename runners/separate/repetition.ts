import { BANDS, HERTZ } from "./grid.ts";

/** Values that describe a frame when it is compared with others. */
const WIDTH = 40;
/** Frames that are compared on each side: 35 s. */
const REACH = 1500;
/** Frames taken as repetitions, beside the frame itself. */
const TAKEN = 16;
/** Frames that two repetitions, and a frame and its repetition, are apart at least: 0.5 s. */
const APART = 22;

/**
 * REPET-SIM (Rafii and Pardo 2012): what a frame has in common with those most like it. Music repeats itself, a voice seldom does.
 */
export class Repetition {
  readonly #level: Uint8Array;
  readonly #frames: number;
  readonly #shapes: Float32Array;
  readonly #score = new Float32Array(2 * REACH + 1);
  readonly #chosen = new Int32Array(TAKEN + 1);
  readonly #values = new Uint8Array(TAKEN + 1);

  constructor(level: Uint8Array, frames: number) {
    this.#level = level;
    this.#frames = frames;
    this.#shapes = shapesOf(level, frames);
  }

  /** The median of a frame and its repetitions, band by band, into `out` from `at` on. */
  fill(frame: number, out: Uint8Array, at: number): void {
    const count = this.#choose(frame);
    const level = this.#level;
    const values = this.#values;
    const chosen = this.#chosen;
    const middle = count >> 1;
    for (let band = 0; band < BANDS; band++) {
      for (let k = 0; k < count; k++) {
        const value = level[chosen[k]! + band]!;
        let place = k;
        for (; place > 0 && values[place - 1]! > value; place--) values[place] = values[place - 1]!;
        values[place] = value;
      }
      out[at + band] = values[middle]!;
    }
  }

  /** Places of the frames most alike into `#chosen`, the frame itself first; returns how many. */
  #choose(frame: number): number {
    const shapes = this.#shapes;
    const score = this.#score;
    const chosen = this.#chosen;
    const first = Math.max(0, frame - REACH);
    const last = Math.min(this.#frames - 1, frame + REACH);
    const own = frame * WIDTH;
    for (let other = first; other <= last; other++) {
      const at = other * WIDTH;
      let sum = 0;
      for (let k = 0; k < WIDTH; k++) sum += shapes[own + k]! * shapes[at + k]!;
      score[other - first] = sum;
    }
    chosen[0] = frame * BANDS;
    let count = 1;
    const size = last - first + 1;
    silenceAround(score, size, frame - first);
    while (count <= TAKEN) {
      let best = 0.2;
      let place = -1;
      for (let k = 0; k < size; k++) {
        if (score[k]! > best) {
          best = score[k]!;
          place = k;
        }
      }
      if (place < 0) break;
      chosen[count++] = (first + place) * BANDS;
      silenceAround(score, size, place);
    }
    return count;
  }
}

function silenceAround(score: Float32Array, size: number, place: number): void {
  score.fill(-1, Math.max(0, place - APART), Math.min(size, place + APART + 1));
}

/** Levels in bands a third of an octave wide or so, without their mean, of length 1. */
function shapesOf(level: Uint8Array, frames: number): Float32Array {
  const shapes = new Float32Array(frames * WIDTH);
  const group = new Int32Array(BANDS);
  const low = Math.log(40);
  const high = Math.log(16_000);
  for (let band = 0; band < BANDS; band++) {
    const place = ((Math.log(Math.max(1, HERTZ[band]!)) - low) / (high - low)) * WIDTH;
    group[band] = Math.max(0, Math.min(WIDTH - 1, Math.floor(place)));
  }
  const sizes = new Float64Array(WIDTH);
  for (const g of group) sizes[g]!++;
  const sums = new Float64Array(WIDTH);
  for (let frame = 0; frame < frames; frame++) {
    sums.fill(0);
    for (let band = 0; band < BANDS; band++) sums[group[band]!]! += level[frame * BANDS + band]!;
    let mean = 0;
    let filled = 0;
    for (let g = 0; g < WIDTH; g++) {
      if (sizes[g] === 0) continue;
      sums[g]! /= sizes[g]!;
      mean += sums[g]!;
      filled++;
    }
    mean /= filled;
    let energy = 1e-9;
    for (let g = 0; g < WIDTH; g++) {
      if (sizes[g] === 0) continue;
      sums[g]! -= mean;
      energy += sums[g]! * sums[g]!;
    }
    const scale = 1 / Math.sqrt(energy);
    for (let g = 0; g < WIDTH; g++) if (sizes[g]! > 0) shapes[frame * WIDTH + g] = sums[g]! * scale;
  }
  return shapes;
}
