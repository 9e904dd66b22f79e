/** A stretch of sound without beginning or end: made a little longer than needed and laid over itself, so that it joins at its length. */
import { type Control, shape, wander } from "../../../../signal/dsp/control.ts";
import { cosine, sine } from "../../../../signal/dsp/exact.ts";
import { type Scatter, scatter } from "../../../../signal/dsp/grains.ts";
import { brown, pink, white } from "../../../../signal/dsp/noise.ts";
import { hash32, random } from "../../../../signal/dsp/random.ts";
import { release } from "../../../../signal/dsp/release.ts";
import { RATE } from "../../performance.ts";

export class Bed {
  readonly left: Float32Array;
  readonly right: Float32Array;
  readonly frames: number;
  readonly next: () => number;
  readonly #seed: number;
  #count = 0;

  constructor(frames: number, seed: number) {
    this.frames = frames;
    this.left = new Float32Array(frames);
    this.right = new Float32Array(frames);
    this.next = random(seed);
    this.#seed = seed;
  }

  seed(): number {
    return hash32(this.#seed, 100 + this.#count++);
  }

  /** Uniform between two numbers. */
  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  wander(hertz: number, low: number, high: number): Control {
    return wander(this.frames, RATE, this.next, hertz, low, high);
  }

  /**
   * Adds noise to both channels. Yields between them.
   *
   * @param width 0: the same on both; 1: of nothing in common
   * @param work filters and shapes one stream in place
   */
  *wash(
    colour: "white" | "pink" | "brown",
    gain: number,
    width: number,
    work: (samples: Float32Array) => void,
  ): Generator<undefined, void> {
    const fill = colour === "white" ? white : colour === "pink" ? pink : brown;
    const make = (): Float32Array => {
      const samples = fill(new Float32Array(this.frames), this.seed());
      work(samples);
      return samples;
    };
    const one = make();
    yield undefined;
    if (width <= 0) {
      this.add(one, gain, gain);
      release(one);
      return;
    }
    // Turned against one another by the width, so that the level stays.
    const other = make();
    const near = gain * cosine(width / 8);
    const far = gain * sine(width / 8);
    this.add(one, near, near);
    this.add(other, far, -far);
    release(one, other);
    yield undefined;
  }

  add(samples: Float32Array, to_left: number, to_right: number): void {
    const { left, right } = this;
    for (let n = 0; n < samples.length; n++) {
      left[n] = left[n]! + to_left * samples[n]!;
      right[n] = right[n]! + to_right * samples[n]!;
    }
  }

  scatter(templates: readonly Float32Array[], how: Scatter): void {
    scatter(this.left, this.right, RATE, this.next, templates, how);
  }

  shape(level: Control): void {
    shape(this.left, level);
    shape(this.right, level);
  }
}

/** Two channels of `frames` that follow on themselves: the bed's last stretch is faded into its first, at equal power. */
export function looped(bed: Bed, frames: number): readonly [Float32Array, Float32Array] {
  const extra = bed.frames - frames;
  const join = (from: Float32Array): Float32Array => {
    const out = from.slice(0, frames);
    for (let n = 0; n < extra; n++) {
      const share = n / extra / 4;
      out[n] = sine(share) * from[n]! + cosine(share) * from[frames + n]!;
    }
    return out;
  };
  return [join(bed.left), join(bed.right)];
}
