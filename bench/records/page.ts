/** docs/benchmarks.md and its plots, out of the records and the guard's history. */
import { COLOURS, FAINT, polyline, short, svg, text } from "../../cli/bench/report/svg.ts";
import { BOUNDS, NAMES } from "../guard/bounds.ts";
import type { Entry } from "../guard/history.ts";
import { isKept, type MeasuredValue, seriesOf } from "./records.ts";

const AREAS: Readonly<Record<string, string>> = {
  requests: "Requests and the store on SQLite",
  postgres: "Postgres",
  nodes: "Many nodes",
  audio: "Signals and files",
  peers: "Engines beside what else people use, in one run",
  actions: "Whole actions",
  adapting: "Cuts, beats, harmony, ducks and stems",
  music: "Music, effects and voices",
};

const COLUMNS = "| | value | bound | beside | written down | command |\n|---|---|---|---|---|---|";

export function resultsPage(records: readonly MeasuredValue[], history: readonly Entry[]): string {
  const series = seriesOf(records);
  const unknown = series.find(([first]) => !Object.hasOwn(AREAS, first!.area));
  if (unknown !== undefined) throw new Error(`Cannot place the area "${unknown[0]?.area}": name it in page.ts`);
  const sections = Object.entries(AREAS).flatMap(([area, title]) => {
    const rows = series.filter(([first]) => first!.area === area).map((values) => row(values));
    return rows.length === 0 ? [] : [`## ${title}\n\n${COLUMNS}\n${rows.join("\n")}`];
  });
  const guarded = history.at(-1);
  const recorded =
    guarded === undefined
      ? "None was recorded."
      : `\`npm run guard\`, ${guarded.at.slice(0, 10)}, \`${guarded.commit}\`: how many times as fast the first is as the second ([over time](ratios.svg)).`;
  const ratios = NAMES.map((name) => `| ${name} | ${guarded?.ratios[name] ?? ""} | ${BOUNDS[name]} |`);
  return `${HEAD}
${sections.join("\n\n")}

## Ratios that must not fall

${recorded}

| | ratio | at least |
|---|---|---|
${ratios.join("\n")}
`;
}

const HEAD = `# Benchmarks

<!-- Written by bun bench/records.ts out of bench/records.jsonl and bench/history.jsonl: add values there, and how they came about to measured/. -->

The newest value of each metric. Two shared, noisy cores, no GPU: compare ratios, and values of one run. **Bold** misses its
bound. [Method](measured/method.md), [known weaknesses](measured/weaknesses.md), [what did not
help](measured/not_helped.md). How each value came about, with all tables: [requests](measured/requests.md),
[audio](measured/audio.md), [adapting](measured/adapting.md), [music](measured/music.md). Metrics over commits:
[plots](benchmarks.svg). To measure your own installation: [tonwerk bench](benchmarking.md).
`;

function row(values: readonly MeasuredValue[]): string {
  const newest = values.at(-1)!;
  const { metric, bound, better, peer = "", at, commit, command } = newest;
  const value = numberText(newest);
  const before = values.length > 1 ? ` (${numberText(values.at(-2)!)} before)` : "";
  const shown = isKept(newest) === false ? `**${value}**` : value;
  const limit = bound === undefined ? "" : `${better === "more" ? "≥" : "≤"} ${bound.toLocaleString("en")}`;
  return `| ${metric} | ${shown}${before} | ${limit} | ${peer} | ${at.slice(5)} \`${commit}\` | \`${command}\` |`;
}

const UNITS_BEHIND = new Set(["%", "/s"]);

function numberText({ value, unit }: MeasuredValue): string {
  const digits = value.toLocaleString("en", { maximumFractionDigits: 3 });
  if (unit === "times") return `${digits}×`;
  return UNITS_BEHIND.has(unit) ? digits + unit : `${digits} ${unit}`;
}

const WIDTH = 300;
const HEIGHT = 112;
const IN_A_ROW = 3;
const [LEFT, RIGHT, TOP, BOTTOM] = [14, 222, 44, 92];

/** One small plot for each metric that was measured more than once; the bound is a dashed line. */
export function recordsPlot(records: readonly MeasuredValue[]): string {
  const series = seriesOf(records).filter((values) => values.length > 1);
  const panels = series.map((values, index) => {
    const [x, y] = [(index % IN_A_ROW) * WIDTH, Math.floor(index / IN_A_ROW) * HEIGHT];
    return `<g transform="translate(${x} ${y})">${panel(values)}</g>`;
  });
  return svg(IN_A_ROW * WIDTH, Math.ceil(series.length / IN_A_ROW) * HEIGHT, panels.join("\n"));
}

function panel(values: readonly MeasuredValue[]): string {
  const { area, metric, bound } = values.at(-1)!;
  const most = 1.1 * Math.max(...values.map(({ value }) => value), bound ?? 0) || 1;
  const x = (index: number): number => LEFT + ((RIGHT - LEFT) * index) / (values.length - 1);
  const y = (value: number): number => BOTTOM - ((BOTTOM - TOP) * Math.max(0, value)) / most;
  const cut = metric.length > 44 ? `${metric.slice(0, 43)}…` : metric;
  const points = values.map(({ value }, index) => [x(index), y(value)] as const);
  const small = 'font-size="9" fill="#4a5562"';
  return [
    text(8, 16, cut, 'font-weight="600" font-size="11"'),
    text(8, 30, area, small),
    `<path d="M${LEFT} ${TOP}V${BOTTOM}H${RIGHT}" fill="none" stroke="${FAINT}"/>`,
    bound === undefined
      ? ""
      : `<path d="M${LEFT} ${short(y(bound))}H${RIGHT}" stroke="${COLOURS[1]}" stroke-dasharray="4 3"/>`,
    polyline(points, COLOURS[0]),
    ...points.map(
      ([at, height], index) =>
        `<circle cx="${short(at)}" cy="${short(height)}" r="3" fill="${COLOURS[0]}"><title>${values[index]!.at} ${values[index]!.commit}</title></circle>`,
    ),
    text(RIGHT + 6, points.at(-1)![1] + 4, numberText(values.at(-1)!), 'font-size="11"'),
    text(LEFT, BOTTOM + 14, values[0]!.commit, small),
    text(RIGHT, BOTTOM + 14, values.at(-1)!.commit, `${small} text-anchor="end"`),
  ].join("");
}
