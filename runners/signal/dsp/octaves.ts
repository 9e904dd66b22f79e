import { Fft } from "./fft.ts";
import { kaiser, kaiserBeta, kaiserTaps, sinc } from "./window.ts";

/** A block holds this many times the filter, so that little of each transform is spent on its edges. */
const BLOCK_PER_FILTER = 12;

/** The filter's length is a multiple of this, so that edges stay whole frames at a sixteenth of the rate. */
const EDGE = 16;

/**
 * A steep low-pass that changes the rate by a power of two on the way, without delay: linear phase by overlap-save. A transform costs
 * less than the hundreds of taps that so narrow a transition needs, and two channels share one as real and imaginary part.
 */
export class Octaves {
  readonly #factor: number;
  /** Frames on each side of an output that it draws on. */
  readonly #reach: number;
  readonly #forward: Fft;
  readonly #inverse: Fft;
  /** Real, for the filter is symmetric: bins 0 to half of the smaller transform, scaled for the way back. */
  readonly #response: Float64Array;
  readonly #buffers: readonly Float32Array[];
  readonly #real: Float64Array;
  readonly #imaginary: Float64Array;
  readonly #out_real: Float64Array;
  readonly #out_imaginary: Float64Array;
  /** Silence comes before the first frame. */
  #length: number;

  /**
   * @param factor frames out for one in: a power of two from 1/16 on
   * @param pass flat up to here, in cycles per input frame
   * @param stop `attenuation_db` down from here on; at most half of `factor` and of 1
   */
  constructor(factor: number, pass: number, stop: number, attenuation_db: number, channels: number) {
    const least = Math.ceil(kaiserTaps(attenuation_db, stop - pass) / 2);
    this.#factor = factor;
    this.#reach = Math.ceil(least / EDGE) * EDGE;
    const size = 2 ** Math.ceil(Math.log2(2 * this.#reach * BLOCK_PER_FILTER));
    this.#forward = new Fft(size);
    this.#inverse = new Fft(size * factor);
    this.#response = response(
      this.#forward,
      size * Math.min(1, factor),
      least,
      pass + stop,
      kaiserBeta(attenuation_db),
    );
    this.#buffers = Array.from({ length: channels }, () => new Float32Array(size));
    this.#real = new Float64Array(size);
    this.#imaginary = new Float64Array(size);
    this.#out_real = new Float64Array(size * factor);
    this.#out_imaginary = new Float64Array(size * factor);
    this.#length = this.#reach;
  }

  /** Takes whole arrays and returns the frames that are complete; frame m of all lies at input frame m / factor. */
  push(channels: readonly Float32Array[]): Float32Array[] {
    const { size } = this.#forward;
    const added = channels[0]!.length;
    const hop = size - 2 * this.#reach;
    const blocks = this.#length + added < size ? 0 : Math.floor((this.#length + added - size) / hop) + 1;
    const outputs = channels.map(() => new Float32Array(blocks * hop * this.#factor));
    let block = 0;
    for (let at = 0; at < added; ) {
      const count = Math.min(added - at, size - this.#length);
      for (const [index, buffer] of this.#buffers.entries()) {
        buffer.set(channels[index]!.subarray(at, at + count), this.#length);
      }
      at += count;
      this.#length += count;
      if (this.#length < size) break;
      this.#filter(outputs, block++ * hop * this.#factor);
      for (const buffer of this.#buffers) buffer.copyWithin(0, hop);
      this.#length = 2 * this.#reach;
    }
    return outputs;
  }

  /** One block of every channel, into `outputs` from `at` on. */
  #filter(outputs: readonly Float32Array[], at: number): void {
    const first = this.#reach * this.#factor;
    const last = this.#inverse.size - first;
    for (let channel = 0; channel < outputs.length; channel += 2) {
      const partner = this.#buffers[channel + 1];
      widen(this.#buffers[channel]!, this.#real);
      if (partner === undefined) this.#imaginary.fill(0);
      else widen(partner, this.#imaginary);
      this.#forward.transform(this.#real, this.#imaginary);
      this.#weigh(this.#real, this.#out_real);
      this.#weigh(this.#imaginary, this.#out_imaginary);
      this.#inverse.transform(this.#out_imaginary, this.#out_real);
      narrow(this.#out_real, first, last, outputs[channel]!, at);
      if (partner !== undefined) narrow(this.#out_imaginary, first, last, outputs[channel + 1]!, at);
    }
  }

  /** Bins times response, on to the other size: those between are silent. */
  #weigh(bins: Float64Array, out: Float64Array): void {
    const response = this.#response;
    const half = response.length - 1;
    const size = bins.length;
    const goal = out.length;
    out[0] = bins[0]! * response[0]!;
    for (let k = 1; k < half; k++) {
      out[k] = bins[k]! * response[k]!;
      out[goal - k] = bins[size - k]! * response[k]!;
    }
    out.fill(0, half, goal - half + 1);
  }
}

/** Between types of array the engines' own `set` is several times slower than a loop. */
function widen(source: Float32Array, target: Float64Array): void {
  for (let n = 0; n < source.length; n++) target[n] = source[n]!;
}

function narrow(source: Float64Array, from: number, to: number, target: Float32Array, at: number): void {
  for (let n = from; n < to; n++) target[at + n - from] = source[n]!;
}

/** Kaiser-windowed sinc of 2 · reach + 1 taps with its -6 dB point at `band` / 2, as bins 0 to `kept` / 2. */
function response(fft: Fft, kept: number, reach: number, band: number, beta: number): Float64Array {
  const real = new Float64Array(fft.size);
  const imaginary = new Float64Array(fft.size);
  let sum = 0;
  for (let k = -reach; k <= reach; k++) {
    const tap = band * sinc(band * k) * kaiser(k / reach, beta);
    real[k < 0 ? fft.size + k : k] = tap;
    sum += tap;
  }
  fft.transform(real, imaginary);
  return real.slice(0, kept / 2 + 1).map((bin) => bin / (sum * fft.size));
}
