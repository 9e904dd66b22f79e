/** Developer > API keys. */
import { type ApiKey, readBudget } from "../../../core/surface.ts";
import { budgetText, readRights, scopesText } from "../../administration/typed_rights.ts";
import type { Pages, Visit } from "../context.ts";
import type { FormValues } from "../form_body.ts";
import { attributes, type Html, html } from "../html.ts";
import { answerPage } from "../page.ts";
import { badge, heading, notice, secretBox, textField, time } from "../parts.ts";
import { may } from "../people/roles.ts";
import { createForm, credentialRoutes, type Shown } from "./credentials.ts";

export const keyPages: Pages = ({ store, adminOf, config }) => {
  const show = async (visit: Visit, { made, typed, problem = null, status = 200 }: Shown = {}) => {
    const keys = await store.keys(visit.by.account.id);
    const budgets = new Map<string, Budget>();
    for (const { id, revoked_at, rights } of keys)
      if (revoked_at === null && rights?.budget) budgets.set(id, await readBudget(store, id, rights.budget, visit.now));
    const can_change = may(visit.by.user.role, "keys");
    return answerPage(visit, {
      title: "API keys",
      at: "/keys",
      status,
      body: html`${heading("API keys", "Programs send a key as Authorization: Bearer. Whoever has it can spend the account's credits.")}
${visit.query.get("done") === "revoked" && notice("good", "The key is revoked. It stops working here at once and on every node within 5 seconds.")}
${
  made !== undefined &&
  notice(
    "good",
    html`<h2>Your new key</h2><p>Copy it now: only its hash is kept, so it cannot be shown again.</p>${secretBox(made)}
<details><summary>Try it</summary><pre class="wrap" tabindex="0"><code>curl ${config.base_url}/v1/account -H 'Authorization: Bearer ${made}'</code></pre></details>`,
  )
}
${problem !== null && notice("bad", problem)}
${can_change ? createForm(visit, "/keys", "key", typed, "Where it will be used, so that you know it again", rightsFields(typed)) : html`<p class="soft">Owners of the account create and revoke keys.</p>`}
<section class="panel flush" aria-label="Keys">${table(visit, keys, budgets, can_change)}</section>`,
    });
  };

  return credentialRoutes({
    ...{ access: "keys", title: "API keys", noun: "key", verb: "Revoke", done: "revoked", show },
    warning: "Programs that use it are refused with 401 from then on.",
    live: async (account_id) => (await store.keys(account_id)).filter(({ revoked_at }) => revoked_at === null),
    describe: ({ label, last_four }) => html`<b dir="auto">${label}</b> <code>…${last_four}</code>`,
    create: ({ by }, label, typed) => {
      const rights = readRights(Object.fromEntries(typed));
      return adminOf(by).createKey(by.account.id, label, rights);
    },
    end: ({ by }, id) => adminOf(by).revokeKey(by.account.id, id),
  });
};

type Budget = Awaited<ReturnType<typeof readBudget>>;

function rightsFields(typed: FormValues | undefined): Html {
  const more = { maxlength: 4000, autocomplete: "off", spellcheck: "false" };
  const field = (name: "scopes" | "budget", label: string, help: string) =>
    textField({ name, label, value: typed?.get(name) ?? "", help, more });
  const mode = html`<label class="check"><input ${attributes({ type: "checkbox", name: "mode", value: "test", checked: typed?.get("mode") === "test" })}><span>Test mode <small>Costs nothing and works on nothing: short tones at once, and every failure on demand</small></span></label>`;
  return html`${mode}<details ${attributes({ open: Boolean(typed?.get("scopes") || typed?.get("budget")) })}><summary>Restrict it</summary>
${field("scopes", "Scopes", "Empty: everything. Or read (it only reads), actions such as create.new_song, groups such as adapt.*, with commas between them")}
${field("budget", "Budget", "Empty: the account's credits. Or credits for each day or month of the calendar in UTC, such as 20/day or 500/month")}</details>`;
}

function rightsCell({ rights }: ApiKey, budget: Budget | undefined): Html {
  const used = budget === undefined ? budgetText(rights) : `${budget.used} of ${budgetText(rights)}`;
  return html`${rights?.test && html`${badge("wait", "test")} `}${scopesText(rights)}${rights?.budget && html` <small>${used} credits</small>`}`;
}

function table(visit: Visit, keys: readonly ApiKey[], budgets: ReadonlyMap<string, Budget>, can_change: boolean) {
  if (keys.length === 0) return html`<p class="empty">There is no key yet.</p>`;
  return html`<table class="stack"><thead><tr><th scope="col">Label</th><th scope="col">Ends with</th><th scope="col">State</th><th scope="col">May</th><th scope="col">Created</th><th scope="col">Last used</th><th scope="col"><span class="visually-hidden">Change</span></th></tr></thead><tbody>${keys.map(
    (key) =>
      html`<tr><th scope="row" class="text" dir="auto">${key.label}</th><td><code>…${key.last_four}</code></td><td>${
        key.revoked_at === null
          ? badge("good", "live")
          : html`${badge("plain", "revoked")} <small>${time(key.revoked_at, visit.now)}</small>`
      }</td><td data-label="may">${rightsCell(key, budgets.get(key.id))}</td><td data-label="created">${time(key.created_at, visit.now)}</td><td data-label="last used">${key.used_at === null ? html`<span class="soft">never</span>` : time(key.used_at, visit.now)}</td><td class="end">${
        key.revoked_at === null &&
        can_change &&
        html`<a class="button small danger" href="${visit.to(`/keys/${key.id}/revoke`)}">Revoke<span class="visually-hidden"> ${key.label}</span></a>`
      }</td></tr>`,
  )}</tbody></table>`;
}
