/** Two targets of one run held against each other, and where a ramp bends. */
import { median } from "../measure.ts";
import type { Measured } from "./k6.ts";
import type { Saturation } from "./wrk.ts";

/** How many times as many requests the subject answers as the other. */
export interface Ratio {
  readonly mode: string;
  readonly other: string;
  /** In the same time. */
  readonly per_second: number;
  /** With the same processor time of the server, whatever it waited for. */
  readonly per_cpu: number;
}

/** Medians over the rounds. Pairs the rounds in order, so that what disturbed one round disturbs both sides of a ratio. */
export function ratiosOf(rounds: readonly Saturation[], subject: string): readonly Ratio[] {
  const others = [...new Set(rounds.map(({ target }) => target))].filter((target) => target !== subject);
  const modes = [...new Set(rounds.map(({ mode }) => mode))];
  return others.flatMap((other) =>
    modes.flatMap((mode) => {
      const of = (target: string) => rounds.filter((one) => one.target === target && one.mode === mode);
      const theirs = of(other);
      const pairs = of(subject).flatMap((our, round) => {
        const their = theirs[round];
        return their === undefined ? [] : [{ our, their }];
      });
      if (pairs.length === 0) return [];
      const per_second = median(pairs.map(({ our, their }) => our.per_second / their.per_second));
      const per_cpu = median(pairs.map(({ our, their }) => their.cpu_us / our.cpu_us));
      return [{ mode, other, per_second, per_cpu }];
    }),
  );
}

/** One figure of a scenario that both targets ran. */
export interface Comparison {
  readonly scenario: string;
  readonly figure: string;
  readonly ours: number;
  readonly theirs: number;
}

/** Latencies of `subject` and `other` in every scenario that both ran, own trends such as `operation_ms` too. */
export function comparisonsOf(rows: readonly Measured[], subject: string, other: string): readonly Comparison[] {
  return rows.flatMap((ours) => {
    if (ours.target !== subject) return [];
    const theirs = rows.find(({ target, scenario }) => target === other && scenario === ours.scenario);
    if (theirs === undefined) return [];
    const { scenario } = ours;
    const trends = Object.entries(ours.trends).flatMap(([name, { p50_ms }]) => {
      const their = theirs.trends[name];
      return their === undefined ? [] : [{ scenario, figure: `${name} p50`, ours: p50_ms, theirs: their.p50_ms }];
    });
    return [
      { scenario, figure: "p50 ms", ours: ours.p50_ms, theirs: theirs.p50_ms },
      { scenario, figure: "p99 ms", ours: ours.p99_ms, theirs: theirs.p99_ms },
      ...trends,
    ];
  });
}

/** The last rate of a ramp, in rising order, that was kept with nothing lost and `p99_ms` at most; 0 where none was. */
export function kneeOf(steps: readonly Measured[], p99_ms: number): number {
  let knee = 0;
  for (const step of [...steps].sort((one, other) => one.rate_asked - other.rate_asked)) {
    if (step.errors > 0 || step.p99_ms > p99_ms || step.rate_achieved < 0.98 * step.rate_asked) break;
    knee = step.rate_asked;
  }
  return knee;
}
