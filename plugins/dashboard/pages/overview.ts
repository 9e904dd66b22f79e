/** The first page: what is going on, and where to begin. */
import { randomUUID } from "node:crypto";
import { DAY_MS, type Facade, priceOf, type Registered } from "../../../core/surface.ts";
import { cameBack } from "../chart.ts";
import type { Pages, Visit } from "../context.ts";
import { count, plural } from "../format.ts";
import { type Html, html } from "../html.ts";
import { answerPage } from "../page.ts";
import { csrfField, heading, notice, textField } from "../parts.ts";
import { may } from "../people/roles.ts";
import { operationsTable } from "./operations_table.ts";

export const overviewPages: Pages = ({ store, list, actions, config }) => [
  {
    method: "GET",
    path: "/",
    access: "read",
    async answer(visit) {
      const { id } = visit.by.account;
      const until = (Math.floor(visit.now / DAY_MS) + 1) * DAY_MS;
      const [recent, working, days, keys, leaks] = await Promise.all([
        list(visit.by.account, { limit: 6 }),
        list(visit.by.account, { statuses: ["processing"], limit: 101 }),
        store.usage(id, until - 30 * DAY_MS, until),
        store.keys(id),
        store.leaks(id, { limit: 20 }),
      ]);
      const open = leaks.filter(({ closed_at }) => closed_at === null).length;
      const live = keys.filter(({ revoked_at }) => revoked_at === null).length;
      const used = days.reduce((total, day) => total + day.debited - cameBack(day), 0);
      return answerPage(visit, {
        title: "Overview",
        at: "/",
        scripts: ["rows.mjs"],
        body: html`${heading("Overview", null, html`<a class="button primary" href="${visit.to("/playground")}">Open the playground</a>`)}
${open > 0 && notice("bad", html`<p>A key of this account was found in public. <a href="${visit.to("/leaks")}">See the notice</a></p>`)}
<div class="tiles"><p class="tile"><b>${count(visit.by.account.credits)}</b>credits left</p><p class="tile"><b>${working.length > 100 ? "100+" : working.length}</b>at work or waiting</p><p class="tile"><b>${count(Math.max(0, used))}</b>credits used in 30 days</p><p class="tile"><b>${live}</b>live API ${live === 1 ? "key" : "keys"}</p></div>
<section class="panel flush"><header><h2>Latest operations</h2><a href="${visit.to("/operations")}">All of them</a></header>${
          recent.length === 0 ? firstSound(visit, actions) : await operationsTable({ store, actions }, visit, recent)
        }</section>
<section class="panel"><h2>From a program</h2><p class="soft"><a href="${visit.to("/keys")}">Create an API key</a>, then send requests to <code>${config.base_url}/v1/…</code> The <a href="${config.base_url}/docs">description of the API</a> lists every action, and each page of an operation has the curl line that repeats it.</p></section>`,
      });
    },
  },
];

/**
 * On an empty account: one click to the first sound. What is made then is an example of the first action that needs
 * nothing but words.
 */
function firstSound(visit: Visit, actions: Facade["actions"]): Html {
  const prompts = ["create.new_fx", ...actions.keys()].flatMap((name) => {
    const action = actions.get(name)?.action;
    const prompt = (action?.examples[0] as { readonly prompt?: unknown } | undefined)?.prompt;
    return typeof prompt === "string" && Object.keys(action!.sources).length === 0 ? [{ name, prompt }] : [];
  });
  const [first] = prompts;
  if (first === undefined || !may(visit.by.user.role, "run"))
    return html`<div class="empty"><p>Nothing was made yet.</p><a class="button" href="${visit.to("/playground")}">Try an action in the playground</a></div>`;
  return html`<form class="pad form" method="post" enctype="multipart/form-data" action="${visit.to(`/playground/${first.name}`)}">${csrfField(visit)}<input type="hidden" name="idempotency_key" value="${randomUUID()}">
<h3>Your first sound</h3><div class="inline-form">${textField({ name: "f.prompt", label: "1. Say what it is, or leave these words", value: first.prompt, more: { maxlength: 1024, dir: "auto", autocomplete: "off" } })}<button class="primary" name="intent" value="run">2. Make it</button></div>
<p class="soft">3. Listen: it is there in a few seconds, and costs ${plural(costOfExample(actions.get(first.name)!), "credit")} of yours.</p></form>`;
}

function costOfExample({ action, schema }: Registered): number {
  const checked = schema.validate(action.examples[0], { dry_run: true });
  // The registry took the action, so its examples are valid.
  return checked.ok ? priceOf(action, checked.value.fields) : 0;
}
