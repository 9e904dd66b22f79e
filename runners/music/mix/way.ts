/** How far the band makes way for words: keyed by what the voice does, and not by the lines of the score. */
import { STEP } from "../../signal/dsp/control.ts";
import { RATE } from "./channel.ts";

/**
 * Share of 1 to 4 kHz that the whole band gives up, drums and bass among it: 3.1 dB, as engineers do by a dynamic
 * equaliser on the band.
 */
const DEPTH = 0.3;
/** A step counts as sung down to this share of the mean power of those that sound: 15 dB. */
const SUNG = 0.03;
const SILENT = 1e-10;
/** The way is open when a word begins, and stays so between its syllables. Seconds. */
const AHEAD_S = 0.03;
const OPENS_S = 0.02;
const CLOSES_S = 0.15;

/**
 * Amplitude of every step that the octaves of words lose.
 *
 * @param sung K-weighted power of every step of the voice
 */
export function wayOf(sung: Float32Array): Float32Array {
  let sum = 0;
  let count = 0;
  for (const power of sung) {
    if (power <= SILENT) continue;
    sum += power;
    count++;
  }
  const gate = (SUNG * sum) / Math.max(1, count);
  const opens = STEP / RATE / OPENS_S;
  const closes = STEP / RATE / CLOSES_S;
  const ahead = Math.round((AHEAD_S * RATE) / STEP);
  let state = 0;
  return sung.map((_, n) => {
    const power = sung[Math.min(sung.length - 1, n + ahead)]!;
    const wanted = count > 0 && power > gate ? 1 : 0;
    state += (wanted > state ? opens : closes) * (wanted - state);
    return DEPTH * state;
  });
}
