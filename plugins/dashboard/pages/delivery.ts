/**
 * One webhook: where it goes, and each attempt as it went over the wire, so that an engineer can check it byte by byte.
 */
import type {
  Endpoint,
  Exchange,
  SigningSecret,
  Webhook,
  WebhookAttempt,
  WebhookState,
} from "../../../core/surface.ts";
import type { Visit } from "../context.ts";
import { bytes, elapsed, plural, utc } from "../format.ts";
import { attributes, type Html, html, type Value } from "../html.ts";
import { badge, type Tone, time } from "../parts.ts";

export const TONES: Readonly<Record<WebhookState, Tone>> = { pending: "wait", delivered: "good", failed: "bad" };
/** Attempts that are shown whole; of a delivery that was sent again and again the newest. */
const ATTEMPTS_MAX = 20;
/** Of a body on the page, in characters: the rest is what `GET` answers. */
const BODY_MAX = 20_000;

interface Shown {
  readonly webhook: Webhook;
  readonly attempts: readonly WebhookAttempt[];
  /** Undefined: it goes to a callback, or the endpoint is gone. */
  readonly endpoint: Endpoint | undefined;
  /** Of the same operation, this one included. */
  readonly others: readonly Webhook[];
  /** The account's own. */
  readonly secrets: readonly SigningSecret[];
}

export function deliveryDetails(visit: Visit, { webhook, attempts, endpoint, others, secrets }: Shown): Html {
  const { state, next_attempt_at: next, operation_id, endpoint_id } = webhook;
  const labels = new Map(secrets.map(({ id, label }) => [id, label]));
  const newest = attempts.slice(-ATTEMPTS_MAX).reverse();
  return html`<section class="panel"><dl class="facts"><dt>State</dt><dd>${badge(TONES[state], state)}${
    state === "pending" &&
    next !== null &&
    html` <small>next attempt ${next <= visit.now + 10_000 ? "now" : time(next, visit.now)}</small>`
  }</dd>
${operation_id !== null && html`<dt>Operation</dt><dd><a href="${visit.to(`/operations/${operation_id}`)}"><code>${operation_id}</code></a></dd>`}
<dt>To</dt><dd><code>${endpoint?.url ?? webhook.url}</code> <small>${
    endpoint_id === null
      ? "callback"
      : endpoint === undefined
        ? "an endpoint that was deleted"
        : html`<a href="${visit.to(`/webhooks/${endpoint.id}`)}">endpoint</a>`
  }</small></dd><dt>webhook-id</dt><dd><code>${webhook.id}</code></dd>${
    others.length > 1 &&
    html`<dt>Also told</dt><dd>${others
      .filter(({ id }) => id !== webhook.id)
      .slice(0, 20)
      .map(
        (one) =>
          html`<a href="${visit.to(`/deliveries/${one.id}`)}">${one.type.slice(one.type.lastIndexOf(".") + 1)} to ${one.endpoint_id === null ? "the callback" : one.host}</a> <small>${one.state}</small><br>`,
      )}</dd>`
  }</dl></section>
<section class="panel inside"><h2>${plural(attempts.length, "attempt")}</h2>
${attempts.length === 0 && html`<p class="soft">None yet.</p>`}
${newest.map((one, index) => attemptOf(one, index === 0, labels))}
${attempts.length > newest.length && html`<p class="soft">Of ${attempts.length} the newest ${newest.length}.</p>`}
<details><summary>Body that every attempt sends <small>${bytes(new TextEncoder().encode(webhook.body).length)}</small></summary>${code(pretty(webhook.body))}</details>
<details><summary>How to check a signature</summary><p>Join <code>webhook-id</code>, <code>webhook-timestamp</code> and the body as it came, byte by byte, with dots. The base64 after <code>v1,</code> is the HMAC-SHA256 of that; the key is what follows <code>whsec_</code> in the secret, decoded from base64. Several signatures stand for several live secrets: one that fits is enough. Refuse timestamps that are more than five minutes off.</p></details></section>`;
}

function attemptOf(attempt: WebhookAttempt, open: boolean, labels: ReadonlyMap<string, string>): Html {
  const { status, started_at, duration_ms, detail } = attempt;
  const exchange = attempt.exchange === null ? null : (JSON.parse(attempt.exchange) as Exchange);
  const answer = status === null ? "no answer" : String(status);
  const good = status !== null && status >= 200 && status < 300;
  return html`<details ${attributes({ open, class: "attempt" })}><summary>Attempt ${attempt.attempt} ${badge(good ? "good" : "bad", answer)} <small>${utc(started_at)}, took ${elapsed(duration_ms)}</small></summary>
<div class="grid">${
    exchange === null
      ? html`<div class="grid-part"><h3>Request</h3><p class="soft">Nothing was sent, or its headers were not kept yet.</p></div>`
      : html`<div class="grid-part"><h3>Request</h3>${code(`POST ${exchange.url}\n${lines(exchange.request)}`)}<p class="soft">Signed with ${signers(exchange.signed_by, labels)}. The body is below.</p></div>`
  }<div class="grid-part"><h3>Answer</h3>${
    status === null
      ? html`<p>${detail}</p>`
      : html`${code(`${status}\n${lines(exchange?.response ?? [])}`)}${detail === "" ? html`<p class="soft">Its body was empty.</p>` : html`<h3>Its body</h3>${code(pretty(detail))}`}`
  }</div></div></details>`;
}

const lines = (headers: Exchange["request"]): string => headers.map(([name, value]) => `${name}: ${value}`).join("\n");

/** By their labels; never by what they are. */
function signers(ids: readonly string[], labels: ReadonlyMap<string, string>): Value {
  return ids.map((id, index) => {
    const label = labels.get(id);
    const name = label === undefined ? "the endpoint's secret" : label === "" ? "a secret without a label" : label;
    return html`${index > 0 && " and "}<b dir="auto">${name}</b> <code>${id}</code>`;
  });
}

const code = (text: string): Html =>
  html`<pre class="wrap" tabindex="0"><code>${text.length > BODY_MAX ? `${text.slice(0, BODY_MAX)}\n…` : text}</code></pre>`;

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
