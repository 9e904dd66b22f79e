/** How a mix spreads over octaves, and the equaliser that brings it nearer to where its genre's records lie. */
import { Reel } from "../../reel.ts";
import { bell, highShelf, powerAt, type Section } from "../../signal/dsp/biquad.ts";
import { cosine, exp2, log2 } from "../../signal/dsp/exact.ts";
import { Fft } from "../../signal/dsp/fft.ts";
import { levelOf } from "../../signal/dsp/gain_steps.ts";
import { RATE } from "./channel.ts";
import { OCTAVES } from "./targets.ts";

const SIZE = 8192;
/** Looks at most at this many stretches, evenly spread. */
const LOOKS = 200;

/** Slots of `spectrumOf` in an octave. */
const SLOTS = 6;

/** Powers in each sixth of each of `OCTAVES`, any reference, the same for both. */
export interface Spectrum {
  readonly middle: Float64Array;
  readonly side: Float64Array;
}

/** Over the stretches within 15 dB of the mean: pauses and endings do not count. */
export function spectrumOf(left: Reel, right: Reel, ring: boolean): Spectrum {
  const { frames } = left;
  const fft = new Fft(SIZE);
  const window = Float64Array.from({ length: SIZE }, (_, n) => 0.5 - 0.5 * cosine(n / SIZE));
  const real = new Float64Array(SIZE);
  const imaginary = new Float64Array(SIZE);
  const span = ring ? frames : Math.max(0, frames - SIZE);
  const count = Math.max(1, Math.min(LOOKS, Math.ceil(span / (SIZE / 4))));
  const slots = OCTAVES.length * SLOTS;
  const bottom = (OCTAVES[0] * Math.SQRT1_2 * SIZE) / RATE;
  const slotOf = Int16Array.from({ length: SIZE / 2 }, (_, k) =>
    k < bottom ? -1 : Math.floor(SLOTS * log2(k / bottom)),
  );
  const powers: Float64Array[] = [];
  const totals: number[] = [];
  for (let look = 0; look < count; look++) {
    const from = Math.floor((look * span) / count);
    for (let n = 0; n < SIZE; n++) {
      const at = ring ? (from + n) % frames : from + n;
      const weight = window[n]!;
      real[n] = at < frames ? weight * left.at(at) : 0;
      imaginary[n] = at < frames ? weight * right.at(at) : 0;
    }
    fft.transform(real, imaginary);
    const bands = new Float64Array(2 * slots);
    let total = 0;
    // With left as real part and right as imaginary one, bins k and -k together hold the power of both, and their product what both share.
    for (let k = 1; k < SIZE / 2; k++) {
      const slot = slotOf[k]!;
      if (slot < 0 || slot >= slots) continue;
      const mirror = SIZE - k;
      const a = real[k]!;
      const b = imaginary[k]!;
      const c = real[mirror]!;
      const d = imaginary[mirror]!;
      const sum = a * a + b * b + c * c + d * d;
      const side = Math.max(0, 0.5 * sum - a * d - b * c);
      bands[slot] = bands[slot]! + sum - side;
      bands[slots + slot] = bands[slots + slot]! + side;
      total += sum;
    }
    powers.push(bands);
    totals.push(total);
  }
  const gate = totals.reduce((sum, total) => sum + total, 0) / count / 31.6;
  const mean = new Float64Array(2 * slots);
  for (const [look, bands] of powers.entries()) {
    if (totals[look]! < gate) continue;
    for (let slot = 0; slot < mean.length; slot++) mean[slot] = mean[slot]! + bands[slot]! / count;
  }
  return { middle: mean.subarray(0, slots), side: mean.subarray(slots) };
}

/** Both added; `share`: how much of the side counts in each octave, absent for all of it. */
export function whole({ middle, side }: Spectrum, share: readonly number[] = []): Float64Array {
  return middle.map((power, slot) => power + (share[Math.floor(slot / SLOTS)] ?? 1) * side[slot]!);
}

/** Power of each of `OCTAVES`. */
export function octavePowers(spectrum: Float64Array): number[] {
  return OCTAVES.map((_, band) =>
    spectrum.subarray(band * SLOTS, (band + 1) * SLOTS).reduce((sum, power) => sum + power, 0),
  );
}

/** Level of each of `OCTAVES` in dB; -200 for silence. */
export function octavesOf(spectrum: Float64Array): number[] {
  return octavePowers(spectrum).map((sum) => (sum > 0 ? levelOf(sum) : -200));
}

/** Level of each of `OCTAVES` of a sound. */
export function octaveLevels(left: Float32Array, right: Float32Array, ring: boolean): number[] {
  return octavesOf(whole(spectrumOf(Reel.of(left), Reel.of(right), ring)));
}

/** No band is lifted further, dB: in the bass, where a line that lies high leaves an octave thin, further than where there is hiss. */
const MOST_DB = [6, 10, 10, 8, 6, 6, 6, 6, 6, 8] as const;
/** Nor lowered: at the ends, where nothing is at stake but hiss and rumble, further than in the middle. */
const LOWEST_DB = [-9, -8, -8, -8, -8, -8, -8, -8, -9, -12] as const;

/**
 * What each band should be moved by: towards the target, seen from the level at which both agree best over 63 Hz to 4 kHz. A band that lies
 * more than 35 dB under has nothing to lift but noise, and from 15 dB on it is lifted the less the deeper it lies.
 */
export function correction(levels: readonly number[], targets: readonly number[]): number[] {
  const errors = levels.map((level, band) => targets[band]! - level);
  // The median forgives instruments that leave one end of the spectrum empty.
  const inner = errors.slice(1, 8).sort((a, b) => a - b);
  const middle = inner[3]!;
  const wanted = errors.map((error, band) => {
    const off = error - middle;
    if (off > 35) return 0;
    const most = off > 15 ? MOST_DB[band]! * (1 - (off - 15) / 20) : MOST_DB[band]!;
    return Math.min(most, Math.max(LOWEST_DB[band]!, off));
  });
  // Rumble is lifted far only where records have a sub-bass.
  if (targets[0]! < -8) wanted[0] = Math.min(3, wanted[0]!);
  return wanted.map((value) => Math.round(value * 20) / 20);
}

/**
 * Bells an octave wide (a shelf at the top) whose sum moves octaves by `wanted` dB. Minimum phase.
 *
 * @param spectrum what they are for: an octave whose sound lies at its edge needs more than one whose sound lies in the
 *   middle. Absent: all in the middle
 */
export function equaliser(wanted: readonly number[], spectrum?: Float64Array): Section[] {
  const gains = wanted.slice();
  const moved = (sections: readonly Section[], band: number, middle: number): number => {
    let before = 0;
    let after = 0;
    for (let slot = 0; slot < SLOTS; slot++) {
      const power = spectrum?.[band * SLOTS + slot] ?? 0;
      before += power;
      if (power > 0) after += power * powerAt(sections, middle * exp2((slot + 0.5) / SLOTS - 0.5), RATE);
    }
    return before > 0 ? levelOf(after / before) : levelOf(powerAt(sections, middle, RATE));
  };
  let sections = sectionsOf(gains);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [band, middle] of OCTAVES.entries()) {
      gains[band] = clamp(gains[band]! + 0.6 * (wanted[band]! - moved(sections, band, middle)), 14);
    }
    sections = sectionsOf(gains);
  }
  // What is hardly heard is not worth its time.
  return sections.filter((_, band) => Math.abs(gains[band]!) > 0.3);
}

const ROUNDS = 12;

function sectionsOf(gains: readonly number[]): Section[] {
  return gains.map((gain, band) =>
    band === OCTAVES.length - 1 ? highShelf(11_500, RATE, gain) : bell(OCTAVES[band]!, RATE, 1.15, gain),
  );
}

function clamp(value: number, most: number): number {
  return Math.min(most, Math.max(-most, value));
}
