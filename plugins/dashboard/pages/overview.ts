/** The first page: what is going on, and where to begin. */
import { DAY_MS } from "../chart.ts";
import type { Pages } from "../context.ts";
import { count } from "../format.ts";
import { html } from "../html.ts";
import { answerPage } from "../page.ts";
import { heading, notice } from "../parts.ts";
import { operationsTable } from "./operations.ts";

export const overviewPages: Pages = ({ store, list, actions, config }) => [
  {
    method: "GET",
    path: "/",
    access: "read",
    async answer(visit) {
      const { id } = visit.by.account;
      const until = (Math.floor(visit.now / DAY_MS) + 1) * DAY_MS;
      const [recent, working, days, keys, leaks] = await Promise.all([
        list(visit.by.account, { limit: 6 }),
        list(visit.by.account, { statuses: ["processing"], limit: 101 }),
        store.usage(id, until - 30 * DAY_MS, until),
        store.keys(id),
        store.leaks(id, { limit: 20 }),
      ]);
      const open = leaks.filter(({ closed_at }) => closed_at === null).length;
      const live = keys.filter(({ revoked_at }) => revoked_at === null).length;
      const used = days.reduce((total, { debited, refunded }) => total + debited - refunded, 0);
      return answerPage(visit, {
        title: "Overview",
        at: "/",
        body: html`${heading("Overview", null, html`<a class="button primary" href="${visit.to("/playground")}">Open the playground</a>`)}
${open > 0 && notice("bad", html`<p>A key of this account was found in public. <a href="${visit.to("/leaks")}">See the notice</a></p>`)}
<div class="tiles"><p class="tile"><b>${count(visit.by.account.credits)}</b>credits left</p><p class="tile"><b>${working.length > 100 ? "100+" : working.length}</b>at work or waiting</p><p class="tile"><b>${count(Math.max(0, used))}</b>credits used in 30 days</p><p class="tile"><b>${live}</b>live API ${live === 1 ? "key" : "keys"}</p></div>
<section class="panel flush"><header><h2>Latest operations</h2><a href="${visit.to("/operations")}">All of them</a></header>${
          recent.length === 0
            ? html`<div class="empty"><p>Nothing was made yet.</p><a class="button" href="${visit.to("/playground")}">Try an action in the playground</a></div>`
            : operationsTable(visit, recent, actions)
        }</section>
<section class="panel"><h2>From a program</h2><p class="soft"><a href="${visit.to("/keys")}">Create an API key</a>, then send requests to <code>${config.base_url}/v1/…</code> The <a href="${config.base_url}/docs">description of the API</a> lists every action, and each page of an operation has the curl line that repeats it.</p></section>`,
      });
    },
  },
];
