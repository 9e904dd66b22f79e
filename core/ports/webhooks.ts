/** What the store keeps of webhooks and their deliveries. */

export interface NewWebhook {
  /** `webhook-id` of the event: `evt_` + 26 characters, no dot. */
  readonly id: string;
  /** `<action>.ready` or `<action>.failed`. */
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
  readonly operation_id: string;
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
  /** 1 to 101. */
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
}
