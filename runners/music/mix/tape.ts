import { STEP } from "../../signal/dsp/control.ts";
import { cosine } from "../../signal/dsp/exact.ts";
import { hash32 } from "../../signal/dsp/random.ts";
import { RATE } from "./channel.ts";

/** Cycles a second of wow and flutter, and how far either bends the pitch at most. */
const WOW = { hertz: 0.62, bend: 0.0022 };
const FLUTTER = { hertz: 6.7, bend: 0.0006 };

/**
 * A worn tape's unsteady speed and its hiss, in place, block after block. On a ring both go round with it: the speed makes whole cycles,
 * the hiss belongs to the frame.
 */
export class Tape {
  readonly #past = [new Float64Array(SPAN), new Float64Array(SPAN)];
  readonly #cycles: readonly [number, number];
  readonly #depth: readonly [number, number];
  readonly #frames: number;
  readonly #seed: number;
  readonly #hiss: number;
  readonly #ends: number;

  /**
   * @param hiss amplitude
   * @param ends frame at which the tape stops: nobody hears it run on after the music
   */
  constructor(frames: number, ring: boolean, age: number, seed: number, hiss: number, ends: number) {
    this.#ends = ends;
    this.#frames = frames;
    const seconds = frames / RATE;
    const whole = (hertz: number): number => (ring ? Math.max(1, Math.round(hertz * seconds)) : hertz * seconds);
    this.#cycles = [whole(WOW.hertz), whole(FLUTTER.hertz)];
    const share = Math.max(0, age - 0.2) / 0.8;
    // A sine of depth d frames at f Hz bends the pitch by 2 π f d / rate.
    const depth = (cycles: number, bend: number): number =>
      Math.min(MOST / 4, (share * bend * RATE * seconds) / (2 * Math.PI * cycles));
    this.#depth = [depth(this.#cycles[0], WOW.bend), depth(this.#cycles[1], FLUTTER.bend)];
    this.#seed = seed;
    this.#hiss = hiss;
  }

  /** @param at the block's first frame; before a ring's first it is negative */
  run(left: Float64Array, right: Float64Array, at: number, count: number): void {
    for (let from = 0; from < count; from += STEP) {
      const end = Math.min(count, from + STEP);
      const start = this.#delay(at + from);
      const slope = (this.#delay(at + end) - start) / (end - from);
      bend(left, this.#past[0]!, at, from, end, start, slope);
      bend(right, this.#past[1]!, at, from, end, start, slope);
    }
    const hiss = this.#hiss / 2 ** 31;
    if (hiss === 0) return;
    const last = Math.min(count, this.#ends + STOPS - at);
    for (let n = 0; n < last; n++) {
      const frame = at + n;
      const gain = frame < this.#ends ? hiss : (hiss * (this.#ends + STOPS - frame)) / STOPS;
      left[n] = left[n]! + gain * (hash32(this.#seed, 2 * frame) - 2 ** 31);
      right[n] = right[n]! + gain * (hash32(this.#seed, 2 * frame + 1) - 2 ** 31);
    }
  }

  /** In frames, from 2 on. */
  #delay(frame: number): number {
    const share = frame / this.#frames;
    const [wow, flutter] = this.#depth;
    return 2 + wow * (1 - cosine(this.#cycles[0] * share)) + flutter * (1 - cosine(this.#cycles[1] * share + 0.3));
  }
}

/** Frames in which the hiss is faded out: 0.3 s. */
const STOPS = 13_230;
/** Frames of the longest delay. */
const MOST = 1000;
const SPAN = 2048;
const MASK = SPAN - 1;

/** Reads between samples by a cubic through four (Catmull-Rom). */
function bend(
  samples: Float64Array,
  past: Float64Array,
  at: number,
  from: number,
  end: number,
  start: number,
  slope: number,
): void {
  for (let n = from; n < end; n++) {
    const frame = at + n;
    past[frame & MASK] = samples[n]!;
    const back = start + slope * (n - from);
    const whole = Math.floor(back);
    const t = back - whole;
    const y0 = past[(frame - whole + 1) & MASK]!;
    const y1 = past[(frame - whole) & MASK]!;
    const y2 = past[(frame - whole - 1) & MASK]!;
    const y3 = past[(frame - whole - 2) & MASK]!;
    const c1 = 0.5 * (y2 - y0);
    const c2 = y0 - 2.5 * y1 + 2 * y2 - 0.5 * y3;
    const c3 = 0.5 * (y3 - y0) + 1.5 * (y1 - y2);
    samples[n] = ((c3 * t + c2) * t + c1) * t + y1;
  }
}
