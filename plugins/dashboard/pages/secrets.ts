/** Developer > Webhook signing secrets. */
import type { SigningSecret } from "../../../core/surface.ts";
import type { Pages, Visit } from "../context.ts";
import { plural } from "../format.ts";
import { html } from "../html.ts";
import { answerPage } from "../page.ts";
import { badge, heading, notice, secretBox, time } from "../parts.ts";
import { may } from "../people/roles.ts";
import { createForm, credentialRoutes, type Shown } from "./credentials.ts";

const TITLE = "Webhook signing secrets";
const TO_ROTATE = "To rotate: create a new one, move your receivers to it, retire the old one. Both sign in between.";

export const secretPages: Pages = ({ store, adminOf }) => {
  const show = async (visit: Visit, { made, typed, problem = null, status = 200 }: Shown = {}) => {
    const secrets = await store.secrets(visit.by.account.id);
    const can_change = may(visit.by.user.role, "secrets");
    return answerPage(visit, {
      title: TITLE,
      at: "/secrets",
      status,
      body: html`${heading(TITLE, "Every delivery is signed with each live secret, as Standard Webhooks describes. Your receiver needs to know one of them.")}
${visit.query.get("done") === "retired" && notice("good", "The secret is retired. From now on deliveries are signed without it.")}
${made !== undefined && notice("good", html`<h2>Your new secret</h2><p>Copy it now: it is stored encrypted and cannot be shown again. Give it to your receivers, then retire the old one.</p>${secretBox(made)}`)}
${problem !== null && notice("bad", problem)}
${can_change ? createForm(visit, "/secrets", "secret", typed, TO_ROTATE) : html`<p class="soft">Owners of the account create and retire secrets.</p>`}
<section class="panel flush" aria-label="Secrets">${table(visit, secrets, can_change)}</section>`,
    });
  };

  return credentialRoutes({
    ...{ access: "secrets", title: TITLE, noun: "secret", verb: "Retire", done: "retired", show },
    warning: "Receivers that only know this secret will refuse deliveries from then on.",
    live: async (account_id) => (await store.secrets(account_id)).filter(({ retired_at }) => retired_at === null),
    describe: ({ label }) => html`<b dir="auto">${label}</b>`,
    create: ({ by }, label) => adminOf(by).createSecret(by.account.id, label),
    end: ({ by }, id) => adminOf(by).retireSecret(by.account.id, id),
  });
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
