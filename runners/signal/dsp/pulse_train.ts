/** What excites a vocoder's filter: one band-limited pulse a period, between samples, and noise in puffs. */
import { type Control, STEP } from "./control.ts";
import { cosine, exp2 } from "./exact.ts";
import { Fft, sineOf } from "./fft.ts";
import { hash32 } from "./random.ts";

export interface Swing {
  /** Hz, above 0 also where nobody sings. */
  readonly pitch: Control;
  /** 0 to 1: how much of the noise comes in puffs, while the folds are open. */
  readonly puffs: Control;
  /** Random deviation from period to period, as shares: of its length and of its strength. */
  readonly jitter: number;
  readonly shimmer: number;
  /** 0 to 1: by how much every other pulse is weaker, the subharmonic of a rough voice (D. Z. Borch et al., LPV 29 (2004)). */
  readonly rough: number;
  readonly seed: number;
}

/** Subsample places, and taps of a pulse. */
const PLACES = 64;
const TAPS = 128;

/**
 * Fills `pulses` with unit power a period (√(rate / pitch) each, as M. Morise et al., WORLD, IEICE Trans. E99-D (2016),
 * section 3.4, scale theirs) without their mean, and `hiss` with noise of unit power that comes with the pulses.
 */
export function pulseTrain(pulses: Float32Array, hiss: Float32Array, rate: number, swing: Swing): void {
  const { pitch, puffs, jitter, shimmer, rough, seed } = swing;
  const table = pulsesAt();
  const frames = pulses.length;
  let phase = (hash32(seed, 1) >>> 8) / 0x1_00_0000;
  let cycle = 0;
  let length = 1;
  let drift = 0;
  let state = (hash32(seed, 7) | 1) >>> 0;
  for (let at = 0, block = 0; at < frames; at += STEP, block++) {
    const end = Math.min(frames, at + STEP);
    let hertz = pitch[block]!;
    const hertz_step = (pitch[block + 1]! - hertz) / STEP;
    const mean = Math.sqrt(hertz / rate);
    const puff = puffs[block]!;
    for (let n = at; n < end; n++) {
      const dp = (hertz * length) / rate;
      phase += dp;
      pulses[n] = pulses[n]! - mean;
      if (phase >= 1) {
        phase -= 1;
        cycle++;
        const draw = hash32(seed, cycle + 16);
        // Periods of a voice wander: a deviation lasts for some periods (first-order, after J. Schoentgen, JASA 109 (2001)).
        drift = 0.6 * drift + 0.8 * ((draw & 0xffff) / 32768 - 1);
        length = 1 + jitter * drift;
        const weak = rough > 0 && (cycle & 1) === 1 ? 1 - 0.6 * rough : 1;
        const strength = weak * (1 + shimmer * ((draw >>> 16) / 32768 - 1));
        put(pulses, table, n - phase / dp, strength * Math.sqrt(rate / hertz));
      }
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      // Uniform noise of unit power, within 0.2 dB whatever the puffs; most of it while the folds are open, in the second half of a period.
      const open = phase < 0.5 ? 0 : 16 * (phase - 0.5) * (1 - phase);
      hiss[n] = (state / 2147483648) * 1.7320508 * (1 + puff * (open - 0.4));
      hertz += hertz_step;
    }
  }
}

function put(out: Float32Array, table: Float32Array, place: number, gain: number): void {
  let whole = Math.floor(place);
  let part = Math.round((place - whole) * PLACES);
  if (part === PLACES) {
    part = 0;
    whole++;
  }
  const first = whole - TAPS / 2;
  const row = part * TAPS;
  for (let k = Math.max(0, -first), last = Math.min(TAPS, out.length - first); k < last; k++)
    out[first + k] = out[first + k]! + gain * table[row + k]!;
}

let made: Float32Array | undefined;

/**
 * A pulse at each of `PLACES` places after tap `TAPS` / 2. Its upper partials are dispersed by up to half a
 * millisecond, as a throat does: pulses whose partials all peak at once buzz (H. Kawahara et al., Speech Communication
 * 27 (1999), section 3.3).
 */
function pulsesAt(): Float32Array {
  if (made !== undefined) return made;
  const table = new Float32Array(PLACES * TAPS);
  const fft = new Fft(TAPS);
  const half = TAPS / 2;
  // Turns by which each bin is late: the sum of a group delay that grows from 1 to 4 kHz and wanders.
  const late = new Float64Array(half + 1);
  for (let k = 1; k <= half; k++) {
    const kilohertz = (k * 44.1) / TAPS;
    const grown = Math.min(1, Math.max(0, (kilohertz - 1) / 3));
    const samples = 22 * grown * (0.55 * sineOf(kilohertz / 3.1 + 0.2) + 0.45 * sineOf(kilohertz / 1.3));
    late[k] = late[k - 1]! + samples / TAPS;
  }
  const real = new Float64Array(TAPS);
  const imaginary = new Float64Array(TAPS);
  for (let place = 0; place < PLACES; place++) {
    real.fill(0);
    imaginary.fill(0);
    const shift = half + place / PLACES;
    for (let k = 0; k <= half; k++) {
      // To 19 kHz, then off.
      const gain = k < 55 ? 1 : k >= half ? 0 : 0.5 + 0.5 * cosine((k - 55) / (2 * (half - 55)));
      const turns = -((k * shift) / TAPS + late[k]!);
      real[k] = gain * sineOf(turns + 0.25);
      imaginary[k] = gain * sineOf(turns);
      if (k > 0 && k < half) {
        real[TAPS - k] = real[k]!;
        imaginary[TAPS - k] = -imaginary[k]!;
      }
    }
    fft.transform(imaginary, real);
    for (let n = 0; n < TAPS; n++) {
      // What wraps round is taken off at both ends.
      const edge = Math.min(1, Math.min(n, TAPS - 1 - n) / 12);
      table[place * TAPS + n] = (real[n]! / TAPS) * edge;
    }
  }
  made = table;
  return table;
}

/** 2^x for -60 <= x <= 60 to seven digits, from a table: for what is computed for every bin of a spectrum. */
export function quickExp2(x: number): number {
  const y = x + 64;
  const whole = y | 0;
  const place = (y - whole) * FINE;
  const at = place | 0;
  const low = FRACTIONS[at]!;
  return (low + (place - at) * (FRACTIONS[at + 1]! - low)) * WHOLES[whole]!;
}

const FINE = 1024;
const FRACTIONS = Float64Array.from({ length: FINE + 2 }, (_, k) => exp2(k / FINE));
const WHOLES = Float64Array.from({ length: 128 }, (_, k) => exp2(k - 64));
