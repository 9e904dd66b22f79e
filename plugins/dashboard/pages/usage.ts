/** Credits and usage over time, and the ledger behind them. */
import type { LedgerEntry, UsageDay } from "../../../core/surface.ts";
import { cameBack, DAY_MS, dayName, usageChart } from "../chart.ts";
import type { Pages, Visit } from "../context.ts";
import { count } from "../format.ts";
import { attributes, type Html, html, type Value } from "../html.ts";
import { answerPage } from "../page.ts";
import { badge, heading, pager, time, withQuery } from "../parts.ts";

const SPANS = [7, 30, 90] as const;
const PAGE = 25;

export const usagePages: Pages = ({ store, free_work }) => [
  {
    method: "GET",
    path: "/usage",
    access: "read",
    async answer(visit) {
      const span = SPANS.find((days) => String(days) === visit.query.get("days")) ?? 30;
      const until = (Math.floor(visit.now / DAY_MS) + 1) * DAY_MS;
      const from = until - span * DAY_MS;
      const asked = /^[1-9][0-9]{0,14}$/u.exec(visit.query.get("before") ?? "")?.[0];
      const before = asked === undefined ? undefined : Number(asked);
      const { id } = visit.by.account;
      const [days, ledger, account] = await Promise.all([
        store.usage(id, from, until),
        store.ledger(id, { ...(before === undefined ? {} : { before }), limit: PAGE + 1 }),
        store.account(id),
      ]);
      const free = free_work.of(account ?? visit.by.account);
      const page = ledger.slice(0, PAGE);
      const query = { days: span === 30 ? null : String(span) };
      const next =
        ledger.length > PAGE ? withQuery(visit, "/usage", { ...query, before: String(page.at(-1)!.id) }) : null;
      const sum = (of: (day: UsageDay) => number): number => days.reduce((total, day) => total + of(day), 0);
      return answerPage(visit, {
        title: "Credits and usage",
        at: "/usage",
        body: html`${heading("Credits and usage", "Credits are taken when an operation is submitted. They come back when it fails, and when it is cancelled before work has begun. Where the price goes by the length of sources that were still to be measured, what they cost less comes back as a rebate.")}
<div class="tiles"><p class="tile"><b>${count(account?.credits ?? 0)}</b>credits left</p><p class="tile"><b>${count(
          Math.max(
            0,
            sum((day) => day.debited - cameBack(day)),
          ),
        )}</b>used in ${span} days</p><p class="tile"><b>${count(sum(cameBack))}</b>more came back</p><p class="tile"><b>${count(sum(({ operations }) => operations))}</b>operations</p><p class="tile"><b>${count(Math.ceil(free.used))} s</b>free work today${free.limit > 0 && ` of ${count(free.limit)} s`}</p></div>
<section class="panel"><header><h2>Day by day</h2><nav class="row" aria-label="Time span">${SPANS.map(
          (days) =>
            html`<a ${attributes({ class: "button small", href: withQuery(visit, "/usage", { days: String(days) }), "aria-current": days === span ? "true" : null })}>${days} days</a>`,
        )}</nav></header>
${usageChart(days, from, until)}
<ul class="legend"><li>${swatch("spent")}taken</li><li>${swatch("back")}came back</li></ul>
<details><summary>As a table</summary>${dayTable(days)}</details></section>
<section class="panel flush"><header><h2>Ledger</h2></header>${ledgerTable(visit, page)}</section>${pager(before === undefined ? null : withQuery(visit, "/usage", query), next)}`,
      });
    },
  },
];

const swatch = (kind: string): Html =>
  html`<svg class="chart-key chart" viewBox="0 0 18 12" aria-hidden="true"><rect class="${kind}" width="18" height="12" rx="2"></rect></svg>`;

function dayTable(days: readonly UsageDay[]): Html {
  if (days.length === 0) return html`<p class="soft">Nothing in this time.</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Usage by day"><table><thead><tr><th scope="col">Day (UTC)</th><th scope="col" class="num">Taken</th><th scope="col" class="num">Refunded</th><th scope="col" class="num">Rebated</th><th scope="col" class="num">Granted</th><th scope="col" class="num">Operations</th></tr></thead><tbody>${days
    .toReversed()
    .map(
      (day) =>
        html`<tr><th scope="row">${dayName(day.day)}</th><td class="num">${count(day.debited)}</td><td class="num">${count(day.refunded)}</td><td class="num">${count(day.rebated)}</td><td class="num">${count(day.granted)}</td><td class="num">${count(day.operations)}</td></tr>`,
    )}</tbody></table></div>`;
}

const TONES = { grant: "good", debit: "plain", refund: "wait", rebate: "wait" } as const;

function ledgerTable(visit: Visit, entries: readonly LedgerEntry[]): Html {
  if (entries.length === 0) return html`<p class="empty">Nothing yet.</p>`;
  return html`<table class="stack"><thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">For</th><th scope="col" class="num">Credits</th></tr></thead><tbody>${entries.map(
    (entry) =>
      html`<tr><td>${time(entry.created_at, visit.now)}</td><td class="end-phone">${badge(TONES[entry.kind], entry.kind)}</td><td class="text" dir="auto">${forWhat(visit, entry)}</td><td class="num">${entry.credits > 0 && "+"}${count(entry.credits)}</td></tr>`,
  )}</tbody></table>`;
}

function forWhat(visit: Visit, { operation_id, note }: LedgerEntry): Value {
  if (operation_id === null) return note;
  return html`<a href="${visit.to(`/operations/${operation_id}`)}"><code>${operation_id}</code></a>`;
}
