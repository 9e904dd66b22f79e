/** Which of the grooves at hand falls where another piece's attacks do. */

import { grooveOf, musicOf, type Rows } from "../../../packs/mod.ts";
import { genres } from "../genres.ts";
import { marksOf } from "./cells.ts";
import type { Setting } from "./player.ts";
import { rateOf } from "./player.ts";

const STEPS = 16;
/** How much nearer a groove of another genre has to be than the best of the own ones. */
const STRANGER = 0.15;
/** What an attack of each sign weighs. */
const FORCE: Readonly<Record<string, number>> = { X: 1, x: 0.9, o: 0.7, s: 0.4, g: 0.2, f: 1, r: 1, q: 1 };
/** Time-keepers are heard less than what they keep time for. */
const KEEPER = 0.4;

export interface Found {
  readonly name: string;
  /** Place in the groove's `base`. */
  readonly index: number;
}

/** @returns the family and its groove; own ones before those of other genres of the kind of scene */
export function likeGroove({ plan, style }: Setting, groove: readonly number[], keepers: ReadonlySet<string>): Found {
  const own = new Set(style.drums);
  const strangers = genres()
    .map((genre) => musicOf(genre))
    .filter(({ styles }) => styles.scene === style.scene && styles.sequenced === style.sequenced)
    .flatMap(({ grooves }) => grooves.drums);
  let best: Found = { name: [...own][0]!, index: 0 };
  let most = Number.NEGATIVE_INFINITY;
  for (const name of new Set([...own, ...strangers])) {
    const { drums: family } = grooveOf(name);
    if (family === undefined) continue;
    const rate = rateOf(plan, family.written_for_bpm);
    for (const [index, pattern] of family.base.entries()) {
      const likeness = correlation(attacksOf(pattern, rate, keepers), groove) - (own.has(name) ? 0 : STRANGER);
      if (likeness > most) [most, best] = [likeness, { name, index }];
    }
  }
  return best;
}

function attacksOf(rows: Rows, rate: 0.5 | 1 | 2, keepers: ReadonlySet<string>): number[] {
  const out = new Array<number>(STEPS).fill(0);
  for (const [drum, signs] of Object.entries(rows)) {
    const weight = keepers.has(drum) ? KEEPER : 1;
    for (const bar of [0, 1]) {
      for (const { sign, at } of marksOf(signs, bar, 4, 2, rate, 0.5)) {
        const step = Math.round(4 * at) % STEPS;
        // What falls together is one attack, as loud as the loudest.
        out[step] = Math.max(out[step]!, weight * (FORCE[sign] ?? 0.7));
      }
    }
  }
  return out;
}

function correlation(one: readonly number[], other: readonly number[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [a, b] = [mean(one), mean(other)];
  let [ab, aa, bb] = [0, 1e-9, 1e-9];
  for (let n = 0; n < STEPS; n++) {
    ab += (one[n]! - a) * (other[n]! - b);
    aa += (one[n]! - a) ** 2;
    bb += (other[n]! - b) ** 2;
  }
  return ab / Math.sqrt(aa * bb);
}
