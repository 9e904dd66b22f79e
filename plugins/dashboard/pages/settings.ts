/**
 * Account > Settings: name, allowlist, webhooks, leaks; limits and credits are the operator's and only shown. Owners
 * only.
 */
import { type Account, type AccountSettings, Refusal } from "../../../core/surface.ts";
import type { Pages, Visit } from "../context.ts";
import type { FormValues } from "../form_body.ts";
import { bytes, count } from "../format.ts";
import { attributes, html, type Value } from "../html.ts";
import { answerPage, redirect } from "../page.ts";
import { csrfField, heading, notice, textField } from "../parts.ts";
import { detailOf } from "./problem.ts";

/** As the form shows it: what was typed, or what is stored. */
interface Shown {
  readonly name: string;
  readonly allowlist: string;
  readonly webhook_body: AccountSettings["webhook_body"];
  readonly webhook_long_retries: boolean;
  readonly revoke_leaked: boolean;
}

export const settingsPages: Pages = ({ store, adminOf, config, free_work }) => {
  const show = async (visit: Visit, shown: Shown, problem: Value = null, status = 200) => {
    const account = (await store.account(visit.by.account.id)) ?? visit.by.account;
    const kept = await store.keptUploads(account.id);
    const free = free_work.of(account);
    return answerPage(visit, {
      title: "Settings",
      at: "/settings",
      status,
      body: html`${heading("Settings", "Of the whole account, for everybody and every key.")}
${visit.query.get("done") === "saved" && notice("good", "Saved. Every node knows it within 5 seconds.")}
${problem !== null && notice("bad", problem)}
<form class="panel form" method="post" action="${visit.to("/settings")}">${csrfField(visit)}
${textField({ name: "name", label: "Name of the account", value: shown.name, more: { required: true, maxlength: 100, autocomplete: "off", dir: "auto" } })}
<div class="field"><label for="allowlist">Addresses that may use API keys</label><small id="allowlist-help">One address or CIDR range a line, IPv4 or IPv6, such as 203.0.113.0/24. Empty: from everywhere. The dashboard is not affected.</small>
<textarea id="allowlist" name="allowlist" aria-describedby="allowlist-help" spellcheck="false" rows="4">${shown.allowlist}</textarea></div>
<fieldset><legend>Webhooks</legend>
<div class="field"><label for="webhook_body">Body</label><select id="webhook_body" name="webhook_body"><option ${attributes({ value: "operation", selected: shown.webhook_body === "operation" })}>the operation, as GET returns it</option><option ${attributes({ value: "envelope", selected: shown.webhook_body === "envelope" })}>an envelope with type and data</option></select></div>
<label class="check"><input ${attributes({ type: "checkbox", name: "webhook_long_retries", checked: shown.webhook_long_retries })}><span>Long retries <small>After the first five minutes also 30 minutes, 2, 5 and 10 hours later, signed afresh</small></span></label></fieldset>
<fieldset><legend>Leaked keys</legend><label class="check"><input ${attributes({ type: "checkbox", name: "revoke_leaked", checked: shown.revoke_leaked })}><span>Revoke a key as soon as it is reported <small>Otherwise owners are told and decide</small></span></label></fieldset>
<div><button class="primary">Save</button></div></form>
<section class="panel"><h2>Limits</h2><p class="soft">Set by whoever runs this server.</p><dl class="facts">
<dt>Submissions</dt><dd>${limit(account.put_per_minute ?? config.put_per_minute, "a minute")}</dd>
<dt>Reads</dt><dd>${limit(account.get_per_minute ?? config.get_per_minute, "a minute")}</dd>
<dt>Open long-polls</dt><dd>${limit(account.long_polls ?? config.long_polls, "at a time")}</dd>
<dt>Uploads</dt><dd>${limit(account.uploads_open ?? config.uploads_open, "at a time")}, ${bytes(kept.bytes)} kept of ${allowed(account.upload_bytes ?? config.upload_bytes, bytes)}</dd>
<dt>Free work today</dt><dd>${count(Math.ceil(free.used))} s of ${allowed(free.limit, (seconds) => `${count(seconds)} s`)} <small>Processor time of failed operations and of looking at uploads; when it is used up, nothing is accepted until 00:00 UTC.</small></dd>
<dt>Running jobs of a kind</dt><dd>${limit(account.jobs_max, "at a time")}</dd>
<dt>Account</dt><dd><code>${account.id}</code></dd></dl></section>`,
    });
  };

  return [
    { method: "GET", path: "/settings", access: "settings", answer: (visit) => show(visit, stored(visit.by.account)) },
    {
      method: "POST",
      path: "/settings",
      access: "settings",
      async answer(visit, values) {
        const { account } = visit.by;
        const shown = typed(values);
        try {
          const { name, allowlist, ...settings } = shown;
          // Settings first: they are what can be wrong, and nothing is half saved then.
          await adminOf(visit.by).updateSettings(account.id, { ...settings, allowlist: listed(allowlist) });
          if (name !== account.name) await adminOf(visit.by).label("account", account.id, account.id, name);
        } catch (error) {
          if (!(error instanceof Refusal) || error.status !== 422) throw error;
          return show(visit, shown, detailOf(error), 422);
        }
        return redirect(visit, "/settings?done=saved");
      },
    },
  ];
};

const stored = (account: Account): Shown => ({ ...account, allowlist: account.allowlist.join("\n") });

const typed = (values: FormValues): Shown => ({
  name: values.get("name") ?? "",
  allowlist: values.get("allowlist") ?? "",
  webhook_body: values.get("webhook_body") === "envelope" ? "envelope" : "operation",
  webhook_long_retries: values.has("webhook_long_retries"),
  revoke_leaked: values.has("revoke_leaked"),
});

const listed = (text: string): readonly string[] =>
  text
    .split(/[\s,]+/u)
    .map((line) => line.trim())
    .filter((line) => line !== "");

const allowed = (value: number, text: (value: number) => string): string => (value === 0 ? "any number" : text(value));

const limit = (value: number, per: string): string => (value === 0 ? "unlimited" : `${count(value)} ${per}`);
