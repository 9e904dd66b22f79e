import type { Audio } from "../../../contract/mod.ts";
import { BINS, FRAME, Frames } from "./frames.ts";
import { BANDS, EDGES, framesOf, SIZE } from "./grid.ts";

/** Steps of `level` in a decibel. */
export const STEPS_PER_DB = 2;
/** Level of 0, in dB below a sine of full scale in both channels. */
const FLOOR_DB = 115;

/**
 * A whole piece in a byte a band and frame, frame by frame: coarse enough for 10 minutes to fit into 45 MB, fine enough to decide on.
 */
export interface Picture {
  readonly frames: number;
  /** Energy of both channels, half a decibel a step; 0 is 115 dB below full scale, or nothing at all. */
  readonly level: Uint8Array;
  /** Correlation of the channels, 0: opposed, 128: none, 255: the same. */
  readonly centre: Uint8Array;
  /** 0: all on the right, 128: balanced, 255: all on the left. */
  readonly balance: Uint8Array;
}

/** @param pause awaited between frames where it is due */
export async function picture(audio: Audio, pause: (fraction: number) => Promise<void> | undefined): Promise<Picture> {
  const frames = framesOf(audio.channels[0]!.length);
  const level = new Uint8Array(frames * BANDS);
  const centre = new Uint8Array(frames * BANDS);
  const balance = new Uint8Array(frames * BANDS);
  const seen = new Frames();
  const spectra = new Float32Array(AT_ONCE * FRAME);
  for (let first = 0; first < frames; first += AT_ONCE) {
    const count = Math.min(AT_ONCE, frames - first);
    seen.forward(audio, first, count, spectra);
    for (let frame = 0; frame < count; frame++) {
      const spectrum = spectra.subarray(frame * FRAME, (frame + 1) * FRAME);
      const at = (first + frame) * BANDS;
      if (audio.channels.length === 1) see(spectrum, level, at);
      else seeBoth(spectrum, level, centre, balance, at);
    }
    const waiting = pause(first / frames);
    if (waiting !== undefined) await waiting;
  }
  if (audio.channels.length === 1) {
    centre.fill(255);
    balance.fill(128);
  }
  return { frames, level, centre, balance };
}

/** Frames that are transformed at once. */
const AT_ONCE = 16;

/** Of a sine of full scale in both channels, its energy in the middle bin. */
const FULL = 2 * (SIZE / Math.PI) ** 2;

function quantised(energy: number): number {
  const step = Math.round(STEPS_PER_DB * (10 * Math.log10(energy / FULL + 1e-30) + FLOOR_DB));
  return step < 0 ? 0 : Math.min(step, 255);
}

function seeBoth(spectrum: Float32Array, level: Uint8Array, centre: Uint8Array, balance: Uint8Array, at: number): void {
  for (let band = 0; band < BANDS; band++) {
    const from = EDGES[band]!;
    const to = EDGES[band + 1]!;
    let lefts = 0;
    let rights = 0;
    let shared = 0;
    for (let bin = from; bin < to; bin++) {
      const plain = bin > 0 && bin < BINS;
      // Half the sample rate lies where bin 0 has no imaginary part.
      const a = spectrum[bin]!;
      const b = plain ? spectrum[BINS + bin]! : 0;
      const c = spectrum[2 * BINS + bin]!;
      const d = plain ? spectrum[3 * BINS + bin]! : 0;
      lefts += a * a + b * b;
      rights += c * c + d * d;
      shared += a * c + b * d;
    }
    const energy = lefts + rights;
    level[at + band] = quantised(energy / (to - from));
    const part = energy > 0 ? 1 / energy : 0;
    centre[at + band] = Math.round(127.5 + 127.5 * Math.max(-1, Math.min(1, 2 * shared * part)));
    balance[at + band] = Math.round(127.5 + 127.5 * Math.max(-1, Math.min(1, (lefts - rights) * part)));
  }
}

/** One channel counts twice, so that a mono file reads like its stereo twin. */
function see(spectrum: Float32Array, level: Uint8Array, at: number): void {
  for (let band = 0; band < BANDS; band++) {
    const from = EDGES[band]!;
    const to = EDGES[band + 1]!;
    let energy = 0;
    for (let bin = from; bin < to; bin++) {
      const a = spectrum[bin]!;
      const b = bin > 0 && bin < BINS ? spectrum[BINS + bin]! : 0;
      energy += a * a + b * b;
    }
    level[at + band] = quantised((2 * energy) / (to - from));
  }
}
