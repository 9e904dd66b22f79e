import { Cascade, highPass } from "./biquad.ts";

/**
 * A side made of the middle: three all-passes in series (Schroeder 1961) without what lies below 200 Hz. Left gets it
 * added, right subtracted, so that the fold to mono is what went in.
 */
export class Widener {
  readonly #lines: Float64Array;
  readonly #lengths: readonly [number, number, number];
  readonly #filter: Cascade;
  #frame = 0;

  /** @param variant parts of different variants get sides that do not add up */
  constructor(rate: number, variant: number) {
    const unit = (rate / 44_100) * (1 + 0.07 * (variant % 7));
    // As integers, for a rounded number is still a double to the engine.
    this.#lengths = [Math.round(229 * unit) | 0, Math.round(367 * unit) | 0, Math.round(593 * unit) | 0];
    this.#lines = new Float64Array(3 * SPAN);
    this.#filter = new Cascade([highPass(200, rate), highPass(200, rate)]);
  }

  clear(): void {
    this.#lines.fill(0);
    this.#filter.clear();
    this.#frame = 0;
  }

  /** The side of the first `count` samples of `middle` into `side`. */
  run(middle: Float64Array, count: number, side: Float64Array): void {
    const lines = this.#lines;
    const [one, two, three] = this.#lengths;
    let frame = this.#frame;
    for (let n = 0; n < count; n++, frame++) {
      const here = frame & MASK;
      const x = lines[(frame - one) & MASK]!;
      const u = middle[n]! - GAIN * x;
      lines[here] = u;
      const a = x + GAIN * u;
      const y = lines[SPAN + ((frame - two) & MASK)]!;
      const v = a + GAIN * y;
      lines[SPAN + here] = v;
      const b = y - GAIN * v;
      const z = lines[2 * SPAN + ((frame - three) & MASK)]!;
      const w = b - GAIN * z;
      lines[2 * SPAN + here] = w;
      side[n] = z + GAIN * w;
    }
    this.#frame = frame & MASK;
    this.#filter.run(side, undefined, count);
  }
}

const SPAN = 1024;
const MASK = SPAN - 1;
const GAIN = 0.55;
