/** The webhooks of an operation: what they say, and how the one that tells its end to the callback fares. */
import {
  isoTime,
  renderOperation,
  type SignDownload,
  type StoredRequest,
  UNSENT,
  type WebhookFate,
} from "../actions/render.ts";
import type { WebhookEvent } from "../actions/request_options.ts";
import { liveAccountOf, newId } from "../base/ids.ts";
import type {
  AccountsStore,
  Clock,
  EndpointsStore,
  NewWebhook,
  Operation,
  Snapshot,
  WebhooksStore,
} from "../ports/mod.ts";
import { createReceivers } from "./receivers.ts";
import type { Relics } from "./relics.ts";

export interface WebhookServices {
  readonly store: Pick<AccountsStore, "account" | "onAccountChanged"> &
    Pick<EndpointsStore, "endpoints"> &
    Pick<WebhooksStore, "announceStart" | "delivery">;
  readonly clock: Clock;
}

export interface OperationWebhooks {
  /** What is to be sent of this event, to each who asked for it. `operation`: as it is then. */
  webhooksOf(
    operation: Omit<Snapshot, "queue_position">,
    event: WebhookEvent,
    now: number,
  ): Promise<readonly NewWebhook[]>;
  /**
   * Tells that work has begun, where that was asked for: each once, whichever attempt is the first to say so, and not
   * after the end.
   */
  announceStart(operation: Operation): Promise<void>;
  /**
   * How the webhook of the end fares that goes to the callback; null: there is no callback. The store is asked only
   * where one has been written.
   */
  fateOf(operation: Snapshot): WebhookFate | null | Promise<WebhookFate>;
}

/** The events of a request that names none. */
const ENDS: readonly WebhookEvent[] = ["ready", "failed"];

export function createOperationWebhooks(
  { store, clock }: WebhookServices,
  sign: SignDownload,
  { actionOf, learn }: Relics,
): OperationWebhooks {
  const findReceivers = createReceivers(store, clock);

  /** Undefined: it was forgotten meanwhile. */
  const documentOf = async (operation: Snapshot): Promise<Record<string, unknown> | undefined> => {
    // An operation of an action that is not served here can still fail.
    await learn([operation]);
    const action = actionOf(operation);
    return action && renderOperation(action, operation, sign);
  };

  const webhooksOf: OperationWebhooks["webhooksOf"] = async (operation, event, now) => {
    const callback_url = asksFor(operation, event) ? operation.callback_url : null;
    const receivers = await findReceivers({ ...operation, callback_url }, event);
    if (receivers.length === 0) return [];
    const told = await documentOf({ ...operation, queue_position: null });
    if (told === undefined) return [];
    const account = await store.account(liveAccountOf(operation.account_id));
    const type = `${operation.action}.${event}`;
    const body = JSON.stringify(account?.webhook_body === "envelope" ? { type, data: told } : told);
    return receivers.map((receiver) => ({ id: newId("evt_", now), type, ...receiver, body }));
  };

  const readFate = async ({ id, action, status }: Snapshot): Promise<WebhookFate> => {
    const delivery = await store.delivery(id, `${action}.${status}`);
    if (delivery === undefined) return UNSENT;
    const { attempts, next_attempt_at: next, state, last } = delivery;
    return {
      attempts,
      last_status: last?.status ?? null,
      next_attempt_at: next === null ? null : isoTime(next),
      delivered_at: state !== "delivered" || last === null ? null : isoTime(last.started_at + last.duration_ms),
    };
  };

  return {
    webhooksOf,

    async announceStart(operation) {
      const now = clock.now();
      for (const webhook of await webhooksOf(operation, "started", now))
        await store.announceStart(operation.id, operation.attempt, webhook, now);
    },

    fateOf(operation) {
      if (operation.callback_url === null) return null;
      return operation.status === "processing" ? UNSENT : readFate(operation);
    },
  };
}

/** How the callback's webhook fares while nothing has been sent; `webhooks`: those that are written with the end. */
export function fateOfNew(
  { callback_url, completed_at }: Pick<Snapshot, "callback_url" | "completed_at">,
  webhooks: readonly NewWebhook[],
): WebhookFate | null {
  if (callback_url === null) return null;
  const is_told = webhooks.some(({ endpoint_id }) => endpoint_id === null);
  return is_told && completed_at !== null ? { ...UNSENT, next_attempt_at: isoTime(completed_at) } : UNSENT;
}

/** Whether the callback, if there is one, is to be told. */
function asksFor({ request, callback_url }: Pick<Snapshot, "request" | "callback_url">, event: WebhookEvent): boolean {
  return callback_url !== null && ((JSON.parse(request) as StoredRequest).webhook_events ?? ENDS).includes(event);
}
