/** Credits day by day as bars, drawn on the server. What it shows also stands in the table below it. */
import { DAY_MS, type UsageDay } from "../../core/surface.ts";
import { count } from "./format.ts";
import { type Html, html } from "./html.ts";

/** Points; the drawing is stretched to the width of its place, so that only heights are absolute. */
const HEIGHT = 210;
const TOP = 14;
const BOTTOM = 26;

/** Refunds and rebates. */
export const cameBack = ({ refunded, rebated }: Pick<UsageDay, "refunded" | "rebated">): number => refunded + rebated;

/** `days` in order, gaps left out; `from` and `until` are days' first milliseconds, UTC. */
export function usageChart(
  days: readonly UsageDay[],
  from: number,
  until: number,
  line?: { readonly credits: number; readonly text: string },
): Html {
  const total = Math.max(1, Math.round((until - from) / DAY_MS));
  const most = niceAbove(Math.max(1, ...days.map((day) => Math.max(day.debited, cameBack(day))), line?.credits ?? 0));
  const room = HEIGHT - TOP - BOTTOM;
  const y = (value: number): number => TOP + room * (1 - value / most);
  const x = (index: number, part = 0): string => `${(4 + (96 * (index + part)) / total).toFixed(3)}%`;
  const width = (part: number): string => `${((96 * part) / total).toFixed(3)}%`;
  const label = `Credits a day. ${days.length === 0 ? "None were taken." : `Most in a day: ${count(Math.max(...days.map(({ debited }) => debited)))} taken.`}${line === undefined ? "" : ` A line shows the ${line.text}.`} The table below has every number.`;
  return html`<svg class="chart" role="img" aria-label="${label}">
${[0, most / 2, most].map((value) => html`<line x1="0" x2="100%" y1="${y(value)}" y2="${y(value)}"></line><text x="0" y="${y(value) - 4}">${count(value)}</text>`)}
${days.map((one) => {
  const { day, debited } = one;
  const back = cameBack(one);
  const index = Math.round((day - from) / DAY_MS);
  return html`<g><title>${dayName(day)}: ${count(debited)} taken, ${count(back)} came back</title><rect class="spent" x="${x(index, 0.12)}" width="${width(back > 0 ? 0.46 : 0.76)}" y="${y(debited)}" height="${y(0) - y(debited)}" rx="2"></rect>${
    back > 0 &&
    html`<rect class="back" x="${x(index, 0.62)}" width="${width(0.26)}" y="${y(back)}" height="${y(0) - y(back)}" rx="2"></rect>`
  }</g>`;
})}
${line !== undefined && html`<line class="budget-line" x1="4%" x2="100%" y1="${y(line.credits)}" y2="${y(line.credits)}"><title>${line.text}</title></line>`}
${Array.from({ length: total }, (_, index) => index)
  .filter((index) => (total - 1 - index) % Math.max(1, Math.ceil(total / 5)) === 0)
  .map(
    (index) =>
      html`<text x="${x(index, index === total - 1 ? 1 : 0.5)}" y="${HEIGHT - 7}" text-anchor="${index === total - 1 ? "end" : "middle"}">${shortDay(from + index * DAY_MS)}</text>`,
  )}
</svg>`;
}

export const dayName = (day: number): string => new Date(day).toISOString().slice(0, 10);

function shortDay(day: number): string {
  return new Date(day).toLocaleDateString("en", { day: "numeric", month: "short", timeZone: "UTC" });
}

/** The next of 2, 4, 10, 20, 40, 100 …, so that half of it is whole. */
function niceAbove(value: number): number {
  for (let power = 1; ; power *= 10) for (const step of [2, 4, 10]) if (step * power >= value) return step * power;
}
