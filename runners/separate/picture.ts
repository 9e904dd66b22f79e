import type { Audio } from "../../core/plugin.ts";
import { BANDS, EDGES, framesOf, SIZE } from "./grid.ts";
import { Spectra } from "./spectra.ts";

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
  const spectra = new Spectra();
  for (let frame = 0; frame < frames; frame++) {
    spectra.forward(audio, frame);
    const at = frame * BANDS;
    if (audio.channels.length === 1) see(spectra, level, at);
    else seeBoth(spectra, level, centre, balance, at);
    const waiting = pause(frame / frames);
    if (waiting !== undefined) await waiting;
  }
  if (audio.channels.length === 1) {
    centre.fill(255);
    balance.fill(128);
  }
  return { frames, level, centre, balance };
}

/** Of a sine of full scale in both channels, its energy in the middle bin. */
const FULL = 2 * (SIZE / Math.PI) ** 2;

function quantised(energy: number): number {
  const step = Math.round(STEPS_PER_DB * (10 * Math.log10(energy / FULL + 1e-30) + FLOOR_DB));
  return step < 0 ? 0 : Math.min(step, 255);
}

function seeBoth(
  { real, imaginary }: Spectra,
  level: Uint8Array,
  centre: Uint8Array,
  balance: Uint8Array,
  at: number,
): void {
  for (let band = 0; band < BANDS; band++) {
    const from = EDGES[band]!;
    const to = EDGES[band + 1]!;
    let both = 0;
    let shared = 0;
    let aside = 0;
    for (let bin = from; bin < to; bin++) {
      // With Z = L + iR: |Z(k)|² + |Z(-k)|² = 2(|L|² + |R|²), and Z(k) Z(-k) = |L|² - |R|² + 2i Re(L R*).
      const mirror = (SIZE - bin) & (SIZE - 1);
      const a = real[bin]!;
      const b = imaginary[bin]!;
      const c = real[mirror]!;
      const d = imaginary[mirror]!;
      both += a * a + b * b + c * c + d * d;
      aside += a * c - b * d;
      shared += a * d + b * c;
    }
    const energy = both / 2;
    level[at + band] = quantised(energy / (to - from));
    const part = energy > 0 ? 1 / energy : 0;
    centre[at + band] = Math.round(127.5 + 127.5 * Math.max(-1, Math.min(1, shared * part)));
    balance[at + band] = Math.round(127.5 + 127.5 * Math.max(-1, Math.min(1, aside * part)));
  }
}

/** One channel counts twice, so that a mono file reads like its stereo twin. */
function see({ real, imaginary }: Spectra, level: Uint8Array, at: number): void {
  for (let band = 0; band < BANDS; band++) {
    const from = EDGES[band]!;
    const to = EDGES[band + 1]!;
    let energy = 0;
    for (let bin = from; bin < to; bin++) energy += real[bin]! * real[bin]! + imaginary[bin]! * imaginary[bin]!;
    level[at + band] = quantised((2 * energy) / (to - from));
  }
}
