/** The band as a group, before a voice joins it. */
import { bandPass, Cascade } from "../../signal/dsp/biquad.ts";
import { STEP } from "../../signal/dsp/control.ts";
import { applySteps, stepsIn } from "../../signal/dsp/gain_steps.ts";
import { clamp } from "../../signal/dsp/numbers.ts";
import type { Genre } from "../compose/mod.ts";
import { correction, equaliser, octavesOf, spectrumOf, whole } from "./balance.ts";
import type { Buses } from "./buses.ts";
import { RATE } from "./channel.ts";
import { wrapped } from "./frames.ts";
import { K_WEIGHTING } from "./loudness.ts";
import { BLOCK, powersOf } from "./steps.ts";
import { octaveTargets } from "./targets.ts";

/** dB; the rest is left to the equaliser of the whole mix. */
const FURTHEST_DB = 6;
/**
 * Octaves that a voice will fill, 500 Hz to 2 kHz, are not lifted, and what lies under it is: against both, the lows
 * shall stand where records have them.
 */
const UNDER_VOICE_DB: readonly number[] = [0, 3.5, 3.5, 2.5];
/** What carries words, 1 to 4 kHz (ANSI S3.5-1997 gives the octaves of 1, 2 and 4 kHz seven tenths of all importance). */
const WORDS_HZ = 2000;
const WORDS_Q = 0.5;
const VOICED: ReadonlySet<number> = new Set([4, 5, 6]);

/**
 * Brings what is on the buses nearer to the genre's spectrum, in place, so that the equaliser of the whole mix has less
 * to do to the voice, which needs other octaves than a band of bass and brushes. Yields after every block.
 *
 * @param way amplitude of every step that the octaves of words lose
 * @returns K-weighted power of every step of what is left on the buses
 */
export function* equaliseBand(buses: Buses, genre: Genre, way?: Float32Array): Generator<undefined, Float32Array> {
  const { mix, frames, ring } = buses;
  const [left, right] = mix;
  const spectrum = whole(spectrumOf(left, right, ring));
  const wanted = correction(octavesOf(spectrum), octaveTargets(genre)).map((db, band) =>
    clamp(db + (UNDER_VOICE_DB[band] ?? 0), -FURTHEST_DB, VOICED.has(band) ? 0 : FURTHEST_DB),
  );
  const filter = new Cascade(equaliser(wanted, spectrum));
  const weighting = new Cascade(K_WEIGHTING);
  const dip = way === undefined ? undefined : new Cascade([bandPass(WORDS_HZ, RATE, WORDS_Q)]);
  const words = [new Float64Array(BLOCK), new Float64Array(BLOCK)] as const;
  const powers = new Float32Array(stepsIn(frames));
  const one = new Float64Array(BLOCK);
  const two = new Float64Array(BLOCK);
  for (let at = ring ? -WARM_BLOCKS * BLOCK : 0; at < frames; at += BLOCK) {
    const count = Math.min(BLOCK, frames - at);
    const there = Math.max(0, at);
    const [here_left, here_right] = [left.around(there), right.around(there)];
    const first = at - left.first;
    wrapped(here_left, one, first, count, frames);
    wrapped(here_right, two, first, count, frames);
    filter.run(one, two, count);
    if (dip !== undefined) {
      words[0].set(one);
      words[1].set(two);
      dip.run(words[0], words[1], count);
      if (at >= 0) {
        applySteps(words[0], way!, at, count, frames, ring);
        applySteps(words[1], way!, at, count, frames, ring);
        for (let n = 0; n < count; n++) {
          one[n] = one[n]! - words[0][n]!;
          two[n] = two[n]! - words[1][n]!;
        }
      }
    }
    if (at >= 0)
      for (let n = 0; n < count; n++) {
        here_left[first + n] = one[n]!;
        here_right[first + n] = two[n]!;
      }
    weighting.run(one, two, count);
    if (at >= 0) powersOf(one, two, count, powers, at / STEP);
    yield undefined;
  }
  return powers;
}

/** Blocks that a ring's filters run before its first frame. */
const WARM_BLOCKS = 44;
