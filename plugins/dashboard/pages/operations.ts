/** Operations, newest first, with filters. */

import { type Facade, type Snapshot, type Status, testAccountOf } from "../../../core/surface.ts";
import type { Pages, Visit } from "../context.ts";
import { count } from "../format.ts";
import { attributes, type Html, html } from "../html.ts";
import { gistText, titleOfAction } from "../names.ts";
import { answerPage } from "../page.ts";
import { heading, pager, statusBadge, time, withQuery } from "../parts.ts";

const PAGE = 30;
const STATUSES: readonly Status[] = ["processing", "ready", "failed"];

export const operationsPages: Pages = ({ list, actions }) => [
  {
    method: "GET",
    path: "/operations",
    access: "read",
    async answer(visit) {
      const action = [...actions.keys()].find((name) => name === visit.query.get("action"));
      const status = STATUSES.find((one) => one === visit.query.get("status"));
      const asked = visit.query.get("before") ?? "";
      const before = /^op_[0-9a-z]{26}$/u.test(asked) ? asked : undefined;
      const test = visit.query.get("mode") === "test";
      const { account } = visit.by;
      const found = await list(test ? { id: testAccountOf(account.id) } : account, {
        ...(action === undefined ? {} : { actions: [action] }),
        ...(status === undefined ? {} : { statuses: [status] }),
        ...(before === undefined ? {} : { before }),
        limit: PAGE + 1,
      });
      const page = found.slice(0, PAGE);
      const filters = { action: action ?? null, status: status ?? null, mode: test ? "test" : null };
      const next =
        found.length > PAGE ? withQuery(visit, "/operations", { ...filters, before: page.at(-1)!.id }) : null;
      return answerPage(visit, {
        title: "Operations",
        at: "/operations",
        body: html`${heading("Operations", "Everything that was submitted, by programs and in the playground. Kept for as long as the server's retention says.")}
<form class="panel inline-form" action="${visit.to("/operations")}">
<div class="field"><label for="action">Action</label><select id="action" name="action"><option value="">all</option>${[
          ...actions.keys(),
        ].map((name) => html`<option ${attributes({ selected: name === action })}>${name}</option>`)}</select></div>
<div class="field"><label for="status">Status</label><select id="status" name="status"><option value="">all</option>${STATUSES.map(
          (one) =>
            html`<option ${attributes({ value: one, selected: one === status })}>${one === "failed" ? "failed or canceled" : one}</option>`,
        )}</select></div>
<label class="check"><input ${attributes({ type: "checkbox", name: "mode", value: "test", checked: test })}><span>Of test keys</span></label><button>Show</button></form>
<section class="panel flush" aria-label="Operations">${page.length === 0 ? html`<p class="empty">No operation fits.</p>` : operationsTable(visit, page, actions)}</section>
${pager(before === undefined ? null : withQuery(visit, "/operations", filters), next)}`,
      });
    },
  },
];

export function operationsTable(visit: Visit, operations: readonly Snapshot[], actions: Facade["actions"]): Html {
  return html`<table class="stack"><thead><tr><th scope="col">Action</th><th scope="col">What</th><th scope="col">Status</th><th scope="col" class="num">Credits</th><th scope="col">Submitted</th></tr></thead><tbody>${operations.map(
    (operation) =>
      html`<tr><th scope="row"><a href="${visit.to(`/operations/${operation.id}`)}">${titleOfAction(operation.action)}</a></th><td class="text wide"><span class="clip" dir="auto">${gistText(operation, actions)}</span></td><td>${statusBadge(operation)}</td><td class="num" data-label="credits">${count(operation.cost)}</td><td>${time(operation.created_at, visit.now)}</td></tr>`,
  )}</tbody></table>`;
}
