/** How a mix spreads over octaves, and the equaliser that brings it nearer to where its genre's records lie. */
import { bell, highShelf, powerAt, type Section } from "../dsp/biquad.ts";
import { cosine } from "../dsp/exact.ts";
import { Fft } from "../dsp/fft.ts";
import { levelOf } from "../dsp/gain_steps.ts";
import { RATE } from "./channel.ts";
import { OCTAVES } from "./targets.ts";

const SIZE = 8192;
/** Looks at most at this many stretches, evenly spread. */
const LOOKS = 200;

/** Level of each of `OCTAVES` in dB, any reference, over the stretches within 15 dB of the mean: pauses and endings do not count. -200 for silence. */
export function octaveLevels(left: Float32Array, right: Float32Array, ring: boolean): number[] {
  const frames = left.length;
  const fft = new Fft(SIZE);
  const window = Float64Array.from({ length: SIZE }, (_, n) => 0.5 - 0.5 * cosine(n / SIZE));
  const real = new Float64Array(SIZE);
  const imaginary = new Float64Array(SIZE);
  const span = ring ? frames : Math.max(0, frames - SIZE);
  const count = Math.max(1, Math.min(LOOKS, Math.ceil(span / (SIZE / 4))));
  const powers: Float64Array[] = [];
  const totals: number[] = [];
  for (let look = 0; look < count; look++) {
    const from = Math.floor((look * span) / count);
    for (let n = 0; n < SIZE; n++) {
      const at = ring ? (from + n) % frames : from + n;
      const weight = window[n]!;
      real[n] = at < frames ? weight * left[at]! : 0;
      imaginary[n] = at < frames ? weight * right[at]! : 0;
    }
    fft.transform(real, imaginary);
    const bands = new Float64Array(OCTAVES.length);
    let total = 0;
    for (const [band, middle] of OCTAVES.entries()) {
      const low = Math.round((middle * Math.SQRT1_2 * SIZE) / RATE);
      const high = Math.min(SIZE / 2, Math.round((middle * Math.SQRT2 * SIZE) / RATE));
      let sum = 0;
      // With left as real part and right as imaginary one, bins k and -k together hold the power of both.
      for (let k = low; k < high; k++) {
        sum += real[k]! * real[k]! + imaginary[k]! * imaginary[k]!;
        const mirror = SIZE - k;
        sum += real[mirror]! * real[mirror]! + imaginary[mirror]! * imaginary[mirror]!;
      }
      bands[band] = sum;
      total += sum;
    }
    powers.push(bands);
    totals.push(total);
  }
  const gate = totals.reduce((sum, total) => sum + total, 0) / count / 31.6;
  const sums = OCTAVES.map((_, band) =>
    powers.reduce((sum, bands, look) => (totals[look]! >= gate ? sum + bands[band]! : sum), 0),
  );
  return sums.map((sum) => (sum > 0 ? levelOf(sum / count) : -200));
}

/** No band is lifted further, dB: in the bass, where a line that lies high leaves an octave thin, further than where there is hiss. */
const MOST_DB = [6, 10, 10, 8, 6, 6, 6, 6, 6, 6] as const;
/** Nor lowered: at the ends, where nothing is at stake but hiss and rumble, further than in the middle. */
const LOWEST_DB = [-9, -6, -6, -6, -6, -6, -6, -6, -8, -12] as const;

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

/** Bells an octave wide (a shelf at the top) whose sum gives `wanted` dB at the middles of the octaves. Minimum phase. */
export function equaliser(wanted: readonly number[]): Section[] {
  const gains = wanted.slice();
  let sections = sectionsOf(gains);
  for (let round = 0; round < 12; round++) {
    for (const [band, middle] of OCTAVES.entries()) {
      gains[band] = clamp(gains[band]! + 0.6 * (wanted[band]! - levelOf(powerAt(sections, middle, RATE))), 14);
    }
    sections = sectionsOf(gains);
  }
  // What is hardly heard is not worth its time.
  return sections.filter((_, band) => Math.abs(gains[band]!) > 0.3);
}

function sectionsOf(gains: readonly number[]): Section[] {
  return gains.map((gain, band) =>
    band === OCTAVES.length - 1 ? highShelf(11_500, RATE, gain) : bell(OCTAVES[band]!, RATE, 1.15, gain),
  );
}

function clamp(value: number, most: number): number {
  return Math.min(most, Math.max(-most, value));
}
