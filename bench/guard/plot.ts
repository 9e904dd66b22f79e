/** The history as small plots, one for each ratio: its values from the oldest to the newest, and its bound as a dashed line. */
import { COLOURS, FAINT, polyline, short, svg, text } from "../../cli/bench/report/svg.ts";
import { BOUNDS, NAMES, type RatioName } from "./bounds.ts";
import type { Entry } from "./history.ts";

const COLUMNS = 3;
const WIDTH = 310;
const HEIGHT = 130;
const LEFT = 36;
const TOP = 28;
const PLOT_WIDTH = WIDTH - LEFT - 40;
const PLOT_HEIGHT = HEIGHT - TOP - 20;

export function historyPlot(entries: readonly Entry[]): string {
  const panels = NAMES.map((name, index) => {
    const x = (index % COLUMNS) * WIDTH;
    const y = Math.floor(index / COLUMNS) * HEIGHT;
    return `<g transform="translate(${x} ${y})">${panel(name, entries)}</g>`;
  });
  const height = Math.ceil(NAMES.length / COLUMNS) * HEIGHT;
  return svg(COLUMNS * WIDTH, height + 6, panels.join("\n"));
}

function panel(name: RatioName, entries: readonly Entry[]): string {
  const bound = BOUNDS[name];
  const values = entries.flatMap(({ ratios }, index) => {
    const ratio = ratios[name];
    return ratio === undefined ? [] : [{ index, ratio }];
  });
  const most = 1.15 * Math.max(bound, ...values.map(({ ratio }) => ratio));
  const px = (index: number): number => LEFT + (PLOT_WIDTH * (index + 0.5)) / Math.max(1, entries.length);
  const py = (ratio: number): number => TOP + PLOT_HEIGHT * (1 - ratio / most);
  const points = values.map(({ index, ratio }) => [px(index), py(ratio)] as const);
  const dots = points.map(([x, y]) => `<circle cx="${short(x)}" cy="${short(y)}" r="3" fill="${COLOURS[0]}"/>`);
  const last = values.at(-1);
  return [
    text(8, 18, name, 'font-weight="600"'),
    `<path d="M${LEFT} ${TOP}V${TOP + PLOT_HEIGHT}h${PLOT_WIDTH}" fill="none" stroke="${FAINT}"/>`,
    `<path d="M${LEFT} ${short(py(bound))}h${PLOT_WIDTH}" stroke="${COLOURS[1]}" stroke-dasharray="4 3"/>`,
    text(LEFT - 4, py(bound) + 4, bound.toString(), `text-anchor="end" fill="${COLOURS[1]}"`),
    polyline(points, COLOURS[0]),
    ...dots,
    last === undefined ? "" : text(px(last.index) + 6, py(last.ratio) + 4, last.ratio.toFixed(2)),
  ].join("");
}
