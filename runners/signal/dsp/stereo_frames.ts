import { type Arena, arena } from "./arena.ts";
import { Fft, sineOf } from "./fft.ts";

/** Frames that go through the kernel at once: what it works on stays near the processor. */
const AT_ONCE = 16;
/** Below it the kernel does not take a size. */
const SIZE_MIN = 64;

/**
 * Short-time spectra of two channels and the way back through masks, frame by frame: four rows of `bins` values each, left real, left
 * imaginary, right real, right imaginary. Two real channels ride on one complex transform as its real and its imaginary part.
 *
 * The kernel works in float32, so that a value is right to some -130 dB of the largest; the plain form in float64. The
 * same bits on every engine.
 */
export class StereoFrames {
  readonly size: number;
  readonly hop: number;
  readonly bins: number;
  readonly #packed: boolean;
  /** Half of each weight before the transform; each weight over the size after it. */
  readonly #before: Float32Array;
  readonly #after: Float32Array;
  #plain: { readonly fft: Fft; readonly real: Float64Array; readonly imaginary: Float64Array } | undefined;

  /**
   * @param before weights of the samples of a frame before they are transformed; its length is the size, a power of two
   * @param after weights of what is transformed back
   * @param bins a multiple of 4, at most size / 2
   * @param packed the imaginary part of bin 0, which is 0, holds the real part of bin size / 2; of the masks it takes that of the last bin
   */
  constructor(before: Float64Array, after: Float64Array, hop: number, bins: number, packed: boolean) {
    this.size = before.length;
    this.hop = hop;
    this.bins = bins;
    this.#packed = packed;
    this.#before = Float32Array.from(before, (weight) => weight / 2);
    this.#after = Float32Array.from(after, (weight) => weight / before.length);
  }

  /**
   * Spectra of `frames` frames, the first of which begins at sample `from` and the last of which ends within both
   * channels, into `spectra`.
   *
   * @returns the sum of all its squares
   */
  forward(left: Float32Array, right: Float32Array, from: number, frames: number, spectra: Float32Array): number {
    const { size, hop, bins } = this;
    const row = 4 * bins;
    let energy = 0;
    for (let t = 0; t < frames; t += AT_ONCE) {
      const now = Math.min(AT_ONCE, frames - t);
      const begin = from + t * hop;
      const span = (now - 1) * hop + size;
      const place = this.#place(span, 0, 2);
      if (place === undefined) {
        for (let j = 0; j < now; j++) this.#analyse(left, right, begin + j * hop, spectra, (t + j) * row);
        for (let k = t * row; k < (t + now) * row; k++) energy += spectra[k]! * spectra[k]!;
        continue;
      }
      const { memory, at } = place;
      memory.floats(at.window, size).set(this.#before);
      memory.floats(at.sums, span).set(left.subarray(begin, begin + span));
      memory.floats(at.sums + 4 * span, span).set(right.subarray(begin, begin + span));
      const { kernels, address } = memory;
      const [l, window] = [address + at.sums, address + at.window];
      const r = l + 4 * span;
      const [room, out] = [address + at.room, address + at.spectra];
      kernels.stereoForward(l, r, hop, now, window, address + at.turns, size, bins, this.#packed ? 1 : 0, room, out);
      for (let j = 0; j < now; j++) energy += kernels.energyOf(out + 4 * j * row, row);
      spectra.set(memory.floats(at.spectra, now * row), t * row);
    }
    return energy;
  }

  /**
   * Transforms `frames` frames back through several pairs of masks, and writes what comes out to `outs`, where the
   * first frame begins at `to` and into which the last one fits.
   *
   * @param spectra of `frames` frames
   * @param fill writes masks of `count` frames from `first` on, without a kernel of its own: for each frame, for each
   *   of `outs` in turn (left, right, left, …) `bins`
   * factors; half as many where `shared`: each pair's
   * @param outs pairs of channels
   */
  inverse(
    spectra: Float32Array,
    fill: (first: number, count: number, masks: Float32Array) => void,
    frames: number,
    outs: readonly Float32Array[],
    to: number,
    shared = false,
  ): void {
    const { size, hop, bins } = this;
    const row = 4 * bins;
    const rows = shared ? 0.5 : 1;
    const mask_row = outs.length * rows * bins;
    const packed = this.#packed ? 1 : 0;
    const span = (Math.min(AT_ONCE, frames) - 1) * hop + size;
    const place = this.#place(span, mask_row, outs.length);
    if (place === undefined) {
      for (const out of outs) out.fill(0, to, to + (frames - 1) * hop + size);
      const masks = new Float32Array(mask_row);
      for (let t = 0; t < frames; t++) {
        fill(t, 1, masks);
        this.#synthesise(spectra, t * row, masks, outs, to + t * hop, rows);
      }
      return;
    }
    const { memory, at } = place;
    const { kernels, address } = memory;
    memory.floats(at.window, size).set(this.#after);
    const sums = outs.map((_, n) => memory.floats(at.sums + 4 * n * span, span).fill(0));
    for (let t = 0; t < frames; t += AT_ONCE) {
      const now = Math.min(AT_ONCE, frames - t);
      memory.floats(at.spectra, now * row).set(spectra.subarray(t * row, (t + now) * row));
      fill(t, now, memory.floats(at.masks, now * mask_row));
      const window = address + at.window;
      const [room, from] = [address + at.room, address + at.spectra];
      for (let pair = 0; pair < outs.length; pair += 2) {
        const l = address + at.sums + 4 * pair * span;
        const mask = address + at.masks + 4 * pair * rows * bins;
        const [turns, other] = [address + at.turns, shared ? mask : mask + 4 * bins];
        const r = l + 4 * span;
        kernels.stereoInverse(from, mask, other, mask_row, hop, now, window, turns, size, bins, packed, room, l, r);
      }
      // What the next frames reach into is not ready.
      const ready = t + now < frames ? now * hop : (now - 1) * hop + size;
      for (const [n, sum] of sums.entries()) {
        outs[n]!.set(sum.subarray(0, ready), to + t * hop);
        sum.copyWithin(0, ready).fill(0, span - ready);
      }
    }
  }

  /** Where what lies in the kernel's memory, in bytes, with the turns in place. */
  #place(span: number, mask_row: number, sums: number): { readonly memory: Arena; readonly at: Offsets } | undefined {
    const { size, bins } = this;
    if (size < SIZE_MIN) return undefined;
    const turns = 0;
    const window = turns + 6 * size;
    const room = window + 4 * size;
    const spectra = room + 16 * size + 16;
    const masks = spectra + 4 * AT_ONCE * 4 * bins;
    const first = masks + 4 * AT_ONCE * mask_row;
    const memory = arena(first + 4 * sums * span);
    if (memory === undefined) return undefined;
    const table = turnsOf(size);
    memory.floats(turns, table.length).set(table);
    return { memory, at: { turns, window, room, spectra, masks, sums: first } };
  }

  #analyse(left: Float32Array, right: Float32Array, from: number, out: Float32Array, to: number): void {
    const { size, bins } = this;
    const { fft, real, imaginary } = this.#plainly();
    const before = this.#before;
    for (let n = 0; n < size; n++) {
      real[n] = left[from + n]! * before[n]!;
      imaginary[n] = right[from + n]! * before[n]!;
    }
    fft.transform(real, imaginary);
    for (let k = 0; k < bins; k++) {
      const mirror = k === 0 ? 0 : size - k;
      out[to + k] = real[k]! + real[mirror]!;
      out[to + bins + k] = imaginary[k]! - imaginary[mirror]!;
      out[to + 2 * bins + k] = imaginary[k]! + imaginary[mirror]!;
      out[to + 3 * bins + k] = real[mirror]! - real[k]!;
    }
    if (!this.#packed) return;
    out[to + bins] = 2 * real[size / 2]!;
    out[to + 3 * bins] = 2 * imaginary[size / 2]!;
  }

  #synthesise(
    spectra: Float32Array,
    from: number,
    masks: Float32Array,
    outs: readonly Float32Array[],
    to: number,
    rows: number,
  ): void {
    const { size, bins } = this;
    const { fft, real, imaginary } = this.#plainly();
    const after = this.#after;
    for (let pair = 0; pair < outs.length; pair += 2) {
      const l = pair * rows * bins;
      const r = rows === 1 ? l + bins : l;
      real.fill(0);
      imaginary.fill(0);
      real[0] = spectra[from]! * masks[l]!;
      imaginary[0] = spectra[from + 2 * bins]! * masks[r]!;
      if (this.#packed) {
        real[size / 2] = spectra[from + bins]! * masks[l + bins - 1]!;
        imaginary[size / 2] = spectra[from + 3 * bins]! * masks[r + bins - 1]!;
      }
      for (let k = 1; k < bins; k++) {
        const a = spectra[from + k]! * masks[l + k]!;
        const b = spectra[from + bins + k]! * masks[l + k]!;
        const c = spectra[from + 2 * bins + k]! * masks[r + k]!;
        const d = spectra[from + 3 * bins + k]! * masks[r + k]!;
        real[k] = a - d;
        imaginary[k] = b + c;
        real[size - k] = a + d;
        imaginary[size - k] = c - b;
      }
      fft.transform(imaginary, real);
      const left = outs[pair]!;
      const right = outs[pair + 1]!;
      for (let n = 0; n < size; n++) {
        left[to + n]! += real[n]! * after[n]!;
        right[to + n]! += imaginary[n]! * after[n]!;
      }
    }
  }

  #plainly(): { readonly fft: Fft; readonly real: Float64Array; readonly imaginary: Float64Array } {
    const { size } = this;
    this.#plain ??= { fft: new Fft(size), real: new Float64Array(size), imaginary: new Float64Array(size) };
    return this.#plain;
  }
}

interface Offsets {
  readonly turns: number;
  readonly window: number;
  readonly room: number;
  readonly spectra: number;
  readonly masks: number;
  /** Channel after channel. */
  readonly sums: number;
}

const TURNS = new Map<number, Float32Array>();

/** For k below size / 4: cos of one, two and three times 2πk/size, then the negative sines. */
function turnsOf(size: number): Float32Array {
  let turns = TURNS.get(size);
  if (turns === undefined) {
    const quarter = size >> 2;
    turns = new Float32Array(6 * quarter);
    for (let times = 1; times <= 3; times++) {
      for (let k = 0; k < quarter; k++) {
        turns[(times - 1) * quarter + k] = sineOf((times * k + size / 4) / size);
        turns[(times + 2) * quarter + k] = -sineOf((times * k) / size);
      }
    }
    TURNS.set(size, turns);
  }
  return turns;
}
