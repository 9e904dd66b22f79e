/** Quiet seconds beside those in which something happened. */
import { answersOf, failuresOf, joinSlices, latencyOf, type Run, type Slice } from "../../cli/bench/pace.ts";
import { FEW } from "../../cli/bench/result.ts";
import { columns, median } from "../measure.ts";
import type { Kind } from "./load.ts";

export const QUANTILES = [0.5, 0.99, 0.999] as const;

export interface Round {
  readonly quiet: Slice;
  readonly during: Slice;
  /** Of those in `during`. */
  readonly seconds: number;
}

export interface Row {
  readonly happening: string;
  readonly stack: string;
  readonly kind: Kind;
  readonly rounds: readonly Round[];
}

/** Those of whole seconds from the beginning of counting that a window touches. */
export function cutRun({ slices }: Run, counted_at: number, [from, to]: readonly [number, number]): Slice[] {
  const second = (at: number): number => Math.floor((at - counted_at) / 1_000);
  return slices.filter((_, index) => index >= second(from) && index <= second(to));
}

const figure = (slice: Slice, q: number): number =>
  (answersOf(slice) + failuresOf(slice)) * (1 - q) < FEW - 0.01 ? Number.NaN : latencyOf(slice, q);

/** Of what is during to what is quiet, in each round. */
export const ratiosOf = ({ rounds }: Row, q: number): readonly number[] =>
  rounds.map(({ quiet, during }) => figure(during, q) / figure(quiet, q));

const middle = (values: readonly number[]): number => {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.length === 0 ? Number.NaN : median(known);
};

export interface Summary extends Pick<Row, "happening" | "stack" | "kind"> {
  /** Milliseconds of all rounds together, by QUANTILES. */
  readonly quiet_ms: readonly number[];
  readonly during_ms: readonly number[];
  /** Of the rounds' ratios, the median; where a round has too few for a quantile, of all together. */
  readonly ratios: readonly number[];
  readonly by_round: readonly (readonly number[])[];
  readonly seconds: number;
  readonly asked: number;
  readonly failed: Readonly<Record<string, number>>;
  readonly failed_quiet: Readonly<Record<string, number>>;
}

export function summaryOf(row: Row): Summary {
  const { rounds, happening, stack, kind } = row;
  const quiet = joinSlices(rounds.map((round) => round.quiet));
  const during = joinSlices(rounds.map((round) => round.during));
  const by_round = QUANTILES.map((q) => ratiosOf(row, q));
  const [quiet_ms, during_ms] = [quiet, during].map((slice) => QUANTILES.map((q) => figure(slice, q))) as [
    number[],
    number[],
  ];
  return {
    ...{ happening, stack, kind, quiet_ms, during_ms, by_round },
    ratios: by_round.map((all, index) => (all.some(Number.isNaN) ? during_ms[index]! / quiet_ms[index]! : middle(all))),
    seconds: rounds.reduce((sum, round) => sum + round.seconds, 0),
    asked: answersOf(during) + failuresOf(during),
    failed: during.failed,
    failed_quiet: quiet.failed,
  };
}

const number = (value: number, digits = 1): string => (Number.isNaN(value) ? "few" : value.toFixed(digits));
const failures = (failed: Readonly<Record<string, number>>): string =>
  Object.entries(failed)
    .map(([why, times]) => `${times} ${why}`)
    .join(", ") || "none";

export function tableOf(summaries: readonly Summary[]): string {
  return columns([
    [
      "while",
      "asked",
      "quiet p50",
      "p99",
      "p99.9 ms",
      "during p50",
      "p99",
      "p99.9 ms",
      "p99 times",
      "by round",
      "p99.9 times",
      "s",
      "failed",
    ],
    ...summaries.map((one) => [
      `${one.stack} ${one.happening}: ${one.kind}`,
      String(one.asked),
      ...one.quiet_ms.map((ms) => number(ms)),
      ...one.during_ms.map((ms) => number(ms)),
      number(one.ratios[1]!, 2),
      one.by_round[1]!.map((ratio) => number(ratio, 2)).join(" "),
      number(one.ratios[2]!, 2),
      one.seconds.toFixed(0),
      failures(one.failed),
    ]),
  ]);
}
