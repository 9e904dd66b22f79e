/** Webhooks and their deliveries: each has one receiver. `terminate` writes those of ends. */

import type { KeyedCall } from "./keys.ts";

/** Deliveries. */
export interface WebhooksStore {
  /**
   * Due rows (`pending`, `next_attempt_at` <= the store's now, not leased), raised by one attempt and leased; of each
   * host and account the oldest first. Never more than `caps` allow beside the leases that are running, so that rows
   * which cannot be attempted now stay due.
   */
  claimWebhooks(worker: string, limit: number, lease_ms: number, caps: WebhookCaps): Promise<readonly Webhook[]>;
  /**
   * Writes the attempt and the row's new state, if `attempt.attempt` is still the row's. `next_attempt_at` null ends
   * the schedule. `tells`: what the attempt says of the endpoint's health, where the row has an endpoint.
   */
  recordWebhook(
    attempt: WebhookAttempt,
    state: WebhookState,
    next_attempt_at: number | null,
    tells?: EndpointSign,
  ): Promise<boolean>;
  webhook(id: string): Promise<Webhook | undefined>;
  /** The operation's, oldest first: to its callback and to endpoints. */
  webhooks(operation_id: string): Promise<readonly Webhook[]>;
  /**
   * Writes the webhook that tells the start of an operation, while this attempt holds it. False, with nothing written:
   * it has ended, another attempt holds it, or this receiver was told of its start before.
   */
  announceStart(operation_id: string, attempt: number, webhook: NewWebhook, now: number): Promise<boolean>;
  /** The operation's webhook of this type to its callback. */
  delivery(operation_id: string, type: string): Promise<Delivery | undefined>;
  /** The account's own, newest first. */
  deliveries(account_id: string, filter: DeliveryFilter): Promise<readonly Delivery[]>;
  /** Writes a webhook of no operation, due at once and forgotten at `expires_at`. */
  announce(account_id: string, webhook: NewWebhook, now: number, expires_at: number): Promise<void>;
  webhookAttempts(webhook_id: string): Promise<readonly WebhookAttempt[]>;
  /**
   * Makes the operation's webhooks of this type due now, whatever their state, as new schedules, and binds the key.
   * False when it has none, or the key is not free: then nothing was written.
   */
  redeliver(operation_id: string, type: string, now: number, call: KeyedCall): Promise<boolean>;
  /**
   * Makes those of the account's webhooks due now that are in one of `states`, as new schedules. Resolves to how many
   * were.
   */
  resend(account_id: string, ids: readonly string[], states: readonly WebhookState[], now: number): Promise<number>;
  /** What is due by the store's now and not under way, of all accounts. */
  webhooksBehind(): Promise<WebhooksBehind>;
}

/** The type of a test event, which is attempted once. */
export const PING = "ping";

/** `failed`: and others may follow; `given_up`: and none will. */
export type EndpointSign = "succeeded" | "failed" | "given_up";

export interface NewWebhook {
  /** Whose secret signs it, and whose URL it goes to; null: the operation's `callback_url`. */
  readonly endpoint_id: string | null;
  /** `webhook-id` of the event: `evt_` + 26 characters, no dot. */
  readonly id: string;
  /** `<action>.started`, `<action>.ready`, `<action>.failed` or `ping`. */
  readonly type: string;
  readonly url: string;
  /** Host and port of `url`, by which attempts are counted. */
  readonly host: string;
  /** The bytes that every attempt sends. */
  readonly body: string;
}

/** Most attempts under way at a time, those of every worker together. */
export interface WebhookCaps {
  /** Of one account at one host. */
  readonly lane_max: number;
  /** At one host, of all accounts. */
  readonly host_max: number;
  readonly account_max: number;
}

export type WebhookState = "pending" | "delivered" | "failed";

export interface Webhook extends NewWebhook {
  /** Null: it is of none. */
  readonly operation_id: string | null;
  readonly account_id: string;
  readonly state: WebhookState;
  readonly created_at: number;
  /** When the first attempt began; null before it. */
  readonly first_attempt_at: number | null;
  readonly next_attempt_at: number | null;
  readonly attempts: number;
}

/** A webhook as a list shows it. */
export interface Delivery extends Omit<Webhook, "body"> {
  /** The attempt that was recorded last. */
  readonly last: Pick<WebhookAttempt, "started_at" | "duration_ms" | "status" | "detail"> | null;
}

export interface DeliveryFilter {
  readonly state?: WebhookState;
  /** Only webhooks whose id sorts before this one. */
  readonly before?: string;
  readonly limit: number;
}

export interface WebhookAttempt {
  readonly webhook_id: string;
  /** 1 for the first. Also the fencing token of the claim. */
  readonly attempt: number;
  readonly started_at: number;
  readonly duration_ms: number;
  /** HTTP status, or null when there was no answer. */
  readonly status: number | null;
  /** Why there was none, or the first bytes of the answer. */
  readonly detail: string;
  /** JSON of an `Exchange`; null: nothing was sent, or that was not kept yet. */
  readonly exchange: string | null;
}

/**
 * What an attempt sent and what came back, bodies apart. Holds no secret: what could be one has its value hidden
 * (core/webhooks/exchange.ts).
 */
export interface Exchange {
  readonly url: string;
  readonly request: Headers;
  /** Ids of the secrets that signed it. */
  readonly signed_by: readonly string[];
  /** Null: there was no answer. */
  readonly response: Headers | null;
}

/** Names and values, in order. */
type Headers = readonly (readonly [name: string, value: string])[];

export interface WebhooksBehind {
  readonly due: number;
  /** Since when the oldest is due; null: none is. */
  readonly oldest_due_at: number | null;
}
