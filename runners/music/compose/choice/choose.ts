/**
 * Several scores are composed and the best is kept: composing makes no sound, so that eight cost less than one second
 * of a recording. Further variations are as far from those before them as candidates that are as good allow.
 */
import { collectGarbage } from "../../../collect.ts";
import { hash32 } from "../../../signal/dsp/random.ts";
import { clockOf } from "../clock.ts";
import { judge, type Verdict, verdictsOf } from "../critic/critic.ts";
import type { Score } from "../score.ts";
import { distance, type Features, featuresOf } from "./distance.ts";

/** Twice as many would be worth a quarter more of what eight win (bench/choice.ts). */
export const CANDIDATES = 8;
/** A further variation may be worth so much less than the best of its own candidates: twice as much as candidates stray. */
export const GIVE = 0.03;

/** A score that may be chosen, with what was made along with it. */
export interface Candidate {
  readonly score: Score;
}

/** Why a score was chosen. */
export interface Choice {
  /** How many were composed for this variation. */
  readonly candidates: number;
  /** Of the chosen score and of the first candidate, which would have been kept if nothing were chosen. 0 to 1. */
  readonly worth: number;
  readonly first_worth: number;
  /** To the nearest of the variations before it, 0 to 1; absent for the first. */
  readonly distance?: number;
  /** What the chosen score was judged by. */
  readonly terms: readonly Verdict[];
}

export type Chosen<C extends Candidate = Candidate> = C & { readonly choice: Choice };

/** The seeds of a variation's candidates; the first is its own. */
export function candidateSeeds(seed: number, count = CANDIDATES): number[] {
  return Array.from({ length: count }, (_, n) => (n === 0 ? seed : hash32(seed, 0x100 + n)));
}

/** The best of what is composed for a seed. */
export function chooseBest<C extends Candidate>(seed: number, attempt: (seed: number) => C): Chosen<C> {
  return chooser([seed], attempt)(0);
}

/**
 * Chooses for each variation when it is asked for: equal whichever others are asked for, in which order and in which
 * thread, since every choice follows from the seeds before it.
 *
 * @param seeds one for each variation
 * @param attempt composes; `index` is the variation's
 */
export function chooser<C extends Candidate>(
  seeds: readonly number[],
  attempt: (seed: number, index: number) => C,
  count = CANDIDATES,
): (index: number) => Chosen<C> {
  const chosen: Chosen<C>[] = [];
  const features: Features[] = [];
  return (index) => {
    for (let at = chosen.length; at <= index; at++) {
      const made = candidateSeeds(seeds[at]!, count).map((seed, n) => {
        const one = attempt(seed, at);
        // Each leaves 20 MB where the piece is long, and the runtime keeps for good what that once took.
        if (n % 2 === 1) collectGarbage(secondsOf(one.score));
        return one;
      });
      const one = choice(made, features);
      features.push(featuresOf(one.score));
      chosen.push(one);
    }
    return chosen[index]!;
  };
}

const secondsOf = (score: Score): number => clockOf(score).seconds(score.beats);

/** @param before features of what was chosen already */
function choice<C extends Candidate>(made: readonly C[], before: readonly Features[]): Chosen<C> {
  const judged = made.map(({ score }) => judge(score));
  const best = judged.reduce((a, b) => (b.worth > a.worth ? b : a));
  const kept = (n: number, apart?: number): Chosen<C> => ({
    ...made[n]!,
    choice: {
      candidates: made.length,
      worth: judged[n]!.worth,
      first_worth: judged[0]!.worth,
      ...(apart === undefined ? {} : { distance: apart }),
      terms: verdictsOf(judged[n]!),
    },
  });
  if (before.length === 0) return kept(judged.indexOf(best));
  let [far, most] = [0, -1];
  for (const [n, { worth }] of judged.entries()) {
    if (worth < best.worth - GIVE) continue;
    const own = featuresOf(made[n]!.score);
    const apart = Math.min(...before.map((other) => distance(own, other)));
    if (apart > most) [far, most] = [n, apart];
  }
  return kept(far, most);
}
