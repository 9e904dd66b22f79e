/** Who is told of an operation's events: its own callback, and the endpoints of its account that want them. */
import type { WebhookEvent } from "../actions/request_options.ts";
import { liveAccountOf } from "../base/ids.ts";
import { isFresh } from "../base/timers.ts";
import type { AccountsStore, Clock, Endpoint, EndpointsStore, NewWebhook, Operation } from "../ports/mod.ts";

type Receiver = Pick<NewWebhook, "endpoint_id" | "url" | "host">;

/** Finds who is told of an event. */
export type FindReceivers = (
  operation: Pick<Operation, "account_id" | "action" | "callback_url">,
  event: WebhookEvent,
) => Promise<readonly Receiver[]>;

/** In which another node's changes are seen at the latest; those here and, most often, those there are seen at once. */
const FRESH_MS = 5_000;
const ACCOUNTS_MAX = 10_000;

/**
 * Endpoints of an account are remembered: each operation would ask for them twice. One that was deleted or disabled
 * meanwhile gets nothing all the same, for whoever sends looks again.
 */
export function createReceivers(
  store: Pick<EndpointsStore, "endpoints"> & Pick<AccountsStore, "onAccountChanged">,
  clock: Pick<Clock, "now">,
): FindReceivers {
  const known = new Map<string, { readonly endpoints: Promise<readonly Endpoint[]>; readonly until: number }>();
  store.onAccountChanged((account_id) => {
    for (const id of known.keys())
      if (account_id === null || liveAccountOf(id) === liveAccountOf(account_id)) known.delete(id);
  });

  const endpointsOf = (account_id: string): Promise<readonly Endpoint[]> => {
    const now = clock.now();
    const before = known.get(account_id);
    if (before !== undefined && isFresh(before.until, FRESH_MS, now)) return before.endpoints;
    if (known.size >= ACCOUNTS_MAX) known.clear();
    const entry = { endpoints: store.endpoints(account_id), until: now + FRESH_MS };
    known.set(account_id, entry);
    entry.endpoints.catch(() => {
      if (known.get(account_id) === entry) known.delete(account_id);
    });
    return entry.endpoints;
  };

  return async ({ account_id, action, callback_url }, event) => {
    const wanting = (await endpointsOf(account_id)).filter((endpoint) => wantsEvent(endpoint, action, event));
    const receivers: Receiver[] = wanting.map(({ id: endpoint_id, url, host }) => ({ endpoint_id, url, host }));
    if (callback_url !== null)
      receivers.unshift({ endpoint_id: null, url: callback_url, host: new URL(callback_url).host });
    return receivers;
  };
}

/** Patterns are `*`, or `<action>.<event>` with `*` for either. */
function wantsEvent({ disabled_at, events }: Endpoint, action: string, event: WebhookEvent): boolean {
  if (disabled_at !== null) return false;
  const fitting = ["*", "*.*", `*.${event}`, `${action}.*`, `${action}.${event}`];
  return events.some((pattern) => fitting.includes(pattern));
}
