/** What was measured, as a table for the terminal and as one HTML file with its plots inside. */
import { median } from "../measure.ts";
import type { Measured } from "./k6.ts";
import type { Saturation } from "./wrk.ts";

export interface Results {
  readonly commit: string;
  readonly at: string;
  readonly machine: string;
  /** Requests a second of the generators against a server that only answers. */
  readonly generators: Readonly<Record<string, number>>;
  /** Every round. */
  readonly saturation: readonly Saturation[];
  readonly scenarios: readonly Measured[];
  readonly ramp: readonly Measured[];
  readonly knee: number | null;
  /** Median over the rounds of `this a second / other a second`, taken within each round. */
  readonly ratios: readonly Ratio[];
}

export interface Ratio {
  readonly mode: string;
  readonly other: string;
  readonly ratio: number;
}

/** Pairs the rounds in order, so that what disturbed one round disturbs both sides of a ratio. */
export function ratiosOf(rounds: readonly Saturation[], subject: string): readonly Ratio[] {
  const others = [...new Set(rounds.map(({ target }) => target))].filter((target) => target !== subject);
  const modes = [...new Set(rounds.map(({ mode }) => mode))];
  return others.flatMap((other) =>
    modes.flatMap((mode) => {
      const of = (target: string) => rounds.filter((one) => one.target === target && one.mode === mode);
      const theirs = of(other);
      const pairs = of(subject).flatMap(({ per_second }, round) => {
        const their = theirs[round];
        return their === undefined ? [] : [per_second / their.per_second];
      });
      return pairs.length === 0 ? [] : [{ mode, other, ratio: median(pairs) }];
    }),
  );
}

type Cells = readonly string[];

export function textReport(results: Results): string {
  const sections: string[] = [`${results.commit}, ${results.at}, ${results.machine}`];
  const generators = Object.entries(results.generators).map(([name, rate]) => `${name} ${whole(rate)}/s`);
  if (generators.length > 0)
    sections.push(`The generators' own limit, a server that only answers: ${generators.join(", ")}`);
  if (results.saturation.length > 0) sections.push(`Saturation (closed loop)\n${table(saturationCells(results))}`);
  const ratios = results.ratios.map(({ mode, other, ratio }) => `${mode} ${ratio.toFixed(2)} times ${other}`);
  if (ratios.length > 0) sections.push(`Ratios, medians of the rounds: ${ratios.join(", ")}`);
  const open = [...results.scenarios, ...results.ramp];
  if (open.length > 0) sections.push(`Open model\n${table(openCells(open))}`);
  if (results.knee !== null)
    sections.push(`Knee: ${results.knee === 0 ? "below the first rate" : `${results.knee}/s`}`);
  return sections.join("\n\n");
}

function saturationCells({ saturation }: Results): readonly Cells[] {
  return [
    ["target", "requests", "accounts", "a second", "p50 ms", "p95 ms", "p99 ms", "errors"],
    ...saturation.map((row) => [
      row.target,
      row.mode,
      String(row.accounts),
      whole(row.per_second),
      row.p50_ms.toFixed(1),
      row.p95_ms.toFixed(1),
      row.p99_ms.toFixed(1),
      String(row.errors),
    ]),
  ];
}

function openCells(rows: readonly Measured[]): readonly Cells[] {
  return [
    ["target", "scenario", "asked/s", "achieved/s", "p50 ms", "p95 ms", "p99 ms", "errors", "dropped", "kept", "own"],
    ...rows.map((row) => [
      row.target,
      row.scenario,
      whole(row.rate_asked),
      whole(row.rate_achieved),
      row.p50_ms.toFixed(1),
      row.p95_ms.toFixed(1),
      row.p99_ms.toFixed(1),
      String(row.errors),
      String(row.dropped),
      row.thresholds_ok ? "yes" : "no",
      Object.entries(row.trends)
        .map(([name, { p50_ms, p99_ms }]) => `${name} ${whole(p50_ms)} / ${whole(p99_ms)}`)
        .join(", "),
    ]),
  ];
}

const whole = (value: number): string => (value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en"));

function table(rows: readonly Cells[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

// ----------------------------------------------------------------------------------------------------------------- HTML

export function htmlReport(results: Results): string {
  const plots = [
    results.saturation.length === 0 ? "" : section("Saturation, requests a second", saturationPlot(results.saturation)),
    results.scenarios.length === 0
      ? ""
      : section("Latency at a fixed rate: p50, p95, p99 (ms, logarithmic)", latencyPlot(results.scenarios)),
    results.ramp.length === 0 ? "" : section("Ramp: achieved rate and p99 by asked rate", rampPlot(results.ramp)),
  ];
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Tonwerk under load, ${escaped(results.commit)}</title>
<style>
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1c2430; background: #fff }
  svg { width: 100%; height: auto; font-size: 12px } pre { overflow-x: auto; background: #f4f6f8; padding: 1rem }
</style>
<h1>Tonwerk under load</h1>
${plots.join("\n")}
<h2>Figures</h2>
<pre>${escaped(textReport(results))}</pre>
</html>
`;
}

const COLOURS = ["#2f6fb0", "#d1792c", "#4a8f4a", "#8a5fb0"];
const WIDTH = 860;

const section = (title: string, svg: string): string => `<h2>${escaped(title)}</h2>\n${svg}`;

/** A bar for each target and mode: the median of its rounds, a tick for each. */
function saturationPlot(rows: readonly Saturation[]): string {
  const names = [...new Set(rows.map(({ mode, target, accounts }) => `${mode}, ${target}, ${accounts} accounts`))];
  const targets = [...new Set(rows.map(({ target }) => target))];
  const scale = 600 / Math.max(...rows.map(({ per_second }) => per_second));
  const bars = names.map((name, index) => {
    const own = rows.filter(({ mode, target, accounts }) => `${mode}, ${target}, ${accounts} accounts` === name);
    const rates = own.map(({ per_second }) => per_second);
    const colour = COLOURS[targets.indexOf(own[0]!.target) % COLOURS.length];
    const y = 10 + index * 26;
    const ticks = rates.map((rate) => `<path d="M${200 + rate * scale} ${y}v18" stroke="#1c2430"/>`).join("");
    const middle = median(rates);
    return `<text x="190" y="${y + 13}" text-anchor="end">${escaped(name)}</text>
<rect x="200" y="${y}" width="${middle * scale}" height="18" fill="${colour}"/>${ticks}
<text x="${206 + Math.max(...rates) * scale}" y="${y + 13}">${whole(middle)}</text>`;
  });
  return svg(20 + names.length * 26, bars.join("\n"));
}

function latencyPlot(rows: readonly Measured[]): string {
  const most = Math.max(10, ...rows.map(({ p99_ms }) => p99_ms));
  const x = (ms: number): number => 220 + (600 * Math.log10(1 + ms)) / Math.log10(1 + most);
  const lines = rows.map(({ target, scenario, rate_asked, p50_ms, p95_ms, p99_ms }, index) => {
    const y = 20 + index * 28;
    const dots = [p50_ms, p95_ms, p99_ms].map(
      (ms, nth) =>
        `<circle cx="${x(ms)}" cy="${y}" r="6" fill="${COLOURS[nth]}"><title>${ms.toFixed(1)} ms</title></circle>`,
    );
    return `<text x="210" y="${y + 4}" text-anchor="end">${escaped(`${scenario}, ${target}, ${whole(rate_asked)}/s`)}</text>
<path d="M${x(p50_ms)} ${y}H${x(p99_ms)}" stroke="#9aa5b1"/>${dots.join("")}`;
  });
  const bottom = 20 + rows.length * 28;
  const ticks = [1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000].filter((ms) => ms <= most);
  const axis = ticks.map(
    (ms) =>
      `<path d="M${x(ms)} 6V${bottom - 8}" stroke="#e3e8ed"/><text x="${x(ms)}" y="${bottom + 6}" text-anchor="middle">${ms}</text>`,
  );
  return svg(bottom + 14, [...axis, ...lines].join("\n"));
}

/** Left axis: achieved a second. Right axis: p99. The grey diagonal is what was asked. */
function rampPlot(steps: readonly Measured[]): string {
  const rows = [...steps].sort((one, other) => one.rate_asked - other.rate_asked);
  const most_rate = Math.max(...rows.map(({ rate_asked }) => rate_asked));
  const most_ms = Math.max(...rows.map(({ p99_ms }) => p99_ms), 1);
  const x = (rate: number): number => 60 + (720 * rate) / most_rate;
  const rate_y = (rate: number): number => 270 - (250 * rate) / most_rate;
  const ms_y = (ms: number): number => 270 - (250 * ms) / most_ms;
  const line = (points: readonly (readonly [number, number])[], colour: string): string =>
    `<polyline points="${points.map((point) => point.join(",")).join(" ")}" fill="none" stroke="${colour}" stroke-width="2"/>`;
  const labels = rows.map(
    (row) =>
      `<text x="${x(row.rate_asked)}" y="290" text-anchor="middle">${whole(row.rate_asked)}</text>
<text x="${x(row.rate_asked)}" y="${ms_y(row.p99_ms) - 8}" text-anchor="middle" fill="${COLOURS[1]}">${row.p99_ms.toFixed(0)} ms</text>`,
  );
  return svg(
    300,
    `<path d="M60 20V270H780V20" fill="none" stroke="#9aa5b1"/>
<path d="M60 270L780 20" stroke="#d5dbe1"/>
${line(
  rows.map((row) => [x(row.rate_asked), rate_y(row.rate_achieved)] as const),
  COLOURS[0]!,
)}
${line(
  rows.map((row) => [x(row.rate_asked), ms_y(row.p99_ms)] as const),
  COLOURS[1]!,
)}
${labels.join("\n")}
<text x="66" y="34" fill="${COLOURS[0]}">achieved/s</text><text x="774" y="34" text-anchor="end" fill="${COLOURS[1]}">p99</text>`,
  );
}

const svg = (height: number, inside: string): string =>
  `<svg viewBox="0 0 ${WIDTH} ${height}" xmlns="http://www.w3.org/2000/svg" role="img">${inside}</svg>`;

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
