/** The audit log: entries in one chain, written beside the verb that they tell of. */
import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { type AuditEntry, type AuditStore, auditText } from "../../ports/mod.ts";
import { FIELDS } from "../shared/fields.ts";
import { prepare, prepareInsert } from "./connection.ts";
import type { Sync } from "./sync.ts";

export function auditReads(db: DatabaseSync) {
  const page = (where: string) =>
    prepare<AuditEntry>(
      db,
      `SELECT ${FIELDS.entry} FROM audit WHERE ${where} position < ?2 AND at >= ?3 AND at < ?4
         AND (?5 = '' OR substr(action, 1, length(?5) + 1) = ?5 || '.') AND (?6 = '' OR actor = ?6)
       ORDER BY position DESC LIMIT ?7`,
    );
  const [all, own] = [page("?1 IS NULL AND"), page("account_id = ?1 AND")];
  const [done, own_done] = [page("?1 IS NULL AND action = ?8 AND"), page("account_id = ?1 AND +action = ?8 AND")];
  return {
    auditEntries({
      account_id,
      about = "",
      action,
      actor = "",
      since = 0,
      until = AFTER_ALL,
      before = AFTER_ALL,
      limit,
    }) {
      const rest = [before, since, until, about, actor, limit] as const;
      if (action !== undefined)
        return account_id === undefined ? done.all(null, ...rest, action) : own_done.all(account_id, ...rest, action);
      return account_id === undefined ? all.all(null, ...rest) : own.all(account_id, ...rest);
    },
  } satisfies Partial<Sync<AuditStore>>;
}

const AFTER_ALL = Number.MAX_SAFE_INTEGER;

export function auditVerbs(db: DatabaseSync) {
  const last = prepare<{ position: number; sha256: string }>(
    db,
    "SELECT position, sha256 FROM audit WHERE position = (SELECT max(position) FROM audit)",
  );
  const insert = prepareInsert<AuditEntry>(db, "audit", FIELDS.entry);
  return {
    audit(entry) {
      const { position, sha256: previous } = last.get() ?? { position: 0, sha256: "" };
      const sha256 = createHash("sha256")
        .update(`${previous}\n${auditText(entry)}`)
        .digest("hex");
      insert({ ...entry, position: position + 1, previous, sha256 });
    },
  } satisfies Partial<Sync<AuditStore>>;
}

/**
 * Forgets the oldest in line whose time is over by `at` and by the clock of the machine; the newest stays, for the next
 * one follows it.
 */
export function auditExpiry(db: DatabaseSync): (at: number) => void {
  const remove = prepare(
    db,
    `DELETE FROM audit WHERE position < coalesce(
       (SELECT position FROM audit WHERE position > 0 AND keep_until > min(?1, CAST(strftime('%s', 'now') AS INTEGER) * 1000) ORDER BY position LIMIT 1),
       (SELECT max(position) FROM audit))`,
  );
  return (at) => void remove.run(at);
}
