import { Fft } from "../dsp/fft.ts";
import type { Colour, Drawing, Palette } from "./drawing.ts";

/** Rows lie logarithmically between these, Hz: what most loudspeakers play. */
const HERTZ_MIN = 40;
const HERTZ_MAX = 18_000;
/** dB below a sine at full scale that are shown as dark. */
const FLOOR_DB = -96;
/** Samples: 93 ms at 44.1 kHz, which parts neighbouring notes from the middle of a piano upwards. */
const SIZE = 4096;
/** A column that stands for longer than this is the mean of several looks, so that nothing slips through between two. */
const LOOKS_MAX = 4;

/** Frames that are taken at once, so that what is kept of the past stays small. */
const CHUNK = 16_384;

/** Draws levels block by block; each look at the spectrum needs the samples around it and no others. */
export class SpectrumMeter {
  readonly #width: number;
  readonly #height: number;
  readonly #rows: readonly Row[];
  readonly #levels: Float32Array;
  readonly #hop: number;
  /** Looks at each column's stretch of time, and those that were taken of all. */
  readonly #looks: number;
  #looked = 0;
  readonly #spectra: Spectra;
  readonly #power = new Float64Array(SIZE / 2 + 1);
  /** What later looks need, from the frame `#base` on. */
  readonly #past: readonly Float32Array[];
  #base = 0;
  #held = 0;

  /**
   * @param form frames that will come, how many a second, in one channel or two
   * @param width columns; with `height` rows, from the highest frequency
   */
  constructor(
    { frames, sample_rate, channels }: { frames: number; sample_rate: number; channels: number },
    width: number,
    height: number,
  ) {
    this.#width = width;
    this.#height = height;
    this.#rows = rowsOf(height, sample_rate);
    this.#levels = new Float32Array(width * height);
    this.#hop = frames / width;
    this.#looks = Math.max(1, Math.min(LOOKS_MAX, Math.round(this.#hop / (SIZE / 2))));
    this.#spectra = new Spectra();
    this.#past = Array.from({ length: Math.min(2, channels) }, () => new Float32Array(SIZE + CHUNK));
  }

  /** Takes the first `frames` of each channel. */
  push(channels: readonly Float32Array[], frames: number): void {
    for (let at = 0; at < frames; at += CHUNK) {
      const count = Math.min(CHUNK, frames - at);
      this.#forget();
      for (const [index, past] of this.#past.entries()) past.set(channels[index]!.subarray(at, at + count), this.#held);
      this.#held += count;
      this.#lookUntil(this.#base + this.#held);
    }
  }

  /** Levels from 0 (dark) to 1 (a sine at full scale), row by row from the highest frequency. */
  finish(): Float32Array {
    // Behind the end there is silence.
    this.#lookUntil(Number.POSITIVE_INFINITY);
    return this.#levels;
  }

  /** Drops what no look will need: at least all but `SIZE` frames. */
  #forget(): void {
    // More may come than was said.
    const needed = this.#looked < this.#width * this.#looks ? this.#middle() - SIZE / 2 : Number.POSITIVE_INFINITY;
    const gone = Math.min(this.#held, Math.max(0, needed - this.#base));
    for (const past of this.#past) past.copyWithin(0, gone, this.#held);
    this.#base += gone;
    this.#held -= gone;
  }

  /** The frame in the middle of the next look. */
  #middle(): number {
    const x = Math.floor(this.#looked / this.#looks);
    return Math.round((x + ((this.#looked % this.#looks) + 0.5) / this.#looks) * this.#hop);
  }

  /** Takes the looks that need nothing from the frame `end` on. */
  #lookUntil(end: number): void {
    const most = this.#width * this.#looks;
    for (; this.#looked < most; this.#looked++) {
      const middle = this.#middle();
      if (middle + SIZE / 2 > end) return;
      if (this.#looked % this.#looks === 0) this.#power.fill(0);
      this.#spectra.add(this.#past, this.#held, middle - SIZE / 2 - this.#base, this.#power);
      if ((this.#looked + 1) % this.#looks === 0) this.#draw(Math.floor(this.#looked / this.#looks));
    }
  }

  #draw(x: number): void {
    const power = this.#power;
    for (let y = 0; y < this.#height; y++) {
      const { from, to, share } = this.#rows[y]!;
      let most = 0;
      // Between two bins low down; the loudest of many high up.
      if (to <= from) most = power[from]! * (1 - share) + power[from + 1]! * share;
      else for (let k = from; k <= to; k++) most = Math.max(most, power[k]!);
      const db = 10 * Math.log10(most / this.#looks + 1e-30);
      this.#levels[y * this.#width + x] = Math.max(0, Math.min(1, 1 - db / FLOOR_DB));
    }
  }
}

/** Row in which a frequency is shown, from 0 (top) to `height`. */
export function rowOf(hertz: number, height: number): number {
  return height * (1 - Math.log(hertz / HERTZ_MIN) / Math.log(HERTZ_MAX / HERTZ_MIN));
}

interface Row {
  readonly from: number;
  readonly to: number;
  /** How far between `from` and the bin above. */
  readonly share: number;
}

function rowsOf(height: number, rate: number): readonly Row[] {
  const hertzAt = (y: number): number => HERTZ_MIN * (HERTZ_MAX / HERTZ_MIN) ** (1 - y / height);
  return Array.from({ length: height }, (_, y) => {
    const [low, high] = [(hertzAt(y + 1) * SIZE) / rate, (hertzAt(y) * SIZE) / rate];
    const [from, to] = [Math.ceil(low), Math.min(SIZE / 2, Math.floor(high))];
    if (to > from) return { from, to, share: 0 };
    const middle = Math.min(SIZE / 2 - 1, (low + high) / 2);
    return { from: Math.floor(middle), to: 0, share: middle - Math.floor(middle) };
  });
}

/** Power spectra of both channels at once: one as the real, the other as the imaginary part. */
class Spectra {
  readonly #fft = new Fft(SIZE);
  readonly #window: Float64Array;
  readonly #real = new Float64Array(SIZE);
  readonly #imaginary = new Float64Array(SIZE);

  constructor() {
    // Hann; its sum of size / 2 makes a sine at full scale 1.
    this.#window = Float64Array.from({ length: SIZE }, (_, n) => (1 - Math.cos((2 * Math.PI * (n + 0.5)) / SIZE)) / 2);
  }

  /**
   * Adds the mean of both channels' power over the `SIZE` frames from `from` on, silence where there are none of the first `frames`; a sine
   * at full scale adds 1 in its bin.
   */
  add(channels: readonly Float32Array[], frames: number, from: number, power: Float64Array): void {
    const left = channels[0]!;
    const right = channels[1] ?? left;
    const first = Math.min(SIZE, Math.max(0, -from));
    const last = Math.max(first, Math.min(SIZE, frames - from));
    this.#real.fill(0, 0, first).fill(0, last);
    this.#imaginary.fill(0, 0, first).fill(0, last);
    for (let n = first; n < last; n++) {
      this.#real[n] = left[from + n]! * this.#window[n]!;
      this.#imaginary[n] = right[from + n]! * this.#window[n]!;
    }
    this.#fft.transform(this.#real, this.#imaginary);
    const real = this.#real;
    const imaginary = this.#imaginary;
    // No pairs: until such a loop is compiled, each is an array, and 100 MB of them wait for the collector.
    for (let k = 1; k < SIZE / 2; k++) {
      const a = real[k]!;
      const b = imaginary[k]!;
      const c = real[SIZE - k]!;
      const d = imaginary[SIZE - k]!;
      // |L|² + |R|² = (|Z[k]|² + |Z[N-k]|²) / 2, whatever the phases.
      power[k]! += (4 * (a * a + b * b + c * c + d * d)) / (SIZE * SIZE);
    }
  }
}

/** From silence to full scale: night, petrol, green, straw. */
const COLOURS: readonly Colour[] = [
  [13, 17, 23],
  [15, 52, 70],
  [16, 116, 112],
  [112, 186, 128],
  [250, 240, 178],
];

/** Shades: steps of a decibel and a half, which nobody sees, and less than half the bytes of 256. */
const SHADES = 64;

export const SPECTROGRAM_PALETTE: Palette = Array.from({ length: SHADES }, (_, shade) => {
  const place = (shade / (SHADES - 1)) * (COLOURS.length - 1);
  const index = Math.min(COLOURS.length - 2, Math.floor(place));
  const [one, other] = [COLOURS[index]!, COLOURS[index + 1]!];
  const [red, green, blue] = one.map((from, c) => Math.round(from + (other[c]! - from) * (place - index)));
  return [red!, green!, blue!, 255];
});

/** @param levels row by row, `width` in each; a pixel is the mean of `side` by `side` of them */
export function drawSpectrogram(levels: Float32Array, width: number, side: number): Drawing {
  const height = levels.length / width;
  const drawn = { width: width / side, height: height / side };
  const sums = new Float32Array(drawn.width * drawn.height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      sums[Math.floor(y / side) * drawn.width + Math.floor(x / side)]! += levels[y * width + x]!;
  const pixels = new Uint8Array(sums.length);
  for (let at = 0; at < sums.length; at++) pixels[at] = Math.round((sums[at]! / side ** 2) * (SHADES - 1));
  return { ...drawn, pixels };
}
