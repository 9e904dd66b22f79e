/** What was measured, as tables for the terminal and as one HTML file with its plots inside. */
import { escaped } from "../../cli/bench/report/svg.ts";
import { comparisonsOf, type Ratio } from "./compare.ts";
import type { Measured } from "./k6.ts";
import { latencyPlot, rampPlot, saturationPlot } from "./plots.ts";
import { table, whole } from "./text.ts";
import type { Saturation } from "./wrk.ts";

export interface Results {
  /** The target that the others are held against. */
  readonly subject: string;
  readonly commit: string;
  readonly at: string;
  readonly machine: string;
  /** Of the machine, before and after. */
  readonly load: string;
  /** What the disk takes to keep 4 KB for good. */
  readonly sync_ms: number;
  /** Requests a second of the generators against a server that only answers. */
  readonly generators: Readonly<Record<string, number>>;
  /** Every round. */
  readonly saturation: readonly Saturation[];
  readonly scenarios: readonly Measured[];
  /** By generator. */
  readonly ramps: Readonly<Record<string, readonly Measured[]>>;
  /** The last rate of each ramp that was kept; 0 where not even the first was. */
  readonly knees: Readonly<Record<string, number>>;
  /** Medians over the rounds. */
  readonly ratios: readonly Ratio[];
}

type Cells = readonly string[];

export function textReport(results: Results): string {
  const { commit, at, machine, load, sync_ms, knees } = results;
  const sections: string[] = [
    `${commit}, ${at}, ${machine}\nload ${load}; the disk keeps 4 KB in ${sync_ms.toFixed(2)} ms`,
  ];
  const generators = Object.entries(results.generators).map(([name, rate]) => `${name}: ${whole(rate)}/s`);
  if (generators.length > 0)
    sections.push(`The generators' own limit, a server that only answers: ${generators.join("; ")}`);
  if (results.saturation.length > 0) sections.push(`Saturation (closed loop)\n${table(saturationCells(results))}`);
  if (results.ratios.length > 0)
    sections.push(`Ratios, medians of the rounds: how many times as many\n${table(ratioCells(results))}`);
  const open = [...results.scenarios, ...Object.values(results.ramps).flat()];
  if (open.length > 0) sections.push(`Open model\n${table(openCells(open))}`);
  for (const other of othersOf(results))
    sections.push(`${commit} beside ${other}\n${table(comparedCells(results, other))}`);
  for (const [generator, knee] of Object.entries(knees))
    sections.push(`Knee by ${generator}: ${knee === 0 ? "below the first rate" : `${knee}/s`}`);
  return sections.join("\n\n");
}

function saturationCells({ saturation }: Results): readonly Cells[] {
  return [
    ["target", "requests", "accounts", "a second", "CPU us", "wrk us", "p50 ms", "p95 ms", "p99 ms", "errors"],
    ...saturation.map((row) => [
      row.target,
      row.mode,
      String(row.accounts),
      whole(row.per_second),
      whole(row.cpu_us),
      row.generator_us.toFixed(1),
      row.p50_ms.toFixed(1),
      row.p95_ms.toFixed(1),
      row.p99_ms.toFixed(1),
      String(row.errors),
    ]),
  ];
}

function ratioCells({ ratios, subject }: Results): readonly Cells[] {
  return [
    ["requests", "beside", "a second", "for the same processor time"],
    ...ratios.map(({ mode, other, per_second, per_cpu }) => [
      mode,
      `${subject} / ${other}`,
      per_second.toFixed(2),
      per_cpu.toFixed(2),
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

function comparedCells({ subject, scenarios }: Results, other: string): readonly Cells[] {
  return [
    ["scenario", "figure", subject, other, "ratio"],
    ...comparisonsOf(scenarios, subject, other).map(({ scenario, figure, ours, theirs }) => [
      scenario,
      figure,
      ours.toFixed(1),
      theirs.toFixed(1),
      theirs === 0 ? "" : (ours / theirs).toFixed(2),
    ]),
  ];
}

/** Those that ran a scenario that the subject ran too. */
function othersOf({ subject, scenarios }: Results): readonly string[] {
  const others = [...new Set(scenarios.map(({ target }) => target))].filter((target) => target !== subject);
  return others.filter((other) => comparisonsOf(scenarios, subject, other).length > 0);
}

// ----------------------------------------------------------------------------------------------------------------- HTML

export function htmlReport(results: Results): string {
  const { saturation, scenarios, ramps, commit } = results;
  const plots = [
    saturation.length === 0 ? "" : section("Saturation, requests a second", saturationPlot(saturation)),
    scenarios.length === 0 ? "" : section("Latency at a fixed rate", latencyPlot(scenarios)),
    Object.keys(ramps).length === 0 ? "" : section("Ramp: achieved rate and p99 by asked rate", rampPlot(ramps)),
  ];
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Tonwerk under load, ${escaped(commit)}</title>
<style>
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1c2430; background: #fff }
  svg { width: 100%; height: auto } pre { overflow-x: auto; background: #f4f6f8; padding: 1rem; font-size: 12px }
</style>
<h1>Tonwerk under load</h1>
${plots.join("\n")}
<h2>Figures</h2>
<pre>${escaped(textReport(results))}</pre>
</html>
`;
}

const section = (title: string, svg: string): string => `<h2>${escaped(title)}</h2>\n${svg}`;
