/**
 * The highest rate that keeps the objective, by doubling and then by bisection. Each verdict near the knee is the
 * majority of several runs.
 */
import type { Run } from "./pace.ts";
import { missedBy, type Slo } from "./slo.ts";

interface Step {
  readonly run: Run;
  /** Null: kept. */
  readonly missed: string | null;
}

export interface Knee {
  /** The highest rate whose runs kept it in their majority; 0 where not even the first did. */
  readonly rate: number;
  /** The lowest rate of which a run missed it, and the highest of which one kept it: the knee is known no better. */
  readonly lowest_missed: number;
  readonly highest_kept: number;
  /** Whether the search ended at what the generator can do, and not at the server's knee. */
  readonly is_generators: boolean;
  readonly steps: readonly Step[];
}

export interface Search {
  readonly first: number;
  /** No rate above this is asked for. */
  readonly most: number;
  /** Runs of a rate near the knee, odd. */
  readonly repeats: number;
  /** Ends when the bounds are this near. */
  readonly within: number;
  readonly slo: Slo;
  measure(rate: number): Promise<Run>;
  tell?(step: Step): void;
}

export async function findKnee({ first, most, repeats, within, slo, measure, tell }: Search): Promise<Knee> {
  const steps: Step[] = [];
  const once = async (rate: number): Promise<boolean> => {
    const run = await measure(rate);
    const step = { run, missed: missedBy(run, slo) ?? null };
    steps.push(step);
    tell?.(step);
    return step.missed === null;
  };
  /** Ends as soon as the majority is sure. */
  const judge = async (rate: number): Promise<boolean> => {
    let kept = 0;
    let missed = 0;
    while (kept <= repeats / 2 && missed <= repeats / 2) (await once(rate)) ? kept++ : missed++;
    return kept > missed;
  };
  let low = 0;
  let high = Math.min(first, most);
  // One that is kept far below the knee needs no second run; one that is missed does: a stall of the machine is no
  // knee.
  while ((await once(high)) || (await judge(high))) {
    low = high;
    if (high === most) break;
    high = Math.min(most, 2 * high);
  }
  const is_generators = low === most;
  // The first guess was too high.
  for (let lower = high / 2; low === 0 && lower >= first / 64; lower /= 2) {
    if (await judge(lower)) low = lower;
    else high = lower;
  }
  while (!is_generators && low > 0 && high / low > within) {
    const middle = Math.sqrt(low * high);
    if (await judge(middle)) low = middle;
    else high = middle;
  }
  const ratesOf = (isKept: boolean): readonly number[] =>
    steps.filter(({ missed }) => (missed === null) === isKept).map(({ run }) => run.rate);
  return {
    rate: low,
    lowest_missed: Math.min(...ratesOf(false), Number.MAX_VALUE),
    highest_kept: Math.max(0, ...ratesOf(true)),
    is_generators,
    steps,
  };
}
