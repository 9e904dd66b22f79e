import { highPass, highShelf } from "../../signal/dsp/biquad.ts";
import { STEP } from "../../signal/dsp/control.ts";
import { levelOf } from "../../signal/dsp/gain_steps.ts";
import { RATE } from "./channel.ts";

/** First stage and second of BS.1770's weighting, as cookbook filters of the same corner frequencies. */
export const K_WEIGHTING = [
  highShelf(1681.974450955533, RATE, 3.999843853973347, 0.7071752369554196),
  highPass(38.13547087602444, RATE, 0.5003270373238773),
] as const;

/** Steps in 100 ms, nearly. */
const HOP = Math.round(RATE / 10 / STEP);

/**
 * Gated loudness as BS.1770-4 takes it, from K-weighted powers of steps instead of samples: blocks of four hops, a gate
 * 10 LU below the mean of those above -90 LUFS (stems may be faint). -Infinity where nothing sounds. On a ring blocks
 * go round.
 *
 * @param powers K-weighted mean square of each step, summed over channels
 * @param gains amplitude factor of each step
 */
export function gatedLoudness(powers: Float32Array, gains: Float32Array | undefined, ring: boolean): number {
  const hops = Math.max(1, Math.round(powers.length / HOP));
  const means = new Float64Array(hops);
  for (let hop = 0; hop < hops; hop++) {
    const from = Math.floor((hop * powers.length) / hops);
    const to = Math.floor(((hop + 1) * powers.length) / hops);
    let sum = 0;
    for (let n = from; n < to; n++) {
      const gain = gains === undefined ? 1 : gains[n]!;
      sum += powers[n]! * gain * gain;
    }
    means[hop] = sum / Math.max(1, to - from);
  }
  const width = Math.min(4, hops);
  const count = ring ? hops : hops - width + 1;
  const blocks = new Float64Array(count);
  for (let block = 0; block < count; block++) {
    let sum = 0;
    for (let k = 0; k < width; k++) sum += means[(block + k) % hops]!;
    blocks[block] = sum / width;
  }
  const mean = (gate: number): number => {
    let sum = 0;
    let passed = 0;
    for (let n = 0; n < count; n++) {
      if (blocks[n]! <= gate) continue;
      sum += blocks[n]!;
      passed++;
    }
    return passed === 0 ? 0 : sum / passed;
  };
  const all = mean(ABSOLUTE);
  if (all === 0) return Number.NEGATIVE_INFINITY;
  return OFFSET + levelOf(mean(Math.max(ABSOLUTE, all / 10)));
}

/** dB from a K-weighted mean square to LUFS. */
export const OFFSET = -0.691;
/** -90 LUFS. */
const ABSOLUTE = 1.17e-9;
