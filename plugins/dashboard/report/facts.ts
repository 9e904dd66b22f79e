/** What a report says in words and numbers: what was understood of the prompt, music, lyric timing, cuts, and whatever else is in it. */
import { clock, decimal, humanName } from "../format.ts";
import { type Html, html, type Value } from "../html.ts";
import { record, type Span, type Timeline } from "./timeline.ts";

type Report = Readonly<Record<string, unknown>>;

/** Parts that have a place of their own on the page. */
const DRAWN: ReadonlySet<string> = new Set([
  "cuts",
  "gain",
  "speech",
  "lines",
  "sequence",
  "sections",
  "chords",
  "beats",
  "downbeats",
  "curves",
  "choice",
]);

const isCurve = (value: unknown): boolean => record(value)?.hop_seconds !== undefined;

const TITLES: Readonly<Record<string, string>> = {
  understood: "What was understood of the prompt",
  composed: "What was composed",
  heard: "What was heard of the source",
  analysis: "What was heard of the source",
};

export function reportFacts(report: Report | null, timeline: Timeline): Value {
  if (report === null) return html`<p class="soft">This engine has nothing further to say.</p>`;
  const parts = Object.entries(report).flatMap(([name, value]) => {
    const inner = record(value);
    return inner === undefined || DRAWN.has(name) || isCurve(inner) || textOf(inner) === ""
      ? []
      : [html`<section class="grid-part"><h3>${TITLES[name] ?? humanName(name)}</h3>${facts(inner)}</section>`];
  });
  const single = Object.fromEntries(
    Object.entries(report).filter(([name, value]) => record(value) === undefined && !DRAWN.has(name)),
  );
  return html`${Object.keys(single).length > 0 && facts(single)}<div class="grid">${parts}</div>
${table("Lyrics in time", "Line", timeline.lines)}${table("Sounds in time", "Sound", timeline.events)}${table("Sections", "Section", timeline.sections)}${table("Chords", "Chord", timeline.chords)}${cutTable(timeline)}${gainTable(timeline)}${choiceTable(record(record(report.composed)?.choice))}`;
}

function facts(values: Report): Html {
  const shown = Object.entries(values).filter(
    ([name, value]) => !DRAWN.has(name) && !isCurve(value) && textOf(value) !== "",
  );
  return html`<dl class="facts">${shown.map(([name, value]) => html`<dt>${humanName(name)}</dt><dd dir="auto">${textOf(value)}</dd>`)}</dl>`;
}

/** One line; empty for what says nothing. */
function textOf(value: unknown): string {
  if (value === null || value === undefined || value === "") return "";
  if (typeof value === "number") return decimal(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value;
  if (Array.isArray(value)) {
    const texts = value.map(textOf).filter((text) => text !== "");
    return texts.length > 24 ? `${texts.slice(0, 24).join(", ")} … (${texts.length})` : texts.join(", ");
  }
  const { name: called, instrument, ...others } = value as Report;
  if (typeof called === "string" && typeof instrument === "string")
    return `${called}: ${instrument.replaceAll("_", " ")}`;
  const entries = Object.entries({ ...others, ...(called === undefined ? {} : { name: called }) }).flatMap(
    ([name, inner]) => {
      const text = textOf(inner);
      return text === "" ? [] : [name === "name" ? text : `${name.replaceAll("_", " ")} ${text}`];
    },
  );
  return entries.join(" ");
}

function table(title: string, what: string, list: readonly Span[]): Value {
  if (list.length === 0) return null;
  return html`<details><summary>${title}</summary><div class="scroll inside" tabindex="0" role="region" aria-label="${title}"><table><thead><tr><th scope="col">${what}</th><th scope="col" class="num">From</th><th scope="col" class="num">To</th></tr></thead><tbody>${list.map(
    ({ start, end, label }) =>
      html`<tr><th scope="row" class="text" dir="auto">${label}</th><td class="num">${clock(start)}</td><td class="num">${clock(end)}</td></tr>`,
  )}</tbody></table></div></details>`;
}

function cutTable({ cuts }: Timeline): Value {
  if (cuts.length === 0) return null;
  return html`<h3>Cuts</h3><ul>${cuts.map(({ time, label }) => html`<li>${clock(time)} ${label}</li>`)}</ul>`;
}

function gainTable({ gain }: Timeline): Value {
  if (gain.length === 0) return null;
  return html`<details><summary>Gain of the music</summary><div class="scroll inside" tabindex="0" role="region" aria-label="Gain of the music"><table><thead><tr><th scope="col" class="num">At</th><th scope="col" class="num">dB</th></tr></thead><tbody>${gain.map(
    ({ time, db }) => html`<tr><td class="num">${clock(time)}</td><td class="num">${decimal(db)}</td></tr>`,
  )}</tbody></table></div></details>`;
}

/** Why this score was played and no other. */
function choiceTable(choice: Report | undefined): Value {
  if (choice === undefined || !Array.isArray(choice.terms)) return null;
  const terms = choice.terms.flatMap((term: unknown): readonly Report[] => [record(term) ?? []].flat());
  const title = `Best of ${textOf(choice.candidates)} scores`;
  return html`<details><summary>${title}</summary>${facts({ worth: choice.worth, first_worth: choice.first_worth, distance: choice.distance })}<div class="scroll inside" tabindex="0" role="region" aria-label="${title}"><table><thead><tr><th scope="col">Term</th><th scope="col" class="num">Value</th><th scope="col" class="num">Good range</th><th scope="col" class="num">Worth</th></tr></thead><tbody>${terms.map(
    ({ name, value, low, high, worth }) =>
      html`<tr><th scope="row" class="text">${humanName(textOf(name))}</th><td class="num">${textOf(value)}</td><td class="num">${textOf(low)} – ${textOf(high)}</td><td class="num">${textOf(worth)}</td></tr>`,
  )}</tbody></table></div></details>`;
}
