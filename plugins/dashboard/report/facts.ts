/**
 * What a report says in words and numbers: what was understood of the prompt, music, lyric timing, cuts, and whatever
 * else is in it.
 */
import { clock, decimal, humanName } from "../format.ts";
import { type Html, html, type Value } from "../html.ts";
import { record, type Span, type Timeline } from "./timeline.ts";
import words from "./words.json" with { type: "json" };

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

/** One fact, for a person. */
export interface Fact {
  /** What it is a fact of; empty: of the whole. */
  readonly group: string;
  readonly name: string;
  readonly text: string;
}

/** Everything that a report says and that no table or picture shows. */
export function factsOf(report: Report | null): readonly Fact[] {
  return Object.entries(report ?? {}).flatMap(([name, value]): readonly Fact[] => {
    if (DRAWN.has(name)) return [];
    const inner = record(value);
    if (inner === undefined) {
      const text = textOf(value);
      return text === "" ? [] : [{ group: "", name: humanName(name), text }];
    }
    if (isCurve(inner)) return [];
    const group = TITLES[name] ?? humanName(name);
    return shownIn(inner).map(([key, one]) => ({ group, name: humanName(key), text: textOf(one) }));
  });
}

export function reportFacts(report: Report | null, timeline: Timeline): Value {
  if (report === null) return html`<p class="soft">This engine has nothing further to say.</p>`;
  const all = factsOf(report);
  const whole = all.filter(({ group }) => group === "");
  const groups = [...new Set(all.map(({ group }) => group))].filter((group) => group !== "");
  const part = (group: string) =>
    html`<section class="grid-part"><h3>${group}</h3>${factList(all.filter((fact) => fact.group === group))}</section>`;
  return html`${whole.length > 0 && factList(whole)}<div class="grid">${groups.map(part)}</div>${reportTables(report, timeline)}`;
}

/** What happens when, and why this score was played. */
export function reportTables(report: Report | null, timeline: Timeline): Value {
  return html`${table("Lyrics in time", "Line", timeline.lines)}${table("Sounds in time", "Sound", timeline.events)}${table("Sections", "Section", timeline.sections)}${table("Chords", "Chord", timeline.chords)}${cutTable(timeline)}${gainTable(timeline)}${choiceTable(record(record(report?.composed)?.choice))}`;
}

const STORED: ReadonlySet<string> = new Set(["\nEngine", "\nSeed", "\nFile", "\nSHA-256"]);

/** What differs between alternatives comes first; the rest is behind a fold. */
export function comparison(titles: readonly string[], alternatives: readonly (readonly Fact[])[]): Html {
  const keyOf = ({ group, name }: Fact): string => `${group}\n${name}`;
  const keys = [...new Set(alternatives.flatMap((facts) => facts.map(keyOf)))];
  const rows = keys.map((key) => ({
    key,
    texts: alternatives.map((facts) => facts.find((fact) => keyOf(fact) === key)?.text ?? ""),
  }));
  const differs = ({ texts }: (typeof rows)[number]): boolean => new Set(texts).size > 1;
  const same = rows.filter((row) => !differs(row));
  // What is heard of it comes before what it is stored as.
  const isStored = ({ key }: (typeof rows)[number]): boolean => STORED.has(key);
  const named = (key: string): Html => {
    const [group = "", name] = key.split("\n");
    return html`${term(name!)}${group !== "" && html`<small class="of">${group}</small>`}`;
  };
  return html`<div class="scroll inside" tabindex="0" role="region" aria-label="What differs"><table class="compared"><thead><tr><th scope="col">What differs</th>${titles.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead><tbody>${rows
    .filter(differs)
    .sort((one, other) => Number(isStored(one)) - Number(isStored(other)))
    .map(
      ({ key, texts }) =>
        html`<tr><th scope="row">${named(key)}</th>${texts.map((text) => html`<td class="text" dir="auto">${text}</td>`)}</tr>`,
    )}</tbody></table></div>
${same.length > 0 && html`<details><summary>The same in all: ${same.length}</summary><dl class="facts">${same.map(({ key, texts }) => html`<dt>${named(key)}</dt><dd dir="auto">${texts[0]}</dd>`)}</dl></details>`}`;
}

/** What something is called; what it means, for who asks, where not everybody knows. */
function term(name: string): Value {
  const known = Object.hasOwn(words, name) ? (words as Readonly<Record<string, string>>)[name] : undefined;
  if (known === undefined) return name;
  return html`<details class="term"><summary>${name}</summary><small>${known}</small></details>`;
}

export const factList = (facts: readonly Fact[]): Html =>
  html`<dl class="facts">${facts.map(({ name, text }) => html`<dt>${term(name)}</dt><dd dir="auto">${text}</dd>`)}</dl>`;

const shownIn = (values: Report): readonly (readonly [string, unknown])[] =>
  Object.entries(values).filter(([name, value]) => !DRAWN.has(name) && !isCurve(value) && textOf(value) !== "");

/** One line; empty for what says nothing. */
function textOf(value: unknown): string {
  if (value === null || value === undefined || value === "") return "";
  if (typeof value === "number") return decimal(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value;
  if (Array.isArray(value)) {
    const ranges = value.length > CURVE_POINTS ? rangesOf(value) : "";
    if (ranges !== "") return ranges;
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

/** Longer lists of points in time are told by how far they go. */
const CURVE_POINTS = 12;

/** `bpm 104.99 to 140.2, 211 points`; empty for what is no list of points. */
function rangesOf(list: readonly unknown[]): string {
  const points = list.flatMap((entry): readonly Report[] => [record(entry) ?? []].flat());
  if (points.length < list.length || points.some(({ start, time }) => typeof (start ?? time) !== "number")) return "";
  const names = Object.keys(points[0]!).filter((name) => !["start", "time", "end"].includes(name));
  const ranges = names.flatMap((name) => {
    const values = points.map((point) => point[name]).filter((value) => typeof value === "number");
    if (values.length < points.length) return [];
    return [`${name} ${decimal(Math.min(...values))} to ${decimal(Math.max(...values))}`];
  });
  return ranges.length === 0 ? "" : `${ranges.join(", ")}, ${points.length} points`;
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
  return html`<details><summary>${title}</summary>${factList(shownIn({ worth: choice.worth, first_worth: choice.first_worth, distance: choice.distance }).map(([name, value]) => ({ group: "", name: humanName(name), text: textOf(value) })))}<div class="scroll inside" tabindex="0" role="region" aria-label="${title}"><table><thead><tr><th scope="col">Term</th><th scope="col" class="num">Value</th><th scope="col" class="num">Good range</th><th scope="col" class="num">Worth</th></tr></thead><tbody>${terms.map(
    ({ name, value, low, high, worth }) =>
      html`<tr><th scope="row" class="text">${humanName(textOf(name))}</th><td class="num">${textOf(value)}</td><td class="num">${textOf(low)} – ${textOf(high)}</td><td class="num">${textOf(worth)}</td></tr>`,
  )}</tbody></table></div></details>`;
}
