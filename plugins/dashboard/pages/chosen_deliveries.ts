/** Deliveries that were ticked in their list: sent again after a question. */
import { liveAccountOf, type Webhook } from "../../../core/surface.ts";
import { createSendable } from "../../administration/redeliver.ts";
import { createEndpoints } from "../../administration/webhook_endpoints.ts";
import type { Pages, Visit } from "../context.ts";
import { plural } from "../format.ts";
import { attributes, type Html, html } from "../html.ts";
import { redirect } from "../page.ts";
import { actorOf } from "../people/actor.ts";
import { confirmPage } from "./confirm.ts";

const PATH = "/deliveries/chosen";
/** Of one question: what a page of the list has. */
const MOST = 30;
const EVENT = /^evt_[0-9a-z]{26}$/u;
/** The form that boxes anywhere on the page belong to. */
const FORM = "chosen";
/** Before the id, in a hidden field's name: of equal names a form counts the first. */
const ON = "on:";

export const chosenBox = ({ id, type }: Pick<Webhook, "id" | "type">): Html =>
  html`<input ${attributes({ type: "checkbox", class: "pick", form: FORM, name: "on", value: id, "aria-label": `Choose ${type}, ${id}`, autocomplete: "off" })}>`;

export const chosenForm = (visit: Visit): Html =>
  html`<form id="${FORM}" class="row end" action="${visit.to(PATH)}"><button>Send the ticked ones again</button></form>`;

export const chosenDeliveryPages: Pages = (services) => {
  const { store, audit } = services;
  const endpoints = createEndpoints(services);

  /** Those of the account, or of its test keys, that can be sent again. */
  const find = async ({ by }: Visit, ids: readonly string[]): Promise<readonly Webhook[]> => {
    const isSendable = await createSendable(services, by.account);
    const asked = [...new Set(ids)].filter((id) => EVENT.test(id)).slice(0, MOST);
    const found = await Promise.all(asked.map((id) => store.webhook(id)));
    return found.flatMap((one) =>
      one !== undefined && liveAccountOf(one.account_id) === by.account.id && isSendable(one) ? [one] : [],
    );
  };

  return [
    {
      method: "GET",
      path: PATH,
      access: "run",
      async answer(visit) {
        const found = await find(visit, visit.query.getAll("on"));
        if (found.length === 0) return redirect(visit, "/deliveries?sent=0");
        const some = plural(found.length, "delivery", "deliveries");
        const hosts = [...new Set(found.map(({ host }) => host))];
        return confirmPage(visit, {
          ...{ title: "Webhook deliveries", at: "/deliveries", asks: `Send ${some} again?`, path: PATH },
          about: html`${some}, to ${hosts.slice(0, 3).join(", ")}${hosts.length > 3 && ` and ${plural(hosts.length - 3, "other host")}`}`,
          consequence: html`Each begins anew, with up to ten attempts in five minutes, signed with the secrets of now. Receivers know an event that comes twice by its <code>webhook-id</code>.`,
          ...{ verb: `Send ${some} again`, keep: "Leave them", is_harmless: true },
          hidden: Object.fromEntries(found.map(({ id }) => [ON + id, "yes"])),
        });
      },
    },
    {
      method: "POST",
      path: PATH,
      access: "run",
      async answer(visit, values) {
        const { account } = visit.by;
        await endpoints.takeBulk(account);
        const ids = [...values.keys()].flatMap((name) => (name.startsWith(ON) ? [name.slice(ON.length)] : []));
        let redelivered = 0;
        for (const [owner, theirs] of Map.groupBy(await find(visit, ids), ({ account_id }) => account_id)) {
          const chosen = theirs.map(({ id }) => id);
          redelivered += await store.resend(owner, chosen, ["pending", "delivered", "failed"], visit.now);
        }
        const details = { redelivered };
        await audit.write(audit.entry(actorOf(visit.by), "endpoint.resent", { account_id: account.id, details }));
        return redirect(visit, `/deliveries?sent=${redelivered}`);
      },
    },
  ];
};
