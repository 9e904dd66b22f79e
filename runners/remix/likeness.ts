/** How alike two recordings are as waveforms. */
import type { Audio } from "../../core/plugin.ts";
import { Fft } from "../dsp/fft.ts";

/** Samples, at 11,025 Hz, of a segment (6 s), and how far the other may be moved (1.5 s). */
const [SEGMENT, REACH] = [65_536, 16_384];
const HOP = 2 * SEGMENT;

/** What is compared: the channels' sum at 11,025 Hz. */
export function folded({ channels }: Audio): Float32Array {
  const length = Math.floor(channels[0]!.length / 4);
  const out = new Float32Array(length);
  for (const channel of channels)
    for (let n = 0; n < length; n++)
      out[n]! += (channel[4 * n]! + channel[4 * n + 1]! + channel[4 * n + 2]! + channel[4 * n + 3]!) / 4;
  return out;
}

/** The largest normalised cross-correlation, over lags of up to 1.5 s, of any segment of 6 s with the other at the same time. 0 to 1. */
export function correlation(one: Audio, other: Audio): number {
  return likeness(folded(one), folded(other));
}

/** The same of two that are folded already. */
export function likeness(a: Float32Array, b: Float32Array): number {
  const fft = new Fft(2 * SEGMENT);
  let most = 0;
  const last = Math.max(1, Math.min(a.length, b.length) - SEGMENT / 2);
  for (let from = 0; from < last; from += HOP) most = Math.max(most, segment(a, b, from, fft));
  return most;
}

function segment(a: Float32Array, b: Float32Array, from: number, fft: Fft): number {
  const size = fft.size;
  const [ar, ai, br, bi] = Array.from({ length: 4 }, () => new Float64Array(size)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  let energy = 0;
  for (let n = 0; n < SEGMENT; n++) {
    ar[n] = a[from + n] ?? 0;
    energy += ar[n]! * ar[n]!;
  }
  for (let n = 0; n < SEGMENT + 2 * REACH; n++) br[n] = b[from - REACH + n] ?? 0;
  const own = br.slice();
  fft.transform(ar, ai);
  fft.transform(br, bi);
  const [re, im] = [new Float64Array(size), new Float64Array(size)];
  for (let k = 0; k < size; k++) {
    re[k] = ar[k]! * br[k]! + ai[k]! * bi[k]!;
    im[k] = ar[k]! * bi[k]! - ai[k]! * br[k]!;
  }
  // Exchanged arguments: the inverse.
  fft.transform(im, re);
  let there = 0;
  for (let n = 0; n < SEGMENT; n++) there += own[n]! * own[n]!;
  let most = 0;
  for (let lag = 0; lag < 2 * REACH; lag++) {
    const norm = Math.sqrt(energy * there);
    if (norm > 1e-3) most = Math.max(most, Math.abs(re[lag]! / size) / norm);
    there += own[lag + SEGMENT]! * own[lag + SEGMENT]! - own[lag]! * own[lag]!;
  }
  return most;
}
