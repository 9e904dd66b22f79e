/** An analysis whose rhythm and form are known, so that the cut can be judged apart from the ear: only its features are measured. */
import type { Audio } from "../../../../contract/mod.ts";
import type { Analysis, Section } from "../../../../runners/signal/analyse/mod.ts";
import { Fft } from "../../../../runners/signal/dsp/fft.ts";

export interface Known {
  readonly beats: readonly number[];
  /** From 1; same length as `beats`. */
  readonly positions: readonly number[];
  readonly beats_per_bar: number;
  /** Beginnings of sections, seconds. */
  readonly sections?: readonly number[];
  /** 0 for what has no beat. */
  readonly confidence?: number;
}

const SIZE = 8192;

export function analysisOf(audio: Audio, known: Known): Analysis {
  const rate = audio.sample_rate;
  const seconds = audio.channels[0]!.length / rate;
  const confidence = known.confidence ?? 1;
  const grid = [...new Set([0, ...(confidence > 0 ? known.beats : halfSeconds(seconds)), seconds])].sort(
    (a, b) => a - b,
  );
  const features = grid.slice(0, -1).map((from, n) => featuresOf(audio, from, grid[n + 1]!));
  const starts = known.sections ?? [0];
  const steps = known.beats.slice(1).map((beat, n) => beat - known.beats[n]!);
  const period = steps.sort((a, b) => a - b)[steps.length >> 1] ?? 0;
  return {
    seconds,
    rhythm: {
      tempo_bpm: period > 0 ? 60 / period : 0,
      confidence,
      beats: known.beats,
      positions: known.positions,
      metre: { beats_per_bar: known.beats_per_bar, division: 2 },
      downbeat_confidence: confidence,
      swing: 0.5,
      onsets: known.beats,
    },
    tonality: { tuning_hz: 440, tonic: 0, mode: "major", confidence: 1, chords: [] },
    form: {
      sections: starts.map(
        (start, n): Section => ({
          start,
          end: starts[n + 1] ?? seconds,
          label: String.fromCharCode(65 + n),
          level_db: 0,
        }),
      ),
      energy: { hop_seconds: 0.5, values: new Float32Array(Math.ceil(seconds / 0.5)).fill(0.5) },
      loudness: { hop_seconds: 0.1, values: new Float32Array(Math.ceil(seconds / 0.1)).fill(-14) },
      features,
      grid,
    },
    timbre: { centroid_hz: 1000, octaves_db: [], percussive: 0.5, onset_density: 2, width_db: -120 },
  };
}

function halfSeconds(seconds: number): number[] {
  return Array.from({ length: Math.floor(seconds * 2) }, (_, n) => n / 2);
}

const fft = new Fft(SIZE);

/** Chroma and twelve half-octave bands of one frame in the middle of the span, each of unit length. */
function featuresOf({ channels, sample_rate }: Audio, from: number, to: number): Float32Array {
  const start = Math.round(((from + to) / 2) * sample_rate) - SIZE / 2;
  const real = new Float64Array(SIZE);
  const imaginary = new Float64Array(SIZE);
  for (let n = 0; n < SIZE; n++) {
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / SIZE);
    for (const channel of channels) real[n]! += window * (channel[start + n] ?? 0);
  }
  fft.transform(real, imaginary);
  const row = new Float32Array(24);
  for (let k = 8; k < SIZE / 2; k++) {
    const hertz = (k * sample_rate) / SIZE;
    const power = real[k]! ** 2 + imaginary[k]! ** 2;
    if (hertz > 80 && hertz < 2000) row[(Math.round(12 * Math.log2(hertz / 440)) + 129) % 12]! += Math.sqrt(power);
    row[12 + Math.max(0, Math.min(11, Math.floor(2 * Math.log2(hertz / 86))))]! += power;
  }
  for (let band = 12; band < 24; band++) row[band] = Math.log1p(1e3 * row[band]!);
  for (const part of [row.subarray(0, 12), row.subarray(12)]) {
    const length = Math.hypot(...part);
    if (length > 0) for (let k = 0; k < 12; k++) part[k]! /= length;
  }
  return row;
}
