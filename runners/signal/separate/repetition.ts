import { arena } from "../dsp/arena.ts";
import { BANDS, HERTZ } from "./grid.ts";

/** Values that describe a frame when it is compared with others. */
const WIDTH = 40;
/** Frames that are compared on each side: 35 s. */
const REACH = 1500;
/** Frames taken as repetitions, beside the frame itself. */
const TAKEN = 16;
/** Frames that two repetitions, and a frame and its repetition, are apart at least: 0.5 s. */
const APART = 22;
/** Frames that are compared with the others at once; an even number. */
const AT_ONCE = 16;
/** Scores that have their largest one noted. */
const GROUP = 64;
/** Less alike than this is no repetition. */
const LEAST = 0.2;
/** Bytes from one row of levels to the next in the kernel's memory. */
const STRIDE = (BANDS + 15) & ~15;

/**
 * REPET-SIM (Rafii and Pardo 2012): what a frame has in common with those most like it. Music repeats itself, a voice seldom does.
 */
export class Repetition {
  readonly #level: Uint8Array;
  readonly #frames: number;
  /** [WIDTH][frames] */
  readonly #shapes: Float32Array;
  /** [AT_ONCE][columns]: how alike frames from `#first` on are to those from `#base` on. */
  readonly #scores: Float32Array;
  readonly #columns: number;
  /** Of the frame that is looked at. */
  readonly #score = new Float32Array(2 * REACH + 1);
  readonly #highest: Float32Array;
  readonly #weights = new Float32Array(AT_ONCE * WIDTH);
  readonly #near: Float32Array;
  readonly #chosen = new Int32Array(TAKEN + 1);
  readonly #values = new Uint8Array(TAKEN + 1);
  #first = Number.NEGATIVE_INFINITY;
  #base = 0;

  constructor(level: Uint8Array, frames: number) {
    this.#level = level;
    this.#frames = frames;
    this.#shapes = shapesOf(level, frames);
    this.#columns = (Math.min(frames, 2 * REACH + AT_ONCE) + 15) & ~15;
    this.#scores = new Float32Array(AT_ONCE * this.#columns);
    this.#highest = new Float32Array(Math.ceil(this.#columns / GROUP));
    this.#near = new Float32Array(WIDTH * this.#columns);
  }

  /** The median of a frame and its repetitions, band by band, into `out` from `at` on. */
  fill(frame: number, out: Uint8Array, at: number): void {
    const count = this.#choose(frame);
    const chosen = this.#chosen;
    const memory = arena((count + 1) * STRIDE + 16 * count);
    if (memory === undefined) {
      this.#fillPlainly(count, out, at);
      return;
    }
    const { kernels, address } = memory;
    const bytes = new Uint8Array(kernels.memory.buffer, address, (count + 1) * STRIDE);
    for (let k = 0; k < count; k++) bytes.set(this.#level.subarray(chosen[k], chosen[k]! + BANDS), k * STRIDE);
    const room = address + (count + 1) * STRIDE;
    kernels.medianRows(address, STRIDE, count, STRIDE, room, address + count * STRIDE);
    out.set(bytes.subarray(count * STRIDE, count * STRIDE + BANDS), at);
  }

  #fillPlainly(count: number, out: Uint8Array, at: number): void {
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
    if (frame < this.#first || frame >= this.#first + AT_ONCE) this.#compare(frame);
    const chosen = this.#chosen;
    const first = Math.max(0, frame - REACH);
    const last = Math.min(this.#frames - 1, frame + REACH);
    const size = last - first + 1;
    const from = (frame - this.#first) * this.#columns + first - this.#base;
    const score = this.#score.subarray(0, size);
    score.set(this.#scores.subarray(from, from + size));
    const highest = this.#highest;
    const groups = Math.ceil(size / GROUP);
    chosen[0] = frame * BANDS;
    let count = 1;
    silenceAround(score, frame - first);
    for (let group = 0; group < groups; group++) highest[group] = highestOf(score, group);
    while (count <= TAKEN) {
      let best = LEAST;
      let among = -1;
      for (let group = 0; group < groups; group++) {
        if (highest[group]! > best) {
          best = highest[group]!;
          among = group;
        }
      }
      if (among < 0) break;
      let place = among * GROUP;
      while (score[place] !== best) place++;
      chosen[count++] = (first + place) * BANDS;
      silenceAround(score, place);
      const to = Math.min(groups - 1, Math.floor((place + APART) / GROUP));
      for (let group = Math.floor(Math.max(0, place - APART) / GROUP); group <= to; group++)
        highest[group] = highestOf(score, group);
    }
    return count;
  }

  /** Compares the frames from `first` on with all that they may repeat. */
  #compare(first: number): void {
    const frames = this.#frames;
    const columns = this.#columns;
    const base = Math.max(0, Math.min(first - REACH, frames - columns));
    this.#first = first;
    this.#base = base;
    const weights = this.#weights;
    const near = this.#near;
    for (let k = 0; k < WIDTH; k++) {
      const row = k * frames;
      near.set(this.#shapes.subarray(row + base, row + Math.min(frames, base + columns)), k * columns);
      for (let unit = 0; unit < AT_ONCE; unit++)
        weights[unit * WIDTH + k] = first + unit < frames ? this.#shapes[row + first + unit]! : 0;
    }
    const [biases, scores] = [4 * (near.length + weights.length), 4 * (near.length + weights.length + AT_ONCE)];
    const memory = arena(scores + 4 * AT_ONCE * columns);
    if (memory === undefined) {
      products(near, columns, weights, this.#scores);
      return;
    }
    const { kernels, address } = memory;
    memory.floats(0, near.length).set(near);
    memory.floats(4 * near.length, weights.length).set(weights);
    memory.floats(biases, AT_ONCE).fill(0);
    const at = address + 4 * near.length;
    kernels.dense(address, columns, WIDTH, at, address + biases, AT_ONCE, address + scores, 0);
    this.#scores.set(memory.floats(scores, AT_ONCE * columns));
  }
}

/** As the kernel `dense` without biases: see runners/signal/dsp/assembly/dense.ts. */
function products(near: Float32Array, columns: number, weights: Float32Array, out: Float32Array): void {
  out.fill(0);
  for (let unit = 0; unit < AT_ONCE; unit++) {
    const to = unit * columns;
    for (let k = 0; k < WIDTH; k++) {
      const weight = weights[unit * WIDTH + k]!;
      const from = k * columns;
      for (let column = 0; column < columns; column++) out[to + column]! += Math.fround(weight * near[from + column]!);
    }
  }
}

function silenceAround(score: Float32Array, place: number): void {
  const end = Math.min(score.length, place + APART + 1);
  for (let k = Math.max(0, place - APART); k < end; k++) score[k] = -1;
}

function highestOf(score: Float32Array, group: number): number {
  const end = Math.min(score.length, (group + 1) * GROUP);
  let highest = -1;
  for (let k = group * GROUP; k < end; k++) if (score[k]! > highest) highest = score[k]!;
  return highest;
}

/** Levels in bands a third of an octave wide or so, without their mean, of length 1; [WIDTH][frames]. */
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
    for (let g = 0; g < WIDTH; g++) if (sizes[g]! > 0) shapes[g * frames + frame] = sums[g]! * scale;
  }
  return shapes;
}
