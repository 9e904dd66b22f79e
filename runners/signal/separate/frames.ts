import { type Sound, stretchOf, viewsOf } from "../../samples.ts";
import { StereoFrames } from "../dsp/stereo_frames.ts";
import { GAIN, HOP, OVERLAP, SIZE, WINDOW } from "./grid.ts";

/** Rows of a spectrum hold the bins below half the sample rate; that of half the sample rate itself is the imaginary part of bin 0. */
export const BINS: number = SIZE / 2;
/** Values of a frame: left real, left imaginary, right real, right imaginary. */
export const FRAME: number = 4 * BINS;

/** Transforms the frames of a piece and, through masks, back. A mono piece has nothing in the right channel. */
export class Frames {
  readonly #stft = new StereoFrames(
    WINDOW,
    WINDOW.map((weight) => weight / GAIN),
    HOP,
    BINS,
    true,
  );
  #rooms: readonly Float32Array[] = [];

  /** Spectra of `count` frames from `first` on into `spectra`, with silence around the piece. */
  forward(audio: Sound, first: number, count: number, spectra: Float32Array): void {
    const sound = viewsOf(audio);
    const span = (count - 1) * HOP + SIZE;
    const from = (first - OVERLAP + 1) * HOP;
    if (this.#rooms[0]?.length !== span) this.#rooms = [new Float32Array(span), new Float32Array(span)];
    const begin = Math.max(0, -from);
    const end = Math.max(begin, Math.min(span, sound.frames - from));
    for (const [c, channel] of stretchOf(sound, from + begin, from + end).entries()) {
      const room = this.#rooms[c]!;
      room.fill(0, 0, begin).fill(0, end);
      room.set(channel, begin);
    }
    if (sound.channels === 1) this.#rooms[1]!.fill(0);
    this.#stft.forward(this.#rooms[0]!, this.#rooms[1]!, 0, count, spectra);
  }

  /**
   * Writes `count` frames, each through every mask, to that mask's left and right channel, where the first frame begins at 0.
   *
   * @param fill writes masks of `count` frames from `first` on: for each frame, for each pair of `outs`, BINS factors for both its channels
   * @param outs of (count - 1) · HOP + SIZE samples at least
   */
  inverse(
    spectra: Float32Array,
    fill: (first: number, count: number, masks: Float32Array) => void,
    count: number,
    outs: readonly Float32Array[],
  ): void {
    this.#stft.inverse(spectra, fill, count, outs, 0, true);
  }
}
