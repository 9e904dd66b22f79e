/**
 * Account > Audit log: who did what in the account, and all of it as a file. Owners only. Operators have the same of
 * the whole installation.
 */
import type { AuditEntry, AuditFilter, AuditStore, SurfaceStore } from "../../../core/surface.ts";
import { DAY_MS } from "../../../core/surface.ts";
import { auditLine } from "../../administration/audit_chain.ts";
import { SECURITY_HEADERS } from "../../administration/page_headers.ts";
import words from "../audit_words.json" with { type: "json" };
import { dayOf } from "../calendar.ts";
import type { Pages, Visit } from "../context.ts";
import { ago, count, humanName, plural, utc } from "../format.ts";
import { attributes, type Html, html, type Value } from "../html.ts";
import { answerPage } from "../page.ts";
import { accountNames, heading, pager, withQuery } from "../parts.ts";

const PAGE = 30;
const EXPORT_PAGE = 500;
const WORDS: Readonly<Record<string, string>> = words.actions;
const DETAILS: Readonly<Record<string, string>> = words.details;
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
  file: "uploads",
};
const ACTOR = /^[a-z]{3,12}(?:_[0-9a-z]{1,30})?$/u;

/** Whose log it is, and where its pages are. */
interface Log {
  readonly path: string;
  readonly access: "audit" | "operate";
  readonly title: string;
  readonly lead: Value;
  readonly about: Readonly<Record<string, string>>;
  /** Null: the installation's. */
  accountOf(visit: Visit): string | null;
}

const OWN: Log = {
  path: "/audit",
  access: "audit",
  title: "Audit log",
  lead: "Who signed in and who changed what. Entries are only added, never changed.",
  about: ABOUT,
  accountOf: ({ by }) => by.account.id,
};
const ALL: Log = {
  path: "/operator/audit",
  access: "operate",
  title: "Audit log of all",
  lead: html`Of every account and of the shell. <code>tonwerk audit verify</code> says whether it is as it was written.`,
  about: { ...ABOUT, operator: "commands of the shell" },
  accountOf: () => null,
};

export const auditPages: Pages = (services) => [OWN, ALL].flatMap((log) => auditRoutes(services, log));

const auditRoutes = (
  { store, config }: Parameters<Pages>[0],
  { path, access, title, lead, about: subjects, accountOf }: Log,
): ReturnType<Pages> => {
  const asked = ({ query }: Visit) => {
    const about = query.get("about") ?? "";
    const who = query.get("who") ?? "";
    return {
      about: Object.hasOwn(subjects, about) ? about : null,
      who: ACTOR.test(who) ? who : null,
      from: dayOf(query.get("from")),
      to: dayOf(query.get("to")),
    };
  };
  const filterOf = (visit: Visit): Omit<AuditFilter, "limit"> => {
    const { about, who, from, to } = asked(visit);
    const account_id = accountOf(visit);
    return {
      ...(account_id === null ? {} : { account_id }),
      ...(about === null ? {} : { about }),
      ...(who === null ? {} : { actor: who }),
      ...(from === undefined ? {} : { since: from.ms }),
      ...(to === undefined ? {} : { until: to.ms + DAY_MS }),
    };
  };

  /** Who may be chosen: the people and keys of now, and whoever is chosen, who may be gone. */
  const people = async (account_id: string | null, chosen: string | null) => {
    const [users, keys] =
      account_id === null ? [[], []] : await Promise.all([store.users(account_id), store.keys(account_id)]);
    const named: (readonly [string, string])[] = [
      ...users.map(({ id, email }) => [id, email] as const),
      ...keys.map(({ id, label, last_four }) => [id, `key ${label} …${last_four}`] as const),
      ["operator", "the operator's shell"],
      ["service", "the service itself"],
    ];
    return chosen === null || named.some(([id]) => id === chosen) ? named : [...named, [chosen, chosen] as const];
  };

  return [
    {
      method: "GET",
      path,
      access,
      async answer(visit) {
        const before = visit.query.get("before") ?? "";
        const { about, who, from, to } = asked(visit);
        const query = { about, who, from: from?.text ?? null, to: to?.text ?? null };
        const position = /^\d{1,15}$/u.test(before) ? { before: Number(before) } : {};
        const [found, named] = await Promise.all([
          store.auditEntries({ ...filterOf(visit), ...position, limit: PAGE + 1 }),
          people(accountOf(visit), who),
        ]);
        const page = found.slice(0, PAGE);
        const next =
          found.length > PAGE ? withQuery(visit, path, { ...query, before: String(page.at(-1)!.position) }) : null;
        const day = (name: string, label: string, value: string | undefined) =>
          html`<div class="field narrow"><label for="${name}">${label}</label><input ${attributes({ type: "date", id: name, name, value: value ?? null })}></div>`;
        const choice = (
          name: string,
          label: string,
          any: string,
          options: readonly (readonly [string, string])[],
          chosen: string | null,
        ) =>
          html`<div class="field"><label for="${name}">${label}</label><select ${attributes({ id: name, name })}><option value="">${any}</option>${options.map(
            ([value, text]) => html`<option ${attributes({ value, selected: value === chosen })}>${text}</option>`,
          )}</select></div>`;
        return answerPage(visit, {
          title,
          at: path,
          // An id that nobody has is repeated as it came.
          is_compressed: who === null || named.some(([id, name]) => id === who && name !== id),
          body: html`${heading(title, lead, html`<a class="button" href="${withQuery(visit, `${path}/export`, query)}">Export</a>`)}
<form class="panel inline-form" action="${visit.to(path)}">${choice("about", "About", "everything", Object.entries(subjects), about)}${choice("who", "By", "anybody", named, who)}${day("from", "From (UTC)", from?.text)}${day("to", "To", to?.text)}<button>Show</button></form>
<section class="panel flush" aria-label="Entries">${
            page.length === 0
              ? html`<p class="empty">There is nothing here.</p>`
              : table(
                  visit,
                  path,
                  page,
                  new Map([
                    ...named,
                    ...(await accountNames(
                      store,
                      page.flatMap(({ account_id }) => account_id ?? []),
                    )),
                    ...(await endpointNames(store, page)),
                  ]),
                )
          }</section>
${pager(before === "" ? null : withQuery(visit, path, query), next)}
<p class="soft">Entries are kept for ${plural(config.audit_days, "day")}, each for as long as was said when it was written; then the oldest go. They hold names, addresses and what was changed, and never a key, a secret or a password.</p>`,
        });
      },
    },
    {
      method: "GET",
      path: `${path}/export`,
      access,
      answer(visit) {
        const name = `tonwerk-audit-${new Date(visit.now).toISOString().slice(0, 10)}.ndjson`;
        return new Response(lines(store, filterOf(visit)), {
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
};

/**
 * Addresses of the endpoints that entries are about: of those that are there, and what an entry says of one that is
 * gone.
 */
async function endpointNames(
  store: Pick<SurfaceStore, "endpoint">,
  entries: readonly AuditEntry[],
): Promise<readonly (readonly [string, string])[]> {
  const said = entries.flatMap(({ target, details: text }): readonly (readonly [string, string | undefined])[] => {
    const { endpoint, url } = JSON.parse(text) as Record<string, unknown>;
    const address = [url].flat().at(-1);
    return [
      [target ?? "", typeof address === "string" ? address : undefined],
      [String(endpoint), undefined],
    ];
  });
  const known = said.filter((pair): pair is [string, string] => pair[0].startsWith("hook_") && pair[1] !== undefined);
  const ids = [...new Set(said.flatMap(([id]) => (id.startsWith("hook_") ? id : [])))];
  const there = await Promise.all(ids.map((id) => store.endpoint(id)));
  return [...known, ...there.flatMap((one) => (one === undefined ? [] : [[one.id, one.url] as const]))];
}

/** Newest first, a page of the store at a time, as fast as it is read. */
function lines(
  store: Pick<AuditStore, "auditEntries">,
  filter: Omit<AuditFilter, "limit">,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  let before: number | undefined;
  return new ReadableStream({
    async pull(controller) {
      const position = before === undefined ? {} : { before };
      const page = await store.auditEntries({ ...filter, ...position, limit: EXPORT_PAGE });
      if (page.length > 0) controller.enqueue(encoder.encode(page.map((one) => `${auditLine(one)}\n`).join("")));
      before = page.at(-1)?.position;
      if (page.length < EXPORT_PAGE) controller.close();
    },
  });
}

/** `names`: of people and keys, where they are known. */
function table(visit: Visit, path: string, entries: readonly AuditEntry[], names: ReadonlyMap<string, string>): Html {
  const of_all = path !== OWN.path;
  return html`<table class="stack"><thead><tr><th scope="col">When (UTC)</th><th scope="col">What</th><th scope="col">Who</th><th scope="col">Details</th></tr></thead><tbody>${entries.map(
    (one) =>
      html`<tr><td class="wide"><time datetime="${new Date(one.at).toISOString()}" title="${ago(one.at, visit.now)}">${utc(one.at).slice(0, 19)}</time></td><th scope="row" class="text wide">${wordsFor(one.action)} <small>${one.action}</small></th><td class="text wide"><a href="${withQuery(visit, path, { who: one.actor })}">${one.actor_email ?? names.get(one.actor) ?? one.actor}</a>${
        one.address !== null && html` <small>${one.address}</small>`
      }</td><td class="text wide">${details(one, names)}${of_all && one.account_id !== null && one.account_id !== one.target && html`<small>of <a dir="auto" href="${visit.to(`/operator/accounts/${one.account_id}`)}">${names.get(one.account_id) ?? one.account_id}</a></small>`}</td></tr>`,
  )}</tbody></table>`;
}

/** What was done, as people say it: of the shell, the command. */
const wordsFor = (action: string): string =>
  WORDS[action] ?? (action.startsWith("operator.") ? `tonwerk ${action.split(".").slice(1).join(" ")}` : action);

/** The target and what else the entry says; a pair is what it was and what it became. */
function details({ target, details: text }: AuditEntry, names: ReadonlyMap<string, string>): Value {
  const all = Object.entries(JSON.parse(text) as Record<string, unknown>).filter(([, value]) => value !== null);
  const name = target === null ? undefined : names.get(target);
  // What is called by its name needs that name no second time.
  const said = all.filter(([, value]) => value !== name);
  return html`${target !== null && (name === undefined ? html`<code>${target}</code>` : html`<b title="${target}" dir="auto">${name}</b>`)}<dl class="said">${said.map(
    ([key, value]) =>
      html`<div><dt>${DETAILS[key] ?? humanName(key)}</dt><dd class="user-text" dir="auto">${became(key, (typeof value === "string" ? names.get(value) : undefined) ?? value)}</dd></div>`,
  )}</dl>`;
}

const became = (name: string, value: unknown): string =>
  Array.isArray(value) && value.length === 2 && name !== "events" && name !== "words"
    ? `${shown(value[0])} → ${shown(value[1])}`
    : shown(value);

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(String).join(" ");
  if (typeof value === "object" && value !== null) return Object.values(value).join("/");
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return count(value);
  return value === null ? "default" : String(value);
}
