/** Webhook endpoints: receivers of an account's events, beside the `callback_url` of an operation. */

import type { NewSecret, SigningSecret } from "./accounts.ts";

export interface EndpointsStore {
  /** With its first secret. `full`: the account has `max` of them; `taken`: one of them has this URL. */
  createEndpoint(endpoint: NewEndpoint, secret: NewSecret, max: number): Promise<"created" | "full" | "taken">;
  endpoint(id: string): Promise<Endpoint | undefined>;
  /** The account's, oldest first. */
  endpoints(account_id: string): Promise<readonly Endpoint[]>;
  /** Of all accounts those that fail, disabled or not, the longest first. */
  failingEndpoints(limit: number): Promise<readonly Endpoint[]>;
  /** Attempts of the account's endpoints in the hours (first milliseconds) from `since` on, where there were any. */
  endpointAttempts(account_id: string, since: number): Promise<readonly EndpointAttempts[]>;
  updateEndpoint(account_id: string, id: string, changes: EndpointChanges): Promise<"updated" | "unknown" | "taken">;
  /** With its secrets. Deliveries to it are kept, as those to a receiver that is gone. */
  deleteEndpoint(account_id: string, id: string): Promise<boolean>;
  /**
   * Disables it for its failures and makes a notice due, unless it was disabled, or has succeeded, since
   * `failing_since`.
   */
  disableEndpoint(id: string, failing_since: number, why: DisabledWhy, now: number): Promise<boolean>;
  /** A new secret of the endpoint, beside which the one before signs until `until`. */
  rotateEndpointSecret(endpoint_id: string, secret: NewSecret, until: number): Promise<"rotated" | "unknown">;
  /** Those that sign at `now`, newest first. */
  endpointSecrets(endpoint_id: string, now: number): Promise<readonly SigningSecret[]>;
  /**
   * Endpoints whose owners are to be told that they were disabled, for `lease_ms` nobody else's to tell, and how often
   * that was tried.
   */
  claimEndpointNotices(
    now: number,
    lease_ms: number,
    limit: number,
  ): Promise<readonly { readonly endpoint: Endpoint; readonly attempts: number }[]>;
  /** When to try again; null: they were told, or never will be. */
  recordEndpointNotice(id: string, next_at: number | null): Promise<void>;
}

/** `request`: the account's own wish. `failures`: nothing got through for days. `gone`: it answered 410. */
export type DisabledWhy = "request" | "failures" | "gone";

export interface NewEndpoint {
  /** `hook_` and 26 characters. */
  readonly id: string;
  readonly account_id: string;
  readonly url: string;
  /** Host and port of `url`. */
  readonly host: string;
  /** What it wants to be told: `*`, or `<action>.<event>` with `*` for either. */
  readonly events: readonly string[];
  readonly description: string;
  readonly created_at: number;
  /** Null: it is enabled. */
  readonly disabled_at: number | null;
  readonly disabled_why: DisabledWhy | null;
}

export interface Endpoint extends NewEndpoint {
  readonly last_success_at: number | null;
  readonly last_failure_at: number | null;
  /** Null where there was no answer. */
  readonly last_failure_status: number | null;
  readonly last_failure_detail: string | null;
  /** When the first attempt failed after the last one that did not; null: none has. */
  readonly failing_since: number | null;
  /** Deliveries that were given up since. */
  readonly failures: number;
}

/** Of one that is enabled again, failures begin anew. */
export type EndpointChanges = Partial<
  Pick<NewEndpoint, "url" | "host" | "events" | "description" | "disabled_at" | "disabled_why">
>;

export interface EndpointAttempts {
  readonly endpoint_id: string;
  readonly succeeded: number;
  readonly failed: number;
}
