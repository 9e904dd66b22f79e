import { arena } from "./arena.ts";
import { Fft } from "./fft.ts";

/** Below it the kernel does not take a size. */
const SIZE_MIN = 64;

/**
 * Power spectra of windowed frames, two at a time: both ride on one complex transform as its real and its imaginary
 * part. The kernel works in float32, so a bin is right to some -120 dB of the largest; the plain form in float64.
 * Outside a signal there is silence.
 */
export class PowerPairs {
  readonly #size: number;
  readonly #window: Float32Array;
  #plain: { readonly fft: Fft; readonly real: Float64Array; readonly imaginary: Float64Array } | undefined;

  /** @param window its length is the size of the frames, a power of two; the same array for all frames of a kind, for it is kept */
  constructor(window: Float32Array) {
    this.#size = window.length;
    this.#window = window;
  }

  /**
   * Powers of the frame of `one` around sample `one_centre` and of that of `other` around `other_centre`: as many as `first` and `second` take,
   * size / 2 + 1 at most.
   */
  of(
    one: Float32Array,
    one_centre: number,
    other: Float32Array,
    other_centre: number,
    first: Float64Array,
    second: Float64Array,
  ): void {
    const size = this.#size;
    const half = size >> 1;
    const bytes = 4 * size;
    const window = size >= SIZE_MIN ? placeOf(this.#window) : undefined;
    const room = window === undefined ? undefined : arena(4 * bytes + 16 * (half + 2));
    if (window === undefined || room === undefined) {
      this.#plainly(one, one_centre, other, other_centre, first, second);
      return;
    }
    // After the frames and the room behind them.
    const powers = 4 * bytes;
    copyAround(one, one_centre - half, room.floats(0, size));
    copyAround(other, other_centre - half, room.floats(2 * bytes, size));
    const at = room.address;
    const behind = powers + 8 * (half + 2);
    const count = Math.max(first.length, second.length);
    room.kernels.powerPair(at, at + 2 * bytes, window, window + bytes, size, count, at + powers, at + behind);
    first.set(room.doubles(powers, first.length));
    second.set(room.doubles(behind, second.length));
  }

  #plainly(
    one: Float32Array,
    one_centre: number,
    other: Float32Array,
    other_centre: number,
    first: Float64Array,
    second: Float64Array,
  ): void {
    const size = this.#size;
    const half = size >> 1;
    this.#plain ??= { fft: new Fft(size), real: new Float64Array(size), imaginary: new Float64Array(size) };
    const { fft, real, imaginary } = this.#plain;
    this.#weigh(one, one_centre - half, real);
    this.#weigh(other, other_centre - half, imaginary);
    fft.transform(real, imaginary);
    first[0] = real[0]! * real[0]!;
    second[0] = imaginary[0]! * imaginary[0]!;
    for (let k = 1; k < first.length; k++) {
      const a = real[k]!;
      const b = imaginary[k]!;
      const c = real[size - k]!;
      const d = imaginary[size - k]!;
      first[k] = 0.25 * ((a + c) * (a + c) + (b - d) * (b - d));
      second[k] = 0.25 * ((b + d) * (b + d) + (a - c) * (a - c));
    }
  }

  #weigh(samples: Float32Array, start: number, into: Float64Array): void {
    copyAround(samples, start, into);
    const window = this.#window;
    for (let n = 0; n < window.length; n++) into[n] = window[n]! * into[n]!;
  }
}

/** `into.length` samples from `start` on, which may lie before the first; outside of `samples` there is silence. */
export function copyAround(samples: Float32Array, start: number, into: Float32Array | Float64Array): void {
  const size = into.length;
  const from = Math.min(size, Math.max(0, -start));
  const to = Math.max(from, Math.min(size, samples.length - start));
  if (from > 0) into.fill(0, 0, from);
  if (to > from) into.set(samples.subarray(start + from, start + to), from);
  if (to < size) into.fill(0, to);
}

/** Where windows lie in the kernels' memory, each with the turns of its size behind it: set aside once, for there is no giving back. */
const PLACES = new WeakMap<Float32Array, number>();

/** Undefined where kernels do not run. */
function placeOf(window: Float32Array): number | undefined {
  const known = PLACES.get(window);
  if (known !== undefined) return known;
  const kernels = arena(0)?.kernels;
  if (kernels === undefined) return undefined;
  const turns = turnsOf(window.length);
  const at = kernels.reserve(window.byteLength + turns.byteLength);
  new Float32Array(kernels.memory.buffer, at, window.length).set(window);
  new Float32Array(kernels.memory.buffer, at + window.byteLength, turns.length).set(turns);
  PLACES.set(window, at);
  return at;
}

/** For k below size / 4: cos of one, two and three times 2πk/size, then the negative sines. */
function turnsOf(size: number): Float32Array {
  const quarter = size >> 2;
  const turns = new Float32Array(6 * quarter);
  for (let times = 1; times <= 3; times++) {
    for (let k = 0; k < quarter; k++) {
      const angle = (2 * Math.PI * times * k) / size;
      turns[(times - 1) * quarter + k] = Math.cos(angle);
      turns[(times + 2) * quarter + k] = -Math.sin(angle);
    }
  }
  return turns;
}
