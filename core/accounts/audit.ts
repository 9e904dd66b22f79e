/** Who did what: entries for the store's audit log. What an entry says is never a secret. */
import { newId } from "../base/ids.ts";
import { describeError, type Log } from "../base/log.ts";
import { type AuditStore, type Clock, DAY_MS, type NewAuditEntry } from "../ports/mod.ts";

export interface Actor {
  /** Of a user or an API key, or `operator`, or `service` for what nobody asked for just now. */
  readonly id: string;
  readonly email: string | null;
  /** Normalised; null: from this machine, or not known. */
  readonly address: string | null;
}

export const OPERATOR: Actor = { id: "operator", email: null, address: null };
export const SERVICE: Actor = { id: "service", email: null, address: null };

export interface Audit {
  /** For `store.audited`. `action` is dotted: what it is about, and what was done. */
  entry(
    actor: Actor,
    action: string,
    of: {
      readonly account_id: string | null;
      readonly target?: string | null;
      readonly details?: Readonly<Record<string, unknown>>;
    },
  ): NewAuditEntry;
  /**
   * For what is no verb of the store's. Never rejects: an entry that the store does not take stands in the log, whole.
   */
  write(entry: NewAuditEntry): Promise<void>;
}

export function createAudit(services: {
  readonly store: Pick<AuditStore, "audit">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  /** How long entries are kept. */
  readonly days: number;
}): Audit {
  const { store, clock, log, days } = services;
  return {
    entry(actor, action, { account_id, target = null, details = {} }) {
      const at = clock.now();
      const who = { account_id, actor: actor.id, actor_email: actor.email, address: actor.address };
      const what = { action, target, details: JSON.stringify(details) };
      return { id: newId("aud_", at), at, ...who, ...what, keep_until: at + days * DAY_MS };
    },
    async write(entry) {
      try {
        await store.audit(entry);
      } catch (error) {
        log("audit.lost", { entry: JSON.stringify(entry), error: describeError(error) });
      }
    },
  };
}
