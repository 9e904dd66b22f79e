/**
 * A timeline over the waveform, as SVG in percent of the width, so that it stretches with its picture and needs neither
 * style nor script. It repeats what the tables below it say; screen readers are sent there.
 */
import { clock } from "../format.ts";
import { attributes, type Html, html, type Value } from "../html.ts";
import widths from "./letter_widths.json" with { type: "json" };
import type { Span, Timeline } from "./timeline.ts";

/** More lines than this in one picture are a grey field. */
const LINES_MAX = 400;
/** More of one kind are no picture any more; the tables have them. */
const SPANS_MAX = 400;

/** Place in percent. */
const at = (time: number, seconds: number): string =>
  `${((100 * Math.min(seconds, Math.max(0, time))) / seconds).toFixed(3)}%`;

/** What is laid over the waveform. */
export function overlay({ sections, beats, downbeats, cuts, gain, speech }: Timeline, seconds: number): Value {
  const ticks = beats.length <= LINES_MAX ? beats : [];
  const bars = downbeats.length <= LINES_MAX ? downbeats : [];
  if ([sections, ticks, bars, cuts, gain, speech].every((list) => list.length === 0)) return null;
  return html`<svg aria-hidden="true">
${speech.map(({ start, end }) => html`<rect class="band-2" x="${at(start, seconds)}" width="${at(end - start, seconds)}" y="0" height="100%" opacity="0.6"></rect>`)}
${ticks.length + bars.length > 0 && html`<svg ${inSeconds(seconds)}>${strokes("beat", ticks, 7)}${strokes("bar-line", bars, 14)}</svg>`}
${sections.slice(1).map(({ start }) => vertical("edge", start, seconds, "0"))}
${gain.length > 1 && gainCurve(gain, seconds)}
${cuts.map(({ time, label }) => html`<g><title>${label} at ${clock(time)}</title>${vertical("cut", time, seconds, "0")}</g>`)}
</svg>`;
}

const vertical = (kind: string, time: number, seconds: number, from: string): Html =>
  html`<line class="${kind}" x1="${at(time, seconds)}" x2="${at(time, seconds)}" y1="${from}" y2="100%"></line>`;

/** Its units are seconds across and percent down. */
const inSeconds = (seconds: number): ReturnType<typeof attributes> =>
  attributes({ viewBox: `0 0 ${seconds} 100`, preserveAspectRatio: "none", x: 0, y: 0, width: "100%", height: "100%" });

/**
 * Strokes from the lower edge up, `height` percent: one path, each from where the one before was. A song has hundreds,
 * and steps that are much alike travel in a fifth of what as many lines would.
 */
function strokes(kind: string, times: readonly number[], height: number): Value {
  if (times.length === 0) return null;
  const steps = times.map((time, index) => {
    const [now, before] = [time, times[index - 1]].map((one) => Math.round(100 * (one ?? 0)));
    return index === 0 ? `M${now! / 100} 100v-${height}` : `m${(now! - before!) / 100} ${height}v-${height}`;
  });
  return html`<path class="${kind}" d="${steps.join("")}"></path>`;
}

/** dB that reach from the upper to the lower edge. */
const GAIN_DB = 26;

/**
 * A raised cosine from corner to corner, as the engine draws it; 0 dB is at the upper edge, inset so that the line is
 * whole.
 */
function gainCurve(gain: Timeline["gain"], seconds: number): Html {
  const points: string[] = [];
  const add = (time: number, db: number) =>
    points.push(`${time.toFixed(3)},${Math.min(99, 4 - (95 * db) / GAIN_DB).toFixed(2)}`);
  for (const [index, corner] of gain.entries()) {
    const before = gain[index - 1];
    if (before !== undefined && before.db !== corner.db) {
      for (let step = 1; step < 8; step++) {
        const share = (1 - Math.cos((Math.PI * step) / 8)) / 2;
        add(before.time + ((corner.time - before.time) * step) / 8, before.db + (corner.db - before.db) * share);
      }
    }
    add(corner.time, corner.db);
  }
  add(seconds, gain.at(-1)!.db);
  return html`<svg ${inSeconds(seconds)} data-gain="${gain.map(({ time, db }) => `${time}:${db}`).join(" ")}"><polyline class="gain" points="${points.join(" ")}"></polyline></svg>`;
}

/** What a label takes at its size, 11.5 pixels: Inter's letters, others by the widest of their kind. */
const LETTER_PX = 11.5;
const WIDTHS: Readonly<Record<string, number>> = widths;
const widthOf = (letter: string): number => WIDTHS[letter] ?? (letter < "\u1100" ? 800 : 1100);

/** Before and after a label. */
const MARGIN_PX = 6;

/**
 * Pixels of a picture from which on labels of a kind are shown; `style.css` has the same. The last is the widest that
 * there is, magnified.
 */
const FROM_PX = [0, 300, 375, 470, 590, 735, 920, 1150, 1440, 1800, 2250, 2810, 3510, 4390, 5490] as const;

/** Undefined: no picture has room for it. */
function roomOf(label: string, share: number): string | undefined {
  const letters = [...label].reduce((sum, letter) => sum + widthOf(letter), 0);
  const needs = (MARGIN_PX + (letters * LETTER_PX) / 1000) / share;
  const kind = FROM_PX.findIndex((px) => px >= needs);
  return label === "" || kind === -1 ? undefined : `from-${FROM_PX[kind]}`;
}

/**
 * Spans side by side with their labels, as few elements as may be, for a song has hundreds: a path of each colour, one
 * of the edges, and the labels that a picture may have room for. `data-spans` has all of them, for the line that says
 * what sounds now and for who points at one. `alternating`: neighbours differ in colour; otherwise equal labels share
 * one, so that forms are seen.
 */
export function strip(what: string, list: readonly Span[], seconds: number, alternating: boolean): Value {
  if (list.length === 0 || list.length > SPANS_MAX) return null;
  const colours = new Map<string, number>();
  const [bands, edges]: [string[], string[]] = [["", "", ""], []];
  const labels: Html[] = [];
  for (const [index, { start, end, label }] of list.entries()) {
    if (!colours.has(label)) colours.set(label, colours.size % 3);
    const colour = alternating ? index % 2 : colours.get(label)!;
    bands[colour] += `M${hundredths(start)} 0h${hundredths(end - start)}v100H${hundredths(start)}`;
    edges.push(`M${hundredths(start)} 0v100`);
    const room = roomOf(label, (end - start) / seconds);
    if (room !== undefined) labels.push(html`<tspan class="${room}" x="${at(start, seconds)}">${label}</tspan>`);
  }
  const path = (kind: string, steps: string): Value => steps !== "" && html`<path class="${kind}" d="${steps}"></path>`;
  // The end is said where the next does not begin there.
  const spans = list.map(({ start, end, label }, index) => {
    const [from, to, next] = [start, end, list[index + 1]?.start ?? -1].map(hundredths);
    return `${from}${to === next ? "" : `-${to}`} ${label.replaceAll("\n", " ")}`;
  });
  return html`<svg ${attributes({ class: "strip", "data-what": what, "data-spans": spans.join("\n"), "aria-hidden": "true" })}><svg ${inSeconds(seconds)}>${bands.map((steps, colour) => path(`band-${colour}`, steps))}${path("edge", edges.join(""))}</svg>${labels.length > 0 && html`<g transform="translate(4 16)"><text>${labels}</text></g>`}</svg>`;
}

const hundredths = (time: number): number => Math.max(0, Math.round(100 * time) / 100);

/** Round numbers along the time. */
export function axis(seconds: number): Html {
  const step = [0.1, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600].find((size) => seconds / size <= 8) ?? 1200;
  const times = Array.from({ length: Math.floor(seconds / step) + 1 }, (_, index) => index * step).filter(
    (time) => time < seconds * 0.97,
  );
  return html`<svg class="axis" aria-hidden="true">${times.map(
    (time) =>
      html`<line x1="${at(time, seconds)}" x2="${at(time, seconds)}" y1="0" y2="4"></line><text x="${at(time, seconds)}" dx="3" y="14">${step < 1 ? clock(time) : clock(time).slice(0, -2)}</text>`,
  )}</svg>`;
}

const key = (mark: Html, name: string): Html =>
  html`<li><svg viewBox="0 0 18 12" aria-hidden="true">${mark}</svg>${name}</li>`;

/** What the marks mean, those that are there. */
export function legend({ beats, downbeats, cuts, gain, speech }: Timeline): Value {
  const line = (kind: string) => html`<line class="${kind}" x1="9" x2="9" y1="0" y2="12"></line>`;
  const marks = [
    downbeats.length > 0 && downbeats.length <= LINES_MAX && key(line("bar-line"), "bars"),
    beats.length > 0 && beats.length <= LINES_MAX && key(line("beat"), "beats"),
    cuts.length > 0 && key(line("cut"), "cuts"),
    gain.length > 1 &&
      key(html`<line class="gain" x1="0" x2="18" y1="6" y2="6"></line>`, `gain of the music, 0 to -${GAIN_DB} dB`),
    speech.length > 0 && key(html`<rect class="band-2" width="18" height="12"></rect>`, "voice"),
  ].filter((mark) => mark !== false);
  return marks.length === 0 ? null : html`<ul class="legend">${marks}</ul>`;
}
