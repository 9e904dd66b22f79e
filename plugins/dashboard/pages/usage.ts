/** Credits and usage over time, by action and by key, and the ledger behind them. */
import {
  type ApiKey,
  DAY_MS,
  type LedgerEntry,
  readBudget,
  testAccountOf,
  type UsageDay,
  type UsagePart,
} from "../../../core/surface.ts";
import { SECURITY_HEADERS } from "../../administration/page_headers.ts";
import { cameBack, dayName, usageChart } from "../chart.ts";
import type { DashboardServices, Pages, Visit } from "../context.ts";
import { count, plural } from "../format.ts";
import { attributes, type Html, html, type Value } from "../html.ts";
import { titleOfAction } from "../names.ts";
import { answerPage } from "../page.ts";
import { badge, heading, notice, pager, time, withQuery } from "../parts.ts";
import { type Group, groupParts, sumOf, type Totals, usageCsv, usedOf } from "../usage_parts.ts";

const SPANS = [7, 30, 90] as const;
const PAGE = 25;
/** Keys that have a row of their own; the others are one. */
const KEYS_MAX = 50;

export const usagePages: Pages = ({ store, free_work }) => {
  const spanOf = ({ query, now }: Visit) => {
    const span = SPANS.find((days) => String(days) === query.get("days")) ?? 30;
    const until = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
    return { span, from: until - span * DAY_MS, until };
  };

  return [
    {
      method: "GET",
      path: "/usage",
      access: "read",
      async answer(visit) {
        const { span, from, until } = spanOf(visit);
        const asked = /^[1-9][0-9]{0,14}$/u.exec(visit.query.get("before") ?? "")?.[0];
        const before = asked === undefined ? undefined : Number(asked);
        const { id } = visit.by.account;
        const [days, parts, tests, keys, ledger, account] = await Promise.all([
          store.usage(id, from, until),
          store.usageParts(id, from, until),
          store.usageParts(testAccountOf(id), from, until),
          store.keys(id),
          store.ledger(id, { ...(before === undefined ? {} : { before }), limit: PAGE + 1 }),
          store.account(id),
        ]);
        const free = free_work.of(account ?? visit.by.account);
        const page = ledger.slice(0, PAGE);
        const query = { days: span === 30 ? null : String(span) };
        const filter = { key: visit.query.get("key") || null, action: visit.query.get("action") || null };
        const { key, action } = filter;
        const shown = parts.filter(
          (part) => (key === null || (part.key_id || NONE) === key) && (action === null || part.action === action),
        );
        const is_filtered = key !== null || action !== null;
        const chosen = key === null ? undefined : keys.find((one) => one.id === key);
        const budget = await budgetOf(store, chosen, visit.now);
        const totals = sumOf(shown);
        const credits = account?.credits ?? 0;
        const next =
          ledger.length > PAGE ? withQuery(visit, "/usage", { ...query, before: String(page.at(-1)!.id) }) : null;
        const of = { visit, query: { ...query, ...filter } };
        return answerPage(visit, {
          title: "Credits and usage",
          at: "/usage",
          // A key or an action that nothing has is repeated as it came.
          is_compressed:
            (key === null || key === NONE || chosen !== undefined) &&
            (action === null || parts.some((part) => part.action === action)),
          body: html`${heading(
            "Credits and usage",
            "Credits are taken when an operation is submitted. They come back when it fails, and when it is cancelled before work has begun. Where the price goes by the length of sources that were still to be measured, what they cost less comes back as a rebate.",
            html`<a class="button" href="${withQuery(visit, "/usage/export", query)}">Export</a>`,
          )}
${is_filtered && notice("wait", html`<p>Only ${chosen === undefined ? (key === null ? null : withoutKey) : html`the key <b dir="auto">${chosen.label}</b>`}${key !== null && action !== null && ", "}${action !== null && html`<b>${actionName(action)}</b>`}. <a href="${withQuery(visit, "/usage", query)}">Show all</a></p>`)}
<div class="tiles"><p class="tile"><b>${count(credits)}</b>credits left${runway(credits, days, span, visit.now)}</p><p class="tile"><b>${count(Math.max(0, usedOf(totals)))}</b>used in ${span} days</p><p class="tile"><b>${count(cameBack(totals))}</b>more came back</p><p class="tile"><b>${count(totals.operations)}</b>operations</p><p class="tile"><b>${count(Math.ceil(free.used))} s</b>free work today${free.limit > 0 && ` of ${count(free.limit)} s`}</p></div>
<section class="panel"><header><h2>Day by day</h2><nav class="row" aria-label="Time span">${SPANS.map(
            (days) =>
              html`<a ${attributes({ class: "button small", href: withQuery(visit, "/usage", { ...of.query, days: String(days) }), "aria-current": days === span ? "true" : null })}>${days} days</a>`,
          )}</nav></header>
${usageChart(is_filtered ? daysOf(shown) : days, from, until, budget === undefined ? undefined : lineOf(budget))}
<ul class="legend"><li>${swatch("spent")}taken</li><li>${swatch("back")}came back</li>${budget !== undefined && html`<li>${swatch("line")}${lineOf(budget).text}</li>`}</ul>
${budget !== undefined && meter(budget)}
<details><summary>As a table</summary>${dayTable(is_filtered ? daysOf(shown) : days, !is_filtered)}</details></section>
<section class="panel flush"><header><h2>By action</h2></header>${partTable(groupParts(shown, "action"), totals, "Action", (name) => html`<a href="${withQuery(visit, "/usage", { ...of.query, action: name })}">${actionName(name)}</a>`)}</section>
<section class="panel flush"><header><h2>By key</h2></header>${partTable(topOf(groupParts(shown, "key_id")), totals, "Key", (name) => keyName(of, keys, name), await budgetsOf(store, keys, shown, visit.now))}</section>
${
  !is_filtered &&
  html`${tests.length > 0 && html`<section class="panel flush"><header><h2>Test keys</h2><p class="soft">They cost nothing and are not in the figures above.</p></header>${testTable(visit, keys, tests)}</section>`}
<section class="panel flush"><header><h2>Ledger</h2></header>${ledgerTable(visit, page)}</section>${pager(before === undefined ? null : withQuery(visit, "/usage", query), next)}`
}`,
        });
      },
    },
    {
      method: "GET",
      path: "/usage/export",
      access: "read",
      async answer(visit) {
        const { from, until } = spanOf(visit);
        const { id } = visit.by.account;
        const [live, test, keys] = await Promise.all([
          store.usageParts(id, from, until),
          store.usageParts(testAccountOf(id), from, until),
          store.keys(id),
        ]);
        const name = `tonwerk-usage-${dayName(from)}-to-${dayName(until - DAY_MS)}.csv`;
        return new Response(usageCsv({ live, test }, keys), {
          headers: {
            ...SECURITY_HEADERS,
            "content-type": "text/csv; charset=utf-8",
            "content-disposition": `attachment; filename="${name}"`,
            "cache-control": "no-store",
          },
        });
      },
    },
  ];
};

const withoutKey = html`<b>what no key asked for</b>`;
const actionName = (action: string): string => (action === "" ? "Not known any more" : titleOfAction(action));

/** How long the balance lasts at the pace of these days; nothing while nothing was used. */
function runway(credits: number, days: readonly UsageDay[], span: number, now: number): Value {
  const used = days.reduce((sum, day) => sum + usedOf(day), 0);
  const first = days.find(({ debited }) => debited > 0)?.day;
  if (first === undefined || used <= 0) return null;
  const over = Math.min(span, Math.max(1, Math.ceil((now - first) / DAY_MS)));
  const left = Math.floor(credits / (used / over));
  return html`<br><small>${left > 999 ? "more than 999 days" : `about ${plural(left, "day")}`} at this pace</small>`;
}

type Budget = Awaited<ReturnType<typeof readBudget>>;

async function budgetOf(
  store: DashboardServices["store"],
  key: ApiKey | undefined,
  now: number,
): Promise<Budget | undefined> {
  return key?.rights?.budget ? readBudget(store, key.id, key.rights.budget, now) : undefined;
}

/** Of the live keys that have one and were used. */
async function budgetsOf(
  store: DashboardServices["store"],
  keys: readonly ApiKey[],
  parts: readonly UsagePart[],
  now: number,
): Promise<ReadonlyMap<string, Budget>> {
  const used = new Set(parts.map(({ key_id }) => key_id));
  const budgets = new Map<string, Budget>();
  for (const key of keys) {
    if (key.revoked_at !== null || !used.has(key.id)) continue;
    const budget = await budgetOf(store, key, now);
    if (budget !== undefined) budgets.set(key.id, budget);
  }
  return budgets;
}

/** The budget as a height of the chart: a month's is spread evenly over its days. */
function lineOf({ credits, period, resets_at }: Budget): { readonly credits: number; readonly text: string } {
  if (period === "day") return { credits, text: `budget: ${count(credits)} a day` };
  const days = new Date(Date.parse(resets_at) - DAY_MS).getUTCDate();
  return { credits: credits / days, text: `even pace of its budget: ${count(credits)} a month` };
}

function meter({ used, credits, period, resets_at }: Budget): Html {
  const share = credits === 0 ? 100 : Math.floor((100 * used) / credits);
  return html`<p class="budget"><meter ${attributes({ min: 0, max: Math.max(1, credits), high: Math.max(1, credits * 0.9), optimum: 0, value: Math.min(used, Math.max(1, credits)), "aria-label": "Budget used" })}></meter> ${count(used)} of ${count(credits)} credits of this ${period} (${share} %), until ${resets_at.slice(0, 10)}</p>`;
}

function daysOf(parts: readonly UsagePart[]): readonly UsageDay[] {
  return groupParts(parts, "day").map(({ name, ...totals }) => ({ day: Number(name), granted: 0, ...totals }));
}

const swatch = (kind: string): Html =>
  html`<svg class="chart-key chart" viewBox="0 0 18 12" aria-hidden="true">${kind === "line" ? html`<line class="budget-line" x1="0" x2="18" y1="6" y2="6"></line>` : html`<rect class="${kind}" width="18" height="12" rx="2"></rect>`}</svg>`;

/** The first of them by what was used, and the rest as one. */
function topOf(groups: readonly Group[]): readonly Group[] {
  if (groups.length <= KEYS_MAX) return groups;
  const rest = groups.slice(KEYS_MAX);
  return [...groups.slice(0, KEYS_MAX), { name: OTHERS, ...sumOf(rest) }];
}
const OTHERS = "others";
/** In an address: without a key. */
const NONE = "none";

function keyName(
  { visit, query }: { readonly visit: Visit; readonly query: Readonly<Record<string, string | null>> },
  keys: readonly ApiKey[],
  name: string,
): Html {
  if (name === OTHERS) return html`Other keys`;
  const key = keys.find(({ id }) => id === name);
  const text =
    name === ""
      ? html`Without a key <small>in the dashboard, or before keys were counted</small>`
      : key === undefined
        ? html`<code>${name}</code>`
        : html`<span dir="auto">${key.label === "" ? "Without a label" : key.label}</span> <small>…${key.last_four}${key.revoked_at !== null && ", revoked"}</small>`;
  return html`<a href="${withQuery(visit, "/usage", { ...query, key: name || NONE })}">${text}</a>`;
}

function partTable(
  groups: readonly Group[],
  totals: Totals,
  title: string,
  nameOf: (name: string) => Html,
  budgets: ReadonlyMap<string, Budget> = new Map(),
): Html {
  if (groups.length === 0) return html`<p class="empty">Nothing in this time.</p>`;
  const has_budgets = budgets.size > 0;
  const used = Math.max(1, usedOf(totals));
  const numbers = (of: Totals): Html =>
    html`<td class="num" data-label="operations">${count(of.operations)}</td><td class="num" data-label="taken">${count(of.debited)}</td><td class="num" data-label="came back">${count(cameBack(of))}</td><td class="num" data-label="used">${count(usedOf(of))}</td>`;
  return html`<table class="stack figures"><thead><tr><th scope="col">${title}</th><th scope="col" class="num">Operations</th><th scope="col" class="num">Taken</th><th scope="col" class="num">Came back</th><th scope="col" class="num">Used</th><th scope="col" class="num">Share</th>${has_budgets && html`<th scope="col">Budget</th>`}</tr></thead><tbody>${groups.map(
    (group) => {
      const budget = budgets.get(group.name);
      return html`<tr><th scope="row" class="text wide">${nameOf(group.name)}</th>${numbers(group)}<td class="num" data-label="share">${Math.max(0, Math.round((100 * usedOf(group)) / used))} %</td>${has_budgets && html`<td ${attributes({ "data-label": budget === undefined ? null : "budget" })}>${budget === undefined ? "" : html`${count(budget.used)} of ${count(budget.credits)} this ${budget.period}`}</td>`}</tr>`;
    },
  )}</tbody><tfoot><tr><th scope="row" class="wide">Together</th>${numbers(totals)}<td class="num" data-label="share">100 %</td>${has_budgets && html`<td></td>`}</tr></tfoot></table>`;
}

function testTable(visit: Visit, keys: readonly ApiKey[], tests: readonly UsagePart[]): Html {
  const groups = groupParts(tests, "key_id");
  return html`<table class="stack"><thead><tr><th scope="col">Key</th><th scope="col" class="num">Operations</th><th scope="col">Actions</th></tr></thead><tbody>${groups
    .slice(0, KEYS_MAX)
    .map(({ name, operations }) => {
      const key = keys.find(({ id }) => id === name);
      const actions = groupParts(
        tests.filter(({ key_id }) => key_id === name),
        "action",
      );
      return html`<tr><th scope="row" class="text" dir="auto">${key?.label ?? (name === "" ? "Not known" : name)}${key !== undefined && html` <small>…${key.last_four}</small>`}</th><td class="num" data-label="operations">${count(operations)}</td><td class="text wide">${actions.map((one) => `${actionName(one.name)} ${count(one.operations)}`).join(", ")}</td></tr>`;
    })}</tbody></table><p class="pad"><a href="${withQuery(visit, "/operations", { mode: "test" })}">Their operations</a></p>`;
}

function dayTable(days: readonly UsageDay[], has_grants: boolean): Html {
  if (days.length === 0) return html`<p class="soft">Nothing in this time.</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Usage by day"><table><thead><tr><th scope="col">Day (UTC)</th><th scope="col" class="num">Taken</th><th scope="col" class="num">Refunded</th><th scope="col" class="num">Rebated</th>${has_grants && html`<th scope="col" class="num">Granted</th>`}<th scope="col" class="num">${has_grants ? "Paid operations" : "Operations"}</th></tr></thead><tbody>${days
    .toReversed()
    .map(
      (day) =>
        html`<tr><th scope="row">${dayName(day.day)}</th><td class="num">${count(day.debited)}</td><td class="num">${count(day.refunded)}</td><td class="num">${count(day.rebated)}</td>${has_grants && html`<td class="num">${count(day.granted)}</td>`}<td class="num">${count(day.operations)}</td></tr>`,
    )}</tbody></table></div>`;
}

const TONES = { grant: "good", debit: "plain", refund: "wait", rebate: "wait" } as const;

export function ledgerTable(visit: Visit, entries: readonly LedgerEntry[], has_links = true): Html {
  if (entries.length === 0) return html`<p class="empty">Nothing yet.</p>`;
  return html`<table class="stack"><thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">For</th><th scope="col" class="num">Credits</th></tr></thead><tbody>${entries.map(
    (entry) =>
      html`<tr><td>${time(entry.created_at, visit.now)}</td><td class="end-phone">${badge(TONES[entry.kind], entry.kind)}</td><td class="text" dir="auto">${forWhat(visit, entry, has_links)}</td><td class="num">${entry.credits > 0 && "+"}${count(entry.credits)}</td></tr>`,
  )}</tbody></table>`;
}

function forWhat(visit: Visit, { operation_id, note }: LedgerEntry, has_links: boolean): Value {
  if (operation_id === null) return note;
  const id = html`<code>${operation_id}</code>`;
  return has_links ? html`<a href="${visit.to(`/operations/${operation_id}`)}">${id}</a>` : id;
}
