/** Developer > Webhook signing secrets. */
import { Refusal, refuse, type SigningSecret } from "../../../core/surface.ts";
import type { Pages, Visit } from "../context.ts";
import { readForm } from "../form_body.ts";
import { plural } from "../format.ts";
import { html, type Value } from "../html.ts";
import { answerPage, redirect } from "../page.ts";
import { badge, crumbs, csrfField, heading, notice, secretBox, textField, time } from "../parts.ts";
import { may } from "../people/roles.ts";
import { detailOf } from "./problem.ts";

export const secretPages: Pages = ({ store, adminOf, sessions }) => {
  const show = async (
    visit: Visit,
    options: { made?: string; label?: string; problem?: Value; status?: number } = {},
  ) => {
    const { made, label = "", problem = null, status = 200 } = options;
    const secrets = await store.secrets(visit.by.account.id);
    const can_change = may(visit.by.user.role, "secrets");
    return answerPage(visit, {
      title: "Webhook signing secrets",
      at: "/secrets",
      status,
      body: html`${heading("Webhook signing secrets", "Every delivery is signed with each live secret, as Standard Webhooks describes. Your receiver needs to know one of them.")}
${visit.query.get("done") === "retired" && notice("good", "The secret is retired. From now on deliveries are signed without it.")}
${made !== undefined && notice("good", html`<h2>Your new secret</h2><p>Copy it now: it is stored encrypted and cannot be shown again. Give it to your receivers, then retire the old one.</p>${secretBox(made)}`)}
${problem !== null && notice("bad", problem)}
${can_change ? html`<form class="panel form" method="post" action="${visit.to("/secrets")}"><h2>Create a secret</h2><div class="inline-form">${csrfField(visit)}${textField({ name: "label", label: "Label", value: label, help: "To rotate: create a new one, move your receivers to it, retire the old one. Both sign in between.", more: { required: true, maxlength: 100, autocomplete: "off", dir: "auto" } })}<button class="primary">Create secret</button></div></form>` : html`<p class="soft">Owners of the account create and retire secrets.</p>`}
<section class="panel flush" aria-label="Secrets">${table(visit, secrets, can_change)}</section>`,
    });
  };

  const live = async (visit: Visit): Promise<SigningSecret> => {
    const secrets = await store.secrets(visit.by.account.id);
    const secret = secrets.find(({ id, retired_at }) => id === visit.params.id && retired_at === null);
    if (secret === undefined) throw refuse.notFound();
    return secret;
  };

  return [
    { method: "GET", path: "/secrets", access: "read", answer: (visit) => show(visit) },
    {
      method: "POST",
      path: "/secrets",
      access: "secrets",
      async answer(visit) {
        const values = await readForm(visit.request);
        await sessions.checkForm(visit.request, values.get("csrf") ?? null);
        const label = values.get("label") ?? "";
        try {
          return await show(visit, {
            made: (await adminOf(visit.by).createSecret(visit.by.account.id, label)).plain,
          });
        } catch (error) {
          if (!(error instanceof Refusal) || error.status !== 422) throw error;
          return show(visit, { label, problem: detailOf(error), status: 422 });
        }
      },
    },
    {
      method: "GET",
      path: "/secrets/:id/retire",
      access: "secrets",
      async answer(visit) {
        const secret = await live(visit);
        return answerPage(visit, {
          title: "Retire a secret",
          at: "/secrets",
          body: html`<div>${crumbs([["Webhook signing secrets", visit.to("/secrets")]])}${heading("Retire this secret?")}</div>
<form class="panel form" method="post" action="${visit.to(`/secrets/${secret.id}/retire`)}">
<p><b dir="auto">${secret.label}</b></p>
<p class="soft">Receivers that only know this secret will refuse deliveries from then on. This cannot be undone.</p>
${csrfField(visit)}<div class="row"><button class="danger">Retire the secret</button><a class="button" href="${visit.to("/secrets")}">Keep it</a></div></form>`,
        });
      },
    },
    {
      method: "POST",
      path: "/secrets/:id/retire",
      access: "secrets",
      async answer(visit) {
        const values = await readForm(visit.request);
        await sessions.checkForm(visit.request, values.get("csrf") ?? null);
        try {
          await adminOf(visit.by).retireSecret(visit.by.account.id, (await live(visit)).id);
        } catch (error) {
          if (!(error instanceof Refusal) || error.status !== 409) throw error;
          return show(visit, { problem: detailOf(error), status: 409 });
        }
        return redirect(visit, "/secrets?done=retired");
      },
    },
  ];
};

function table(visit: Visit, secrets: readonly SigningSecret[], can_change: boolean) {
  const live = secrets.filter(({ retired_at }) => retired_at === null).length;
  return html`<header><p class="soft">${plural(live, "live secret")} ${live > 1 ? "sign every delivery" : "signs every delivery"}.</p></header>
<table class="stack"><thead><tr><th scope="col">Label</th><th scope="col">State</th><th scope="col">Created</th><th scope="col"><span class="visually-hidden">Change</span></th></tr></thead><tbody>${secrets.map(
    (secret) =>
      html`<tr><th scope="row" class="text" dir="auto">${secret.label}</th><td>${
        secret.retired_at === null
          ? badge("good", "live")
          : html`${badge("plain", "retired")} <small>${time(secret.retired_at, visit.now)}</small>`
      }</td><td data-label="created">${time(secret.created_at, visit.now)}</td><td class="end">${
        secret.retired_at === null &&
        can_change &&
        (live > 1
          ? html`<a class="button small danger" href="${visit.to(`/secrets/${secret.id}/retire`)}">Retire<span class="visually-hidden"> ${secret.label}</span></a>`
          : html`<small>the last one stays</small>`)
      }</td></tr>`,
  )}</tbody></table>`;
}
