/** How a source's energy is spread over frequency, over the stereo field and over time: what form and timbre are told from. */
import type { Audio, Streamed } from "../../../../contract/mod.ts";
import { breathe } from "../../../breathe.ts";
import { stretchOf, viewsOf } from "../../../samples.ts";
import { LoudnessMeter } from "../../dsp/loudness.ts";
import { PowerPairs } from "../../dsp/power_pair.ts";

/** Bands from 40 Hz to 16 kHz, 0.36 octaves each. */
export const BANDS = 24;
const [LOWEST_HZ, HIGHEST_HZ] = [40, 16_000];
/** Samples of a frame: 46 ms at 44.1 kHz. */
const SIZE = 2048;
/** Frames a second: apart enough to be cheap, near enough that every attack falls into one. */
const FRAMES_PER_SECOND = 30;
/** Frames between two looks at the signal. */
const BLOCK = 512;
/** Octave bands around 31.5 Hz to 16 kHz (IEC 61260-1 nominal centres). */
const OCTAVES = 10;

export interface Colour {
  readonly hop_seconds: number;
  readonly frames: number;
  /** Power in `BANDS` bands, mean of the channels, one row a frame. A full-scale sine has 0.5. */
  readonly bands: Float32Array;
  /** Energy of middle and side signal. */
  readonly middle: number;
  readonly side: number;
  /** Share of side in the energy of each frame, 0 to 1; 0 where it is silent. */
  readonly width: Float32Array;
  /** Sum over the frames of the power in octave bands. */
  readonly octaves: Float64Array;
  /** Sum of power, and of power times frequency in Hz, over the frames. */
  readonly power: number;
  readonly moment: number;
  /** K-weighted mean square of every 100 ms. */
  readonly loudness: Float64Array;
}

/** @throws the signal's reason on abort */
export async function hearColour(audio: Audio | Streamed, signal: AbortSignal): Promise<Colour> {
  const sound = viewsOf(audio);
  const { sample_rate } = sound;
  const hop = Math.round(sample_rate / FRAMES_PER_SECOND);
  const frames = Math.ceil(sound.frames / hop);
  const spectra = new Spectra(sample_rate, frames);
  const meter = new LoudnessMeter(sample_rate, sound.channels);
  const sums = new Float64Array(2);
  const total = new Float64Array(2);
  for (let from = 0; from < frames; from += BLOCK) {
    await breathe(signal);
    const to = Math.min(frames, from + BLOCK);
    // The last of these frames reaches so far beyond its own samples.
    const heard = stretchOf(sound, from * hop, to * hop + SIZE);
    const left = heard[0]!;
    const right = heard[1] ?? left;
    meter.push(heard, 0, Math.min(left.length, (to - from) * hop));
    for (let frame = from; frame < to; frame++) {
      const start = (frame - from) * hop;
      energies(left, right, start, Math.min(left.length, start + hop), sums);
      total[0]! += sums[0]!;
      total[1]! += sums[1]!;
      const both = sums[0]! + sums[1]!;
      spectra.width[frame] = both > 0 ? sums[1]! / both : 0;
      spectra.take(left, right, start, frame);
    }
  }
  const { bands, width, octaves, power, moment } = spectra;
  const [middle, side] = total as unknown as [number, number];
  return {
    hop_seconds: hop / sample_rate,
    frames,
    bands,
    middle,
    side,
    width,
    octaves,
    power,
    moment,
    loudness: meter.hops(),
  };
}

/** Energy of (L + R) / 2 and of (L - R) / 2. */
function energies(left: Float32Array, right: Float32Array, from: number, to: number, sums: Float64Array): void {
  let middle = 0;
  let side = 0;
  for (let n = from; n < to; n++) {
    const m = left[n]! + right[n]!;
    const s = left[n]! - right[n]!;
    middle += m * m;
    side += s * s;
  }
  sums[0] = middle / 4;
  sums[1] = side / 4;
}

/** Hann's, scaled so that the powers of all bins sum to the mean square. */
const WINDOW = Float32Array.from(
  { length: SIZE },
  (_, n) => Math.sqrt(2 / (0.375 * SIZE * SIZE)) * (0.5 - 0.5 * Math.cos((2 * Math.PI * n) / SIZE)),
);

class Spectra {
  readonly bands: Float32Array;
  readonly width: Float32Array;
  readonly octaves = new Float64Array(OCTAVES);
  power = 0;
  moment = 0;
  readonly #spectra = new PowerPairs(WINDOW);
  readonly #left = new Float64Array(SIZE / 2 + 1);
  readonly #right = new Float64Array(SIZE / 2 + 1);
  readonly #powers = new Float64Array(SIZE / 2 + 1);
  /** First bin of each band, and the end of the last. */
  readonly #edges: Uint16Array;
  readonly #octave_edges: Uint16Array;
  readonly #bin_hz: number;

  constructor(sample_rate: number, frames: number) {
    this.bands = new Float32Array(frames * BANDS);
    this.width = new Float32Array(frames);
    this.#bin_hz = sample_rate / SIZE;
    const bin = (hz: number): number => Math.min(SIZE / 2 + 1, Math.max(1, Math.round(hz / this.#bin_hz)));
    this.#edges = Uint16Array.from({ length: BANDS + 1 }, (_, k) =>
      bin(LOWEST_HZ * (HIGHEST_HZ / LOWEST_HZ) ** (k / BANDS)),
    );
    // The lowest bands are narrower than a bin: each gets one of its own.
    for (let k = 1; k <= BANDS; k++) this.#edges[k] = Math.max(this.#edges[k]!, this.#edges[k - 1]! + 1);
    this.#octave_edges = Uint16Array.from({ length: OCTAVES + 1 }, (_, k) => bin(1000 * 2 ** (k - 5.5)));
  }

  /** Frame number `frame`, from sample `start` on; silence beyond the end. */
  take(left: Float32Array, right: Float32Array, start: number, frame: number): void {
    const centre = start + SIZE / 2;
    const inLeft = this.#left;
    const inRight = this.#right;
    this.#spectra.of(left, centre, right, centre, inLeft, inRight);
    const powers = this.#powers;
    let power = 0;
    let moment = 0;
    for (let k = 1; k < SIZE / 2; k++) {
      const value = 0.5 * (inLeft[k]! + inRight[k]!);
      powers[k] = value;
      power += value;
      moment += k * value;
    }
    this.power += power;
    this.moment += moment * this.#bin_hz;
    for (let band = 0; band < BANDS; band++)
      this.bands[frame * BANDS + band] = sum(powers, this.#edges[band]!, this.#edges[band + 1]!);
    for (let octave = 0; octave < OCTAVES; octave++) {
      this.octaves[octave]! += sum(powers, this.#octave_edges[octave]!, this.#octave_edges[octave + 1]!);
    }
  }
}

function sum(values: Float64Array, from: number, to: number): number {
  let total = 0;
  for (let k = from; k < to; k++) total += values[k]!;
  return total;
}
