/**
 * What a score is worth before a note of it sounds: measures of melody, harmony, rhythm, texture and form, each against
 * the range in which the literature finds music to lie, weighed by how much they tell whole scores from harmed ones
 * (bench/critic.ts, which fits and tests them).
 */
import type { Score } from "../score.ts";
import { formTerms } from "./form.ts";
import { harmonyTerms } from "./harmony.ts";
import { melodyTerms } from "./melody.ts";
import { type Reading, readScore } from "./reading.ts";
import { rhythmTerms } from "./rhythm.ts";
import { type Measures, TERMS, type TermName, worthOf } from "./terms.ts";
import { textureTerms } from "./texture.ts";

export interface Judgement {
  /** 0 to 1. */
  readonly worth: number;
  readonly measures: Measures;
}

/** What one term of a judgement says. */
export interface Verdict {
  readonly name: TermName;
  readonly value: number;
  /** Range in which nothing is missing. */
  readonly low: number;
  readonly high: number;
  /** 0 to 1. */
  readonly worth: number;
}

const NAMES = Object.keys(TERMS) as TermName[];

function measuresOf(reading: Reading): Measures {
  return {
    ...melodyTerms(reading),
    ...harmonyTerms(reading),
    ...rhythmTerms(reading),
    ...textureTerms(reading),
    ...formTerms(reading),
  };
}

export function judge(score: Score): Judgement {
  const measures = measuresOf(readScore(score));
  let [sum, all] = [0, 0];
  for (const name of NAMES) {
    const value = measures[name];
    if (value === undefined) continue;
    const term = TERMS[name];
    sum += term.weight * worthOf(term, value);
    all += term.weight;
  }
  return { worth: all === 0 ? 0 : sum / all, measures };
}

/** Term by term; none for what could not be measured. */
export function verdictsOf({ measures }: Judgement): Verdict[] {
  return NAMES.flatMap((name) => {
    const value = measures[name];
    const { low, high } = TERMS[name];
    return value === undefined ? [] : [{ name, value, low, high, worth: worthOf(TERMS[name], value) }];
  });
}
