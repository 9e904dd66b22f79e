/** Operator > Accounts: who there is, what they have and use, and granting credits. */
import { randomUUID } from "node:crypto";
import { type Account, DAY_MS, liveAccountOf, Refusal, refuse } from "../../../core/surface.ts";
import { createAccountAdmin } from "../../administration/account_admin.ts";
import { allAccounts } from "../../administration/command.ts";
import type { Pages, Visit } from "../context.ts";
import type { FormValues } from "../form_body.ts";
import { count, plural, utc } from "../format.ts";
import { attributes, type Html, html, type Value } from "../html.ts";
import { answerPage, redirect } from "../page.ts";
import { badge, crumbs, csrfField, heading, notice, pager, textField, time, withQuery } from "../parts.ts";
import { usedOf } from "../usage_parts.ts";
import { confirmPage } from "./confirm.ts";
import { detailOf } from "./problem.ts";
import { ledgerTable } from "./usage.ts";

const PAGE = 50;
const LEDGER = 10;

export const operatorAccountPages: Pages = (services) => {
  const { store, once, sessions } = services;

  const find = async ({ params }: Visit): Promise<Account> => {
    const account = await store.account(liveAccountOf(params.account!));
    if (account === undefined) throw refuse.notFound();
    return account;
  };

  /** The operator's person, without an address: the account's own owners read the entry. */
  const adminOf = ({ by }: Visit) =>
    createAccountAdmin(services, { id: by.user.id, email: by.user.email, address: null });

  const show = async (visit: Visit, values?: FormValues, problem: Value = null, status = 200) => {
    const account = await find(visit);
    const until = (Math.floor(visit.now / DAY_MS) + 1) * DAY_MS;
    const [users, keys, days, ledger, endpoints] = await Promise.all([
      store.users(account.id),
      store.keys(account.id),
      store.usage(account.id, until - 30 * DAY_MS, until),
      store.ledger(account.id, { limit: LEDGER }),
      store.endpoints(account.id),
    ]);
    const used = days.reduce((sum, day) => sum + usedOf(day), 0);
    const live = keys.filter(({ revoked_at }) => revoked_at === null).length;
    const granted = /^\d{1,13}$/u.exec(visit.query.get("granted") ?? "")?.[0];
    return answerPage(visit, {
      title: account.name,
      at: "/operator/accounts",
      status,
      body: html`<div>${crumbs([["Accounts", visit.to("/operator/accounts")]])}${heading(html`<span dir="auto">${account.name}</span>`, html`<code>${account.id}</code>`, html`<a class="button" href="${visit.to(`/operator/audit?about=credits`)}">Grants of all accounts</a>`)}</div>
${granted !== undefined && notice("good", `${plural(Number(granted), "credit")} granted. It stands in the ledger and in the audit log.`)}
${problem !== null && notice("bad", problem)}
<div class="tiles"><p class="tile"><b>${count(account.credits)}</b>credits left</p><p class="tile"><b>${count(Math.max(0, used))}</b>used in 30 days</p><p class="tile"><b>${live}</b>live ${live === 1 ? "key" : "keys"}</p><p class="tile"><b>${endpoints.length}</b>webhook ${endpoints.length === 1 ? "endpoint" : "endpoints"}</p></div>
<form class="panel form" method="post" action="${visit.to(`/operator/accounts/${account.id}/grant`)}"><h2>Grant credits</h2>${csrfField(visit)}<div class="inline-form">${textField({ name: "credits", label: "Credits", value: values?.get("credits") ?? "", more: { required: true, inputmode: "numeric", pattern: "[0-9]{1,12}", autocomplete: "off" } })}${textField({ name: "reason", label: "Reason, which the account reads in its ledger", value: values?.get("reason") ?? "", more: { required: true, maxlength: 100, dir: "auto", autocomplete: "off" } })}<button class="primary">Go on</button></div></form>
<section class="panel"><h2>Account</h2><dl class="facts"><dt>Made</dt><dd>${utc(account.created_at)}</dd><dt>People</dt><dd>${users.length === 0 ? "nobody yet" : users.map(({ email, role, disabled_at }) => html`${email} <small>${role}${disabled_at !== null && ", disabled"}</small><br>`)}</dd></dl></section>
<section class="panel flush"><header><h2>Ledger</h2></header>${ledgerTable(visit, ledger, false)}</section>`,
    });
  };

  /** As typed, or what is wrong with it. */
  const read = (values: FormValues): { readonly credits: number; readonly reason: string } | string => {
    const [typed, reason] = [(values.get("credits") ?? "").trim(), (values.get("reason") ?? "").trim()];
    if (!/^[1-9]\d{0,11}$/u.test(typed)) return "Credits must be a whole number above 0.";
    return reason === "" ? "Say why: the account reads it in its ledger." : { credits: Number(typed), reason };
  };

  return [
    {
      method: "GET",
      path: "/operator/accounts",
      access: "operate",
      async answer(visit) {
        const words = (visit.query.get("find") ?? "").trim().toLowerCase();
        const before = visit.query.get("before") ?? "";
        // Who looks for a name looks through all of them: names have no index, and accounts are few.
        const found =
          words === ""
            ? await store.accounts({ ...(before === "" ? {} : { before }), limit: PAGE + 1 })
            : (await allAccounts(store)).filter(
                ({ id, name }) => id.includes(words) || name.toLowerCase().includes(words),
              );
        const page = found.slice(0, PAGE);
        const next =
          words === "" && found.length > PAGE
            ? withQuery(visit, "/operator/accounts", { before: page.at(-1)!.id })
            : null;
        return answerPage(visit, {
          title: "Accounts",
          at: "/operator/accounts",
          body: html`${heading("Accounts", "Newest first. New ones are made by `tonwerk accounts create`.")}
<form class="panel inline-form" action="${visit.to("/operator/accounts")}"><div class="field"><label for="find">Name or id</label><input ${attributes({ id: "find", name: "find", value: words === "" ? null : words, autocomplete: "off" })}></div><button>Show</button></form>
<section class="panel flush" aria-label="Accounts">${page.length === 0 ? html`<p class="empty">No account fits.</p>` : table(visit, page)}</section>
${words !== "" && found.length > PAGE && html`<p class="soft">${count(found.length)} fit; these are the first ${PAGE}.</p>`}
${pager(before === "" ? null : visit.to("/operator/accounts"), next)}`,
        });
      },
    },
    { method: "GET", path: "/operator/accounts/:account", access: "operate", answer: (visit) => show(visit) },
    {
      method: "POST",
      path: "/operator/accounts/:account/grant",
      access: "operate",
      async answer(visit, values) {
        const account = await find(visit);
        const typed = read(values);
        if (typeof typed === "string") return show(visit, values, typed, 422);
        const { credits, reason } = typed;
        const path = `/operator/accounts/${account.id}/grant`;
        const key = values.get("idempotency_key");
        // One grant, however often it is sent.
        const ask = (idempotency_key: string, problem?: string, status = 200) =>
          confirmPage(visit, {
            ...{ title: "Accounts", at: "/operator/accounts", back: `/operator/accounts/${account.id}` },
            asks: `Grant ${plural(credits, "credit")} to ${account.name}?`,
            about: html`<b dir="auto">${account.name}</b> <code>${account.id}</code> has ${plural(account.credits, "credit")} and would have ${count(account.credits + credits)}.`,
            consequence: html`Reason: <q dir="auto">${reason}</q>. It stands in the account's ledger and, with your name, in the audit log. Credits that were granted cannot be taken back.`,
            path,
            verb: `Grant ${plural(credits, "credit")}`,
            keep: "Grant nothing",
            is_harmless: true,
            fields: textField({
              ...{ name: "password", label: "Your password", type: "password", problem },
              more: { required: true, autocomplete: "current-password" },
            }),
            status,
            hidden: { credits: String(credits), reason, idempotency_key },
          });
        if (key === undefined || !UUID.test(key)) return ask(randomUUID());
        // Whoever finds a browser that is signed in grants nothing.
        const wrong = await sessions.checkPassword(visit, visit.by, values.get("password") ?? "");
        if (wrong !== undefined) return ask(key, wrong.message, wrong.why === "limited" ? 429 : 422);
        try {
          await once(
            account,
            `operator.grant ${credits} ${reason}`,
            key,
            async () => undefined,
            async () => String(await adminOf(visit).grant(account.id, credits, reason)),
          );
        } catch (error) {
          if (!(error instanceof Refusal) || (error.status !== 422 && error.status !== 409)) throw error;
          return show(visit, values, detailOf(error), error.status);
        }
        return redirect(visit, `/operator/accounts/${account.id}?granted=${credits}`);
      },
    },
  ];
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/u;

function table(visit: Visit, accounts: readonly Account[]): Html {
  return html`<table class="stack rows"><thead><tr><th scope="col">Account</th><th scope="col">Id</th><th scope="col" class="num">Credits</th><th scope="col">Made</th></tr></thead><tbody>${accounts.map(
    ({ id, name, credits, created_at }) =>
      html`<tr><th scope="row" class="text wide" dir="auto"><a href="${visit.to(`/operator/accounts/${id}`)}">${name}</a></th><td class="text"><code>${id}</code></td><td class="num" data-label="credits">${credits === 0 ? badge("wait", "0") : count(credits)}</td><td data-label="made">${time(created_at, visit.now)}</td></tr>`,
  )}</tbody></table>`;
}
