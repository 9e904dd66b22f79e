/** How far a mix spreads over both channels, octave by octave. */
import { bell, highShelf, lowShelf, type Section } from "../../signal/dsp/biquad.ts";
import { gainOf } from "../../signal/dsp/exact.ts";
import { levelOf } from "../../signal/dsp/gain_steps.ts";
import { rounded } from "../../signal/dsp/numbers.ts";
import type { MixCharacter } from "../compose/mod.ts";
import { octavePowers, type Spectrum } from "./balance.ts";
import { RATE } from "./channel.ts";
import { FIRST_SIDE, sideTargets } from "./targets.ts";

/** What the bus does to the side. */
export interface Spread {
  /** Amplitude of a side that is made of the middle; 0 for none. */
  readonly made: number;
  /** Wide and gentle, for the side alone. */
  readonly sections: readonly Section[];
}

/** A side is not lifted further, for then its rooms and effects stand out, nor lowered. dB. */
const MOST_DB = 5;
const LEAST_DB = -8;
/** Only what lies further under the target than this is made of the middle: a mix of single players in mono. */
const MISSING_DB = 6;
const MADE_MOST = 0.5;
/** Corrections under this are not heard and not worth their time. */
const HEARD_DB = 0.4;

/** What brings the side near its genre's share of each octave. Left and right that differ in all else keep what they share. */
export function spreadOf({ middle, side }: Spectrum, mix: MixCharacter): Spread {
  const targets = sideTargets(mix);
  const middles = octavePowers(middle).slice(FIRST_SIDE);
  const sides = octavePowers(side).slice(FIRST_SIDE);
  const loudest = Math.max(...middles, ...sides);
  // Octaves in which nothing plays say nothing.
  const heard = targets.map((_, band) => middles[band]! + sides[band]! > loudest * 1e-4);
  let [wanted, weight] = [0, 0];
  for (const [band, target] of targets.entries()) {
    if (!heard[band] || !(middles[band]! > 0)) continue;
    const missing = gainOf(2 * target) - gainOf(2 * MISSING_DB) * (sides[band]! / middles[band]!);
    wanted += Math.max(0, missing);
    weight++;
  }
  const made = weight === 0 ? 0 : Math.min(MADE_MOST, Math.sqrt(wanted / weight));
  const moves = targets.map((target, band) => {
    if (!heard[band]) return 0;
    const share = sides[band]! / Math.max(1e-30, middles[band]!) + made * made;
    return Math.min(MOST_DB, Math.max(LEAST_DB, target - levelOf(share)));
  });
  // From 250 Hz to 16 kHz: two octaves each, the last alone.
  const [low, middle_db, high, top] = [
    (moves[0]! + moves[1]!) / 2,
    (moves[2]! + moves[3]!) / 2,
    (moves[4]! + moves[5]!) / 2,
    moves[6]!,
  ];
  const sections = (
    [
      [low, lowShelf(700, RATE, low)],
      [middle_db, bell(1400, RATE, 0.7, middle_db)],
      [(high + top) / 2, highShelf(3200, RATE, (high + top) / 2)],
    ] as const
  ).flatMap(([decibel, section]) => (Math.abs(decibel) < HEARD_DB ? [] : [section]));
  return { made: made < 0.04 ? 0 : rounded(made), sections };
}
