/** How alike two recordings are as waveforms. */
import type { Audio, Streamed } from "../../../contract/mod.ts";
import { stretchOf, viewsOf } from "../../samples.ts";
import { Fft } from "../../signal/dsp/fft.ts";

/** Samples, at 11,025 Hz, of a segment (6 s), and how far the other may be moved (1.5 s). */
const [SEGMENT, REACH] = [65_536, 16_384];
const HOP = 2 * SEGMENT;

/** What is compared: the channels' sum at 11,025 Hz. */
export function folded(audio: Audio | Streamed): Float32Array {
  const sound = viewsOf(audio);
  const length = Math.floor(sound.frames / 4);
  const out = new Float32Array(length);
  for (let first = 0; first < length; first += STRETCH) {
    const count = Math.min(STRETCH, length - first);
    for (const channel of stretchOf(sound, 4 * first, 4 * (first + count)))
      for (let n = 0; n < count; n++)
        out[first + n]! += (channel[4 * n]! + channel[4 * n + 1]! + channel[4 * n + 2]! + channel[4 * n + 3]!) / 4;
  }
  return out;
}

/** Folded samples that are made at once. */
const STRETCH = 1 << 14;

/** The largest normalised cross-correlation, over lags of up to 1.5 s, of any segment of 6 s with the other at the same time. 0 to 1. */
export function correlation(one: Audio, other: Audio): number {
  return likeness(folded(one), folded(other));
}

/** The same of two that are folded already. */
export function likeness(a: Float32Array, b: Float32Array): number {
  const fft = new Fft(2 * SEGMENT);
  const rooms = Array.from({ length: 4 }, () => new Float64Array(fft.size)) as Rooms;
  let most = 0;
  const last = Math.max(1, Math.min(a.length, b.length) - SEGMENT / 2);
  for (let from = 0; from < last; from += HOP) most = Math.max(most, segment(a, b, from, fft, rooms));
  return most;
}

type Rooms = [zr: Float64Array, zi: Float64Array, re: Float64Array, im: Float64Array];

function segment(a: Float32Array, b: Float32Array, from: number, fft: Fft, [zr, zi, re, im]: Rooms): number {
  const size = fft.size;
  const energy = loaded(zr, a, from, SEGMENT);
  if (energy === 0) return 0;
  // Two real signals in one transform: they are its even and its odd part.
  loaded(zi, b, from - REACH, SEGMENT + 2 * REACH);
  fft.transform(zr, zi);
  for (let k = 0; k < size; k++) {
    const mirror = (size - k) & (size - 1);
    // Not as pairs: until a loop is compiled to the end, every pair is an array on the heap, 300 MB in all.
    const pr = zr[k]!;
    const pi = zi[k]!;
    const qr = zr[mirror]!;
    const qi = -zi[mirror]!;
    const ar = (pr + qr) / 2;
    const ai = (pi + qi) / 2;
    const br = (pi - qi) / 2;
    const bi = (qr - pr) / 2;
    re[k] = ar * br + ai * bi;
    im[k] = ar * bi - ai * br;
  }
  // Exchanged arguments: the inverse.
  fft.transform(im, re);
  const own = (n: number): number => b[from - REACH + n] ?? 0;
  let there = 0;
  for (let n = 0; n < SEGMENT; n++) there += own(n) * own(n);
  let most = 0;
  for (let lag = 0; lag < 2 * REACH; lag++) {
    const norm = Math.sqrt(energy * there);
    if (norm > 1e-3) most = Math.max(most, Math.abs(re[lag]! / size) / norm);
    const next = own(lag + SEGMENT);
    const gone = own(lag);
    there += next * next - gone * gone;
  }
  return most;
}

/** `count` samples of `from` on, silence outside and after them; their energy. */
function loaded(room: Float64Array, samples: Float32Array, from: number, count: number): number {
  room.fill(0, count);
  let energy = 0;
  for (let n = 0; n < count; n++) {
    const value = samples[from + n] ?? 0;
    room[n] = value;
    energy += value * value;
  }
  return energy;
}
