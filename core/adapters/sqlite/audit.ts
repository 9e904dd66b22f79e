/** The audit log: entries in one chain, written beside the verb that they tell of. */
import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { type AuditEntry, type AuditFilter, auditText, type NewAuditEntry } from "../../ports/mod.ts";
import { prepare } from "./connection.ts";

const COLUMNS =
  "position, id, at, account_id, actor, actor_email, address, action, target, details, keep_until, previous, sha256";

export function auditReads(db: DatabaseSync) {
  const page = (where: string) =>
    prepare<AuditEntry>(
      db,
      `SELECT ${COLUMNS} FROM audit WHERE ${where} position < ?2 AND at >= ?3 AND (?4 = '' OR substr(action, 1, length(?4) + 1) = ?4 || '.')
       ORDER BY position DESC LIMIT ?5`,
    );
  const [all, own] = [page("?1 IS NULL AND"), page("account_id = ?1 AND")];
  return {
    auditEntries({ account_id, about = "", since = 0, before, limit }: AuditFilter): readonly AuditEntry[] {
      const rest = [before ?? Number.MAX_SAFE_INTEGER, since, about, limit] as const;
      return account_id === undefined ? all.all(null, ...rest) : own.all(account_id, ...rest);
    },
  };
}

export function auditVerbs(db: DatabaseSync) {
  const last = prepare<{ position: number; sha256: string }>(
    db,
    "SELECT position, sha256 FROM audit WHERE position = (SELECT max(position) FROM audit)",
  );
  const insert = prepare(db, `INSERT INTO audit (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  return {
    audit(_now: number, entry: NewAuditEntry): void {
      const { id, at, account_id, actor, actor_email, address, action, target, details, keep_until } = entry;
      const before = last.get() ?? { position: 0, sha256: "" };
      const sha256 = createHash("sha256")
        .update(`${before.sha256}\n${auditText(entry)}`)
        .digest("hex");
      const place = before.position + 1;
      const who = [account_id, actor, actor_email, address] as const;
      insert.run(place, id, at, ...who, action, target, details, keep_until, before.sha256, sha256);
    },
  };
}

/** Forgets the oldest in line whose time is over by `at` and by the clock of the machine; the newest stays, for the next one follows it. */
export function auditExpiry(db: DatabaseSync): (at: number) => void {
  const remove = prepare(
    db,
    `DELETE FROM audit WHERE position < coalesce(
       (SELECT position FROM audit WHERE position > 0 AND keep_until > min(?1, CAST(strftime('%s', 'now') AS INTEGER) * 1000) ORDER BY position LIMIT 1),
       (SELECT max(position) FROM audit))`,
  );
  return (at) => void remove.run(at);
}
