/**
 * A voice out of spectral envelopes: pulses and noise through minimum-phase filters that change every `HOP` samples.
 * After M. Morise, F. Yokomori and K. Ozawa, "WORLD", IEICE Trans. Inf. & Syst. E99-D (2016), in another order: WORLD
 * adds a response a period, this filters the pulses block by block, so that its work does not grow with the pitch, and
 * a pulse between two envelopes gets what lies between their responses.
 */
import { exp2, log2, sine } from "./exact.ts";
import { Fft } from "./fft.ts";
import { quickExp2 } from "./pulse_train.ts";

/** Samples from one envelope to the next: 5.1 ms at 44.1 kHz. */
export const HOP = 224;

/** Values of an envelope, evenly spaced in mel (1127 ln(1 + f / 700)) from 0 Hz to half of 44.1 kHz; the first 64 reach 8 kHz. */
export const POINTS = 88;

export interface Spectra {
  /** Of envelopes; the first stands at sample 0. */
  readonly count: number;
  /** `count` × `POINTS`: power spectrum in dB, as of unit noise through the filter. */
  readonly level: Float32Array;
  /** `count` × `POINTS`: share of the power that is noise, dB, 0 at most. */
  readonly air: Float32Array;
}

/** An envelope below this throughout does not sound, dB. */
export const SILENCE_DB = -100;

/** Hz of a point. */
export const POINT_HERTZ: Float64Array = Float64Array.from({ length: POINTS }, (_, k) => hertzAt(k));

function hertzAt(point: number): number {
  return 700 * (exp2((point * log2(1 + 8000 / 700)) / 63) - 1);
}

/** Place of a frequency among the points, with its fraction. */
export function pointOf(hertz: number): number {
  return (63 * log2(1 + Math.max(0, hertz) / 700)) / log2(1 + 8000 / 700);
}

const SIZE = 1536;
const HALF = SIZE / 2;

/** Adds to `out` what `pulses` and `hiss`, as long as it, become in `spectra` at 44.1 kHz. */
export function vocode(out: Float32Array, pulses: Float32Array, hiss: Float32Array, spectra: Spectra): void {
  workspace ??= new Workspace();
  for (let frame = 0; frame < spectra.count; frame += 2) workspace.filterTwo(out, pulses, hiss, spectra, frame);
}

let workspace: Workspace | undefined;

/** Two envelopes at once: what is real of each shares a complex transform. */
class Workspace {
  readonly #fft = new Fft(SIZE);
  readonly #real = new Float64Array(SIZE);
  readonly #imaginary = new Float64Array(SIZE);
  readonly #sum_real = new Float64Array(SIZE);
  readonly #sum_imaginary = new Float64Array(SIZE);
  /** log2 of the amplitude of each, and its phase in turns. */
  readonly #levels = [new Float64Array(HALF + 1), new Float64Array(HALF + 1)] as const;
  readonly #phases = [new Float64Array(HALF + 1), new Float64Array(HALF + 1)] as const;
  readonly #tone = new Float64Array(POINTS);
  readonly #noise = new Float64Array(POINTS);

  filterTwo(out: Float32Array, pulses: Float32Array, hiss: Float32Array, spectra: Spectra, frame: number): void {
    const first = sounds(spectra, frame);
    const second = frame + 1 < spectra.count && sounds(spectra, frame + 1);
    if (!first && !second) return;
    this.#minimumPhases(spectra, frame, second ? frame + 1 : frame);
    this.#sum_real.fill(0);
    this.#sum_imaginary.fill(0);
    if (first) this.#filter(pulses, hiss, spectra, frame, 0);
    if (second) this.#filter(pulses, hiss, spectra, frame + 1, 1);
    // Both blocks by one inverse transform: the first in its real part, the second in its imaginary one.
    this.#fft.transform(this.#sum_imaginary, this.#sum_real);
    const begin = (frame - 1) * HOP;
    if (first) add(out, this.#sum_real, begin);
    if (second) add(out, this.#sum_imaginary, begin + HOP);
  }

  /** The phase that goes with a level, by the cepstrum (A. Oppenheim and R. Schafer, Discrete-Time Signal Processing, 12.4). */
  #minimumPhases({ level }: Spectra, first: number, second: number): void {
    const real = this.#real;
    const imaginary = this.#imaginary;
    const [one, other] = this.#levels;
    spread(level, first * POINTS, one);
    spread(level, second * POINTS, other);
    for (let k = 0; k <= HALF; k++) {
      real[k] = one[k]!;
      imaginary[k] = other[k]!;
    }
    for (let k = 1; k < HALF; k++) {
      real[SIZE - k] = one[k]!;
      imaginary[SIZE - k] = other[k]!;
    }
    this.#fft.transform(real, imaginary);
    // What is even in time has no phase; the same made odd has nothing else.
    real[0] = 0;
    imaginary[0] = 0;
    real[HALF] = 0;
    imaginary[HALF] = 0;
    for (let n = HALF + 1; n < SIZE; n++) {
      real[n] = -real[n]!;
      imaginary[n] = -imaginary[n]!;
    }
    this.#fft.transform(real, imaginary);
    const [turn, other_turn] = this.#phases;
    // From log2 to the natural logarithm, and from radians to turns.
    const scale = Math.LN2 / (SIZE * 6.283185307179586);
    for (let k = 0; k <= HALF; k++) {
      turn[k] = imaginary[k]! * scale;
      other_turn[k] = -real[k]! * scale;
    }
  }

  #filter(pulses: Float32Array, hiss: Float32Array, { air }: Spectra, frame: number, which: 0 | 1): void {
    const real = this.#real;
    const imaginary = this.#imaginary;
    const begin = (frame - 1) * HOP;
    real.fill(0);
    imaginary.fill(0);
    for (let n = Math.max(0, -begin), end = Math.min(2 * HOP, pulses.length - begin); n < end; n++) {
      const weight = (n <= HOP ? n : 2 * HOP - n) / HOP;
      real[n] = pulses[begin + n]! * weight;
      imaginary[n] = hiss[begin + n]! * weight;
    }
    this.#fft.transform(real, imaginary);
    const tone = this.#tone;
    const noise = this.#noise;
    for (let k = 0; k < POINTS; k++) {
      const share = quickExp2(Math.max(-60, air[frame * POINTS + k]! * POWER_LOG2));
      tone[k] = Math.sqrt(Math.max(0, 1 - share)) / SIZE;
      noise[k] = Math.sqrt(share) / SIZE;
    }
    const levels = this.#levels[which];
    const phases = this.#phases[which];
    const sum_real = this.#sum_real;
    const sum_imaginary = this.#sum_imaginary;
    for (let k = 0; k <= HALF; k++) {
      const opposite = k === 0 ? 0 : SIZE - k;
      // The pulses' own spectrum and the noise's, out of the one transform of both.
      const pr = 0.5 * (real[k]! + real[opposite]!);
      const pi = 0.5 * (imaginary[k]! - imaginary[opposite]!);
      const nr = 0.5 * (imaginary[k]! + imaginary[opposite]!);
      const ni = 0.5 * (real[opposite]! - real[k]!);
      const at = BIN_POINT[k]!;
      const part = BIN_PART[k]!;
      const a = tone[at]! + part * (tone[at + 1]! - tone[at]!);
      const b = noise[at]! + part * (noise[at + 1]! - noise[at]!);
      const er = a * pr + b * nr;
      const ei = a * pi + b * ni;
      const gain = quickExp2(levels[k]!);
      const place = (phases[k]! - Math.floor(phases[k]!)) * TURN;
      const whole = place | 0;
      const rest = place - whole;
      const hr = gain * (COSINES[whole]! + rest * (COSINES[whole + 1]! - COSINES[whole]!));
      const hi = gain * (SINES[whole]! + rest * (SINES[whole + 1]! - SINES[whole]!));
      const yr = er * hr - ei * hi;
      const yi = er * hi + ei * hr;
      if (which === 0) {
        sum_real[k] = sum_real[k]! + yr;
        sum_imaginary[k] = sum_imaginary[k]! + yi;
        if (k > 0 && k < HALF) {
          sum_real[opposite] = sum_real[opposite]! + yr;
          sum_imaginary[opposite] = sum_imaginary[opposite]! - yi;
        }
      } else {
        // Times i.
        sum_real[k] = sum_real[k]! - yi;
        sum_imaginary[k] = sum_imaginary[k]! + yr;
        if (k > 0 && k < HALF) {
          sum_real[opposite] = sum_real[opposite]! + yi;
          sum_imaginary[opposite] = sum_imaginary[opposite]! + yr;
        }
      }
    }
  }
}

function sounds({ level }: Spectra, frame: number): boolean {
  for (let k = frame * POINTS; k < (frame + 1) * POINTS; k++) if (level[k]! > SILENCE_DB) return true;
  return false;
}

function add(out: Float32Array, block: Float64Array, begin: number): void {
  const end = Math.min(SIZE, out.length - begin);
  for (let n = Math.max(0, -begin); n < end; n++) out[begin + n] = out[begin + n]! + block[n]!;
}

/** From dB of power to log2 of amplitude, and to log2 of power. */
const AMPLITUDE_LOG2 = 0.16609640474436813;
const POWER_LOG2 = 2 * AMPLITUDE_LOG2;

/** log2 of the amplitude in each bin, by a cubic through the points (Catmull and Rom). */
function spread(level: Float32Array, from: number, to: Float64Array): void {
  for (let k = 0; k <= HALF; k++) {
    const at = from + BIN_POINT[k]!;
    const x = BIN_PART[k]!;
    const b = level[at]!;
    const c = level[at + 1]!;
    const a = at === from ? b : level[at - 1]!;
    const d = at + 2 === from + POINTS ? c : level[at + 2]!;
    const db = b + 0.5 * x * (c - a + x * (2 * a - 5 * b + 4 * c - d + x * (3 * (b - c) + d - a)));
    to[k] = Math.min(40, Math.max(-40, db * AMPLITUDE_LOG2));
  }
}

/** Point at or below each bin, and the rest. */
const BIN_POINT = new Uint8Array(HALF + 1);
const BIN_PART = new Float64Array(HALF + 1);
for (let k = 0; k <= HALF; k++) {
  const place = Math.min(POINTS - 1.000001, pointOf((k * 44_100) / SIZE));
  BIN_POINT[k] = Math.floor(place);
  BIN_PART[k] = place - Math.floor(place);
}

const TURN = 4096;
const SINES = Float64Array.from({ length: TURN + 2 }, (_, k) => sine(k / TURN));
const COSINES = Float64Array.from({ length: TURN + 2 }, (_, k) => sine(k / TURN + 0.25));
