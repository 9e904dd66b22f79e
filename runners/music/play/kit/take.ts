/**
 * Strokes that were never recorded, out of one that was. No two strokes of a drummer are alike: the stick lands
 * elsewhere, so the drum's modes are struck in other shares, and wires and metal rattle anew. Recorded neighbours of a
 * kit correlate by 0.3 (hats) to 0.9 (kicks) over 150 ms.
 */
import { cosine, exp, log2, sine } from "../../../signal/dsp/exact.ts";
import { Fft } from "../../../signal/dsp/fft.ts";
import { random } from "../../../signal/dsp/random.ts";
import { release } from "../../../signal/dsp/release.ts";
import { type Wave, waveOf } from "../sounds/wave.ts";

export interface Take {
  /** dB by Hz, straight between them over octaves. */
  readonly colour: readonly (readonly [hertz: number, db: number])[];
  /** dB by which shares of modes stray. */
  readonly ripple_db: number;
  /** From here on phases are others: what is noise there is new noise, and tones stay tones. */
  readonly noise_hertz: number;
  readonly seed: number;
}

/** Taps of a filter: 46 ms, 21 Hz. */
const TAPS = 2048;
const HALF = TAPS / 2;
/** Blocks of the convolution, of which each transform does two. */
const SIZE = 8192;
const HOP = SIZE - TAPS;

/** Octaves between frequencies at which the shares of modes stray on their own, from 40 Hz on. */
const KNOT = 0.5;
const LOWEST = 40;
const KNOTS = 19;

/**
 * Phases are drawn every 172 Hz, so that new noise spreads by 3 ms; the stick keeps its edge, and gives way to it
 * within these seconds after its peak.
 */
const PHASE_BINS = 8;
const DELAY = 192;
const EDGE = [0.001, 0.006] as const;
/** The stick's peak comes within these. */
const ATTACK = 0.03;

const LN_DB = 0.11512925464970229;
const design = new Fft(TAPS);
const blocks = new Fft(SIZE);

interface Spectrum {
  readonly real: Float64Array;
  readonly imaginary: Float64Array;
}

const room = (size: number): Spectrum => ({ real: new Float64Array(size), imaginary: new Float64Array(size) });

/** Work on one take: a piece has up to a hundred of them, and collectors wait. */
const [cepstrum, edge, wash, heard] = [room(TAPS), room(TAPS), room(TAPS), room(SIZE)];

/** What rings longer than this, in seconds, rings alike; it is passed over to within the last third. */
const LONG = 0.9;

/** Whether takes of a recording share a tail: `takeOf` that take without a ripple and without noise. */
export const isLong = ({ start, end, rate }: Wave): boolean => end - start > 1.5 * LONG * rate;

/**
 * The recording as it might have been struck another time. What has a loop stays as it is.
 *
 * @param tail of what is long, as it rings in all takes: they need a fifth of the time then
 */
export function takeOf(wave: Wave, take: Take, tail?: Wave): Wave {
  if (wave.loop > 0) return wave;
  const { rate, start, end } = wave;
  const recorded = wave.data.subarray(start, tail === undefined ? end : start + Math.round(LONG * rate));
  const [early, late] = filtersOf(take, rate);
  const out = convolve(recorded, late, DELAY, recorded.length);
  const peak = peakOf(recorded, Math.round(ATTACK * rate));
  const from = peak + Math.round(EDGE[0] * rate);
  const to = Math.min(out.length, peak + Math.round(EDGE[1] * rate));
  const sharp = convolve(recorded.subarray(0, to), early, 0, to);
  for (let n = 0; n < to; n++) {
    const share = Math.min(1, Math.max(0, (n - from) / (to - from)));
    out[n] = sharp[n]! + share * (out[n]! - sharp[n]!);
  }
  const rung = tail === undefined ? out : passed(out, tail.data.subarray(tail.start, tail.end));
  const taken = waveOf(rung, rate);
  release(sharp, out, rung, early.real, early.imaginary, late.real, late.imaginary);
  return taken;
}

function passed(head: Float32Array, tail: Float32Array): Float32Array {
  const out = tail.slice();
  const from = Math.round((2 / 3) * head.length);
  for (let n = 0; n < head.length; n++) {
    const share = Math.max(0, (n - from) / (head.length - from));
    out[n] = head[n]! + share * (out[n]! - head[n]!);
  }
  return out;
}

function peakOf(samples: Float32Array, within: number): number {
  let at = 0;
  for (let n = 1; n < Math.min(within, samples.length); n++) if (Math.abs(samples[n]!) > Math.abs(samples[at]!)) at = n;
  return at;
}

/**
 * Both have the same magnitudes: the first as soon as can be (minimum phase, from the real cepstrum), the second with
 * phases of its own.
 */
function filtersOf({ colour, ripple_db, noise_hertz, seed }: Take, rate: number): [early: Spectrum, late: Spectrum] {
  const next = random(seed);
  const shares = Array.from({ length: KNOTS }, () => ripple_db * (2 * next() - 1));
  const { real, imaginary } = cepstrum;
  imaginary.fill(0);
  for (let k = 0; k <= HALF; k++) {
    const octave = log2(Math.max(LOWEST, (k * rate) / TAPS) / LOWEST) / KNOT;
    const knot = Math.min(KNOTS - 2, Math.floor(octave));
    const share = shares[knot]! + (octave - knot) * (shares[knot + 1]! - shares[knot]!);
    real[k] = LN_DB * (share + colourAt(colour, Math.max(1, (k * rate) / TAPS)));
    if (k > 0 && k < HALF) real[TAPS - k] = real[k]!;
  }
  design.transform(real, imaginary);
  for (let n = 0; n < TAPS; n++) {
    real[n] = n === 0 || n === HALF ? real[n]! / TAPS : n < HALF ? (2 * real[n]!) / TAPS : 0;
    imaginary[n] = 0;
  }
  design.transform(real, imaginary);
  const turned = phases(next, (noise_hertz * TAPS) / rate);
  for (let k = 0; k <= HALF; k++) {
    const gain = exp(real[k]!);
    const turns = imaginary[k]! / (2 * Math.PI);
    put(edge, k, gain, turns);
    put(wash, k, gain, turns + turned[k]! - (k * DELAY) / TAPS);
  }
  return [spread(edge), spread(wash)];
}

/** Sets a bin and its mirror image. */
function put({ real, imaginary }: Spectrum, k: number, gain: number, turns: number): void {
  const whole = k === 0 || k === HALF;
  real[k] = gain * cosine(turns);
  imaginary[k] = whole ? 0 : gain * sine(turns);
  if (whole) return;
  real[TAPS - k] = real[k]!;
  imaginary[TAPS - k] = -imaginary[k]!;
}

/** Turns by bin: none up to `from`, then straight between values by chance. */
function phases(next: () => number, from: number): Float64Array {
  const out = new Float64Array(HALF + 1);
  const first = Math.ceil(from / PHASE_BINS);
  let [before, after] = [0, 0];
  for (let knot = first; knot * PHASE_BINS <= HALF; knot++) {
    [before, after] = [after, next() - 0.5];
    for (let n = 0; n < PHASE_BINS && knot * PHASE_BINS + n <= HALF; n++)
      out[knot * PHASE_BINS + n] = before + (n / PHASE_BINS) * (after - before);
  }
  return out;
}

function colourAt(colour: Take["colour"], hertz: number): number {
  const above = colour.findIndex(([at]) => at >= hertz);
  if (above === 0) return colour[0]![1];
  if (above < 0) return colour.at(-1)?.[1] ?? 0;
  const [low, before] = colour[above - 1]!;
  const [high, after] = colour[above]!;
  return before + ((after - before) * log2(hertz / low)) / log2(high / low);
}

/** A filter's response over the blocks of the convolution. */
function spread({ real, imaginary }: Spectrum): Spectrum {
  design.transform(imaginary, real);
  const taps = room(SIZE);
  for (let n = 0; n < TAPS; n++) {
    const left = TAPS - n;
    taps.real[n] = (real[n]! / TAPS) * Math.min(1, left / DELAY);
  }
  blocks.transform(taps.real, taps.imaginary);
  return taps;
}

/** Overlap and add; a filter of real taps does two blocks at once, one as the real and one as the imaginary part. */
function convolve(samples: Float32Array, filter: Spectrum, delay: number, length: number): Float32Array {
  const out = new Float32Array(length);
  const { real, imaginary } = heard;
  for (let at = 0; at < samples.length; at += 2 * HOP) {
    real.fill(0).set(samples.subarray(at, at + HOP));
    imaginary.fill(0).set(samples.subarray(at + HOP, at + 2 * HOP));
    blocks.transform(real, imaginary);
    for (let k = 0; k < SIZE; k++) {
      const a = real[k]!;
      const b = imaginary[k]!;
      const c = filter.real[k]!;
      const d = filter.imaginary[k]!;
      real[k] = a * c - b * d;
      imaginary[k] = a * d + b * c;
    }
    blocks.transform(imaginary, real);
    add(out, real, at - delay);
    add(out, imaginary, at + HOP - delay);
  }
  return out;
}

function add(out: Float32Array, block: Float64Array, from: number): void {
  const last = Math.min(SIZE, out.length - from);
  for (let n = Math.max(0, -from); n < last; n++) out[from + n] = out[from + n]! + block[n]! / SIZE;
}
