/** What the critic measures, in which unit, what is good and who found so: terms.json. */
import { exp2 } from "../../../signal/dsp/exact.ts";
import terms from "./terms.json" with { type: "json" };

export type TermName = keyof typeof terms;
/** What a score measures, in the units of `terms.json`; absent or undefined where it has too little to be measured on. */
export type Measures = Partial<Readonly<Record<TermName, number | undefined>>>;

export interface Term {
  readonly unit: string;
  /** Range in which nothing is missing. */
  readonly low: number;
  readonly high: number;
  /** So far beyond the range half of the worth is lost. */
  readonly half: number;
  /** What it counts for; 0 and more, all together 1. */
  readonly weight: number;
  readonly source: string;
}

export const TERMS: Readonly<Record<TermName, Term>> = terms;

/** 0 to 1: 1 within the range, a half at `half` beyond it. */
export function worthOf({ low, high, half }: Term, value: number): number {
  const beyond = Math.max(0, low - value, value - high) / half;
  return exp2(-beyond * beyond);
}
