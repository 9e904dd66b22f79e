/** Who is told of an operation's events: its own callback, and the endpoints of its account that want them. */
import type { WebhookEvent } from "../actions/request_options.ts";
import type { Endpoint, EndpointsStore, NewWebhook, Operation } from "../ports/mod.ts";

export type Receiver = Pick<NewWebhook, "endpoint_id" | "url" | "host">;

export async function findReceivers(
  store: Pick<EndpointsStore, "endpoints">,
  { account_id, action, callback_url }: Pick<Operation, "account_id" | "action" | "callback_url">,
  event: WebhookEvent,
): Promise<readonly Receiver[]> {
  const wanting = (await store.endpoints(account_id)).filter((endpoint) => wantsEvent(endpoint, action, event));
  const receivers: Receiver[] = wanting.map(({ id: endpoint_id, url, host }) => ({ endpoint_id, url, host }));
  if (callback_url !== null)
    receivers.unshift({ endpoint_id: null, url: callback_url, host: new URL(callback_url).host });
  return receivers;
}

/** Patterns are `*`, or `<action>.<event>` with `*` for either. */
function wantsEvent({ disabled_at, events }: Endpoint, action: string, event: WebhookEvent): boolean {
  if (disabled_at !== null) return false;
  const fitting = ["*", "*.*", `*.${event}`, `${action}.*`, `${action}.${event}`];
  return events.some((pattern) => fitting.includes(pattern));
}
