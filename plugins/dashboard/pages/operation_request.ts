/** How an operation was asked for: its request in words and as JSON, and as code that sends it again. */
import type { Operation, Registered, Snapshot, StoredRequest, Webhook } from "../../../core/surface.ts";
import { refundOf } from "../../../core/surface.ts";
import { type Sent, sentOf, snippetsOf } from "../code.ts";
import type { DashboardServices, Visit } from "../context.ts";
import { decimal, elapsed, humanName, plural, utc } from "../format.ts";
import { attributes, type Html, html } from "../html.ts";
import { json, tabs, time } from "../parts.ts";
import { pairs } from "./operations_table.ts";

export function requestPanels(
  visit: Visit,
  snapshot: Snapshot,
  operation: Operation,
  { action }: Pick<Registered, "action">,
  webhooks: readonly Webhook[],
): Html {
  const { fields, loudness, seed, plugin, metadata, cost_max } = JSON.parse(snapshot.request) as StoredRequest;
  const took =
    snapshot.started_at === null || snapshot.completed_at === null ? null : snapshot.completed_at - snapshot.started_at;
  const texts = Object.entries(fields).filter(([name]) => !(name in action.sources));
  const webhook = webhooks[0];
  return html`<section class="panel"><h2>Request</h2><dl class="facts">
${texts.map(([name, value]) => html`<dt>${humanName(name)}</dt><dd class="user-text" dir="auto">${typeof value === "string" ? value : JSON.stringify(value)}</dd>`)}
${loudness !== null && html`<dt>Loudness asked</dt><dd>${decimal(loudness.target_lufs)} LUFS${loudness.preset !== undefined && ` (${loudness.preset})`}, ${loudness.allow_compression ? "limiter allowed" : "gain only"}</dd>`}
${action.seeded && html`<dt>Seed</dt><dd><code>${seed}</code></dd>`}
${metadata !== undefined && html`<dt>Metadata</dt><dd>${pairs(visit, snapshot, Number.POSITIVE_INFINITY)}</dd>`}
<dt>Submitted</dt><dd>${utc(snapshot.created_at)} <small>${time(snapshot.created_at, visit.now)}</small></dd>
${snapshot.started_at !== null && html`<dt>Waited</dt><dd>${elapsed(snapshot.started_at - snapshot.created_at)}</dd>`}${took !== null && html`<dt>Took</dt><dd>${elapsed(took)}</dd>`}
<dt>Cost</dt><dd>${plural(snapshot.cost, "credit")}${cost_max !== undefined && ` of at most ${cost_max}`}${snapshot.error !== null && `, ${refundOf(snapshot) > 0 ? "all" : "none"} came back`}</dd>
${webhook !== undefined && html`<dt>Webhook</dt><dd><a href="${visit.to(`/deliveries/${snapshot.id}`)}">${webhook.state}</a></dd>`}
${snapshot.expires_at !== null && html`<dt>Kept until</dt><dd>${utc(snapshot.expires_at)}</dd>`}
${plugin !== undefined && html`<dt>Plugin</dt><dd>${plugin.name} ${plugin.version}</dd>`}
<dt>Id</dt><dd><code>${snapshot.id}</code></dd></dl></section>
<details class="panel"><summary>Request as JSON</summary>${json(asSent(action, operation))}</details>
<p><a href="${visit.to(`/operations/${snapshot.id}/response`)}">Response as JSON</a></p>`;
}

/** Sources by the URLs that were sent, which may have expired. */
function asSent(action: Registered["action"], operation: Operation): object {
  const { fields } = JSON.parse(operation.request) as StoredRequest;
  const sources = Object.entries(fields).filter(([name]) => name in action.sources);
  return { ...Object.fromEntries(sources), ...sentOf(action, operation, () => undefined).fields };
}

/** What sends it again; uploads by the names that their owner gave them. */
export async function sentBy(
  { store }: DashboardServices,
  operation: Operation,
  { action }: Pick<Registered, "action">,
): Promise<Sent> {
  const names = new Map<string, string>();
  for (const { object } of operation.sources) {
    const name = object === null ? null : await uploadName({ store }, object);
    if (name !== null) names.set(object!, name);
  }
  return sentOf(action, operation, (object) => names.get(object));
}

/** How its owner called an upload; null where it is gone, is none, or has no name. */
export async function uploadName({ store }: Pick<DashboardServices, "store">, object: string): Promise<string | null> {
  const id = /^files\/(file_[0-9a-z]{26})\./u.exec(object)?.[1];
  return id === undefined ? null : ((await store.file(id))?.name ?? null);
}

export function codePanel(sent: Sent, base_url: string): Html {
  const snippets = snippetsOf(sent, base_url);
  return html`<section class="panel code" data-code aria-labelledby="code-title"><h2 id="code-title">As code</h2><p class="soft">With your API key in <code>TONWERK_KEY</code> and <code>${base_url}</code> in <code>TONWERK_URL</code>.</p>
${tabs(
  "Languages",
  snippets.map(({ name, text }) => ({
    id: `code-${name.toLowerCase()}`,
    name,
    body: html`<pre class="wrap" tabindex="0" aria-label="${name}"><code data-snippet="${name}">${text}</code></pre><div><button ${attributes({ type: "button", class: "small", "data-copy": true, hidden: true })}>Copy</button></div>`,
  })),
)}</section>`;
}
