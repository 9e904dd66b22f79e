/** Loudness and energy over time. */
import type { Curve, Rhythm } from "../analysis.ts";
import { BANDS, type Colour } from "../timbre/colour.ts";

/** Momentary loudness never reads lower than this, LUFS. */
const SILENCE_LUFS = -70;
/** Hops of 100 ms in a momentary block. */
const BLOCK = 4;
const ENERGY_HOP_SECONDS = 0.5;
/** Seconds on each side that energy is felt over. */
const FELT_SECONDS = 1.5;
/** First band of what is bright: 2.2 kHz. */
const BRIGHT_BAND = 16;
/** The least range that energy spreads over, dB and attacks a second: a steady piece has a flat curve. */
const [RANGE_DB, RANGE_ATTACKS] = [12, 4];

/** Momentary loudness (BS.1770-4): blocks of 400 ms every 100 ms, value i from the block that begins one hop before hop i. */
export function loudnessOf(colour: Colour): Curve {
  const hops = colour.loudness;
  const values = new Float32Array(hops.length);
  for (let i = 0; i < hops.length; i++) {
    const from = Math.max(0, Math.min(i - 1, hops.length - BLOCK));
    const to = Math.min(hops.length, from + BLOCK);
    let sum = 0;
    for (let k = from; k < to; k++) sum += hops[k]!;
    const lufs = sum > 0 ? -0.691 + 10 * Math.log10(sum / (to - from)) : SILENCE_LUFS;
    values[i] = Math.max(SILENCE_LUFS, lufs);
  }
  return { hop_seconds: 0.1, values };
}

/** Three parts of loudness, one of brightness and one of how densely attacks follow, each within the piece's own range. */
export function energyOf(colour: Colour, loudness: Curve, rhythm: Rhythm, seconds: number): Curve {
  const count = Math.max(1, Math.ceil(seconds / ENERGY_HOP_SECONDS - 1e-9));
  const loud = new Float64Array(count);
  const bright = new Float64Array(count);
  const dense = new Float64Array(count);
  let onset_from = 0;
  for (let i = 0; i < count; i++) {
    const middle = (i + 0.5) * ENERGY_HOP_SECONDS;
    const [from, to] = [Math.max(0, middle - FELT_SECONDS), Math.min(seconds, middle + FELT_SECONDS)];
    loud[i] = meanLoudness(loudness, from, to);
    bright[i] = brightness(colour, from, to);
    while (onset_from < rhythm.onsets.length && rhythm.onsets[onset_from]! < from) onset_from++;
    let onsets = 0;
    while (onset_from + onsets < rhythm.onsets.length && rhythm.onsets[onset_from + onsets]! < to) onsets++;
    dense[i] = onsets / Math.max(0.5, to - from);
  }
  const a = ranged(loud, RANGE_DB);
  const b = ranged(bright, RANGE_DB);
  const c = ranged(dense, RANGE_ATTACKS);
  const values = Float32Array.from(a, (value, i) =>
    loud[i]! <= SILENCE_LUFS ? 0 : 0.6 * value + 0.2 * b[i]! + 0.2 * c[i]!,
  );
  return { hop_seconds: ENERGY_HOP_SECONDS, values };
}

/** LUFS of the mean power between two times. */
export function meanLoudness(loudness: Curve, from: number, to: number): number {
  const { values, hop_seconds } = loudness;
  const first = Math.min(values.length - 1, Math.max(0, Math.round(from / hop_seconds)));
  const last = Math.min(values.length, Math.max(first + 1, Math.round(to / hop_seconds)));
  let power = 0;
  for (let i = first; i < last; i++) power += 10 ** (values[i]! / 10);
  return last > first && first >= 0 ? 10 * Math.log10(power / (last - first)) : SILENCE_LUFS;
}

/** dB above 2.2 kHz against the whole. */
function brightness(colour: Colour, from: number, to: number): number {
  const first = Math.max(0, Math.floor(from / colour.hop_seconds));
  const last = Math.min(colour.frames, Math.ceil(to / colour.hop_seconds));
  let high = 1e-12;
  let all = 1e-9;
  for (let frame = first; frame < last; frame++) {
    for (let band = 0; band < BANDS; band++) {
      const value = colour.bands[frame * BANDS + band]!;
      all += value;
      if (band >= BRIGHT_BAND) high += value;
    }
  }
  return 10 * Math.log10(high / all);
}

/** 0 to 1 between the 5th and the 95th percentile; where they are nearer than `least`, around the middle of that range. */
function ranged(values: Float64Array, least: number): Float64Array {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))]!;
  const [low, high] = [at(0.05), at(0.95)];
  const range = Math.max(least, high - low);
  const bottom = (low + high - range) / 2;
  return values.map((value) => Math.max(0, Math.min(1, (value - bottom) / range)));
}
