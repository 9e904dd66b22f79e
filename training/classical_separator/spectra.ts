import type { Audio } from "../../contract/mod.ts";
import { Fft } from "../../runners/signal/dsp/fft.ts";
import { GAIN, HOP, OVERLAP, SIZE, WINDOW } from "../../runners/signal/separate/grid.ts";

/** Spectra of both channels in one complex transform, left as the real part and right as the imaginary; and back. */
export class Spectra {
  readonly real: Float64Array = new Float64Array(SIZE);
  readonly imaginary: Float64Array = new Float64Array(SIZE);
  readonly #fft = new Fft(SIZE);

  /** Fills `real` and `imaginary` with the transform of frame `frame`; a mono source has nothing in the imaginary part. */
  forward(audio: Audio, frame: number): void {
    const from = (frame - OVERLAP + 1) * HOP;
    const { real, imaginary } = this;
    const left = audio.channels[0]!;
    const right = audio.channels[1];
    const begin = Math.max(0, -from);
    const end = Math.max(begin, Math.min(SIZE, left.length - from));
    real.fill(0, 0, begin).fill(0, end);
    imaginary.fill(0);
    for (let n = begin; n < end; n++) real[n] = left[from + n]! * WINDOW[n]!;
    if (right !== undefined) for (let n = begin; n < end; n++) imaginary[n] = right[from + n]! * WINDOW[n]!;
    this.#fft.transform(real, imaginary);
  }

  /** Transforms a spectrum back and adds it, windowed, to `left` and `right` from `at` on; what lies outside them is dropped. */
  addBack(
    real: Float64Array,
    imaginary: Float64Array,
    left: Float64Array,
    right: Float64Array | undefined,
    at: number,
  ): void {
    this.#fft.transform(imaginary, real);
    const scale = 1 / (SIZE * GAIN);
    const begin = Math.max(0, -at);
    const end = Math.min(SIZE, left.length - at);
    for (let n = begin; n < end; n++) left[at + n]! += real[n]! * WINDOW[n]! * scale;
    if (right !== undefined) for (let n = begin; n < end; n++) right[at + n]! += imaginary[n]! * WINDOW[n]! * scale;
  }
}
