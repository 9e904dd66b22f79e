/** Developer > API keys. */
import { type ApiKey, Refusal, refuse } from "../../../core/surface.ts";
import type { Pages, Visit } from "../context.ts";
import { readForm } from "../form_body.ts";
import { html, type Value } from "../html.ts";
import { answerPage, redirect } from "../page.ts";
import { badge, crumbs, csrfField, heading, notice, secretBox, textField, time } from "../parts.ts";
import { may } from "../people/roles.ts";
import { detailOf } from "./problem.ts";

export const keyPages: Pages = ({ store, adminOf, sessions, config }) => {
  const show = async (
    visit: Visit,
    options: { made?: string; label?: string; problem?: Value; status?: number } = {},
  ) => {
    const { made, label = "", problem = null, status = 200 } = options;
    const keys = await store.keys(visit.by.account.id);
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
${can_change ? createForm(visit, label, problem) : html`<p class="soft">Owners of the account create and revoke keys.</p>`}
<section class="panel flush" aria-label="Keys">${table(visit, keys, can_change)}</section>`,
    });
  };

  const live = async (visit: Visit): Promise<ApiKey> => {
    const keys = await store.keys(visit.by.account.id);
    const key = keys.find(({ id, revoked_at }) => id === visit.params.id && revoked_at === null);
    if (key === undefined) throw refuse.notFound();
    return key;
  };

  return [
    { method: "GET", path: "/keys", access: "read", answer: (visit) => show(visit) },
    {
      method: "POST",
      path: "/keys",
      access: "keys",
      async answer(visit) {
        const values = await readForm(visit.request);
        await sessions.checkForm(visit.request, values.get("csrf") ?? null);
        const label = values.get("label") ?? "";
        try {
          return await show(visit, {
            made: (await adminOf(visit.by).createKey(visit.by.account.id, label)).plain,
          });
        } catch (error) {
          if (!(error instanceof Refusal) || error.status !== 422) throw error;
          return show(visit, { label, problem: detailOf(error), status: 422 });
        }
      },
    },
    {
      method: "GET",
      path: "/keys/:id/revoke",
      access: "keys",
      async answer(visit) {
        const key = await live(visit);
        return answerPage(visit, {
          title: "Revoke a key",
          at: "/keys",
          body: html`<div>${crumbs([["API keys", visit.to("/keys")]])}${heading("Revoke this key?")}</div>
<form class="panel form" method="post" action="${visit.to(`/keys/${key.id}/revoke`)}">
<p><b dir="auto">${key.label}</b> <code>…${key.last_four}</code></p>
<p class="soft">Programs that use it are refused with 401 from then on. This cannot be undone.</p>
${csrfField(visit)}<div class="row"><button class="danger">Revoke the key</button><a class="button" href="${visit.to("/keys")}">Keep it</a></div></form>`,
        });
      },
    },
    {
      method: "POST",
      path: "/keys/:id/revoke",
      access: "keys",
      async answer(visit) {
        const values = await readForm(visit.request);
        await sessions.checkForm(visit.request, values.get("csrf") ?? null);
        await adminOf(visit.by).revokeKey(visit.by.account.id, (await live(visit)).id);
        return redirect(visit, "/keys?done=revoked");
      },
    },
  ];
};

function createForm(visit: Visit, label: string, problem: Value) {
  return html`<form class="panel form" method="post" action="${visit.to("/keys")}"><h2>Create a key</h2>
${problem !== null && notice("bad", problem)}
<div class="inline-form">${csrfField(visit)}${textField({ name: "label", label: "Label", value: label, help: "Where it will be used, so that you know it again", more: { required: true, maxlength: 100, autocomplete: "off", dir: "auto" } })}<button class="primary">Create key</button></div></form>`;
}

function table(visit: Visit, keys: readonly ApiKey[], can_change: boolean) {
  if (keys.length === 0) return html`<p class="empty">There is no key yet.</p>`;
  return html`<table class="stack"><thead><tr><th scope="col">Label</th><th scope="col">Ends with</th><th scope="col">State</th><th scope="col">Created</th><th scope="col">Last used</th><th scope="col"><span class="visually-hidden">Change</span></th></tr></thead><tbody>${keys.map(
    (key) =>
      html`<tr><th scope="row" class="text" dir="auto">${key.label}</th><td><code>…${key.last_four}</code></td><td>${
        key.revoked_at === null
          ? badge("good", "live")
          : html`${badge("plain", "revoked")} <small>${time(key.revoked_at, visit.now)}</small>`
      }</td><td data-label="created">${time(key.created_at, visit.now)}</td><td data-label="last used">${key.used_at === null ? html`<span class="soft">never</span>` : time(key.used_at, visit.now)}</td><td class="end">${
        key.revoked_at === null &&
        can_change &&
        html`<a class="button small danger" href="${visit.to(`/keys/${key.id}/revoke`)}">Revoke<span class="visually-hidden"> ${key.label}</span></a>`
      }</td></tr>`,
  )}</tbody></table>`;
}
