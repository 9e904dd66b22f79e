/** One operation: how far it is, what came of it, and how to repeat it. */
import { randomUUID } from "node:crypto";
import {
  audioOf,
  type Operation,
  type Registered,
  refundOf,
  refuse,
  type Snapshot,
  type StoredError,
  type StoredOutput,
  type StoredReport,
  type StoredRequest,
  type Webhook,
} from "../../../core/surface.ts";
import type { DashboardServices, Pages, Visit } from "../context.ts";
import { findAudio } from "../drawings.ts";
import { bytes, decimal, elapsed, humanName, plural, utc } from "../format.ts";
import { attributes, type Html, html, type Value } from "../html.ts";
import { answerPage, redirect } from "../page.ts";
import { badge, crumbs, heading, isCanceled, json, notice, statusBadge, time } from "../parts.ts";
import { may } from "../people/roles.ts";
import { players, type Track } from "../players.ts";
import { curlLine, requestOf } from "../repeat.ts";
import { legend } from "../report/drawing.ts";
import { reportFacts } from "../report/facts.ts";
import { EMPTY, sourceTimeline, timelineOf } from "../report/timeline.ts";
import { confirmPage } from "./confirm.ts";

export const operationPages: Pages = (services) => {
  const { read, cancel, store, actions, checkedForm } = services;
  return [
    {
      method: "GET",
      path: "/operations/:id",
      access: "read",
      async answer(visit) {
        const snapshot = await read(visit.by.account, undefined, visit.params.id!);
        const registered = actions.get(snapshot.action);
        const [operation, webhooks] = await Promise.all([store.operation(snapshot.id), store.webhooks(snapshot.id)]);
        if (registered === undefined || operation === undefined) throw refuse.operationNotFound();
        const working = snapshot.status === "processing";
        return answerPage(visit, {
          title: snapshot.action,
          at: "/operations",
          ...(working ? { refresh_seconds: 2 } : {}),
          scripts: working ? ["progress.mjs"] : ["players.mjs"],
          body: html`<div>${crumbs([["Operations", visit.to("/operations")]])}${heading(html`${snapshot.action} ${statusBadge(snapshot)}`, registered.action.summary, buttons(visit, snapshot, registered))}</div>
${visit.query.get("done") === "canceled" && !isCanceled(snapshot) && notice("wait", "It had ended already.")}
${working && progress(visit, snapshot)}${snapshot.error !== null && ending(snapshot, snapshot.error)}
${await results(services, visit, snapshot, operation, registered)}
${about(visit, snapshot, registered, webhooks)}
${exchange(services, visit, snapshot, operation, registered)}`,
        });
      },
    },
    {
      method: "GET",
      path: "/operations/:id/state",
      access: "read",
      async answer(visit) {
        const snapshot = await read(visit.by.account, undefined, visit.params.id!);
        const { status, progress, action } = snapshot;
        const ended = `${action} ${isCanceled(snapshot) ? "was cancelled" : status === "ready" ? "is ready" : "has failed"}`;
        return Response.json(
          { status, progress, said: stageText(snapshot), ended },
          { headers: { "cache-control": "no-store", "x-content-type-options": "nosniff" } },
        );
      },
    },
    {
      method: "GET",
      path: "/operations/:id/cancel",
      access: "run",
      async answer(visit) {
        const snapshot = await read(visit.by.account, undefined, visit.params.id!);
        if (snapshot.status !== "processing") return redirect(visit, `/operations/${snapshot.id}?done=canceled`);
        return askToCancel(visit, snapshot);
      },
    },
    {
      method: "POST",
      path: "/operations/:id/cancel",
      access: "run",
      async answer(visit) {
        const values = await checkedForm(visit);
        const snapshot = await read(visit.by.account, undefined, visit.params.id!);
        // Nobody pays for what they were told is free.
        if (snapshot.status === "processing" && snapshot.started_at !== null && values.get("spends") !== "yes")
          return askToCancel(visit, snapshot, notice("wait", "Work has begun meanwhile."));
        await cancel(visit.by.account, snapshot.id, randomUUID());
        return redirect(visit, `/operations/${snapshot.id}?done=canceled`);
      },
    },
  ];
};

function buttons(visit: Visit, { id, action, status }: Snapshot, { action: declared }: Registered): Value {
  if (!may(visit.by.user.role, "run")) return null;
  if (status === "processing")
    return html`<a class="button danger" href="${visit.to(`/operations/${id}/cancel`)}">Cancel…</a>`;
  const again = visit.to(`/playground/${action}?again=${id}`);
  return html`<a class="button" href="${again}">Again</a>${declared.seeded && html`<a class="button primary" href="${`${again}&seed=other`}">Again with another seed</a>`}`;
}

function askToCancel(visit: Visit, { id, action, cost, started_at }: Snapshot, before: Value = null): Response {
  const credits = plural(cost, "credit");
  const spends = started_at !== null;
  return confirmPage(visit, {
    ...{ title: "Operations", at: "/operations", asks: "Cancel this operation?", before },
    about: html`<b>${action}</b> <code>${id}</code>`,
    consequence: spends
      ? `Work has begun: the ${credits} that it costs are spent and do not come back.`
      : `Work has not begun: the ${credits} that it costs come back.`,
    path: `/operations/${id}/cancel`,
    verb: spends ? `Cancel and spend ${credits}` : "Cancel it",
    ...{ keep: "Let it go on", back: `/operations/${id}`, hidden: { spends: spends ? "yes" : "no" } },
  });
}

function stageText({ running, stage, queue_position }: Pick<Snapshot, "running" | "stage" | "queue_position">): string {
  if (running) return stage ?? "starting";
  if (queue_position === null || queue_position === 0) return "next in the queue";
  return `waiting, ${plural(queue_position, "job")} before it`;
}

function progress(visit: Visit, snapshot: Snapshot): Html {
  const said = stageText(snapshot);
  return html`<section class="panel" aria-label="Progress" data-progress="${visit.to(`/operations/${snapshot.id}/state`)}" data-page="${visit.to(`/operations/${snapshot.id}`)}">
<div class="panel-head"><b data-said role="status">${said}</b><span data-percent class="soft">${Math.round(100 * snapshot.progress)} %</span></div>
<progress max="1" value="${snapshot.progress}" aria-label="Progress">${Math.round(100 * snapshot.progress)} %</progress>
<noscript><small>This page looks again every two seconds.</small></noscript></section>`;
}

function ending(snapshot: Snapshot, text: string): Html {
  const { code, message, source } = JSON.parse(text) as StoredError;
  const credits = plural(snapshot.cost, "credit");
  const back = refundOf(snapshot) > 0 ? `${credits} came back.` : `Work had begun: ${credits} were spent.`;
  if (code === "canceled") return notice("plain", html`<p>It was cancelled. ${back}</p>`);
  return notice(
    "bad",
    html`<h2>It failed: <code>${code}</code></h2><p dir="auto">${message}.${source !== undefined && html` It concerns the input <b>${source}</b>.`} ${back}</p>`,
  );
}

// -------------------------------------------------------------------------------------------------------------- results

async function results(
  services: DashboardServices,
  visit: Visit,
  snapshot: Snapshot,
  operation: Operation,
  { action }: Registered,
): Promise<Value> {
  if (snapshot.outputs === null) return null;
  const outputs = audioOf(snapshot.outputs);
  const [first] = JSON.parse(snapshot.outputs) as [StoredOutput | StoredReport];
  const is_stems = action.output === "stems";
  const base = `/operations/${snapshot.id}`;
  const spare = is_stems ? spareStems(outputs) : new Set();
  const made = outputs.map((output, index): Track => {
    const place = `${base}/outputs/${index}`;
    return {
      title: titleOf(output, index, outputs.length),
      seconds: output.duration,
      audio: `${place}/audio`,
      pictures: `${place}/pictures`,
      timeline: timelineOf(output.report, output.duration),
      has_spectrogram: !is_stems,
      muted: spare.has(output.kind),
      beside: html`${output.loudness?.lufs != null && badge("plain", `${decimal(output.loudness.lufs)} LUFS`)}<a class="button small" href="${`${visit.to(`${place}/audio`)}?download=1`}" download>Download<span class="visually-hidden"> ${titleOf(output, index, outputs.length)}</span></a>`,
    };
  });
  const sources: Track[] = [];
  for (const { name, object } of operation.sources) {
    // Fetched sources are gone by now, and an upload lives for a day: what is still there can be compared.
    const seconds = object === null ? undefined : await secondsOf(services, object);
    if (seconds === undefined) continue;
    const place = `${base}/sources/${name}`;
    const timeline = operation.sources.length === 1 ? sourceTimeline(first.report) : EMPTY;
    const [field = name, index] = name.split(".");
    const title = index === undefined ? humanName(field) : `${humanName(field)} ${Number(index) + 1}`;
    sources.push({
      title,
      seconds,
      audio: `${place}/audio`,
      pictures: `${place}/pictures`,
      timeline,
      has_spectrogram: false,
      muted: true,
    });
  }
  if (outputs.length === 0)
    return html`${sources.length > 0 && html`<section class="panel"><h2>Source</h2>${players(visit, sources, "choose", "Source")}${legend(sources[0]!.timeline)}</section>`}
<section class="panel"><h2>Report</h2>${told(first)}${reportFacts(first.report, sourceTimeline(first.report))}</section>`;
  const label = is_stems
    ? "Stems"
    : outputs[0]!.kind !== undefined
      ? "Results"
      : outputs.length > 1
        ? "Variations"
        : "Result";
  const kind = is_stems ? "mix" : "choose";
  const beside = is_stems
    ? "The mix is the source again. Solo one to hear it alone, or the source to compare."
    : "One is heard at a time, at the same place.";
  return html`<section class="panel"><h2 ${attributes({ class: made.length > 1 ? null : "visually-hidden" })}>${label}</h2>${made.length + sources.length > 1 && html`<p class="soft">${beside}</p>`}${players(visit, [...made, ...sources], kind, label)}${legend(made[0]!.timeline)}</section>
${is_stems && outputs.every(({ report }) => report === null) ? stemsReport(outputs) : outputs.map((output, index) => html`<section class="panel"><h2>${outputs.length > 1 ? `Report of ${titleOf(output, index, outputs.length).toLowerCase()}` : "Report"}</h2>${measured(output)}${reportFacts(output.report, made[index]!.timeline)}</section>`)}`;
}

/** Stems whose sound is in others that are there, too: what is left sums to the source. */
function spareStems(outputs: readonly StoredOutput[]): ReadonlySet<unknown> {
  const kinds = new Set(outputs.map(({ kind }) => kind));
  const parts = ["drums", "bass", "other"] as const;
  if (!kinds.has("instrumental")) return new Set();
  return parts.every((part) => kinds.has(part)) ? new Set(["instrumental"]) : new Set(parts);
}

/** Length of a source that is still there. */
async function secondsOf(services: DashboardServices, object: string): Promise<number | undefined> {
  if ((await services.bucket.stat(object)) === undefined) return undefined;
  return (await findAudio(services, object))?.seconds;
}

/** Stems are told apart by little: one table for all. */
function stemsReport(outputs: readonly StoredOutput[]): Html {
  return html`<section class="panel flush"><header><h2>Report</h2></header><table class="stack"><thead><tr><th scope="col">Stem</th><th scope="col">Engine</th><th scope="col" class="num">Length</th><th scope="col" class="num">Common gain</th><th scope="col" class="num">File</th></tr></thead><tbody>${outputs.map(
    (output, index) =>
      html`<tr><th scope="row">${titleOf(output, index, outputs.length)}</th><td>${output.engine}</td><td class="num">${output.duration.toFixed(3)} s</td><td class="num">${decimal(output.gain_db ?? 0)} dB</td><td class="num">${bytes(output.bytes)}</td></tr>`,
  )}</tbody></table></section>`;
}

function titleOf({ kind }: StoredOutput, index: number, count: number): string {
  if (kind !== undefined) return humanName(kind);
  return count > 1 ? `Variation ${index + 1}` : "Result";
}

/** What there is to tell of an output without audio. */
function told({ engine }: Pick<StoredReport, "engine">): Html {
  return html`<dl class="facts"><dt>Engine</dt><dd>${engine}</dd></dl>`;
}

function measured({ loudness, gain_db, engine, seed, bytes: size, sha256, duration }: StoredOutput): Html {
  return html`<dl class="facts">
${loudness !== undefined && html`<dt>Loudness</dt><dd>${loudness.lufs === null ? "not measurable: silent or shorter than 400 ms" : `${decimal(loudness.lufs)} LUFS integrated`}</dd><dt>True peak</dt><dd>${loudness.true_peak_dbtp === null ? "silent" : `${decimal(loudness.true_peak_dbtp)} dBTP`}</dd><dt>Level</dt><dd>${loudness.compressed ? "brought there by gain and limiter" : "brought there by gain alone"}</dd>`}
${gain_db !== undefined && html`<dt>Common gain</dt><dd>${decimal(gain_db)} dB</dd>`}
<dt>Length</dt><dd>${duration.toFixed(3)} s</dd><dt>Engine</dt><dd>${engine}</dd>${seed !== undefined && html`<dt>Seed</dt><dd><code>${seed}</code></dd>`}
<dt>File</dt><dd>FLAC, ${bytes(size)}, SHA-256 <code>${sha256.slice(0, 16)}…</code></dd></dl>`;
}

// ---------------------------------------------------------------------------------------------------------------- about

function about(visit: Visit, snapshot: Snapshot, { action }: Registered, webhooks: readonly Webhook[]): Html {
  const { fields, loudness, seed, plugin } = JSON.parse(snapshot.request) as StoredRequest;
  const took =
    snapshot.started_at === null || snapshot.completed_at === null ? null : snapshot.completed_at - snapshot.started_at;
  const texts = Object.entries(fields).filter(([name]) => !(name in action.sources));
  const webhook = webhooks[0];
  return html`<section class="panel"><h2>Request</h2><dl class="facts">
${texts.map(([name, value]) => html`<dt>${humanName(name)}</dt><dd class="user-text" dir="auto">${typeof value === "string" ? value : JSON.stringify(value)}</dd>`)}
${loudness !== null && html`<dt>Loudness asked</dt><dd>${decimal(loudness.target_lufs)} LUFS${loudness.preset !== undefined && ` (${loudness.preset})`}, ${loudness.allow_compression ? "limiter allowed" : "gain only"}</dd>`}
${action.seeded && html`<dt>Seed</dt><dd><code>${seed}</code></dd>`}
<dt>Submitted</dt><dd>${utc(snapshot.created_at)} <small>${time(snapshot.created_at, visit.now)}</small></dd>
${snapshot.started_at !== null && html`<dt>Waited</dt><dd>${elapsed(snapshot.started_at - snapshot.created_at)}</dd>`}${took !== null && html`<dt>Took</dt><dd>${elapsed(took)}</dd>`}
<dt>Cost</dt><dd>${plural(snapshot.cost, "credit")}${snapshot.error !== null && `, ${refundOf(snapshot) > 0 ? "all" : "none"} came back`}</dd>
${webhook !== undefined && html`<dt>Webhook</dt><dd><a href="${visit.to(`/deliveries/${snapshot.id}`)}">${webhook.state}</a></dd>`}
${snapshot.expires_at !== null && html`<dt>Kept until</dt><dd>${utc(snapshot.expires_at)}</dd>`}
${plugin !== undefined && html`<dt>Plugin</dt><dd>${plugin.name} ${plugin.version}</dd>`}
<dt>Id</dt><dd><code>${snapshot.id}</code></dd></dl></section>`;
}

function exchange(
  { sign, render, config }: DashboardServices,
  visit: Visit,
  snapshot: Snapshot,
  operation: Operation,
  { action }: Registered,
): Html {
  const body = requestOf(action, operation, sign, visit.now);
  const curl = curlLine(config.base_url, action, body, randomUUID());
  return html`<details class="panel"><summary>Repeat it from a shell</summary><p class="soft">With a fresh idempotency key and your API key in <code>TONWERK_KEY</code>.</p><pre class="wrap" tabindex="0"><code>${curl}</code></pre><div><button ${attributes({ type: "button", class: "small", "data-copy": curl, hidden: true })}>Copy</button></div></details>
<details class="panel"><summary>Request as JSON</summary>${json(body)}</details>
<details class="panel"><summary>Response as JSON</summary>${json(render(snapshot))}</details>`;
}
