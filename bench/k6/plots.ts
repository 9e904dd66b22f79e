/** The plots of the HTML report. */

import { COLOURS, FAINT, INK, polyline, short, svg, text } from "../../cli/bench/report/svg.ts";
import { median } from "../measure.ts";
import type { Measured } from "./k6.ts";
import { whole } from "./text.ts";
import type { Saturation } from "./wrk.ts";

const WIDTH = 860;
const END = 'text-anchor="end"';
const MIDDLE = 'text-anchor="middle"';

/** A bar for each target and mode: the median of its rounds, a tick for each. */
export function saturationPlot(rows: readonly Saturation[]): string {
  const nameOf = ({ mode, target, accounts }: Saturation): string =>
    `${mode}, ${target}${accounts === 1 ? ", one account" : ""}`;
  const names = [...new Set(rows.map(nameOf))];
  const targets = [...new Set(rows.map(({ target }) => target))];
  const scale = 560 / Math.max(...rows.map(({ per_second }) => per_second));
  const bars = names.map((name, index) => {
    const own = rows.filter((row) => nameOf(row) === name);
    const rates = own.map(({ per_second }) => per_second);
    const colour = COLOURS[targets.indexOf(own[0]!.target) % COLOURS.length];
    const y = 10 + index * 26;
    const ticks = rates.map((rate) => `<path d="M${short(200 + rate * scale)} ${y}v18" stroke="${INK}"/>`).join("");
    const middle = median(rates);
    return [
      text(190, y + 13, name, END),
      `<rect x="200" y="${y}" width="${short(middle * scale)}" height="18" fill="${colour}"/>${ticks}`,
      text(206 + Math.max(...rates) * scale, y + 13, whole(middle)),
    ].join("");
  });
  return svg(WIDTH, 20 + names.length * 26, bars.join("\n"));
}

/** Dots at p50, p95 and p99 of each scenario, on a logarithmic axis of milliseconds. */
export function latencyPlot(rows: readonly Measured[]): string {
  const most = Math.max(10, ...rows.map(({ p99_ms }) => p99_ms));
  const x = (ms: number): number => 280 + (540 * Math.log10(1 + ms)) / Math.log10(1 + most);
  const legend = ["p50", "p95", "p99"].map(
    (name, nth) =>
      `<circle cx="${284 + 60 * nth}" cy="12" r="6" fill="${COLOURS[nth]}"/>${text(294 + 60 * nth, 16, name)}`,
  );
  const top = 36;
  const lines = rows.map(({ target, scenario, rate_asked, p50_ms, p95_ms, p99_ms }, index) => {
    const y = top + 12 + index * 26;
    const dots = [p50_ms, p95_ms, p99_ms].map(
      (ms, nth) =>
        `<circle cx="${short(x(ms))}" cy="${y}" r="6" fill="${COLOURS[nth]}"><title>${ms.toFixed(1)} ms</title></circle>`,
    );
    const name = text(270, y + 4, `${scenario}, ${target}, ${whole(rate_asked)}/s`, END);
    return `${name}<path d="M${short(x(p50_ms))} ${y}H${short(x(p99_ms))}" stroke="${FAINT}"/>${dots.join("")}`;
  });
  const bottom = top + rows.length * 26;
  const ticks = [0, 1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000].filter((ms) => ms <= most);
  const axis = ticks.map(
    (ms) =>
      `<path d="M${short(x(ms))} ${top - 6}V${bottom}" stroke="#e3e8ed"/>${text(x(ms), bottom + 16, `${whole(ms)} ms`, MIDDLE)}`,
  );
  return svg(WIDTH, bottom + 26, [...legend, ...axis, ...lines].join("\n"));
}

const RAMP = { left: 60, right: 780, top: 30, bottom: 270 } as const;

/** Left axis: achieved a second, beside the grey diagonal of what was asked. Right axis: p99, logarithmic. One line for each ramp. */
export function rampPlot(ramps: Readonly<Record<string, readonly Measured[]>>): string {
  const all = Object.values(ramps).flat();
  const most_rate = Math.max(...all.map(({ rate_asked }) => rate_asked));
  const most_ms = Math.max(10, ...all.map(({ p99_ms }) => p99_ms));
  const { left, right, top, bottom } = RAMP;
  const x = (rate: number): number => left + ((right - left) * rate) / most_rate;
  const y = (share: number): number => bottom - (bottom - top) * share;
  const ms_y = (ms: number): number => y(Math.log10(1 + ms) / Math.log10(1 + most_ms));
  const rates = [...new Set(all.map(({ rate_asked }) => rate_asked))];
  const lines = Object.entries(ramps).flatMap(([name, steps], index) => {
    const rows = [...steps].sort((one, other) => one.rate_asked - other.rate_asked);
    const achieved = rows.map((row) => [x(row.rate_asked), y(row.rate_achieved / most_rate)] as const);
    const late = rows.map((row) => [x(row.rate_asked), ms_y(row.p99_ms)] as const);
    const [solid, other] = [COLOURS[(2 * index) % COLOURS.length]!, COLOURS[(2 * index + 1) % COLOURS.length]!];
    return [
      polyline(achieved, solid),
      polyline(late, other),
      ...late.map(([at, height]) => `<circle cx="${short(at)}" cy="${short(height)}" r="3" fill="${other}"/>`),
      text(left + 8 + 190 * index, 16, `${name}: achieved/s`, `fill="${solid}"`),
      text(left + 140 + 190 * index, 16, "p99", `fill="${other}"`),
    ];
  });
  const rate_axis = rates
    // Labels that would lie on each other are left out.
    .filter((rate, index) => rates.every((other, at) => at >= index || Math.abs(x(other) - x(rate)) > 34))
    .map((rate) => text(x(rate), bottom + 18, whole(rate), MIDDLE));
  const ms_axis = [1, 10, 100, 1_000, 10_000]
    .filter((ms) => ms <= most_ms)
    .map(
      (ms) =>
        `${text(right + 6, ms_y(ms) + 4, `${whole(ms)} ms`)}<path d="M${left} ${short(ms_y(ms))}H${right}" stroke="#eef1f4"/>`,
    );
  const half = text(left - 6, y(0.5) + 4, whole(most_rate / 2), END);
  return svg(
    WIDTH,
    300,
    [
      ...ms_axis,
      `<path d="M${left} ${top}V${bottom}H${right}V${top}" fill="none" stroke="${FAINT}"/>`,
      `<path d="M${left} ${bottom}L${right} ${top}" stroke="#d5dbe1"/>`,
      half,
      text(left - 6, top + 4, whole(most_rate), END),
      ...rate_axis,
      ...lines,
    ].join("\n"),
  );
}
