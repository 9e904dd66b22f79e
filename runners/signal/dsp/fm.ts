/** Frequency modulation with two sines whose index and level fall: the operators' pairs of J. Chowning (1973) and of the DX7. */
import { STEP } from "./control.ts";
import { exp2, sine } from "./exact.ts";

const SIZE = 2048;
const SINE = Float64Array.from({ length: SIZE + 1 }, (_, n) => sine(n / SIZE));

export interface Pair {
  /** Hz of the carrier and of the modulator. */
  readonly carrier: number;
  readonly modulator: number;
  /** Radians at the attack, and what is left of them; seconds in between to fall by 60 dB. */
  readonly index: number;
  readonly rest: number;
  readonly index_t60: number;
  /** Seconds to rise, and to fall by 60 dB. */
  readonly attack: number;
  readonly t60: number;
  readonly gain: number;
  /** Turns of the modulator at the beginning; the carrier begins at zero. */
  readonly phase?: number;
}

/** Adds a pair; the index is held so low that the sidebands that matter stay below 0.46 of the rate. */
export function addPair(out: Float32Array, rate: number, pair: Pair): void {
  const step = Math.min(0.45, pair.carrier / rate) * SIZE;
  const turn = Math.min(0.45, pair.modulator / rate) * SIZE;
  // Carson's rule: sidebands reach index + 1 times the modulator.
  const room = Math.max(0, (0.46 * rate - pair.carrier) / Math.max(1, pair.modulator) - 1);
  const scale = SIZE / 6.283185307179586;
  const fall = exp2((-9.965784284662087 * STEP) / (pair.t60 * rate));
  const close = exp2((-9.965784284662087 * STEP) / (pair.index_t60 * rate));
  const rise = Math.max(1, pair.attack * rate);
  const frames = out.length;
  let x = 0;
  let y = ((pair.phase ?? 0) - Math.floor(pair.phase ?? 0)) * SIZE;
  let level = pair.gain;
  let more = pair.index - pair.rest;
  for (let at = 0; at < frames && level > 1e-5; at += STEP) {
    const end = Math.min(frames, at + STEP);
    const next = level * fall;
    const slope = (next - level) / STEP;
    const later = more * close;
    let depth = Math.min(room, pair.rest + more) * scale;
    const bend = (Math.min(room, pair.rest + later) * scale - depth) / STEP;
    let gain = level;
    for (let n = at; n < end; n++) {
      const m = y | 0;
      const low = SINE[m]!;
      let place = x + depth * (low + (y - m) * (SINE[m + 1]! - low));
      place -= Math.floor(place / SIZE) * SIZE;
      const index = place | 0;
      const value = SINE[index]!;
      const made = gain * (value + (place - index) * (SINE[index + 1]! - value));
      out[n] = out[n]! + (n < rise ? (made * n) / rise : made);
      gain += slope;
      depth += bend;
      x += step;
      if (x >= SIZE) x -= SIZE;
      y += turn;
      if (y >= SIZE) y -= SIZE;
    }
    level = next;
    more = later;
  }
}
