/**
 * A phase vocoder: another tempo at the same pitch. Phases of peaks go on from frame to frame, bins around a peak keep
 * their phases against it (J. Laroche and M. Dolson, "Improved phase vocoder time-scale modification of audio", IEEE
 * TSAP 7 (1999)), channels turn together so that places in stereo stay, and what is struck is set down with its own
 * phases (after A. Röbel, DAFx 2003).
 */
import { cosine } from "../dsp/exact.ts";
import { Fft } from "../dsp/fft.ts";
import { attacksOf } from "./attacks.ts";
import { TimeMap } from "./time_map.ts";

/** Samples of a window (93 ms at 44.1 kHz: tones 43 Hz apart are told from one another) and from one to the next. */
const SIZE = 4096;
const HOP = SIZE / 4;
/** Bins on either side that a peak is higher than. */
const REACH = 2;
/** Samples that an attack lies after or before a window's middle at most for the window to set it down. */
const [STRUCK_BEFORE, STRUCK_AFTER] = [1280, 512];
/** Power by which a peak must have risen within a hop, where an attack is, to be set down anew: 2 dB. */
const RISEN = 1.6;

/** Hann's window; applied twice at a hop of a quarter it adds up to 1.5. */
const WINDOW: Float64Array = Float64Array.from({ length: SIZE }, (_, n) => 0.5 - 0.5 * cosine(n / SIZE));
const GAIN = 1.5;
/** What noise loses, whose bins do not stay together, is made good up to here: 1.6 dB. */
const MADE_GOOD = 1.2;

/**
 * Another length at the same pitch.
 *
 * @param ratio length of the result against the recording's; 0.5 to 2 sounds natural
 */
export function stretchedBy(channels: readonly Float32Array[], ratio: number): Float32Array[] {
  const frames = channels[0]?.length ?? 0;
  const length = Math.max(1, Math.round(frames * ratio));
  if (!(ratio > 0) || frames === 0) throw new RangeError(`Cannot stretch ${frames} samples by ${ratio}`);
  const ends = [
    { out: 0, source: 0 },
    { out: length, source: frames },
  ];
  const attacks = attacksOf(channels);
  return stretched(channels, new TimeMap(ends).keeping(attacks), length, attacks);
}

/**
 * `frames` samples of each channel in which sample n is what the recording has at `map.sourceAt(n)`. One or two channels of equal length.
 *
 * @param attacks samples of the recording that are set down with their own phases, ascending
 */
export function stretched(
  channels: readonly Float32Array[],
  map: TimeMap,
  frames: number,
  attacks: readonly number[] = [],
): Float32Array[] {
  const out = channels.map(() => new Float32Array(frames));
  const fft = new Fft(SIZE);
  const room = (): Float64Array => new Float64Array(SIZE);
  // Left as the real part and right as the imaginary one: A = L + iR in bin k, its mirror holds conj(L - iR).
  const [real, imaginary, back_real, back_imaginary, heard_real, heard_imaginary] = [
    room(),
    room(),
    room(),
    room(),
    room(),
    room(),
  ];
  // What was set down last.
  const [last_real, last_imaginary] = [room(), room()];
  const powers = new Float64Array(SIZE / 2 + 1);
  const peaks = new Int32Array(SIZE / 2 + 1);
  let next_attack = 0;
  let fresh = true;
  let heard_at = Number.NaN;
  let wanted = 0;
  for (let at = -SIZE / 2; at < frames + SIZE / 2; at += HOP) {
    const source = Math.round(map.sourceAt(at));
    load(channels, source - SIZE / 2, real, imaginary);
    wanted += energyOf(real) + energyOf(imaginary);
    fft.transform(real, imaginary);
    if (heard_at === source - HOP) {
      back_real.set(heard_real);
      back_imaginary.set(heard_imaginary);
    } else {
      load(channels, source - HOP - SIZE / 2, back_real, back_imaginary);
      fft.transform(back_real, back_imaginary);
    }
    heard_real.set(real);
    heard_imaginary.set(imaginary);
    heard_at = source;
    // Windows in whose middle an attack lies set down anew what rises with it.
    while (next_attack < attacks.length && attacks[next_attack]! <= source - STRUCK_AFTER) next_attack++;
    const struck = next_attack < attacks.length && attacks[next_attack]! <= source + STRUCK_BEFORE;
    for (let k = 0; k <= SIZE / 2; k++) powers[k] = powerOf(real, imaginary, k);
    const count = peaksIn(powers, peaks);
    if (!fresh)
      for (let n = 0; n < count; n++) {
        const peak = peaks[n]!;
        // The region of a peak reaches half-way to its neighbours, to where the spectrum is lowest.
        const from = n === 0 ? 0 : valley(powers, peaks[n - 1]!, peak) + 1;
        const to = n + 1 === count ? SIZE / 2 : valley(powers, peak, peaks[n + 1]!);
        if (struck && powers[peak]! > RISEN * powerOf(back_real, back_imaginary, peak)) continue;
        const [c, s] = turn(last_real, last_imaginary, back_real, back_imaginary, peak);
        rotate(real, imaginary, from, to, c, s);
      }
    fresh = false;
    last_real.set(real);
    last_imaginary.set(imaginary);
    fft.transform(imaginary, real);
    add(out, real, imaginary, at - SIZE / 2);
  }
  const made = out.reduce((sum, channel) => sum + energyOf(channel), 0);
  const gain = made > 0 ? Math.min(MADE_GOOD, Math.sqrt(wanted / GAIN / made)) : 1;
  if (gain > 1.01) for (const channel of out) for (let n = 0; n < frames; n++) channel[n] = channel[n]! * gain;
  return out;
}

function energyOf(samples: Float64Array | Float32Array): number {
  let sum = 0;
  for (let n = 0; n < samples.length; n++) sum += samples[n]! * samples[n]!;
  return sum;
}

function load(channels: readonly Float32Array[], from: number, real: Float64Array, imaginary: Float64Array): void {
  const [left, right] = channels;
  const begin = Math.min(SIZE, Math.max(0, -from));
  const end = Math.max(begin, Math.min(SIZE, left!.length - from));
  real.fill(0, 0, begin).fill(0, end);
  imaginary.fill(0);
  for (let n = begin; n < end; n++) real[n] = WINDOW[n]! * left![from + n]!;
  if (right !== undefined) for (let n = begin; n < end; n++) imaginary[n] = WINDOW[n]! * right[from + n]!;
}

/** Power of both channels in a bin, twice over. */
function powerOf(real: Float64Array, imaginary: Float64Array, k: number): number {
  const a = real[k]!;
  const b = imaginary[k]!;
  if (k === 0 || k === SIZE / 2) return 2 * (a * a + b * b);
  const c = real[SIZE - k]!;
  const d = imaginary[SIZE - k]!;
  return a * a + b * b + c * c + d * d;
}

function peaksIn(powers: Float64Array, peaks: Int32Array): number {
  let count = 0;
  for (let k = 0; k < powers.length; k++) {
    const power = powers[k]!;
    let highest = true;
    for (let d = 1; d <= REACH && highest; d++) {
      if (k >= d && powers[k - d]! >= power) highest = false;
      if (k + d < powers.length && powers[k + d]! > power) highest = false;
    }
    if (highest) peaks[count++] = k;
  }
  return count;
}

function valley(powers: Float64Array, from: number, to: number): number {
  let lowest = from;
  for (let k = from + 1; k < to; k++) if (powers[k]! < powers[lowest]!) lowest = k;
  return lowest;
}

/** How far what is set down has turned against the recording at a peak: Σ of last · conj(back) over the channels, of length 1. */
function turn(
  last_real: Float64Array,
  last_imaginary: Float64Array,
  back_real: Float64Array,
  back_imaginary: Float64Array,
  k: number,
): readonly [c: number, s: number] {
  const m = k === 0 ? 0 : SIZE - k;
  const [a, b, c, d] = [last_real[k]!, last_imaginary[k]!, back_real[k]!, back_imaginary[k]!];
  const [e, f, g, h] = [last_real[m]!, last_imaginary[m]!, back_real[m]!, back_imaginary[m]!];
  const x = a * c + b * d + (e * g + f * h);
  const y = b * c - a * d - (f * g - e * h);
  const length = Math.sqrt(x * x + y * y);
  return length > 0 ? [x / length, y / length] : [1, 0];
}

function rotate(real: Float64Array, imaginary: Float64Array, from: number, to: number, c: number, s: number): void {
  for (let k = from; k <= to; k++) {
    const a = real[k]!;
    const b = imaginary[k]!;
    real[k] = a * c - b * s;
    imaginary[k] = a * s + b * c;
    if (k === 0 || k === SIZE / 2) continue;
    const m = SIZE - k;
    const e = real[m]!;
    const f = imaginary[m]!;
    real[m] = e * c + f * s;
    imaginary[m] = f * c - e * s;
  }
}

function add(out: readonly Float32Array[], real: Float64Array, imaginary: Float64Array, at: number): void {
  const [left, right] = out;
  const scale = 1 / (SIZE * GAIN);
  const begin = Math.max(0, -at);
  const end = Math.min(SIZE, left!.length - at);
  for (let n = begin; n < end; n++) left![at + n] = left![at + n]! + scale * WINDOW[n]! * real[n]!;
  if (right !== undefined)
    for (let n = begin; n < end; n++) right[at + n] = right[at + n]! + scale * WINDOW[n]! * imaginary[n]!;
}
