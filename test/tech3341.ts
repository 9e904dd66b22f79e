/** The synthetic cases of EBU Tech 3341 (2016), for tests and for bench/meter.ts. All at 48 kHz where no rate is asked for. */
import { decibel, faded, joined, sine } from "./audio.ts";

export const TECH_3341_RATE = 48_000;
const RATE = TECH_3341_RATE;

export interface LoudnessCase {
  readonly name: string;
  readonly lufs: number;
  /** All channels; five are left, right, centre and the two surrounds. */
  readonly channels: (sample_rate: number) => readonly Float32Array[];
}

const stereo =
  (...parts: readonly (readonly [dbfs: number, seconds: number])[]) =>
  (sample_rate: number): readonly Float32Array[] => {
    const samples = joined(...parts.map(([dbfs, seconds]) => sine(1000, seconds, sample_rate, 10 ** (dbfs / 20))));
    return [samples, samples];
  };

/** Table 1, cases 1 to 6: sines at 1 kHz. The standard allows ± 0.1 LU. */
export const LOUDNESS_CASES: readonly LoudnessCase[] = [
  { name: "1", lufs: -23, channels: stereo([-23, 20]) },
  { name: "2", lufs: -33, channels: stereo([-33, 20]) },
  { name: "3", lufs: -23, channels: stereo([-36, 10], [-23, 60], [-36, 10]) },
  { name: "4", lufs: -23, channels: stereo([-72, 10], [-36, 10], [-23, 60], [-36, 10], [-72, 10]) },
  { name: "5", lufs: -23, channels: stereo([-26, 20], [-20, 20.1], [-26, 20]) },
  {
    name: "6",
    lufs: -23,
    channels: (rate) => [-28, -28, -24, -30, -30].map((dbfs) => sine(1000, 20, rate, 10 ** (dbfs / 20))),
  },
];

export interface PeakCase {
  readonly name: string;
  readonly dbtp: number;
  /** What was synthesised, dB: the standard rounds 0.5 to -6. */
  readonly exact_db: number | undefined;
  readonly samples: () => Float32Array;
}

/** Cases 15 to 19: divisor of the sample rate, phase in degrees, amplitude, dBTP. */
const TONES: readonly [number, number, number, number, number][] = [
  [15, 4, 0, 0.5, -6],
  [16, 4, 45, 0.5, -6],
  [17, 6, 60, 0.5, -6],
  [18, 8, 67.5, 0.5, -6],
  [19, 4, 45, 1.41, 3],
];

/** Cases 15 to 23. The standard allows +0.2 and -0.4 dB. */
export const PEAK_CASES: readonly PeakCase[] = [
  ...TONES.map(([name, divisor, degrees, amplitude, dbtp]) => ({
    name: String(name),
    dbtp,
    exact_db: decibel(amplitude),
    samples: () => faded(sine(RATE / divisor, 5, RATE, amplitude, (degrees * Math.PI) / 180), 0.1, RATE),
  })),
  ...[0, 1, 2, 3].map((offset) => ({
    name: String(20 + offset),
    dbtp: 0,
    exact_db: undefined,
    samples: () => burst(offset),
  })),
];

/** At 4 fs: fs/6 at half level with one period of fs/4 at full level inside; kept below fs/2; every fourth sample from `offset`. */
function burst(offset: number): Float32Array {
  const length = 4 * RATE;
  const fast = new Float64Array(length);
  let phase = 0;
  for (let n = 0; n < length; n++) {
    const loud = n >= 96_000 && n < 96_016;
    fast[n] = (loud ? 1 : 0.5) * Math.sin(phase);
    phase += (2 * Math.PI) / (loud ? 16 : 24);
  }
  return Float32Array.from({ length: length / 4 - 100 }, (_, n) => lowpassed(fast, 4 * n + offset));
}

/** A sample of `fast` kept below an eighth of its rate, by a plain Hann-windowed sinc. */
function lowpassed(fast: Float64Array, at: number): number {
  const reach = 128;
  let sum = 0;
  for (let k = -reach; k <= reach; k++) {
    const x = (Math.PI * k) / 4;
    const sinc = k === 0 ? 1 : Math.sin(x) / x;
    sum += (fast[at + k] ?? 0) * (sinc / 4) * (0.5 + 0.5 * Math.cos((Math.PI * k) / (reach + 1)));
  }
  return sum;
}
