/** What a finished piece measures, by the project's own ear and by plain signal measures. */
import type { Audio } from "../../contract/mod.ts";
import { analyse } from "../../runners/signal/analyse/analyse.ts";
import type { Analysis } from "../../runners/signal/analyse/mod.ts";
import { Fft } from "../../runners/signal/dsp/fft.ts";

export interface Measured {
  readonly seconds: number;
  /** Beats a minute, as heard. */
  readonly tempo: number;
  readonly tonic: number;
  readonly mode: "major" | "minor";
  /** Mean chroma, sum 1, from C. */
  readonly chroma: readonly number[];
  /** Octave bands around 31.5 Hz to 16 kHz, dB against the whole. */
  readonly octaves_db: readonly number[];
  /** Pearson's correlation of both channels; over 150 Hz, and under 120 Hz. */
  readonly correlation: number;
  readonly correlation_high: number;
  readonly correlation_low: number;
  /** Level of (L+R)/2 against both channels' mean power, dB. */
  readonly mono_db: number;
  /** Longest stretch whose 50 ms blocks lie 60 dB under the loudest, before the last sound, seconds. */
  readonly hole: number;
  readonly peak: number;
  readonly crest_db: number;
  /** Seconds at which sections were heard to begin. */
  readonly boundaries: readonly number[];
  readonly analysis: Analysis;
  /** For telling pieces and genres apart: what belongs together in one row, so that no row counts for more by being longer. */
  readonly features: readonly (readonly number[])[];
}

const job = { signal: new AbortController().signal, progress: () => undefined };

export async function measure(audio: Audio): Promise<Measured> {
  const analysis = await analyse(audio, job);
  const [left, right = left] = audio.channels as [Float32Array, Float32Array?];
  const rate = audio.sample_rate;
  const whole = moments(left, right);
  const low = moments(lowPass(left, 120, rate), lowPass(right, 120, rate));
  const [high_left, high_right] = [highPass(left, 150, rate), highPass(right, 150, rate)];
  const chroma = chromaOf(analysis);
  const { rhythm, tonality, form, timbre } = analysis;
  return {
    seconds: analysis.seconds,
    tempo: rhythm.tempo_bpm,
    tonic: tonality.tonic,
    mode: tonality.mode,
    chroma,
    octaves_db: timbre.octaves_db,
    correlation: correlationOf(whole),
    correlation_high: correlationOf(moments(high_left, high_right)),
    correlation_low: correlationOf(low),
    mono_db: 10 * Math.log10((whole.ll + whole.rr + 2 * whole.lr) / 2 / (whole.ll + whole.rr) + 1e-12),
    hole: holeOf(left, right, rate),
    peak: whole.peak,
    crest_db: 20 * Math.log10(whole.peak / Math.sqrt((whole.ll + whole.rr) / (2 * left.length))),
    boundaries: form.sections.slice(1).map(({ start }) => start),
    analysis,
    features: featuresOf(analysis, whole),
  };
}

interface Moments {
  readonly ll: number;
  readonly rr: number;
  readonly lr: number;
  readonly peak: number;
}

function moments(left: Float32Array, right: Float32Array): Moments {
  let ll = 0;
  let rr = 0;
  let lr = 0;
  let peak = 0;
  for (let n = 0; n < left.length; n++) {
    const a = left[n]!;
    const b = right[n]!;
    ll += a * a;
    rr += b * b;
    lr += a * b;
    if (a > peak || -a > peak) peak = Math.abs(a);
    if (b > peak || -b > peak) peak = Math.abs(b);
  }
  return { ll, rr, lr, peak };
}

const correlationOf = ({ ll, rr, lr }: Moments): number => lr / Math.sqrt(ll * rr + 1e-12);

/** Two one-poles forth: enough to weigh bands with. */
function lowPass(samples: Float32Array, hertz: number, rate: number): Float32Array {
  const out = new Float32Array(samples.length);
  const share = 1 - Math.exp((-2 * Math.PI * hertz) / rate);
  let [one, two, three] = [0, 0, 0];
  for (let n = 0; n < samples.length; n++) {
    one += share * (samples[n]! - one);
    two += share * (one - two);
    three += share * (two - three);
    out[n] = three;
  }
  return out;
}

function highPass(samples: Float32Array, hertz: number, rate: number): Float32Array {
  const low = lowPass(samples, hertz, rate);
  return samples.map((value, n) => value - low[n]!);
}

function chromaOf({ form }: Analysis): number[] {
  const sum = new Array<number>(12).fill(0);
  for (const row of form.features) for (let k = 0; k < 12; k++) sum[k]! += Math.max(0, row[k]!);
  const total = sum.reduce((whole, value) => whole + value, 1e-9);
  return sum.map((value) => value / total);
}

function holeOf(left: Float32Array, right: Float32Array, rate: number): number {
  const size = Math.round(0.05 * rate);
  const levels: number[] = [];
  for (let from = 0; from + size <= left.length; from += size) {
    let power = 0;
    for (let n = from; n < from + size; n++) power += left[n]! ** 2 + right[n]! ** 2;
    levels.push(power);
  }
  const floor = 1e-6 * Math.max(...levels);
  let longest = 0;
  let run = 0;
  const last = levels.findLastIndex((level) => level > floor);
  for (const level of levels.slice(0, last + 1)) {
    run = level > floor ? 0 : run + 1;
    longest = Math.max(longest, run);
  }
  return longest * 0.05;
}

/** Tempo in octaves; octave bands; attacks; where in the bar they fall; width; metre and swing; mode; mean and deviation of timbre. */
function featuresOf({ rhythm, tonality, form, timbre }: Analysis, whole: Moments): number[][] {
  const tempo = rhythm.tempo_bpm > 0 ? Math.log2(rhythm.tempo_bpm / 100) : 0;
  const means = new Array<number>(12).fill(0);
  const squares = new Array<number>(12).fill(0);
  for (const row of form.features) {
    for (let k = 0; k < 12; k++) {
      means[k]! += row[12 + k]! / form.features.length;
      squares[k]! += row[12 + k]! ** 2 / form.features.length;
    }
  }
  return [
    [tempo],
    timbre.octaves_db.map((value) => Math.max(-50, value)),
    [timbre.onset_density, timbre.percussive, rhythm.confidence],
    pattern(rhythm),
    [Math.max(-40, timbre.width_db), correlationOf(whole)],
    [rhythm.swing, rhythm.metre.beats_per_bar, rhythm.metre.division],
    [tonality.mode === "minor" ? 1 : 0],
    means,
    squares.map((value, k) => Math.sqrt(Math.max(0, value - means[k]! ** 2))),
  ];
}

/** Attacks a bar in each sixteenth of it. */
function pattern({ beats, positions, metre, onsets }: Analysis["rhythm"]): number[] {
  const out = new Array<number>(16).fill(0);
  const bars = Math.max(1, positions.filter((position) => position === 1).length);
  let beat = 0;
  for (const onset of onsets) {
    while (beat + 1 < beats.length && beats[beat + 1]! <= onset) beat++;
    const [from, to] = [beats[beat], beats[beat + 1]];
    if (from === undefined || to === undefined || onset < from) continue;
    const place = (positions[beat]! - 1 + (onset - from) / (to - from)) / metre.beats_per_bar;
    out[Math.round(16 * place) % 16]! += 1 / bars;
  }
  return out;
}

/** MIREX weight of a key against the asked one: 1 equal, 0.5 a fifth, 0.3 relative, 0.2 parallel. */
export function mirex(
  heard: { readonly tonic: number; readonly mode: string },
  asked: { readonly tonic: number; readonly mode: string },
): number {
  const minor = (mode: string): boolean => mode === "minor" || mode === "dorian" || mode === "phrygian";
  const up = (heard.tonic - asked.tonic + 12) % 12;
  const same = minor(heard.mode) === minor(asked.mode);
  if (same && up === 0) return 1;
  if (same && (up === 7 || up === 5)) return 0.5;
  if (!same && up === (minor(asked.mode) ? 3 : 9)) return 0.3;
  return !same && up === 0 ? 0.2 : 0;
}

const SCALES: Readonly<Record<string, readonly number[]>> = {
  major: [0, 2, 4, 5, 7, 9, 11],
  minor: [0, 2, 3, 5, 7, 8, 10, 11],
  dorian: [0, 2, 3, 5, 7, 9, 10],
  phrygian: [0, 1, 3, 5, 7, 8, 10],
  lydian: [0, 2, 4, 6, 7, 9, 11],
  mixolydian: [0, 2, 4, 5, 7, 9, 10],
};

/** Share of the chroma on notes of the scale; the leading note counts as minor's own. */
export function inScale(
  chroma: readonly number[],
  { tonic, mode }: { readonly tonic: number; readonly mode: string },
): number {
  return (SCALES[mode] ?? SCALES.major!).reduce((sum, degree) => sum + chroma[(tonic + degree) % 12]!, 0);
}

/** Whether `heard` is `asked`, or half or twice of it, within `share`. */
export function sameTempo(heard: number, asked: number, share = 0.04): boolean {
  return [0.5, 1, 2].some((factor) => Math.abs(heard / (asked * factor) - 1) <= share);
}

/** Share of `planned` that one of `heard` lies near. */
export function recall(planned: readonly number[], heard: readonly number[], seconds: number): number {
  if (planned.length === 0) return 1;
  return planned.filter((time) => heard.some((other) => Math.abs(other - time) <= seconds)).length / planned.length;
}

export interface Seam {
  /** From the last sample to the first. */
  readonly step: number;
  /** Rise of high frequencies within 3 ms: clicks. */
  readonly flux: number;
  /** Spectral flux of frames of 46 ms, 12 ms apart, at the frame with the seam in its middle. */
  readonly spectral: number;
}

/** A ring's seam, each as the percentile of those inside, 0 to 1, of the worse channel. */
export function seam({ channels, sample_rate }: Audio): Seam {
  let step = 0;
  let flux = 0;
  let spectral = 0;
  for (const channel of channels) {
    const steps = channel.map((value, n) => Math.abs(value - channel[(n + channel.length - 1) % channel.length]!));
    const at = steps[0]!;
    step = Math.max(step, steps.filter((value) => value < at).length / steps.length);
    flux = Math.max(flux, fluxPercentile(channel, sample_rate));
    spectral = Math.max(spectral, spectralPercentile(channel));
  }
  return { step, flux, spectral };
}

/** Positive differences of magnitudes between one frame and the one before, on the ring. */
function spectralPercentile(channel: Float32Array): number {
  const [size, hop] = [2048, 512];
  const fft = new Fft(size);
  const length = channel.length;
  const magnitudes = (middle: number): Float64Array => {
    const real = new Float64Array(size);
    const imaginary = new Float64Array(size);
    for (let n = 0; n < size; n++) {
      const at = (((middle - size / 2 + n) % length) + length) % length;
      real[n] = (0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size)) * channel[at]!;
    }
    fft.transform(real, imaginary);
    return real.slice(0, size / 2).map((value, k) => Math.hypot(value, imaginary[k]!));
  };
  const rise = (middle: number): number => {
    const [before, after] = [magnitudes(middle - hop), magnitudes(middle)];
    return after.reduce((sum, value, k) => sum + Math.max(0, value - before[k]!), 0);
  };
  const at_seam = rise(0);
  let under = 0;
  const count = Math.floor(length / hop);
  for (let k = 1; k < count; k++) if (rise(k * hop) < at_seam) under++;
  return under / count;
}

/** Energy above 4 kHz (by second difference) of 128-sample blocks, each against the one before: clicks show, music hardly does. */
function fluxPercentile(channel: Float32Array, _rate: number): number {
  const size = 128;
  const count = Math.floor(channel.length / size);
  const length = channel.length;
  const energy = (from: number): number => {
    let sum = 1e-12;
    for (let n = 0; n < size; n++) {
      const at = (k: number): number => channel[(((from + n + k) % length) + length) % length]!;
      sum += (at(1) - 2 * at(0) + at(-1)) ** 2;
    }
    return sum;
  };
  // Blocks are centred on the seam.
  const rise = (from: number): number => Math.max(0, Math.log(energy(from) / energy(from - size)));
  const seam_rise = rise(-size / 2);
  let under = 0;
  for (let k = 1; k < count; k++) if (rise(k * size - size / 2) < seam_rise) under++;
  return under / count;
}
