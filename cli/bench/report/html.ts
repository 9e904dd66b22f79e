/** A result as one page that stands alone: no script, nothing loaded. */
import { machineLine } from "../machine.ts";
import type { Measured, Result } from "../result.ts";
import { kneePlot, percentilePlot, timePlot } from "./plots.ts";
import { escaped } from "./svg.ts";
import { linesOf, rowsOf } from "./text.ts";

const STYLE = `body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1c2430; background: #fff }
h1 { font-size: 1.5rem } h2 { margin-top: 2.5rem; font-size: 1.2rem } h3 { margin: 1.2rem 0 .2rem; font-size: .95rem }
svg { width: 100%; height: auto } .wide { overflow-x: auto } p.small, li { color: #4a5562; font-size: .87rem }
table { border-collapse: collapse; font-size: .82rem; font-variant-numeric: tabular-nums; width: 100% }
th, td { padding: .25rem .5rem; text-align: right; border-bottom: 1px solid #e3e8ed; white-space: nowrap } th:first-child, td:first-child { text-align: left; white-space: pre }`;

export function resultHtml(result: Result): string {
  const { url, version, at, is_test_key, machine, generator, notes, measured } = result;
  const [heads = [], ...rows] = rowsOf(measured);
  const cells = (row: readonly string[], tag: "th" | "td"): string =>
    `<tr>${row.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join("")}</tr>`;
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Tonwerk ${escaped(version)} at ${escaped(url)}</title>
<style>${STYLE}</style>
<h1>${escaped(url)}, version ${escaped(version)}</h1>
<p class="small">${escaped(at)}, ${is_test_key ? "test" : "live"} key. Iterations began at a fixed rate; latency counts from the moment each was due.
What failed stands behind everything in a percentile; “few”: too few iterations for it.</p>
<div class="wide"><table>${cells(heads, "th")}${rows.map((row) => cells(row, "td")).join("")}</table></div>
<ul>
<li>Generator: ${escaped(machineLine(machine))}${machine.commit === null ? "" : `, commit ${escaped(machine.commit)}`}</li>
<li>Its own limit is ${Math.round(generator.most).toLocaleString("en")} requests a second; at a tenth of it, against a server that only answers, p99 is ${generator.p99_ms.toFixed(2)} ms.</li>
${notes.map((note) => `<li>${escaped(note)}</li>`).join("\n")}
</ul>
${measured.map((one) => section(one, result)).join("\n")}
</html>
`;
}

function section(one: Measured, result: Result): string {
  const { scenario, sentence, action, runs, knee } = one;
  const lines = linesOf(one, result).map((line) => `<li>${escaped(line.slice(scenario.length + 2))}</li>`);
  const plot = (title: string, drawn: string): string => `<h3>${title}</h3>\n${drawn}`;
  return [
    `<h2>${escaped(scenario)}</h2><p class="small">${escaped(sentence)}${sentence.includes(action) ? "" : `; ${escaped(action)}`}</p>`,
    lines.length > 0 ? `<ul>${lines.join("")}</ul>` : "",
    knee === null
      ? ""
      : plot(
          "p99 by the rate asked for: full where the objective was kept, hollow where it was missed",
          kneePlot(knee),
        ),
    runs.length === 0 ? "" : plot("Latency by percentile", percentilePlot(runs)),
    runs.length === 0 ? "" : plot("Latency over time, by the second", timePlot(runs)),
  ].join("\n");
}
