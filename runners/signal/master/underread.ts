import type { Samples } from "../../samples.ts";
import { toDecibel } from "../dsp/decibel.ts";
import type { PeakMap } from "../dsp/limiter.ts";
import { TruePeakMeter } from "../dsp/true_peak.ts";

/** Samples of a stretch, and how many stretches are looked at. */
const STRETCH = 4096;
const LOOKS = 16;

/**
 * dB by which `map` reads peaks of the sound low, at most: told from some stretches, spread over all that reach `threshold`, an
 * amplitude. Its grid loses what lies above 20 kHz.
 */
export function underread(sound: Samples, map: PeakMap, threshold: number): number {
  const context = TruePeakMeter.context;
  const high: { readonly from: number; readonly top: number }[] = [];
  for (let from = context; from + STRETCH + context <= sound.frames; from += STRETCH) {
    const first = Math.floor(from * map.cells_per_sample);
    const last = Math.ceil((from + STRETCH) * map.cells_per_sample);
    const top = map.peaks.subarray(first, last).reduce((most, peak) => Math.max(most, peak), 0);
    if (top >= threshold) high.push({ from, top });
  }
  const step = Math.max(1, high.length / LOOKS);
  const end = context + STRETCH;
  const around = Array.from({ length: sound.channels }, () => new Float32Array(end + context));
  let most = 1;
  for (let n = 0; n < high.length; n += step) {
    const { from, top } = high[Math.floor(n)]!;
    sound.samples(from - context, from + end, around);
    const before = around.map((channel) => channel.subarray(0, context));
    const meter = new TruePeakMeter(sound.channels, before, STRETCH);
    meter.push(around, context, end);
    most = Math.max(most, meter.finish(around.map((channel) => channel.subarray(end))) / top);
  }
  return toDecibel(most);
}
