/** Who did what: entries for the store's audit log, and whether the log is as it was written. What an entry says is never a secret. */
import { createHash } from "node:crypto";
import { newId } from "../base/ids.ts";
import { describeError, type Log } from "../base/log.ts";
import { type AuditEntry, type AuditStore, auditText, type Clock, type NewAuditEntry } from "../ports/mod.ts";

export interface Actor {
  /** Of a user, or `operator`, or `service` for what nobody asked for just now. */
  readonly id: string;
  readonly email: string | null;
  /** Normalised; null: from this machine, or not known. */
  readonly address: string | null;
}

export const OPERATOR: Actor = { id: "operator", email: null, address: null };
export const SERVICE: Actor = { id: "service", email: null, address: null };

/** Of somebody who is signed in, or the operator as an owner. */
export function actorOf(by: {
  readonly user: { readonly id: string; readonly email?: string };
  readonly address?: string | undefined;
}): Actor {
  return { id: by.user.id, email: by.user.email ?? null, address: by.address ?? null };
}

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
  /** For what is no verb of the store's. Never rejects: an entry that the store does not take stands in the log, whole. */
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
      return { id: newId("aud_", at), at, ...who, ...what, keep_until: at + days * 86_400_000 };
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

/** One line of an export. */
export function auditLine({ details, ...entry }: AuditEntry): string {
  return JSON.stringify({ ...entry, at_utc: new Date(entry.at).toISOString(), details: JSON.parse(details) });
}

export interface Verified {
  readonly entries: number;
  /** What is before it was forgotten after its time; null: the log is empty. */
  readonly oldest: { readonly position: number; readonly at: number } | null;
  /** Written down elsewhere, it tells later whether entries were cut off at this end. */
  readonly newest: { readonly position: number; readonly sha256: string } | null;
  /** The first few, as sentences; empty: the log is as it was written. */
  readonly faults: readonly string[];
}

const PAGE = 1_000;
const FAULTS_MAX = 20;

/** Reads the whole log and computes its chain anew. */
export async function verifyAudit(store: Pick<AuditStore, "auditEntries">): Promise<Verified> {
  const faults: string[] = [];
  const fault = (text: string): unknown => faults.length < FAULTS_MAX && faults.push(text);
  let entries = 0;
  let newest: AuditEntry | undefined;
  /** The entry that comes after the one that is looked at. */
  let after: AuditEntry | undefined;
  for (;;) {
    const page = await store.auditEntries({ limit: PAGE, ...(after === undefined ? {} : { before: after.position }) });
    for (const one of page) {
      entries++;
      newest ??= one;
      const sha256 = createHash("sha256")
        .update(`${one.previous}\n${auditText(one)}`)
        .digest("hex");
      if (sha256 !== one.sha256) fault(`Entry ${one.position} (${one.id}) was changed`);
      if (after !== undefined && after.position !== one.position + 1) {
        fault(`Entries ${one.position + 1} to ${after.position - 1} are missing`);
      } else if (after !== undefined && after.previous !== one.sha256) {
        fault(`Entry ${after.position} (${after.id}) does not follow the one before it`);
      }
      after = one;
    }
    if (page.length < PAGE) break;
  }
  if (after?.position === 1 && after.previous !== "") fault("Entry 1 does not begin the chain");
  return {
    entries,
    oldest: after === undefined ? null : { position: after.position, at: after.at },
    newest: newest === undefined ? null : { position: newest.position, sha256: newest.sha256 },
    faults,
  };
}
