/** Levels and attacks in bands, 100 times a second: what the beat is heard from. */
import { breathe } from "../../../breathe.ts";
import { Frames, RATE } from "../front.ts";

/** Samples at 22.05 kHz from one frame to the next: 9.98 ms. */
export const HOP = 220;
/** 46 ms: short enough for attacks. */
const SIZE = 1024;
export const BANDS = 32;

export interface Bands {
  readonly frames: number;
  /**
   * Level, frame by frame: value [i · BANDS + k] of frame i, centred on i · HOP samples; log10 of power above a floor
   * of -70 dB under the peak.
   */
  readonly level: Float32Array;
  /** Rise of the level against two frames before, neighbouring bands forgiven, never negative. */
  readonly rise: Float32Array;
}

/** @throws the signal's reason on abort */
export async function bandsOf(samples: Float32Array, signal: AbortSignal): Promise<Bands> {
  const spectra = new Frames(samples, SIZE, HOP);
  const frames = spectra.count;
  const level = new Float32Array(frames * BANDS);
  const first = new Float64Array(spectra.bins);
  const second = new Float64Array(spectra.bins);
  for (let index = 0; index < frames; index += 2) {
    if (index % 1024 === 0) await breathe(signal);
    spectra.pair(index, first, second);
    gather(first, level, index * BANDS);
    if (index + 1 < frames) gather(second, level, (index + 1) * BANDS);
  }
  let peak = 0;
  for (let n = 0; n < level.length; n++) if (level[n]! > peak) peak = level[n]!;
  const floor = Math.max(1e-12, peak * 1e-7);
  for (let n = 0; n < level.length; n++) level[n] = Math.log10(level[n]! + floor) - Math.log10(floor);
  return { frames, level, rise: rises(level, frames) };
}

/**
 * Edges of the bands in bins: mel-spaced from 30 Hz to 10 kHz, each at least one bin wide. Band k is a triangle over edges k to k + 2.
 */
const EDGES = ((): Int32Array => {
  const mel = (hertz: number): number => 1127 * Math.log(1 + hertz / 700);
  const edges = new Int32Array(BANDS + 2);
  const bins = SIZE / RATE;
  for (let n = 0; n < edges.length; n++) {
    const at = mel(30) + ((mel(10_000) - mel(30)) * n) / (edges.length - 1);
    const bin = Math.round(700 * Math.expm1(at / 1127) * bins);
    edges[n] = Math.max(n === 0 ? 1 : edges[n - 1]! + 1, bin);
  }
  return edges;
})();

function gather(power: Float64Array, out: Float32Array, at: number): void {
  for (let k = 0; k < BANDS; k++) {
    const low = EDGES[k]!;
    const middle = EDGES[k + 1]!;
    const high = EDGES[k + 2]!;
    let sum = 0;
    for (let bin = low + 1; bin <= middle; bin++) sum += (power[bin]! * (bin - low)) / (middle - low);
    for (let bin = middle + 1; bin < high; bin++) sum += (power[bin]! * (high - bin)) / (high - middle);
    out[at + k] = sum;
  }
}

/** Frames between which a rise is taken: the windows overlap by half then. */
const LAG = 2;

/** Vibrato moves energy between neighbouring bands without an attack: the widest of three is compared (SuperFlux, Böck and Widmer 2013). */
function rises(level: Float32Array, frames: number): Float32Array {
  const rise = new Float32Array(level.length);
  for (let frame = LAG; frame < frames; frame++) {
    const now = frame * BANDS;
    const before = (frame - LAG) * BANDS;
    for (let k = 0; k < BANDS; k++) {
      let old = level[before + k]!;
      if (k > 0 && level[before + k - 1]! > old) old = level[before + k - 1]!;
      if (k + 1 < BANDS && level[before + k + 1]! > old) old = level[before + k + 1]!;
      const up = level[now + k]! - old;
      rise[now + k] = Math.max(0, up);
    }
  }
  return rise;
}
