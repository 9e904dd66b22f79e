/** Account > Audit log: who did what in the account, and all of it as a file. Owners only. */
import type { AuditEntry, AuditStore } from "../../../core/surface.ts";
import { auditLine } from "../../administration/audit_chain.ts";
import { SECURITY_HEADERS } from "../../administration/page_headers.ts";
import type { Pages, Visit } from "../context.ts";
import { attributes, type Html, html, type Value } from "../html.ts";
import { answerPage } from "../page.ts";
import { heading, pager, time, withQuery } from "../parts.ts";

const PAGE = 50;
/** What stands before an action's dot, and what people call it. */
const ABOUT: Readonly<Record<string, string>> = {
  session: "signing in",
  member: "members",
  key: "API keys",
  secret: "signing secrets",
  settings: "settings",
  account: "the account",
  credits: "credits",
  leak: "leaks",
  endpoint: "webhook endpoints",
};

export const auditPages: Pages = ({ store }) => [
  {
    method: "GET",
    path: "/audit",
    access: "audit",
    async answer(visit) {
      const about = aboutOf(visit);
      const before = visit.query.get("before") ?? "";
      const filter = {
        account_id: visit.by.account.id,
        ...(about === null ? {} : { about }),
        ...(/^\d{1,15}$/u.test(before) ? { before: Number(before) } : {}),
      };
      const found = await store.auditEntries({ ...filter, limit: PAGE + 1 });
      const page = found.slice(0, PAGE);
      const next =
        found.length > PAGE ? withQuery(visit, "/audit", { about, before: String(page.at(-1)!.position) }) : null;
      return answerPage(visit, {
        title: "Audit log",
        at: "/audit",
        body: html`${heading(
          "Audit log",
          "Who signed in and who changed what. Entries are only added, never changed.",
          html`<a class="button" href="${withQuery(visit, "/audit/export", { about })}">Export</a>`,
        )}
<form class="row" action="${visit.to("/audit")}"><label for="about">About</label><select id="about" name="about"><option value="">everything</option>${Object.entries(
          ABOUT,
        ).map(
          ([value, name]) => html`<option ${attributes({ value, selected: value === about })}>${name}</option>`,
        )}</select><button class="small">Show</button></form>
<section class="panel flush" aria-label="Entries">${page.length === 0 ? html`<p class="empty">There is nothing here.</p>` : table(visit, page)}</section>
${pager(before === "" ? null : withQuery(visit, "/audit", { about }), next)}`,
      });
    },
  },
  {
    method: "GET",
    path: "/audit/export",
    access: "audit",
    answer(visit) {
      const name = `tonwerk-audit-${new Date(visit.now).toISOString().slice(0, 10)}.ndjson`;
      return new Response(lines(store, visit.by.account.id, aboutOf(visit)), {
        headers: {
          ...SECURITY_HEADERS,
          "content-type": "application/x-ndjson; charset=utf-8",
          "content-disposition": `attachment; filename="${name}"`,
          "cache-control": "no-store",
        },
      });
    },
  },
];

function aboutOf({ query }: Visit): string | null {
  const about = query.get("about") ?? "";
  return Object.hasOwn(ABOUT, about) ? about : null;
}

/** Newest first, a page of the store at a time, as fast as it is read. */
function lines(
  store: Pick<AuditStore, "auditEntries">,
  account_id: string,
  about: string | null,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  let before: number | undefined;
  return new ReadableStream({
    async pull(controller) {
      const filter = { account_id, ...(about === null ? {} : { about }), ...(before === undefined ? {} : { before }) };
      const page = await store.auditEntries({ ...filter, limit: 500 });
      if (page.length > 0) controller.enqueue(encoder.encode(page.map((one) => `${auditLine(one)}\n`).join("")));
      before = page.at(-1)?.position;
      if (page.length < 500) controller.close();
    },
  });
}

function table(visit: Visit, entries: readonly AuditEntry[]): Html {
  return html`<table class="stack"><thead><tr><th scope="col">What</th><th scope="col">Who</th><th scope="col">Details</th><th scope="col">When</th></tr></thead><tbody>${entries.map(
    (one) =>
      html`<tr><th scope="row"><code>${one.action}</code></th><td class="text">${one.actor_email ?? one.actor}${
        one.address !== null && html`<br><small>${one.address}</small>`
      }</td><td class="text wide">${details(one)}</td><td>${time(one.at, visit.now)}</td></tr>`,
  )}</tbody></table>`;
}

/** The target and what else the entry says; a pair is what it was and what it became. */
function details({ target, details: text }: AuditEntry): Value {
  const said = Object.entries(JSON.parse(text) as Record<string, unknown>).map(([name, value]) =>
    Array.isArray(value) && value.length === 2
      ? `${name}: ${shown(value[0])} → ${shown(value[1])}`
      : `${name}: ${shown(value)}`,
  );
  return html`${target !== null && html`<code>${target}</code> `}<span class="user-text" dir="auto">${said.join(", ")}</span>`;
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(" ");
  return value === null ? "default" : String(value);
}
