/** Operations, newest first, with filters. */

import { DAY_MS, idBound, type Status, testAccountOf } from "../../../core/surface.ts";
import { dayOf } from "../calendar.ts";
import type { Pages } from "../context.ts";
import { plural } from "../format.ts";
import { attributes, html } from "../html.ts";
import { titleOfAction } from "../names.ts";
import { answerPage, redirect } from "../page.ts";
import { heading, notice, pager, withQuery } from "../parts.ts";
import { LOOKED_MAX, searchBack, wordsOf } from "../search.ts";
import { operationsTable } from "./operations_table.ts";

const PAGE = 30;
const OPERATION = /^op_[0-9a-z]{26}$/u;
const STATUSES: readonly Status[] = ["processing", "ready", "failed"];

export const operationsPages: Pages = ({ list, store, actions }) => [
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
      const asker = test ? { id: testAccountOf(account.id) } : account;
      const filter = {
        ...(action === undefined ? {} : { actions: [action] }),
        ...(status === undefined ? {} : { statuses: [status] }),
        ...(end === undefined ? {} : { before: end }),
        ...(from === undefined ? {} : { after: idBound("op_", from.ms) }),
      };
      const pair = key === undefined ? {} : { metadata: { [key]: value! } };
      const { operations: found, reached } =
        words === "" || key !== undefined
          ? { operations: await list(asker, { ...filter, ...pair, limit: PAGE + 1 }), reached: null }
          : await searchBack(store, asker.id, filter, wordsOf(words), PAGE);
      const page = found.slice(0, PAGE);
      const filters = {
        ...{ find: words, action: action ?? null, status: status ?? null, mode: test ? "test" : null },
        ...{ from: from?.text ?? null, to: to?.text ?? null },
      };
      const last = reached ?? (found.length > PAGE ? page.at(-1)!.id : null);
      const next = last === null ? null : withQuery(visit, "/operations", { ...filters, before: last });
      const is_filtered = Object.values(filters).some((one) => one !== null && one !== "");
      const day = (name: "from" | "to", label: string, value_of: string | undefined) =>
        html`<div class="field narrow"><label for="${name}">${label}</label><input ${attributes({ type: "date", id: name, name, value: value_of ?? null })}></div>`;
      return answerPage(visit, {
        title: "Operations",
        at: "/operations",
        scripts: ["rows.mjs"],
        // Words are repeated as they came.
        is_compressed: words === "",
        body: html`${heading("Operations", "Everything that was submitted, by programs and in the playground. Kept for as long as the server's retention says.")}
<form class="panel inline-form" action="${visit.to("/operations")}" role="search">
<div class="field"><label for="find">Words, id or metadata</label><input ${attributes({ type: "search", id: "find", name: "find", value: words === "" ? null : words, placeholder: "rain, or project=film", maxlength: 200, autocomplete: "off" })}></div>
<div class="field narrow"><label for="action">Action</label><select id="action" name="action"><option value="">all</option>${[
          ...actions.keys(),
        ].map(
          (name) =>
            html`<option ${attributes({ value: name, selected: name === action })}>${titleOfAction(name)}</option>`,
        )}</select></div>
<div class="field narrow"><label for="status">Status</label><select id="status" name="status"><option value="">all</option>${STATUSES.map(
          (one) =>
            html`<option ${attributes({ value: one, selected: one === status })}>${one === "failed" ? "failed or canceled" : one}</option>`,
        )}</select></div>${day("from", "From (UTC)", from?.text)}${day("to", "To", to?.text)}
<span class="row ends"><label class="check"><input ${attributes({ type: "checkbox", name: "mode", value: "test", checked: test })}><span>Of test keys</span></label><button>Show</button>${is_filtered && html`<a href="${visit.to("/operations")}">Show all</a>`}</span></form>
${reached !== null && notice("wait", `${plural(LOOKED_MAX, "operation")} were looked at. Older ones are searched on the next page; days or an action make it shorter.`)}
<section class="panel flush" aria-label="Operations">${page.length === 0 ? html`<p class="empty">No operation fits.</p>` : await operationsTable({ store, actions }, visit, page)}</section>
${pager(before === undefined ? null : withQuery(visit, "/operations", filters), next)}`,
      });
    },
  },
];
