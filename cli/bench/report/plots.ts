/** The plots of a result: percentiles, latency over time, and the search for a knee. */

import { quantileOf } from "../histogram.ts";
import type { Knee } from "../knee.ts";
import { failuresOf, latencyOf, type Run } from "../pace.ts";
import { figuresOf, nameOf, sliceOf } from "../result.ts";
import { COLOURS, FAINT, polyline, short, svg, text } from "./svg.ts";
import { ms, perSecond } from "./text.ts";

const WIDTH = 860;
const HEIGHT = 260;
const [LEFT, RIGHT, TOP, BOTTOM] = [64, 740, 26, 224];
const END = 'text-anchor="end"';
const MIDDLE = 'text-anchor="middle"';
const GRID = "#e3e8ed";

interface Axis {
  place(value: number): number;
  readonly ticks: readonly number[];
}

/** Decades between the smallest and largest value, with 1, 2 and 5 named. */
function logAxis(values: readonly number[], from: number, to: number): Axis {
  const known = values.filter((value) => Number.isFinite(value) && value > 0);
  const least = 10 ** Math.floor(Math.log10(Math.min(...known, 1e6)));
  const most = Math.max(...known, least * 1.01);
  const scale = (to - from) / (Math.log10(most) - Math.log10(least) || 1);
  const ticks: number[] = [];
  for (let decade = least; decade <= most * 1.001; decade *= 10)
    for (const step of most / least > 1_000 ? [1] : [1, 2, 5])
      if (decade * step <= most * 1.001) ticks.push(decade * step);
  return {
    place: (value) => from + scale * (Math.log10(Math.min(most, Math.max(least, value))) - Math.log10(least)),
    ticks,
  };
}

const frame = `<path d="M${LEFT} ${TOP}V${BOTTOM}H${RIGHT}" fill="none" stroke="${FAINT}"/>`;
const millisecondLines = ({ place, ticks }: Axis): string =>
  ticks
    .map(
      (tick) =>
        `<path d="M${LEFT} ${short(place(tick))}H${RIGHT}" stroke="${GRID}"/>${text(LEFT - 6, place(tick) + 4, ms(tick), END)}`,
    )
    .join("") + text(LEFT - 6, TOP - 10, "ms", END);

/**
 * Latency by percentile, whose axis stretches the tail: each step is ten times rarer. A thin line for each run, a thick
 * one for all.
 */
export function percentilePlot(runs: readonly Run[]): string {
  const whole = sliceOf(runs);
  const count = figuresOf(whole).answered + failuresOf(whole);
  const rarest = Math.max(10, count);
  const stops = Array.from({ length: 121 }, (_, n) => 1 - rarest ** (-n / 120));
  const x = (q: number): number => LEFT + ((RIGHT - LEFT) * Math.log10(1 / (1 - q))) / Math.log10(rarest);
  const curve = (slice: ReturnType<typeof sliceOf>) =>
    stops.map((q) => [q, latencyOf(slice, q)] as const).filter(([, value]) => Number.isFinite(value));
  const all = curve(whole);
  const y = logAxis(
    all.map(([, value]) => value),
    BOTTOM,
    TOP,
  );
  const line = (points: typeof all, colour: string): string =>
    polyline(
      points.map(([q, value]) => [x(q), y.place(value)] as const),
      colour,
    );
  const marks = [0.5, 0.9, 0.99, 0.999, 0.9999].filter((q) => 1 / (1 - q) <= rarest);
  const failed = failuresOf(whole) / Math.max(1, count);
  return svg(
    WIDTH,
    HEIGHT,
    [
      millisecondLines(y),
      frame,
      ...marks.map(
        (q) =>
          `<path d="M${short(x(q))} ${TOP}V${BOTTOM}" stroke="${GRID}"/>${text(x(q), BOTTOM + 18, nameOf(q), MIDDLE)}`,
      ),
      ...(runs.length > 1 ? runs.map((run) => `<g opacity=".35">${line(curve(sliceOf([run])), COLOURS[0])}</g>`) : []),
      line(all, COLOURS[0]),
      failed > 0 ? text(RIGHT + 8, TOP + 12, `${(100 * failed).toPrecision(2)} % failed`, `fill="${COLOURS[1]}"`) : "",
    ].join("\n"),
  );
}

/** p50, p99 and the longest of each second, all runs one after another; dots where something failed. */
export function timePlot(runs: readonly Run[]): string {
  const slices = runs.flatMap(({ slices }) => slices);
  const kinds = [0.5, 0.99, 1].map((q) => slices.map(({ counts }) => quantileOf(counts, 0, q)));
  const y = logAxis(kinds.flat(), BOTTOM, TOP);
  const x = (second: number): number => LEFT + ((RIGHT - LEFT) * (second + 0.5)) / Math.max(1, slices.length);
  const lines = kinds.map((values, kind) => {
    const points = values.flatMap((value, second) =>
      Number.isFinite(value) ? [[x(second), y.place(value)] as const] : [],
    );
    const last = points.at(-1);
    return (
      polyline(points, COLOURS[kind]!) +
      (last === undefined
        ? ""
        : text(RIGHT + 8, last[1] + 4, ["p50", "p99", "longest"][kind]!, `fill="${COLOURS[kind]}"`))
    );
  });
  const failed = slices.flatMap((slice, second) =>
    failuresOf(slice) === 0
      ? []
      : [
          `<circle cx="${short(x(second))}" cy="${TOP - 6}" r="4" fill="${COLOURS[3]}"><title>${failuresOf(slice)} failed</title></circle>`,
        ],
  );
  let before = 0;
  const borders = runs.map((run, index) => {
    const at = LEFT + ((RIGHT - LEFT) * before) / slices.length;
    before += run.slices.length;
    return `${index === 0 ? "" : `<path d="M${short(at)} ${TOP}V${BOTTOM}" stroke="${FAINT}" stroke-dasharray="3 3"/>`}${text(at + 4, BOTTOM + 18, `run ${index + 1}: ${run.seconds} s at ${perSecond(run.rate)}/s`)}`;
  });
  return svg(WIDTH, HEIGHT, [millisecondLines(y), frame, ...borders, ...lines, ...failed].join("\n"));
}

/** p99 by the rate that was asked for: full where the objective was kept, hollow where it was missed. */
export function kneePlot({ steps, rate }: Knee): string {
  const tails = steps.map(({ run }) => latencyOf(sliceOf([run]), 0.99));
  const x = logAxis(
    steps.map(({ run }) => run.rate),
    LEFT,
    RIGHT,
  );
  const y = logAxis(tails, BOTTOM, TOP);
  const dots = steps.map(({ run, missed }, index) => {
    const colour = missed === null ? COLOURS[2] : COLOURS[1];
    // What failed has no place on the axis: it stands at the top.
    const place = Number.isFinite(tails[index]) ? y.place(tails[index]!) : TOP;
    return `<circle cx="${short(x.place(run.rate))}" cy="${short(place)}" r="5" fill="${missed === null ? colour : "#fff"}" stroke="${colour}" stroke-width="2"><title>${perSecond(run.rate)}/s: p99 ${ms(tails[index]!)} ms${missed === null ? "" : `, missed: ${missed}`}</title></circle>`;
  });
  const at = x.place(rate);
  return svg(
    WIDTH,
    HEIGHT,
    [
      millisecondLines(y),
      frame,
      ...x.ticks.map((tick) => text(x.place(tick), BOTTOM + 18, `${perSecond(tick)}/s`, MIDDLE)),
      rate === 0
        ? ""
        : `<path d="M${short(at)} ${TOP}V${BOTTOM}" stroke="${COLOURS[0]}" stroke-dasharray="4 3"/>${text(at, TOP - 8, `${perSecond(rate)}/s`, `${MIDDLE} fill="${COLOURS[0]}"`)}`,
      ...dots,
    ].join("\n"),
  );
}
