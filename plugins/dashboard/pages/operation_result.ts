/** What came of an operation: its tracks to listen to, and what its report says. */
import {
  audioOf,
  type Operation,
  type Registered,
  type Snapshot,
  type StoredOutput,
  type StoredReport,
} from "../../../core/surface.ts";
import type { DashboardServices, Links, Visit } from "../context.ts";
import { findAudio } from "../drawings.ts";
import { bytes, clock, decimal, humanName } from "../format.ts";
import { attributes, type Html, html, type Value } from "../html.ts";
import { titleOfOutput } from "../names.ts";
import { badge } from "../parts.ts";
import { may } from "../people/roles.ts";
import { type Mode, players, type Track } from "../players.ts";
import { legend } from "../report/drawing.ts";
import { comparison, type Fact, factList, factsOf, reportFacts, reportTables } from "../report/facts.ts";
import { EMPTY, sourceTimeline, timelineOf } from "../report/timeline.ts";

export interface Tracks {
  readonly label: string;
  readonly mode: Mode;
  /** Empty where there is nothing to hear. */
  readonly tracks: readonly Track[];
}

const NOTHING: Tracks = { label: "", mode: "choose", tracks: [] };

/** Outputs first, then the sources that are still there. */
export async function tracksOf(
  services: DashboardServices,
  visit: Visit,
  snapshot: Snapshot,
  operation: Operation,
  { action }: Pick<Registered, "action">,
): Promise<Tracks> {
  if (snapshot.outputs === null) return NOTHING;
  const outputs = audioOf(snapshot.outputs);
  const [first] = JSON.parse(snapshot.outputs) as [StoredOutput | StoredReport];
  const is_stems = action.output === "stems";
  const base = `/operations/${snapshot.id}`;
  const spare = is_stems ? spareStems(outputs) : new Set();
  const made = outputs.map((output, index): Track => {
    const place = `${base}/outputs/${index}`;
    const title = titleOfOutput(output, index, outputs.length);
    const hidden = html`<span class="visually-hidden"> ${title}</span>`;
    const use = visit.to("/playground");
    return {
      title,
      seconds: output.duration,
      audio: `${place}/audio`,
      pictures: `${place}/pictures`,
      timeline: timelineOf(output.report, output.duration),
      has_spectrogram: !is_stems,
      muted: spare.has(output.kind),
      beside: html`${output.loudness?.lufs != null && badge("plain", `${decimal(output.loudness.lufs)} LUFS`)}${may(visit.by.user.role, "run") && html`<a class="button small" href="${`${use}?use=${snapshot.id}:${index}`}"><span>Use<span class="long"> as source</span></span>${hidden}</a>`}<a class="button small" href="${`${visit.to(`${place}/audio`)}?download=1`}" download>Download${hidden}</a>`,
    };
  });
  const sources: Track[] = [];
  for (const { name, object } of operation.sources) {
    // Fetched sources are gone by now, and an upload lives for a day: what is still there can be compared.
    const seconds = object === null ? undefined : await secondsOf(services, object);
    if (seconds === undefined) continue;
    const place = `${base}/sources/${name}`;
    const [field = name, index] = name.split(".");
    sources.push({
      title: index === undefined ? humanName(field) : `${humanName(field)} ${Number(index) + 1}`,
      seconds,
      audio: `${place}/audio`,
      pictures: `${place}/pictures`,
      timeline: operation.sources.length === 1 ? sourceTimeline(first.report) : EMPTY,
      has_spectrogram: false,
      muted: true,
    });
  }
  const several = outputs[0]?.kind !== undefined ? "Results" : "Variations";
  const label = outputs.length === 0 ? "Source" : is_stems ? "Stems" : outputs.length > 1 ? several : "Result";
  return { label, mode: is_stems ? "mix" : "choose", tracks: [...made, ...sources] };
}

export function listen(links: Links, { label, mode, tracks }: Tracks): Value {
  const [first] = tracks;
  if (first === undefined) return null;
  const several =
    mode === "mix"
      ? "The mix is the source again. Solo one to hear it alone, or the source to compare."
      : "One is heard at a time, at the same place.";
  return html`<section class="panel"><h2 ${attributes({ class: tracks.length > 1 ? null : "visually-hidden" })}>${label}</h2>${tracks.length > 1 && html`<p class="soft">${several}</p>`}${players(links, tracks, mode, label)}${legend(first.timeline)}</section>`;
}

/** Length of a source that is still there. */
async function secondsOf(services: DashboardServices, object: string): Promise<number | undefined> {
  if ((await services.bucket.stat(object)) === undefined) return undefined;
  return (await findAudio(services, object))?.seconds;
}

/** Stems whose sound is in others that are there, too: what is left sums to the source. */
function spareStems(outputs: readonly StoredOutput[]): ReadonlySet<unknown> {
  const kinds = new Set(outputs.map(({ kind }) => kind));
  const parts = ["drums", "bass", "other"] as const;
  if (!kinds.has("instrumental")) return new Set();
  return parts.every((part) => kinds.has(part)) ? new Set(["instrumental"]) : new Set(parts);
}

// --------------------------------------------------------------------------------------------------------------- report

/**
 * `links` and `id`: of alternatives what happens when is on pages of their own, so that three long songs are one light
 * page.
 */
export function reportPanels(links: Links, id: string, { action }: Pick<Registered, "action">, stored: string): Html {
  const outputs = audioOf(stored);
  const [first] = JSON.parse(stored) as [StoredOutput | StoredReport];
  if (outputs.length === 0) {
    const facts = [{ group: "", name: "Engine", text: first.engine }];
    return html`<section class="panel"><h2>Report</h2>${factList(facts)}${reportFacts(first.report, sourceTimeline(first.report))}</section>`;
  }
  if (action.output === "stems" && outputs.every(({ report }) => report === null)) return stemsReport(outputs);
  const titles = outputs.map((output, index) => titleOfOutput(output, index, outputs.length));
  if (outputs.length === 1) {
    const { report, duration } = outputs[0]!;
    return html`<section class="panel"><h2>Report</h2>${factList(measured(outputs[0]!))}${reportFacts(report, timelineOf(report, duration))}</section>`;
  }
  const facts = outputs.map((output) => [...measured(output), ...factsOf(output.report)]);
  return html`<section class="panel"><h2>${titles.length} beside one another</h2>${comparison(titles, facts)}
<p class="row">What happens when, as tables: ${titles.map((title, index) => html`<a href="${links.to(`/operations/${id}/times/${index}`)}">${title}</a>`)}</p></section>`;
}

/** What happens when in one of several outputs; undefined where there is no such. */
export function timesPanel(stored: string, index: number): { readonly title: string; readonly body: Html } | undefined {
  const outputs = audioOf(stored);
  const output = outputs[index];
  if (output === undefined) return undefined;
  const { report, duration } = output;
  const tables = reportTables(report, timelineOf(report, duration));
  return {
    title: titleOfOutput(output, index, outputs.length),
    body: html`<section class="panel">${tables}</section>`,
  };
}

/** Stems are told apart by little: one table for all. */
function stemsReport(outputs: readonly StoredOutput[]): Html {
  return html`<section class="panel flush"><header><h2>Report</h2></header><table class="stack"><thead><tr><th scope="col">Stem</th><th scope="col">Engine</th><th scope="col" class="num">Length</th><th scope="col" class="num">Common gain</th><th scope="col" class="num">File</th></tr></thead><tbody>${outputs.map(
    (output, index) =>
      html`<tr><th scope="row">${titleOfOutput(output, index, outputs.length)}</th><td>${output.engine}</td><td class="num">${clock(output.duration)}</td><td class="num">${decimal(output.gain_db ?? 0)} dB</td><td class="num">${bytes(output.bytes)}</td></tr>`,
  )}</tbody></table></section>`;
}

function measured({ loudness, gain_db, engine, seed, bytes: size, sha256, duration }: StoredOutput): readonly Fact[] {
  const facts: [string, string | undefined][] = [
    ...(loudness === undefined
      ? []
      : ([
          [
            "Loudness",
            loudness.lufs === null
              ? "not measurable: silent or shorter than 400 ms"
              : `${decimal(loudness.lufs)} LUFS integrated`,
          ],
          ["True peak", loudness.true_peak_dbtp === null ? "silent" : `${decimal(loudness.true_peak_dbtp)} dBTP`],
          ["Level", loudness.compressed ? "brought there by gain and limiter" : "brought there by gain alone"],
        ] satisfies [string, string][])),
    ["Common gain", gain_db === undefined ? undefined : `${decimal(gain_db)} dB`],
    ["Length", clock(duration)],
    ["Engine", engine],
    ["Seed", seed === undefined ? undefined : String(seed)],
    ["File", `FLAC, ${bytes(size)}`],
    ["SHA-256", `${sha256.slice(0, 16)}…`],
  ];
  return facts.flatMap(([name, text]) => (text === undefined ? [] : [{ group: "", name, text }]));
}
