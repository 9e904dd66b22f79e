/** Developer > Webhook deliveries: each webhook with its attempts, and sending one again. */
import { randomUUID } from "node:crypto";
import {
  type Delivery,
  type Endpoint,
  refuse,
  type Webhook,
  type WebhookAttempt,
  type WebhookState,
} from "../../../core/surface.ts";
import type { Pages, Visit } from "../context.ts";
import { elapsed, plural, utc } from "../format.ts";
import { attributes, type Html, html, type Value } from "../html.ts";
import { answerPage, redirect } from "../page.ts";
import { badge, crumbs, heading, notice, pager, postButton, type Tone, time, withQuery } from "../parts.ts";
import { may } from "../people/roles.ts";

const PAGE = 30;
const STATES: readonly WebhookState[] = ["pending", "delivered", "failed"];
const TONES: Readonly<Record<WebhookState, Tone>> = { pending: "wait", delivered: "good", failed: "bad" };

export const deliveryPages: Pages = ({ store, read, redeliver, admit, checkedForm }) => [
  {
    method: "GET",
    path: "/deliveries",
    access: "read",
    async answer(visit) {
      const state = STATES.find((one) => one === visit.query.get("state"));
      const before = visit.query.get("before");
      const filter = { ...(state === undefined ? {} : { state }), ...(before === null ? {} : { before }) };
      const found = await store.deliveries(visit.by.account.id, { ...filter, limit: PAGE + 1 });
      const page = found.slice(0, PAGE);
      const endpoints = before === null ? await store.endpoints(visit.by.account.id) : [];
      const next =
        found.length > PAGE ? withQuery(visit, "/deliveries", { state: state ?? null, before: page.at(-1)!.id }) : null;
      const first = before === null ? null : withQuery(visit, "/deliveries", { state: state ?? null });
      return answerPage(visit, {
        title: "Webhook deliveries",
        at: "/deliveries",
        body: html`${heading("Webhook deliveries", "What was sent to the callback URLs of operations and to webhook endpoints, and what came back.")}
${endpoints.length > 0 && endpointPanel(visit, endpoints)}
${filterForm(visit, state)}
<section class="panel flush" aria-label="Deliveries">${page.length === 0 ? html`<p class="empty">Nothing was delivered yet. Operations that are submitted with a <code>callback_url</code> appear here when they end.</p>` : table(visit, page)}</section>
${pager(first, next)}`,
      });
    },
  },
  {
    method: "GET",
    path: "/deliveries/:operation",
    access: "read",
    async answer(visit) {
      const operation = await read(visit.by.account, undefined, visit.params.operation!);
      const webhook = (await store.webhooks(operation.id)).at(-1);
      if (webhook === undefined) throw refuse.notFound();
      const attempts = await store.webhookAttempts(webhook.id);
      return answerPage(visit, {
        title: `Delivery of ${webhook.type}`,
        at: "/deliveries",
        ...(webhook.state === "pending" ? { refresh_seconds: 3 } : {}),
        body: html`<div>${crumbs([["Webhook deliveries", visit.to("/deliveries")]])}${heading(webhook.type, null, may(visit.by.user.role, "run") && postButton(visit, `/deliveries/${operation.id}/send`, "Send again", "primary"))}</div>
${visit.query.get("done") === "sent" && notice("good", "It is sent again now, signed with the secrets of now.")}
<div ${attributes({ "data-watch": webhook.state === "pending" ? visit.to(`/deliveries/${operation.id}`) : null })}>${details(visit, webhook, attempts)}</div>`,
      });
    },
  },
  {
    method: "POST",
    path: "/deliveries/:operation/send",
    access: "run",
    async answer(visit) {
      await checkedForm(visit);
      await admit(visit.by.account, "put");
      const id = visit.params.operation!;
      await redeliver(visit.by.account, id, randomUUID());
      return redirect(visit, `/deliveries/${id}?done=sent`);
    },
  },
];

function endpointPanel(visit: Visit, endpoints: readonly Endpoint[]): Html {
  return html`<section class="panel flush" aria-label="Endpoints"><table class="stack"><thead><tr><th scope="col">Endpoint</th><th scope="col">Events</th><th scope="col">State</th><th scope="col">Last success</th><th scope="col">Last failure</th><th scope="col" class="num">Failures in a row</th></tr></thead><tbody>${endpoints.map(
    (one) =>
      html`<tr><th scope="row" class="text" dir="auto"><span class="clip">${one.url}</span>${one.description !== "" && html` <small class="user-text">${one.description}</small>`}</th><td class="text wide">${one.events.join(", ")}</td><td>${endpointState(one)}</td><td data-label="last success">${one.last_success_at === null ? "none" : time(one.last_success_at, visit.now)}</td><td class="text" data-label="last failure">${
        one.last_failure_at === null
          ? "none"
          : html`${one.last_failure_status ?? "no answer"} ${time(one.last_failure_at, visit.now)}`
      }</td><td class="num" data-label="failures in a row">${one.failures}</td></tr>`,
  )}</tbody></table></section>`;
}

function endpointState({ disabled_why, failing_since }: Endpoint): Html {
  if (disabled_why === "request") return badge("wait", "disabled");
  if (disabled_why !== null) return badge("bad", disabled_why === "gone" ? "disabled: gone" : "disabled: failing");
  return failing_since === null ? badge("good", "enabled") : badge("wait", "failing");
}

function filterForm(visit: Visit, state: WebhookState | undefined): Html {
  return html`<form class="row" action="${visit.to("/deliveries")}"><label for="state">State</label><select id="state" name="state"><option value="">all</option>${STATES.map(
    (one) => html`<option ${attributes({ selected: one === state })}>${one}</option>`,
  )}</select><button class="small">Show</button></form>`;
}

function table(visit: Visit, deliveries: readonly Delivery[]): Html {
  return html`<table class="stack"><thead><tr><th scope="col">Event</th><th scope="col">To</th><th scope="col">State</th><th scope="col">Last answer</th><th scope="col" class="num">Attempts</th><th scope="col">When</th></tr></thead><tbody>${deliveries.map(
    (delivery) =>
      html`<tr><th scope="row">${delivery.operation_id === null ? delivery.type : html`<a href="${visit.to(`/deliveries/${delivery.operation_id}`)}">${delivery.type}</a>`}</th><td class="text wide" dir="auto"><span class="clip">${delivery.host}</span></td><td>${badge(TONES[delivery.state], delivery.state)}</td><td class="text wide" data-label="answered">${lastAnswer(delivery)}</td><td class="num" data-label="attempts">${delivery.attempts}</td><td>${time(delivery.created_at, visit.now)}</td></tr>`,
  )}</tbody></table>`;
}

function lastAnswer({ last }: Delivery): Value {
  if (last === null) return html`<span class="soft">not sent yet</span>`;
  return last.status === null ? html`<span class="clip">${last.detail}</span>` : String(last.status);
}

function details(visit: Visit, webhook: Webhook, attempts: readonly WebhookAttempt[]): Html {
  return html`<div class="panel inside"><dl class="facts"><dt>State</dt><dd>${badge(TONES[webhook.state], webhook.state)}${
    webhook.state === "pending" &&
    webhook.next_attempt_at !== null &&
    html` <small>next attempt ${webhook.next_attempt_at <= visit.now + 10_000 ? "now" : time(webhook.next_attempt_at, visit.now)}</small>`
  }</dd>
<dt>Operation</dt><dd><a href="${visit.to(`/operations/${webhook.operation_id}`)}"><code>${webhook.operation_id}</code></a></dd>
<dt>To</dt><dd><code>${webhook.url}</code></dd><dt>webhook-id</dt><dd><code>${webhook.id}</code></dd></dl>
<h2>${plural(attempts.length, "attempt")}</h2>
${
  attempts.length === 0
    ? html`<p class="soft">None yet.</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="Attempts"><table><thead><tr><th scope="col" class="num">#</th><th scope="col">Began</th><th scope="col">Took</th><th scope="col">Status</th><th scope="col">Answer</th></tr></thead><tbody>${attempts.map(
        ({ attempt, started_at, duration_ms, status, detail }) =>
          html`<tr><td class="num">${attempt}</td><td>${utc(started_at)}</td><td>${elapsed(duration_ms)}</td><td>${
            status === null
              ? badge("bad", "no answer")
              : badge(status >= 200 && status < 300 ? "good" : "bad", String(status))
          }</td><td class="text"><span class="user-text">${detail}</span></td></tr>`,
      )}</tbody></table></div>`
}
<details><summary>Body that every attempt sends</summary><pre tabindex="0"><code>${pretty(webhook.body)}</code></pre></details></div>`;
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
