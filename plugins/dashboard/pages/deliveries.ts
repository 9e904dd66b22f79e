/**
 * Developer > Webhook deliveries: found by state, endpoint, action and day; each with its attempts; sent again one by
 * one or in bulk.
 */
import { randomUUID } from "node:crypto";
import {
  DAY_MS,
  type Delivery,
  type Endpoint,
  idBound,
  liveAccountOf,
  refuse,
  testAccountOf,
  type Webhook,
  type WebhookState,
} from "../../../core/surface.ts";
import {
  actionOf,
  createSendable,
  findDeliveries,
  REDELIVERED_MAX,
  redeliverFailed,
} from "../../administration/redeliver.ts";
import { createEndpoints } from "../../administration/webhook_endpoints.ts";
import { dayOf } from "../calendar.ts";
import type { Pages, Visit } from "../context.ts";
import { plural } from "../format.ts";
import { attributes, type Html, html, type Value } from "../html.ts";
import { titleOfAction } from "../names.ts";
import { answerPage, redirect } from "../page.ts";
import { badge, crumbs, heading, notice, pager, postButton, time, withQuery } from "../parts.ts";
import { actorOf } from "../people/actor.ts";
import { may } from "../people/roles.ts";
import { chosenBox, chosenForm } from "./chosen_deliveries.ts";
import { confirmPage } from "./confirm.ts";
import { deliveryDetails, TONES } from "./delivery.ts";

const PAGE = 30;
const STATES: readonly WebhookState[] = ["pending", "delivered", "failed"];
const EVENT = /^evt_[0-9a-z]{26}$/u;
const ENDPOINT = /^hook_[0-9a-z]{26}$/u;
const DONE: Readonly<Record<string, string>> = {
  sent: "It is sent again now, signed with the secrets of now.",
  tested: "The test event is on its way. It is attempted once.",
};

export const deliveryPages: Pages = (services) => {
  const { store, actions, read, redeliver, admit, audit } = services;
  const endpoints = createEndpoints(services);

  /** The account's, or of its test keys. */
  const find = async (visit: Visit): Promise<Webhook> => {
    const webhook = await store.webhook(visit.params.id!);
    if (webhook === undefined || liveAccountOf(webhook.account_id) !== visit.by.account.id) throw refuse.notFound();
    return webhook;
  };

  const filterOf = (query: Pick<URLSearchParams, "get">) => {
    const [from, to] = [dayOf(query.get("from")), dayOf(query.get("to"))];
    const [endpoint, before] = [query.get("endpoint") ?? "", query.get("before") ?? ""];
    const action = query.get("action") ?? "";
    return {
      state: STATES.find((one) => one === query.get("state")),
      endpoint: ENDPOINT.test(endpoint) ? endpoint : undefined,
      action: actions.has(action) ? action : undefined,
      from,
      to,
      before: EVENT.test(before) ? before : undefined,
    };
  };
  type Filter = ReturnType<typeof filterOf>;
  const queryOf = ({ state, endpoint, action, from, to }: Filter) => ({
    ...{ state: state ?? null, endpoint: endpoint ?? null, action: action ?? null },
    ...{ from: from?.text ?? null, to: to?.text ?? null },
  });
  const boundsOf = ({ from, to, before }: Filter) => ({
    since: from === undefined ? undefined : idBound("evt_", from.ms),
    before: before ?? (to === undefined ? undefined : idBound("evt_", to.ms + DAY_MS)),
  });

  /** Failed ones of this filter that can be sent again. */
  const findFailed = async ({ by }: Visit, filter: Filter) => {
    const isSendable = await createSendable(services, by.account);
    const query = { ...boundsOf(filter), state: "failed", endpoint: filter.endpoint, action: filter.action } as const;
    return findDeliveries(services, by.account.id, query, REDELIVERED_MAX, isSendable);
  };

  const list = async (visit: Visit) => {
    const filter = filterOf(visit.query);
    const test = visit.query.get("mode") === "test";
    const account_id = test ? testAccountOf(visit.by.account.id) : visit.by.account.id;
    const query = { ...queryOf(filter), mode: test ? "test" : null };
    const [{ found, next }, all] = await Promise.all([
      findDeliveries(services, account_id, { ...filter, ...boundsOf(filter) }, PAGE),
      store.endpoints(visit.by.account.id),
    ]);
    const sent = /^\d{1,4}$/u.exec(visit.query.get("sent") ?? "")?.[0];
    return answerPage(visit, {
      title: "Webhook deliveries",
      at: "/deliveries",
      // An id that no endpoint has is repeated as it came.
      is_compressed: filter.endpoint === undefined || all.some(({ id }) => id === filter.endpoint),
      body: html`${heading(
        "Webhook deliveries",
        "What was sent to the callback URLs of operations and to webhook endpoints, and what came back.",
        may(visit.by.user.role, "run") &&
          !test &&
          html`<a class="button" href="${withQuery(visit, "/deliveries/resend", { ...query, state: null })}">Send failed ones again</a>`,
      )}
${sent !== undefined && notice("good", `${plural(Number(sent), "delivery is", "deliveries are")} sent again now, signed with the secrets of now.`)}
${filterForm(visit, filter, all, [...actions.keys()], test)}
<section class="panel flush" aria-label="Deliveries">${found.length === 0 ? html`<p class="empty">No delivery fits. Operations that are submitted with a <code>callback_url</code> appear here when they end, and so does what endpoints are told.</p>` : table(visit, found, all)}</section>
${found.length > 0 && may(visit.by.user.role, "run") && chosenForm(visit)}
${pager(filter.before === undefined ? null : withQuery(visit, "/deliveries", query), next === null ? null : withQuery(visit, "/deliveries", { ...query, before: next }))}`,
    });
  };

  return [
    { method: "GET", path: "/deliveries", access: "read", answer: list },
    {
      method: "GET",
      path: "/deliveries/resend",
      access: "run",
      async answer(visit) {
        const filter = filterOf(visit.query);
        const { found, next } = await findFailed(visit, filter);
        const back = withQuery({ ...visit, to: (path) => path }, "/deliveries", queryOf(filter));
        if (found.length === 0) return redirect(visit, `${back}${back.includes("?") ? "&" : "?"}sent=0`);
        const [some, hosts] = [plural(found.length, "delivery", "deliveries"), new Set(found.map(({ host }) => host))];
        return confirmPage(visit, {
          ...{ title: "Webhook deliveries", at: "/deliveries", asks: `Send ${some} again?`, back },
          about: html`${some} that failed, to ${[...hosts].slice(0, 3).join(", ")}${hosts.size > 3 && ` and ${plural(hosts.size - 3, "other host")}`}`,
          consequence: html`Each begins anew, with up to ten attempts in five minutes, signed with the secrets of now. Receivers know an event that comes twice by its <code>webhook-id</code>.${next !== null && ` There are more: these are the newest ${REDELIVERED_MAX}.`}`,
          path: "/deliveries/resend",
          verb: `Send ${some} again`,
          keep: "Leave them",
          is_harmless: true,
          // What fails after the question was asked is not sent.
          hidden: { ...withoutNulls(queryOf(filter)), newest: found[0]!.id },
        });
      },
    },
    {
      method: "POST",
      path: "/deliveries/resend",
      access: "run",
      async answer(visit, values) {
        const { account } = visit.by;
        await endpoints.takeBulk(account);
        const query = { get: (name: string) => values.get(name) ?? null };
        const filter = filterOf(query);
        const newest = values.get("newest") ?? "";
        const before = EVENT.test(newest) ? `${newest}~` : undefined;
        const { redelivered } = await redeliverFailed(services, account, {
          ...(filter.from === undefined ? {} : { since: new Date(filter.from.ms).toISOString() }),
          ...(filter.to === undefined ? {} : { until: new Date(filter.to.ms + DAY_MS).toISOString() }),
          ...(filter.endpoint === undefined ? {} : { endpoint: filter.endpoint }),
          ...(filter.action === undefined ? {} : { action: filter.action }),
          ...(before === undefined ? {} : { cursor: before }),
        });
        const details = { ...withoutNulls(queryOf(filter)), redelivered };
        await audit.write(audit.entry(actorOf(visit.by), "endpoint.resent", { account_id: account.id, details }));
        return redirect(visit, `/deliveries?sent=${redelivered}`);
      },
    },
    {
      method: "GET",
      path: "/deliveries/:id",
      access: "read",
      async answer(visit) {
        const { id = "" } = visit.params;
        // Of an operation the newest: what its page links to.
        if (id.startsWith("op_")) {
          const operation = await read(visit.by.account, undefined, id);
          const newest = (await store.webhooks(operation.id)).at(-1);
          if (newest === undefined) throw refuse.notFound();
          return redirect(visit, `/deliveries/${newest.id}`);
        }
        const webhook = await find(visit);
        const [attempts, endpoint, others, own] = await Promise.all([
          store.webhookAttempts(webhook.id),
          webhook.endpoint_id === null ? undefined : store.endpoint(webhook.endpoint_id),
          webhook.operation_id === null ? [] : store.webhooks(webhook.operation_id),
          store.secrets(visit.by.account.id),
        ]);
        const done = DONE[visit.query.get("done") ?? ""];
        const is_pending = webhook.state === "pending";
        return answerPage(visit, {
          title: `Delivery of ${webhook.type}`,
          at: "/deliveries",
          ...(is_pending ? { refresh_seconds: 3 } : {}),
          body: html`<div>${crumbs([["Webhook deliveries", visit.to("/deliveries")]])}${heading(
            eventName(webhook),
            webhook.operation_id === null ? null : html`<code>${webhook.type}</code>`,
            webhook.operation_id !== null &&
              may(visit.by.user.role, "run") &&
              postButton(visit, `/deliveries/${webhook.id}/send`, is_pending ? "Send now" : "Send again", "primary"),
          )}</div>
${done !== undefined && notice("good", done)}
<div ${attributes({ "data-watch": is_pending ? visit.to(`/deliveries/${webhook.id}`) : null, class: "stack-of" })}>${deliveryDetails(visit, { webhook, attempts, endpoint, others, secrets: own })}</div>`,
        });
      },
    },
    {
      method: "POST",
      path: "/deliveries/:id/send",
      access: "run",
      async answer(visit) {
        const { account } = visit.by;
        const webhook = await find(visit);
        const { id, operation_id, type } = webhook;
        if (operation_id === null) throw refuse.conflict("A test event is attempted once: send another one");
        await admit(account, "put");
        const alike = (await store.webhooks(operation_id)).filter((one) => one.type === type);
        // As the API does it, and counted with it, where that sends this one alone.
        if (alike.length === 1 && !type.endsWith(".started"))
          await redeliver(ownerOf(visit, webhook), operation_id, randomUUID());
        else {
          await endpoints.takeOne(id);
          await store.resend(webhook.account_id, [id], STATES, visit.now);
        }
        return redirect(visit, `/deliveries/${id}?done=sent`);
      },
    },
  ];
};

/** The account that the delivery is of: the tests' too. */
const ownerOf = ({ by }: Visit, { account_id }: Webhook) => ({ ...by.account, id: account_id });

const withoutNulls = (query: Readonly<Record<string, string | null>>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== null));

function filterForm(
  visit: Visit,
  {
    state,
    endpoint,
    action,
    from,
    to,
  }: { [Name in "state" | "endpoint" | "action"]: string | undefined } & {
    readonly [Name in "from" | "to"]: { readonly text: string } | undefined;
  },
  endpoints: readonly Endpoint[],
  actions: readonly string[],
  test: boolean,
): Html {
  const choice = (
    name: string,
    label: string,
    all: string,
    options: readonly (readonly [string, string])[],
    chosen: string | undefined,
  ) =>
    html`<div class="field"><label for="${name}">${label}</label><select ${attributes({ id: name, name })}><option value="">${all}</option>${options.map(
      ([value, text]) => html`<option ${attributes({ value, selected: value === chosen })}>${text}</option>`,
    )}</select></div>`;
  const day = (name: string, label: string, value: string | undefined) =>
    html`<div class="field narrow"><label for="${name}">${label}</label><input ${attributes({ type: "date", id: name, name, value: value ?? null })}></div>`;
  return html`<form class="panel inline-form" action="${visit.to("/deliveries")}">${choice(
    ...(["state", "State", "all", STATES.map((one) => [one, one] as const), state] as const),
  )}${
    endpoints.length > 0 &&
    choice(
      "endpoint",
      "Receiver",
      "all",
      endpoints.map(({ id, url }) => [id, url.slice(0, 60)] as const),
      endpoint,
    )
  }${choice(
    "action",
    "Action",
    "all",
    actions.map((one) => [one, titleOfAction(one)] as const),
    action,
  )}${day("from", "From (UTC)", from?.text)}${day("to", "To", to?.text)}
<span class="row ends"><label class="check"><input ${attributes({ type: "checkbox", name: "mode", value: "test", checked: test })}><span>Of test keys</span></label><button>Show</button></span></form>`;
}

function table(visit: Visit, deliveries: readonly Delivery[], endpoints: readonly Endpoint[]): Html {
  const known = new Map(endpoints.map((one) => [one.id, one]));
  const may_choose = may(visit.by.user.role, "run");
  return html`<table class="stack rows figures"><thead><tr><th scope="col">Event</th><th scope="col">To</th><th scope="col">State</th><th scope="col">Last answer</th><th scope="col" class="num">Attempts</th><th scope="col">When</th></tr></thead><tbody>${deliveries.map(
    (delivery) =>
      html`<tr><th scope="row" class="text">${may_choose && delivery.operation_id !== null && chosenBox(delivery)}<a href="${visit.to(`/deliveries/${delivery.id}`)}">${eventName(delivery)}</a></th><td class="text wide" dir="auto"><span class="clip">${
        delivery.endpoint_id === null ? delivery.host : (known.get(delivery.endpoint_id)?.url ?? delivery.host)
      }</span>${delivery.endpoint_id === null && html`<small>callback</small>`}</td><td>${badge(TONES[delivery.state], delivery.state)}</td><td class="${delivery.last?.status === null ? "text wide" : "text"}" data-label="answered">${lastAnswer(delivery)}</td><td class="num" data-label="attempts">${delivery.attempts}</td><td data-label="when">${time(delivery.created_at, visit.now)}</td></tr>`,
  )}</tbody></table>`;
}

const eventName = (delivery: Pick<Delivery, "operation_id" | "type">): Value =>
  delivery.operation_id === null
    ? "Test event"
    : html`${titleOfAction(actionOf(delivery))} <small>${delivery.type.slice(delivery.type.lastIndexOf(".") + 1)}</small>`;

function lastAnswer({ last }: Delivery): Value {
  if (last === null) return html`<span class="soft">not sent yet</span>`;
  return last.status === null ? html`<span class="clip">${last.detail}</span>` : String(last.status);
}
