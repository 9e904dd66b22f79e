/** `tonwerk bench compare A.json B.json`: each figure of B beside A's, as a ratio with its 95 % interval. */
import { readFileSync } from "node:fs";
import { UsageError } from "../client/exit_codes.ts";
import { seeded } from "./audio.ts";
import { bucketOf, microsecondsOf } from "./histogram.ts";
import { joinSlices, type Slice } from "./pace.ts";
import { ms, perSecond, table } from "./report/text.ts";
import { FEW, FORMAT, nameOf, type Result } from "./result.ts";

export interface Compared {
  readonly scenario: string;
  readonly figure: string;
  readonly a: number;
  readonly b: number;
  /** Of B to A: from all data, and between which bounds 95 of 100 draws lie. */
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

const DRAWS = 1_000;
const FIGURES = [0.5, 0.9, 0.99, 0.999];
/** Fewer seconds than this cannot be drawn from. */
const SECONDS_MIN = 5;

/**
 * Seconds are drawn, not single latencies: those of one second depend on each other (a stall hits all of them), so that
 * drawing them one by one would promise intervals that are far too narrow.
 */
export function compareResults(a: Result, b: Result): readonly Compared[] {
  return b.measured.flatMap((theirs) => {
    const ours = a.measured.find(({ scenario }) => scenario === theirs.scenario);
    if (ours === undefined) return [];
    const sides = [ours, theirs].map(({ runs }) => runs.flatMap(({ slices }) => slices).map(pack));
    const [one = [], other = []] = sides;
    if (one.length < SECONDS_MIN || other.length < SECONDS_MIN) return [];
    const next = seeded(1);
    const draws = FIGURES.map((): number[] => []);
    for (let n = 0; n < DRAWS; n++) {
      const [left, right] = [one, other].map((side) =>
        quantiles(side.map(() => side[Math.floor(next() * side.length)]!)),
      );
      for (const [index, draw] of draws.entries()) draw.push(right![index]! / left![index]!);
    }
    const [left, right] = [quantiles(one), quantiles(other)];
    const enough = Math.min(total(one), total(other));
    const rows = FIGURES.flatMap((q, index) => {
      const sorted = [...draws[index]!].sort((x, y) => x - y);
      if (enough * (1 - q) < FEW - 0.01) return [];
      const [low, high] = [0.025, 0.975].map((at) => sorted[Math.floor(at * (DRAWS - 1))]!);
      const [was, is] = [left[index]!, right[index]!];
      return [
        {
          scenario: theirs.scenario,
          figure: `${nameOf(q)} ms`,
          a: was,
          b: is,
          ratio: is / was,
          low: low!,
          high: high!,
        },
      ];
    });
    if (ours.knee === null || theirs.knee === null) return rows;
    // What each knee is known no better than, as the interval.
    const [was, is] = [ours.knee, theirs.knee];
    const bounds = [was, is].map(
      ({ lowest_missed, highest_kept }) => [Math.min(lowest_missed, highest_kept), highest_kept] as const,
    );
    const knee = { scenario: theirs.scenario, figure: "knee /s", a: was.rate, b: is.rate, ratio: is.rate / was.rate };
    return [...rows, { ...knee, low: bounds[1]![0] / bounds[0]![1], high: bounds[1]![1] / bounds[0]![0] }];
  });
}

export function comparisonText(a: Result, b: Result): string {
  const rows = compareResults(a, b).map(({ scenario, figure, a, b, ratio, low, high }) => {
    const say = figure.endsWith("/s") ? perSecond : ms;
    const verdict =
      low > 1
        ? figure.endsWith("/s")
          ? "better"
          : "worse"
        : high < 1
          ? figure.endsWith("/s")
            ? "worse"
            : "better"
          : "not told apart";
    return [scenario, figure, say(a), say(b), ratio.toFixed(2), `${low.toFixed(2)} to ${high.toFixed(2)}`, verdict];
  });
  if (rows.length === 0) return "There is no scenario that both measured, for 5 s or longer.";
  const rates = b.measured.flatMap(({ scenario, runs }) => {
    const was = a.measured.find((one) => one.scenario === scenario)?.runs[0]?.rate;
    const is = runs[0]?.rate;
    return was === undefined || is === undefined || Math.abs(was / is - 1) < 0.01
      ? []
      : [`${scenario}: A at ${perSecond(was)}/s, B at ${perSecond(is)}/s: latencies compare only at one rate`];
  });
  const machines =
    a.machine.processor === b.machine.processor && a.machine.cores === b.machine.cores
      ? []
      : ["The generators ran on different machines"];
  return [
    `A: ${a.at}, version ${a.version}, generator ${a.machine.commit}`,
    `B: ${b.at}, version ${b.version}, generator ${b.machine.commit}`,
    ...machines,
    ...rates,
    "",
    table([["scenario", "figure", "A", "B", "B / A", "95 %", ""], ...rows]),
  ].join("\n");
}

/** @throws UsageError */
export function readResult(path: string): Result {
  let found: Result;
  try {
    found = JSON.parse(readFileSync(path, "utf8")) as Result;
  } catch (error) {
    throw new UsageError(`Cannot read "${path}": ${error instanceof Error ? error.message : error}`);
  }
  if (found.format !== FORMAT) throw new UsageError(`"${path}" is no result of tonwerk bench, or of another version`);
  return found;
}

/** A slice as it is drawn often. */
interface Packed {
  readonly buckets: Int32Array;
  readonly times: Int32Array;
  readonly count: number;
}

/** What failed stands behind everything that was answered. */
const NEVER = bucketOf(2 ** 40);

function pack(slice: Slice): Packed {
  const { counts, failed } = joinSlices([slice]);
  const failures = Object.values(failed).reduce((sum, times) => sum + times, 0);
  const all = failures === 0 ? counts : [...counts, [NEVER, failures] as const];
  return {
    buckets: Int32Array.from(all, ([bucket]) => bucket),
    times: Int32Array.from(all, ([, times]) => times),
    count: all.reduce((sum, [, times]) => sum + times, 0),
  };
}

const total = (slices: readonly Packed[]): number => slices.reduce((sum, { count }) => sum + count, 0);
const tally = new Int32Array(NEVER + 1);

function quantiles(slices: readonly Packed[]): readonly number[] {
  tally.fill(0);
  for (const { buckets, times } of slices) for (let n = 0; n < buckets.length; n++) tally[buckets[n]!]! += times[n]!;
  const all = total(slices);
  let seen = 0;
  let bucket = -1;
  return FIGURES.map((q) => {
    while (bucket < NEVER && seen < Math.max(1, Math.ceil(q * all))) seen += tally[++bucket]!;
    return bucket === NEVER ? Number.POSITIVE_INFINITY : microsecondsOf(bucket) / 1_000;
  });
}
