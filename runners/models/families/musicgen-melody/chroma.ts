/**
 * Which of the twelve pitch classes is heard the most, as MusicGen's melody models were trained to hear it: chroma by
 * librosa's filter bank (Ellis, "Chroma feature analysis and synthesis", 2007) of long transforms.
 */
import { exp, log2 } from "../../../signal/dsp/exact.ts";
import { reflect, StereoStft } from "../../stft.ts";

export const CLASSES = 12;
const N_FFT = 16_384;
const HOP = 4096;
const BINS = N_FFT / 2 + 1;
/** What counts most: octaves above A0 by half, and how far around them. */
const OCTAVE = 5;
const OCTAVES_AROUND = 2;
/** From A, where octaves begin, to C. */
const A_TO_C = 3;
/** Of a frame softer than this, the largest is not brought to 1. */
const LARGEST_MIN = 1e-6;

/** Values [frame][class], C first; the largest of a frame is 1. Frames lie around each `HOP`-th sample. */
export function chromaOf(samples: Float32Array, rate: number): Float32Array {
  const short = Math.max(0, N_FFT - samples.length);
  const whole = new Float32Array(samples.length + short);
  whole.set(samples, Math.floor(short / 2));
  const padded = reflect(whole, N_FFT / 2, N_FFT / 2);
  const filters = filtersOf(rate);
  // Divided by the root of the window's power, 3/8 a sample.
  const stft = new StereoStft(N_FFT, HOP, 1 / Math.sqrt(0.375 * N_FFT));
  const frames = Math.floor(whole.length / HOP) + 1;
  const planes = new Float32Array(4 * BINS);
  const chroma = new Float32Array(frames * CLASSES);
  for (let frame = 0; frame < frames; frame++) {
    stft.forward(padded, padded, frame, 1, BINS, planes);
    const sums = new Float64Array(CLASSES);
    for (let bin = 0; bin < BINS; bin++) {
      const power = planes[bin]! ** 2 + planes[BINS + bin]! ** 2;
      for (let c = 0; c < CLASSES; c++) sums[c] = sums[c]! + power * filters[c * BINS + bin]!;
    }
    const largest = Math.max(LARGEST_MIN, ...sums);
    for (let c = 0; c < CLASSES; c++) chroma[frame * CLASSES + c] = sums[c]! / largest;
  }
  return chroma;
}

/** Of each frame, the class whose value is the largest; of equal ones the first. */
export function loudestOf(chroma: Float32Array): Int32Array {
  return Int32Array.from({ length: chroma.length / CLASSES }, (_, frame) => {
    const values = chroma.subarray(frame * CLASSES, (frame + 1) * CLASSES);
    return values.indexOf(Math.max(...values));
  });
}

/** Weights [class][bin]. */
function filtersOf(rate: number): Float32Array {
  // Semitones above 27.5 Hz; the first bin, of 0 Hz, lies one octave and a half below the second.
  const semitones = Float64Array.from({ length: N_FFT }, (_, k) => CLASSES * log2((k * rate) / N_FFT / 27.5));
  semitones[0] = semitones[1]! - 1.5 * CLASSES;
  const filters = new Float32Array(CLASSES * BINS);
  for (let bin = 0; bin < BINS; bin++) {
    const width = Math.max(1, semitones[bin + 1]! - semitones[bin]!);
    const bumps = Float64Array.from({ length: CLASSES }, (_, c) => {
      const shifted = semitones[bin]! - c + CLASSES / 2;
      const distance = shifted - CLASSES * Math.floor(shifted / CLASSES) - CLASSES / 2;
      return exp(-0.5 * ((2 * distance) / width) ** 2);
    });
    const norm = Math.sqrt(bumps.reduce((sum, value) => sum + value ** 2, 0));
    const weight = exp(-0.5 * ((semitones[bin]! / CLASSES - OCTAVE) / OCTAVES_AROUND) ** 2) / norm;
    for (let c = 0; c < CLASSES; c++) filters[c * BINS + bin] = weight * bumps[(c + A_TO_C) % CLASSES]!;
  }
  return filters;
}
