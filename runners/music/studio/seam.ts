/** Where the file of a loop begins on its ring: a little before the first beat, where nothing else does. */
import { cosine } from "../../signal/dsp/exact.ts";
import { Fft } from "../../signal/dsp/fft.ts";

/**
 * Frames by which a loop's first beat comes after the seam, 14 to 17 ms: the seam lies in the quiet before it, out of
 * reach of what players come early, and not in one frame of a spectrum with the loudest attack of the bar.
 */
const BEFORE_ATTACK = [617, 661, 705, 749] as const;
/**
 * Up to 22 ms where an attack is so broad, as an electric piano's, that the spectrum still rises there more than nearly
 * everywhere else.
 */
const FURTHER = [793, 838, 882, 926, 970] as const;
/** Share of a ring's moments at which the spectrum, or its highs, rise less than at the seam, at most. */
const RISE_MAX = 0.9;
/** Frames either side of the seam in which nothing should begin. */
const QUIET = 64;
/** Frames of a spectrum, 46 ms, and from one to the next. */
const SIZE = 2048;
const HOP = 512;

/** How many frames before the first beat of a ring (its frame 0) its file is to begin. */
export function seamBefore(rings: readonly Float32Array[]): number {
  const spectrum = spectralRanks(rings);
  const highs = highRanks(rings);
  const rank = (before: number): number => Math.max(spectrum(before), highs(before));
  const least = (choices: readonly number[], of: (before: number) => number): number => {
    const values = choices.map(of);
    return choices[values.indexOf(Math.min(...values))]!;
  };
  const quiet = BEFORE_ATTACK.filter((before) => rank(before) < RISE_MAX);
  if (quiet.length > 0) return least(quiet, highs);
  return FURTHER.find((before) => rank(before) < RISE_MAX) ?? least([...BEFORE_ATTACK, ...FURTHER], rank);
}

/**
 * Of a number of frames before the first beat, the share of a ring's moments at which its high frequencies rise less
 * than there; the worst of the rings.
 */
function highRanks(rings: readonly Float32Array[]): (before: number) => number {
  const riseAt = (ring: Float32Array, from: number): number =>
    energy(ring, from - QUIET) / energy(ring, from - 3 * QUIET);
  const usual = rings.map((ring) =>
    Array.from({ length: Math.floor(ring.length / (2 * QUIET)) }, (_, n) => riseAt(ring, n * 2 * QUIET)),
  );
  return (before) => Math.max(...rings.map((ring, side) => shareUnder(usual[side]!, riseAt(ring, -before))));
}

/** Of the second difference of two times `QUIET` frames of a ring from `from` on. */
function energy(ring: Float32Array, from: number): number {
  const { length } = ring;
  const at = (n: number): number => ring[((n % length) + length) % length]!;
  let sum = 1e-12;
  for (let n = from; n < from + 2 * QUIET; n++) sum += (at(n + 1) - 2 * at(n) + at(n - 1)) ** 2;
  return sum;
}

function shareUnder(values: readonly number[], limit: number): number {
  return values.filter((value) => value < limit).length / Math.max(1, values.length);
}

/** The same of the whole spectrum. */
function spectralRanks(rings: readonly Float32Array[]): (before: number) => number {
  const flux = new Flux();
  const usual = rings.map((ring) => {
    const spectra = Array.from({ length: Math.floor(ring.length / HOP) }, (_, n) => flux.magnitudes(ring, n * HOP));
    return spectra.map((after, n) => rise(spectra.at(n - 1)!, after));
  });
  return (before) =>
    Math.max(
      ...rings.map((ring, side) => {
        const here = rise(flux.magnitudes(ring, -before - HOP), flux.magnitudes(ring, -before));
        return shareUnder(usual[side]!, here);
      }),
    );
}

/** Sum of what grows from one spectrum to the next. */
function rise(before: Float64Array, after: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < after.length; k++) sum += Math.max(0, after[k]! - before[k]!);
  return sum;
}

class Flux {
  readonly #fft = new Fft(SIZE);
  readonly #window = Float64Array.from({ length: SIZE }, (_, n) => 0.5 - 0.5 * cosine(n / SIZE));
  readonly #real = new Float64Array(SIZE);
  readonly #imaginary = new Float64Array(SIZE);

  /** Magnitudes of the spectrum around a frame of a ring. */
  magnitudes(ring: Float32Array, middle: number): Float64Array {
    const { length } = ring;
    for (let n = 0; n < SIZE; n++) {
      const at = (((middle - SIZE / 2 + n) % length) + length) % length;
      this.#real[n] = this.#window[n]! * ring[at]!;
    }
    this.#imaginary.fill(0);
    this.#fft.transform(this.#real, this.#imaginary);
    return Float64Array.from({ length: SIZE / 2 }, (_, k) => Math.sqrt(this.#real[k]! ** 2 + this.#imaginary[k]! ** 2));
  }
}
