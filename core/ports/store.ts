/** The store: the one truth, by who asks. Consumers take the part that they need. */

import type { AccountsStore } from "./accounts.ts";
import type { AuditStore } from "./audit.ts";
import type { EndpointsStore } from "./endpoints.ts";
import type { FilesStore } from "./files.ts";
import type { JobsStore } from "./jobs.ts";
import type { KeysStore } from "./keys.ts";
import type { OperationsStore } from "./operations.ts";
import type { LeaksStore, PeopleStore } from "./people.ts";
import type { WebhooksStore } from "./webhooks.ts";

/**
 * The store cannot answer now: HTTP 503 with Retry-After; nothing of the call was done, or the caller cannot know and
 * must ask again.
 */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/**
 * Calls that may wait for a store; more are refused. Some seconds of work: more would wait longer than any client does.
 */
export const WAITING_MAX = 20_000;

/** What an adapter implements and the composition root opens and closes. */
export interface StoreLife {
  /** Resolves when a write could be committed now; rejects with StoreUnavailable otherwise. */
  health(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Every verb is atomic; verbs that write are durable when they resolve. A verb rejects with `StoreUnavailable`
 * where the store is away, and with any other error only for a programming mistake.
 */
export type Store = StoreLife &
  AccountsStore &
  AuditStore &
  EndpointsStore &
  FilesStore &
  JobsStore &
  KeysStore &
  LeaksStore &
  OperationsStore &
  PeopleStore &
  WebhooksStore;
