/** Loudness of a whole programme by ITU-R BS.1770-4 and EBU Tech 3341 and 3342, and its true peak. */
import type { Audio, Streamed } from "../../../contract/mod.ts";
import { breathe } from "../../breathe.ts";
import { viewsOf } from "../../samples.ts";
import { LoudnessMeter } from "../dsp/loudness.ts";
import { TruePeakMeter } from "../dsp/true_peak.ts";

/** Null where there is no value: silence, or less than a window. Rounded to two decimals. */
export interface Levels {
  readonly integrated_lufs: number | null;
  /** EBU Tech 3342, of windows of 3 s. */
  readonly range_lu: number | null;
  /** The loudest window of 400 ms. */
  readonly momentary_lufs_max: number | null;
  /** The loudest window of 3 s. */
  readonly short_term_lufs_max: number | null;
  readonly true_peak_dbtp: number | null;
}

/** Samples worked on between two looks at the signal. */
const BLOCK = 1 << 18;
/** Windows in steps of 100 ms, as Tech 3341 asks of meters. */
const MOMENTARY = 4;
const SHORT_TERM = 30;

/** @throws the signal's reason on abort */
export async function levelsOf(audio: Audio | Streamed, signal: AbortSignal): Promise<Levels> {
  const sound = viewsOf(audio);
  const { frames } = sound;
  const loudness = new LoudnessMeter(sound.sample_rate, sound.channels);
  const peak = new TruePeakMeter(sound.channels);
  for (let from = 0; from < frames; from += BLOCK) {
    await breathe(signal);
    const to = Math.min(frames, from + BLOCK);
    const { channels, at } = sound.view(from, to);
    loudness.push(channels, at, at + to - from);
    peak.push(channels, at, at + to - from);
  }
  // What fills no step is in no window.
  const hops = loudness.hops().subarray(0, Math.floor(frames / loudness.hop));
  const short_term = windows(hops, SHORT_TERM);
  return {
    integrated_lufs: decimals(loudness.integrated()),
    range_lu: decimals(rangeOf(short_term)),
    momentary_lufs_max: decimals(loudnessOf(highest(windows(hops, MOMENTARY)))),
    short_term_lufs_max: decimals(loudnessOf(highest(short_term))),
    true_peak_dbtp: decimals(20 * Math.log10(peak.finish())),
  };
}

/** Mean power of each run of `length` steps. */
function windows(hops: Float64Array, length: number): Float64Array {
  return Float64Array.from(
    { length: Math.max(0, hops.length - length + 1) },
    (_, first) => hops.subarray(first, first + length).reduce((sum, power) => sum + power, 0) / length,
  );
}

const highest = (powers: Float64Array): number => powers.reduce((most, power) => Math.max(most, power), 0);
const loudnessOf = (power: number): number => -0.691 + 10 * Math.log10(power);
const powerOf = (lufs: number): number => 10 ** ((lufs + 0.691) / 10);

/** Tech 3342: of what is above -70 LUFS and at most 20 LU below the mean of that, from the 10th to the 95th percentile. */
function rangeOf(powers: Float64Array): number {
  const sounding = powers.filter((power) => power > powerOf(-70));
  const mean = sounding.reduce((sum, power) => sum + power, 0) / sounding.length;
  const counted = sounding.filter((power) => power >= mean / 100).sort();
  const at = (share: number): number => loudnessOf(counted[Math.round(share * (counted.length - 1))]!);
  return counted.length === 0 ? Number.NaN : at(0.95) - at(0.1);
}

/** Without a negative zero, which JSON would not keep. */
function decimals(value: number): number | null {
  return Number.isFinite(value) ? Math.round(100 * value) / 100 + 0 : null;
}
