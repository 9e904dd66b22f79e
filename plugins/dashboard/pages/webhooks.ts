/** Developer > Webhooks: endpoints with their health, a test event, and what an owner changes of them. */
import { type Endpoint, type Facade, Refusal, refuse } from "../../../core/surface.ts";
import { createEndpoints, type Wanted } from "../../administration/webhook_endpoints.ts";
import { EndpointChanges, NewEndpoint } from "../../administration/webhook_schemas.ts";
import type { Pages, Route, Visit } from "../context.ts";
import type { FormValues } from "../form_body.ts";
import { plural, utc } from "../format.ts";
import { html } from "../html.ts";
import { answerPage, redirect } from "../page.ts";
import { crumbs, csrfField, heading, notice, postButton, secretBox, time, withQuery } from "../parts.ts";
import { actorOf } from "../people/actor.ts";
import { may } from "../people/roles.ts";
import { confirmPage } from "./confirm.ts";
import {
  endpointFields,
  endpointTable,
  problemsOf,
  QUESTIONS,
  stateOf,
  type Typed,
  WHY,
  wanted,
} from "./endpoint_parts.ts";

const OVERLAP_SECONDS = 24 * 3_600;
const DONE: Readonly<Record<string, string>> = {
  saved: "Saved. Every node knows it within 5 seconds.",
  enabled: "It is told of events again. What failed meanwhile can be sent again under its deliveries.",
  disabled: "It is told nothing any more.",
  deleted: "The endpoint is deleted. Its deliveries stay for as long as their operations.",
};

/** What an account without an endpoint reads first. */
const guide = (can_change: boolean) =>
  html`<div class="pad stack-of"><p>There is no endpoint yet. ${can_change ? "Three steps to the first event:" : "An owner adds one in three steps:"}</p><ol class="steps">
<li><b>Have an address that listens.</b> It takes a <code>POST</code> over HTTPS and answers with 2xx within 15 seconds.</li>
<li><b>Add it below</b> and keep its signing secret, which is shown once: by it your program knows that an event is from here.</li>
<li><b>Send a test event</b> from the endpoint's page, and see what was sent and what came back.</li></ol>
<p class="soft">Operations that are submitted with a <code>callback_url</code> are told of without an endpoint, too.</p></div>`;

export const webhookPages: Pages = (services) => {
  const { store, config, validator, admit, actions } = services;
  const endpoints = createEndpoints(services);
  const readNew = validator(NewEndpoint);
  const readChanges = validator(EndpointChanges);

  const find = async (visit: Visit): Promise<Endpoint> => {
    const endpoint = await store.endpoint(visit.params.endpoint!);
    if (endpoint?.account_id !== visit.by.account.id) throw refuse.notFound();
    return endpoint;
  };

  const showAll = async (visit: Visit, typed: Typed = {}, made?: string, status = 200) => {
    const all = await store.endpoints(visit.by.account.id);
    const can_change = may(visit.by.user.role, "settings");
    const is_full = all.length >= config.webhook_endpoints;
    const done = DONE[visit.query.get("done") ?? ""];
    return answerPage(visit, {
      title: "Webhooks",
      at: "/webhooks",
      status,
      body: html`${heading(
        "Webhooks",
        "Endpoints are told of every event of the account that they want, beside the callback URL of an operation.",
        html`<a class="button" href="${visit.to("/deliveries")}">All deliveries</a>`,
      )}
${done !== undefined && notice("good", done)}
${made !== undefined && notice("good", html`<h2>The endpoint's signing secret</h2><p>Copy it now: it is sealed, and not shown again. It signs what is sent there, and nothing else.</p>${secretBox(made)}`)}
<section class="panel flush" aria-label="Endpoints">${all.length === 0 ? guide(can_change) : endpointTable(visit, all)}</section>
${
  can_change
    ? is_full
      ? html`<p class="soft">The account has ${plural(all.length, "endpoint")}, as many as it may.</p>`
      : html`<form class="panel form" method="post" action="${visit.to("/webhooks")}"><h2>Add an endpoint</h2>${csrfField(visit)}${endpointFields(typed, actions.keys())}<div><button class="primary">Add the endpoint</button></div></form>`
    : html`<p class="soft">Owners of the account add and change endpoints.</p>`
}`,
    });
  };

  const showOne = async (visit: Visit, typed: Typed = {}, made?: string, status = 200) => {
    const endpoint = await find(visit);
    const { health } = await endpoints.render(visit.by.account, endpoint.id);
    const { role } = visit.by.user;
    const path = `/webhooks/${endpoint.id}`;
    const done = DONE[visit.query.get("done") ?? ""];
    const link = (verb: string, text: string, kind = "") =>
      html`<a class="${`button small ${kind}`}" href="${visit.to(`${path}/${verb}`)}">${text}</a>`;
    return answerPage(visit, {
      title: "Webhook endpoint",
      at: "/webhooks",
      status,
      body: html`<div>${crumbs([["Webhooks", visit.to("/webhooks")]])}${heading(
        html`<span class="break" dir="auto">${endpoint.url}</span>`,
        endpoint.description === "" ? null : html`<span class="user-text" dir="auto">${endpoint.description}</span>`,
        may(role, "run") && postButton(visit, `${path}/ping`, "Send a test event", "primary"),
      )}</div>
${done !== undefined && notice("good", done)}
${made !== undefined && notice("good", html`<h2>The new signing secret</h2><p>Copy it now: it is not shown again. The one before signs beside it for a day.</p>${secretBox(made)}`)}
<section class="panel"><h2>Health</h2><dl class="facts"><dt>State</dt><dd>${stateOf(endpoint)}${
        endpoint.disabled_at !== null &&
        html` <small>since ${utc(endpoint.disabled_at)}. ${WHY[endpoint.disabled_why ?? "request"]}</small>`
      }</dd>
<dt>Last success</dt><dd>${endpoint.last_success_at === null ? "none yet" : time(endpoint.last_success_at, visit.now)}</dd>
<dt>Last failure</dt><dd>${
        endpoint.last_failure_at === null
          ? "none"
          : html`${endpoint.last_failure_status ?? "no answer"}, ${time(endpoint.last_failure_at, visit.now)}${endpoint.last_failure_detail !== "" && html`<br><small class="user-text break">${endpoint.last_failure_detail?.slice(0, 300)}</small>`}`
      }</dd>
<dt>Failures in a row</dt><dd>${plural(endpoint.failures, "delivery", "deliveries")} given up${endpoint.failing_since !== null && html`; attempts fail since ${utc(endpoint.failing_since)}`}</dd>
<dt>Last 24 hours</dt><dd>${health.success_share_24h === null ? "no attempt" : html`${plural(health.attempts_24h, "attempt")}, ${Math.floor(health.success_share_24h * 1000) / 10} % of them taken`}</dd>
<dt>Told of</dt><dd><code class="break">${endpoint.events.join(", ")}</code></dd><dt>Id</dt><dd><code>${endpoint.id}</code></dd></dl>
<p class="row"><a class="button small" href="${withQuery(visit, "/deliveries", { endpoint: endpoint.id })}">Its deliveries</a><a class="button small" href="${withQuery(visit, "/deliveries", { endpoint: endpoint.id, state: "failed" })}">Its failed ones</a>${
        may(role, "settings") &&
        html`${endpoint.disabled_at === null ? link("disable", "Disable") : postButton(visit, `${path}/enable`, "Enable again")}${link("rotate", "Replace the secret")}${link("delete", "Delete", "danger")}`
      }</p></section>
${may(role, "settings") && html`<form class="panel form" method="post" action="${visit.to(path)}"><h2>Change it</h2>${csrfField(visit)}${endpointFields(typed, actions.keys(), endpoint)}<div><button class="primary">Save</button></div></form>`}`,
    });
  };

  /** Does it, or shows the form again with what was typed and what is wrong. */
  const attempt = async (
    values: FormValues,
    run: () => Promise<Response>,
    again: (typed: Typed, status: number) => Promise<Response>,
  ): Promise<Response> => {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof Refusal) || (error.status !== 422 && error.status !== 409)) throw error;
      return again({ values, ...problemsOf(error, values) }, error.status);
    }
  };
  const read = <Body>(validate: ReturnType<Facade["validator"]>, value: unknown): Body => {
    const checked = validate(value);
    if (!checked.ok) throw refuse.invalid(checked.issues);
    return checked.value as Body;
  };

  /** What a page asks about first. */
  const asked = (
    verb: keyof typeof QUESTIONS,
    answer: (visit: Visit, endpoint: Endpoint) => Promise<Response>,
  ): readonly Route[] => [
    {
      method: "GET",
      path: `/webhooks/:endpoint/${verb}`,
      access: "settings",
      async answer(visit) {
        const { id, url } = await find(visit);
        const back = `/webhooks/${id}`;
        const about = html`<code class="break">${url}</code>`;
        return confirmPage(visit, {
          ...{ title: "Webhooks", at: "/webhooks", about, path: `${back}/${verb}`, back, ...QUESTIONS[verb] },
        });
      },
    },
    {
      method: "POST",
      path: `/webhooks/:endpoint/${verb}`,
      access: "settings",
      async answer(visit) {
        return answer(visit, await find(visit));
      },
    },
  ];

  return [
    { method: "GET", path: "/webhooks", access: "read", answer: (visit) => showAll(visit) },
    {
      method: "POST",
      path: "/webhooks",
      access: "settings",
      async answer(visit, values) {
        return attempt(
          values,
          async () => {
            const { account } = visit.by;
            const { secret } = await endpoints.create(
              account,
              actorOf(visit.by),
              read<Wanted>(readNew, wanted(values)),
            );
            return showAll(visit, {}, secret);
          },
          (typed, status) => showAll(visit, typed, undefined, status),
        );
      },
    },
    { method: "GET", path: "/webhooks/:endpoint", access: "read", answer: (visit) => showOne(visit) },
    {
      method: "POST",
      path: "/webhooks/:endpoint",
      access: "settings",
      async answer(visit, values) {
        const { id } = await find(visit);
        return attempt(
          values,
          async () => {
            const changes = read<Partial<Wanted>>(readChanges, wanted(values));
            await endpoints.update(visit.by.account, actorOf(visit.by), id, changes);
            return redirect(visit, `/webhooks/${id}?done=saved`);
          },
          (typed, status) => showOne(visit, typed, undefined, status),
        );
      },
    },
    {
      method: "POST",
      path: "/webhooks/:endpoint/ping",
      access: "run",
      async answer(visit) {
        const { id } = await find(visit);
        await admit(visit.by.account, "put");
        return redirect(visit, `/deliveries/${await endpoints.ping(visit.by.account, id)}?done=tested`);
      },
    },
    {
      method: "POST",
      path: "/webhooks/:endpoint/enable",
      access: "settings",
      async answer(visit) {
        const { id } = await find(visit);
        await endpoints.update(visit.by.account, actorOf(visit.by), id, { enabled: true });
        return redirect(visit, `/webhooks/${id}?done=enabled`);
      },
    },
    ...asked("disable", async (visit, { id }) => {
      await endpoints.update(visit.by.account, actorOf(visit.by), id, { enabled: false });
      return redirect(visit, `/webhooks/${id}?done=disabled`);
    }),
    ...asked("delete", async (visit, { id }) => {
      await endpoints.remove(visit.by.account, actorOf(visit.by), id);
      return redirect(visit, "/webhooks?done=deleted");
    }),
    ...asked("rotate", async (visit, { id }) => {
      const { secret } = await endpoints.rotate(visit.by.account, actorOf(visit.by), id, OVERLAP_SECONDS);
      return showOne(visit, {}, secret);
    }),
  ];
};
