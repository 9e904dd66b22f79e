/** Who did what: entries that are only added, each sealed by the hash of the one before. */

import type { AccountsStore } from "./accounts.ts";
import type { EndpointsStore } from "./endpoints.ts";
import type { LeaksStore, PeopleStore } from "./people.ts";

/** The audit log: append-only, in the store's own rules too. */
export interface AuditStore {
  audit(entry: NewAuditEntry): Promise<void>;
  /**
   * Does the verb and, where it did something (`UNDONE` says what did not), writes the entry in the same transaction.
   */
  audited<V extends AuditedVerb>(
    entry: NewAuditEntry,
    verb: V,
    ...args: Parameters<AuditedStore[V]>
  ): ReturnType<AuditedStore[V]>;
  /** Newest first. */
  auditEntries(filter: AuditFilter): Promise<readonly AuditEntry[]>;
}

/** Whose verbs are audited. */
export type AuditedStore = AccountsStore & PeopleStore & LeaksStore & EndpointsStore;

export interface NewAuditEntry {
  readonly id: string;
  readonly at: number;
  /** Null: the installation's. */
  readonly account_id: string | null;
  /** Id of a user or an API key, `operator` or `service`. */
  readonly actor: string;
  /** The user's address then; null: no user's. */
  readonly actor_email: string | null;
  /** Where the request came from, normalised; null: from this machine, or not known. */
  readonly address: string | null;
  /** Dotted: what it is about, and what was done. */
  readonly action: string;
  /** Id of what it was done to; null: nothing of its own. */
  readonly target: string | null;
  /** A JSON object in the text that is hashed. Holds no secret. */
  readonly details: string;
  /** The store refuses to delete it before. */
  readonly keep_until: number;
}

export interface AuditEntry extends NewAuditEntry {
  /** 1, 2, 3 … over the whole installation. */
  readonly position: number;
  /** `sha256` of the entry before; `""` for the first. */
  readonly previous: string;
  /** Lower-case hexadecimal SHA-256 of `previous`, a line feed, and `auditText` of this entry in UTF-8. */
  readonly sha256: string;
}

export interface AuditFilter {
  /** Absent: the whole installation's. */
  readonly account_id?: string;
  /** What the action is about: what stands before its dot. */
  readonly about?: string;
  /** The whole of it, dotted. */
  readonly action?: string;
  /** Id of who did it. */
  readonly actor?: string;
  readonly since?: number;
  /** Only before this time. */
  readonly until?: number;
  /** A position. */
  readonly before?: number;
  readonly limit: number;
}

/** Verbs that the store does together with an entry, all or nothing. */
const AUDITED_VERBS = [
  "createAccount",
  "updateSettings",
  "label",
  "grant",
  "createKey",
  "revokeKey",
  "createSecret",
  "retireSecret",
  "updateUser",
  "removeUser",
  "setOperator",
  "invite",
  "withdrawInvitation",
  "redeemInvitation",
  "redeemLink",
  "createSession",
  "endSessions",
  "reportLeak",
  "createEndpoint",
  "updateEndpoint",
  "deleteEndpoint",
  "disableEndpoint",
  "rotateEndpointSecret",
] as const;

export type AuditedVerb = (typeof AUDITED_VERBS)[number];

/**
 * What the verb answers where it did nothing that is entered; nor is one where `grant` knows no account. Of leaks only
 * what revoked is.
 */
export const UNDONE: ReadonlySet<unknown> = new Set([
  ...["unknown", "last", "last_owner", "taken", "full", "recorded", "known"],
  ...[false, 0],
]);

/** What is hashed of an entry. */
export function auditText(entry: NewAuditEntry): string {
  const { id, at, account_id, actor, actor_email, address, action, target, details, keep_until } = entry;
  return JSON.stringify([id, at, account_id, actor, actor_email, address, action, target, details, keep_until]);
}
