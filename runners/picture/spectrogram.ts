import type { Audio } from "../../core/plugin.ts";
import { Fft } from "../dsp/fft.ts";
import type { Colour } from "./drawing.ts";

/** Rows lie logarithmically between these, Hz: what most loudspeakers play. */
export const HERTZ_MIN = 40;
export const HERTZ_MAX = 18_000;
/** dB below a sine at full scale that are shown as dark. */
const FLOOR_DB = -96;
/** Samples: 93 ms at 44.1 kHz, which parts neighbouring notes from the middle of a piano upwards. */
const SIZE = 4096;
/** A column that stands for longer than this is the mean of several looks, so that nothing slips through between two. */
const LOOKS_MAX = 4;

/** Levels from 0 (dark) to 1 (a sine at full scale), row by row from the highest frequency. */
export function spectrogramOf(audio: Audio, width: number, height: number): Float32Array {
  const frames = audio.channels[0]?.length ?? 0;
  const rows = rowsOf(height, audio.sample_rate);
  const levels = new Float32Array(width * height);
  const hop = frames / width;
  const looks = Math.max(1, Math.min(LOOKS_MAX, Math.round(hop / (SIZE / 2))));
  const spectra = new Spectra(audio);
  const power = new Float64Array(SIZE / 2 + 1);
  for (let x = 0; x < width; x++) {
    power.fill(0);
    for (let look = 0; look < looks; look++) spectra.add(Math.round((x + (look + 0.5) / looks) * hop), power);
    for (let y = 0; y < height; y++) {
      const { from, to, share } = rows[y]!;
      let most = 0;
      // Between two bins low down; the loudest of many high up.
      if (to <= from) most = power[from]! * (1 - share) + power[from + 1]! * share;
      else for (let k = from; k <= to; k++) most = Math.max(most, power[k]!);
      const db = 10 * Math.log10(most / looks + 1e-30);
      levels[y * width + x] = Math.max(0, Math.min(1, 1 - db / FLOOR_DB));
    }
  }
  return levels;
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
  readonly #left: Float32Array;
  readonly #right: Float32Array;

  constructor({ channels }: Audio) {
    this.#left = channels[0] ?? new Float32Array(0);
    this.#right = channels[1] ?? this.#left;
    // Hann; its sum of size / 2 makes a sine at full scale 1.
    this.#window = Float64Array.from({ length: SIZE }, (_, n) => (1 - Math.cos((2 * Math.PI * (n + 0.5)) / SIZE)) / 2);
  }

  /** Adds the mean of both channels' power around the sample `middle`; a sine at full scale adds 1 in its bin. */
  add(middle: number, power: Float64Array): void {
    const from = middle - SIZE / 2;
    for (let n = 0; n < SIZE; n++) {
      this.#real[n] = (this.#left[from + n] ?? 0) * this.#window[n]!;
      this.#imaginary[n] = (this.#right[from + n] ?? 0) * this.#window[n]!;
    }
    this.#fft.transform(this.#real, this.#imaginary);
    for (let k = 1; k < SIZE / 2; k++) {
      const [a, b] = [this.#real[k]!, this.#imaginary[k]!];
      const [c, d] = [this.#real[SIZE - k]!, this.#imaginary[SIZE - k]!];
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

export function drawSpectrogram(levels: Float32Array): Uint8Array {
  const rgba = new Uint8Array(levels.length * 4);
  for (let at = 0; at < levels.length; at++) {
    const place = levels[at]! * (COLOURS.length - 1);
    const index = Math.min(COLOURS.length - 2, Math.floor(place));
    const [one, other] = [COLOURS[index]!, COLOURS[index + 1]!];
    for (let c = 0; c < 3; c++) rgba[at * 4 + c] = Math.round(one[c]! + (other[c]! - one[c]!) * (place - index));
    rgba[at * 4 + 3] = 255;
  }
  return rgba;
}
