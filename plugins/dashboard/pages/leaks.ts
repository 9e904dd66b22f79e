/** Developer > Leak notices: keys that somebody found in public. */
import { type ApiKey, type LeakReport, refuse } from "../../../core/surface.ts";
import type { Pages, Visit } from "../context.ts";
import { type Html, html } from "../html.ts";
import { answerPage, redirect } from "../page.ts";
import { badge, heading, notice, pager, postButton, time, withQuery } from "../parts.ts";
import { may } from "../people/roles.ts";

const PAGE = 30;

export const leakPages: Pages = ({ store, clock }) => [
  {
    method: "GET",
    path: "/leaks",
    access: "read",
    async answer(visit) {
      const before = visit.query.get("before");
      const found = await store.leaks(visit.by.account.id, { ...(before === null ? {} : { before }), limit: PAGE + 1 });
      const page = found.slice(0, PAGE);
      const keys = new Map((await store.keys(visit.by.account.id)).map((key) => [key.id, key]));
      const next = found.length > PAGE ? withQuery(visit, "/leaks", { before: page.at(-1)!.id }) : null;
      return answerPage(visit, {
        title: "Leak notices",
        at: "/leaks",
        body: html`${heading("Leak notices", "Secret scanners tell us when they find one of your API keys in public. Revoke it, put a new one in its place, then mark the notice as dealt with.")}
${visit.query.get("done") === "closed" && notice("good", "Marked as dealt with.")}
${page.length === 0 ? html`<div class="panel"><p class="empty">No key of yours was reported.</p></div>` : page.map((leak) => one(visit, leak, keys.get(leak.key_id)))}
${pager(before === null ? null : visit.to("/leaks"), next)}`,
      });
    },
  },
  {
    method: "POST",
    path: "/leaks/:id/close",
    access: "run",
    async answer(visit) {
      if (!(await store.closeLeak(visit.by.account.id, visit.params.id!, clock.now()))) throw refuse.notFound();
      return redirect(visit, "/leaks?done=closed");
    },
  },
];

function one(visit: Visit, leak: LeakReport, key: ApiKey | undefined): Html {
  const is_live = key !== undefined && key.revoked_at === null;
  return html`<section class="panel"><header><h2 dir="auto">${key?.label ?? "A key"} <code>…${key?.last_four ?? ""}</code></h2>${
    leak.closed_at !== null
      ? badge("plain", "dealt with")
      : is_live
        ? badge("bad", "still live")
        : badge("wait", "revoked")
  }</header>
<dl class="facts"><dt>Reported</dt><dd>${time(leak.created_at, visit.now)}</dd>
${leak.source !== "" && html`<dt>Found in</dt><dd dir="auto">${leak.source}</dd>`}${leak.url !== "" && html`<dt>At</dt><dd><code>${leak.url}</code></dd>`}
${leak.revoked && html`<dt>Done at once</dt><dd>The report revoked the key, as this account's settings say.</dd>`}</dl>
${
  leak.closed_at === null &&
  html`<div class="row">${is_live && may(visit.by.user.role, "keys") && html`<a class="button small danger" href="${visit.to(`/keys/${leak.key_id}/revoke`)}">Revoke the key</a>`}${
    may(visit.by.user.role, "run") && postButton(visit, `/leaks/${leak.id}/close`, "Mark as dealt with")
  }</div>`
}</section>`;
}
