/** One operation: how far it is, what came of it, and how to repeat it. */
import { randomUUID } from "node:crypto";
import { type Registered, refundOf, refuse, type Snapshot, type StoredError } from "../../../core/surface.ts";
import { SECURITY_HEADERS } from "../../administration/page_headers.ts";
import type { Pages, Visit } from "../context.ts";
import { plural } from "../format.ts";
import { type Html, html, type Value } from "../html.ts";
import { titleOfAction } from "../names.ts";
import { answerPage, redirect } from "../page.ts";
import { crumbs, heading, isCanceled, notice, statusBadge, tabs } from "../parts.ts";
import { may } from "../people/roles.ts";
import { confirmPage } from "./confirm.ts";
import { codePanel, requestPanels, sentBy } from "./operation_request.ts";
import { listen, reportPanels, timesPanel, tracksOf } from "./operation_result.ts";

export const operationPages: Pages = (services) => {
  const { read, render, cancel, store, actions, actionOf, config } = services;
  return [
    {
      method: "GET",
      path: "/operations/:id",
      access: "read",
      async answer(visit) {
        const snapshot = await read(visit.by.account, undefined, visit.params.id!);
        const registered = actions.get(snapshot.action);
        // Of an action that is no longer served there is nothing to do again.
        const action = actionOf(snapshot);
        const [operation, webhooks] = await Promise.all([store.operation(snapshot.id), store.webhooks(snapshot.id)]);
        if (action === undefined || operation === undefined) throw refuse.operationNotFound();
        const working = snapshot.status === "processing";
        const shown = { action };
        const tracks = await tracksOf(services, visit, snapshot, operation, shown);
        return answerPage(visit, {
          title: titleOfAction(snapshot.action),
          at: "/operations",
          is_compressed: true,
          ...(working ? { refresh_seconds: 2 } : {}),
          scripts: working ? ["progress.mjs"] : ["players.mjs"],
          body: html`<div>${crumbs([["Operations", visit.to("/operations")]])}${heading(html`${titleOfAction(snapshot.action)} ${statusBadge(snapshot)}`, html`<code>${snapshot.action}</code> ${action.summary}`, registered && buttons(visit, snapshot, registered))}</div>
${visit.query.get("done") === "canceled" && !isCanceled(snapshot) && notice("wait", "It had ended already.")}
${tabs(
  "Parts of this page",
  [
    {
      id: "listen",
      name: working ? "Progress" : "Listen",
      body: html`<div class="stack-of" data-result>${working && progress(visit, snapshot)}${snapshot.error !== null && ending(snapshot, snapshot.error)}${listen(visit, tracks)}</div>`,
    },
    snapshot.outputs !== null && {
      id: "report",
      name: "Report",
      body: reportPanels(visit, snapshot.id, shown, snapshot.outputs),
    },
    { id: "request", name: "Request", body: requestPanels(visit, snapshot, operation, shown, webhooks) },
    registered !== undefined && {
      id: "code",
      name: "Code",
      body: codePanel(await sentBy(services, operation, registered), config.base_url),
    },
  ].filter((tab) => tab !== false),
)}`,
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
        const ended = `${titleOfAction(action)} ${isCanceled(snapshot) ? "was cancelled" : status === "ready" ? "is ready" : "has failed"}`;
        return Response.json(
          { status, progress, said: stageText(snapshot), ended },
          { headers: { "cache-control": "no-store", "x-content-type-options": "nosniff" } },
        );
      },
    },
    {
      // On a page of its own: with its reports it is half of what the operation's page would weigh.
      method: "GET",
      path: "/operations/:id/response",
      access: "read",
      async answer(visit) {
        const snapshot = await read(visit.by.account, undefined, visit.params.id!);
        if (actionOf(snapshot) === undefined) throw refuse.operationNotFound();
        return new Response(JSON.stringify(render(snapshot), null, 2), {
          headers: { ...SECURITY_HEADERS, "content-type": "application/json", "cache-control": "no-store" },
        });
      },
    },
    {
      method: "GET",
      path: "/operations/:id/times/:index",
      access: "read",
      async answer(visit) {
        const { id, action, outputs } = await read(visit.by.account, undefined, visit.params.id!);
        const index = /^\d{1,2}$/u.test(visit.params.index!) ? Number(visit.params.index) : -1;
        const found = outputs === null ? undefined : timesPanel(outputs, index);
        if (found === undefined) throw refuse.notFound();
        const trail = [
          ["Operations", visit.to("/operations")],
          [titleOfAction(action), visit.to(`/operations/${id}`)],
        ] as const;
        return answerPage(visit, {
          title: `${found.title} in time`,
          at: "/operations",
          is_compressed: true,
          body: html`<div>${crumbs(trail)}${heading(`${found.title} in time`)}</div>${found.body}`,
        });
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
      async answer(visit, values) {
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
    about: html`<b>${titleOfAction(action)}</b> <code>${id}</code>`,
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
