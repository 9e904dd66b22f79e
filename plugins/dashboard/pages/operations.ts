/** Operations, newest first, with filters. */

import { DAY_MS, type Facade, idBound, type Snapshot, type Status, testAccountOf } from "../../../core/surface.ts";
import type { Pages, Visit } from "../context.ts";
import { count } from "../format.ts";
import { attributes, type Html, html } from "../html.ts";
import { gistText, titleOfAction } from "../names.ts";
import { answerPage, redirect } from "../page.ts";
import { heading, notice, pager, statusBadge, time, withQuery } from "../parts.ts";

const PAGE = 30;
const OPERATION = /^op_[0-9a-z]{26}$/u;
const STATUSES: readonly Status[] = ["processing", "ready", "failed"];

export const operationsPages: Pages = ({ list, actions }) => [
  {
    method: "GET",
    path: "/operations",
    access: "read",
    async answer(visit) {
      const { account } = visit.by;
      const words = (visit.query.get("find") ?? "").trim();
      if (OPERATION.test(words)) return redirect(visit, `/operations/${words}`);
      const [, key, value] = /^([\w.:-]{1,64})=(.{1,512})$/u.exec(words) ?? [];
      const action = [...actions.keys()].find((name) => name === visit.query.get("action"));
      const status = STATUSES.find((one) => one === visit.query.get("status"));
      const [from, to] = [dayOf(visit.query.get("from")), dayOf(visit.query.get("to"))];
      const asked = visit.query.get("before") ?? "";
      const before = OPERATION.test(asked) ? asked : undefined;
      const test = visit.query.get("mode") === "test";
      const end = before ?? (to === undefined ? undefined : idBound("op_", to.ms + DAY_MS));
      const found = await list(test ? { id: testAccountOf(account.id) } : account, {
        ...(action === undefined ? {} : { actions: [action] }),
        ...(status === undefined ? {} : { statuses: [status] }),
        ...(key === undefined ? {} : { metadata: { [key]: value! } }),
        ...(end === undefined ? {} : { before: end }),
        ...(from === undefined ? {} : { after: idBound("op_", from.ms) }),
        limit: PAGE + 1,
      });
      const page = found.slice(0, PAGE);
      const filters = {
        ...{ find: words, action: action ?? null, status: status ?? null, mode: test ? "test" : null },
        ...{ from: from?.text ?? null, to: to?.text ?? null },
      };
      const next =
        found.length > PAGE ? withQuery(visit, "/operations", { ...filters, before: page.at(-1)!.id }) : null;
      const day = (name: "from" | "to", label: string, value_of: string | undefined) =>
        html`<div class="field narrow"><label for="${name}">${label}</label><input ${attributes({ type: "date", id: name, name, value: value_of ?? null })}></div>`;
      return answerPage(visit, {
        title: "Operations",
        at: "/operations",
        body: html`${heading("Operations", "Everything that was submitted, by programs and in the playground. Kept for as long as the server's retention says.")}
<form class="panel inline-form" action="${visit.to("/operations")}">
<div class="field"><label for="find">Id or metadata</label><input ${attributes({ id: "find", name: "find", value: words === "" ? null : words, placeholder: "op_… or project=film", autocomplete: "off" })}></div>
<div class="field"><label for="action">Action</label><select id="action" name="action"><option value="">all</option>${[
          ...actions.keys(),
        ].map(
          (name) =>
            html`<option ${attributes({ value: name, selected: name === action })}>${titleOfAction(name)}</option>`,
        )}</select></div>
<div class="field narrow"><label for="status">Status</label><select id="status" name="status"><option value="">all</option>${STATUSES.map(
          (one) =>
            html`<option ${attributes({ value: one, selected: one === status })}>${one === "failed" ? "failed or canceled" : one}</option>`,
        )}</select></div>${day("from", "From (UTC)", from?.text)}${day("to", "To", to?.text)}
<label class="check"><input ${attributes({ type: "checkbox", name: "mode", value: "test", checked: test })}><span>Of test keys</span></label><button>Show</button></form>
${words !== "" && key === undefined && notice("wait", "This is neither an id nor a pair such as project=film: it was left out.")}
<section class="panel flush" aria-label="Operations">${page.length === 0 ? html`<p class="empty">No operation fits.</p>` : operationsTable(visit, page, actions)}</section>
${pager(before === undefined ? null : withQuery(visit, "/operations", filters), next)}`,
      });
    },
  },
];

/** A day of the calendar in UTC, as a date field sends it. */
function dayOf(text: string | null): { readonly text: string; readonly ms: number } | undefined {
  const ms = /^\d{4}-\d\d-\d\d$/u.test(text ?? "") ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(ms) ? undefined : { text: text!, ms };
}

/** A click anywhere in a row is one on its link. */
export function operationsTable(visit: Visit, operations: readonly Snapshot[], actions: Facade["actions"]): Html {
  return html`<table class="stack rows"><thead><tr><th scope="col">Action</th><th scope="col">What</th><th scope="col">Status</th><th scope="col" class="num">Credits</th><th scope="col">Submitted</th></tr></thead><tbody>${operations.map(
    (operation) =>
      html`<tr><th scope="row"><a href="${visit.to(`/operations/${operation.id}`)}">${titleOfAction(operation.action)}</a></th><td class="text wide"><span class="clip" dir="auto">${gistText(operation, actions)}</span></td><td>${statusBadge(operation)}</td><td class="num" data-label="credits">${count(operation.cost)}</td><td>${time(operation.created_at, visit.now)}</td></tr>`,
  )}</tbody></table>`;
}
