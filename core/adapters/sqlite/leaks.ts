/** Reports of leaked keys. */
import type { DatabaseSync } from "node:sqlite";
import { AFTER_ALL_IDS } from "../../base/ids.ts";
import type { LeakReport, LeaksStore } from "../../ports/mod.ts";
import { FIELDS } from "../shared/fields.ts";
import { prepare, prepareDue, prepareInsert } from "./connection.ts";
import type { Sync } from "./sync.ts";

type LeakRow = Omit<LeakReport, "revoked"> & { readonly revoked: 0 | 1 };
const toLeak = (row: LeakRow): LeakReport => ({ ...row, revoked: row.revoked === 1 });

export function leakReads(db: DatabaseSync) {
  const page = prepare<LeakRow>(
    db,
    `SELECT ${FIELDS.leak} FROM leak_reports WHERE account_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
  );
  return {
    leaks: (account_id, { before = AFTER_ALL_IDS, limit }) => page.all(account_id, before, limit).map(toLeak),
  } satisfies Partial<Sync<LeaksStore>>;
}

export function leakVerbs(db: DatabaseSync) {
  const wishOf = prepare<{ revoke_leaked: 0 | 1 }>(
    db,
    "SELECT revoke_leaked FROM accounts WHERE id = (SELECT account_id FROM api_keys WHERE id = ?2 AND account_id = ?1)",
  );
  const same = prepare<{ id: string }>(db, "SELECT id FROM leak_reports WHERE key_id = ? AND url = ?");
  const insert = prepareInsert<LeakReport & { mail_at: number | null }>(db, "leak_reports", [
    ...FIELDS.leak,
    "mail_at",
  ]);
  const revoke = prepare(db, "UPDATE api_keys SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL");
  const dueMails = prepareDue<LeakRow>(db, "leak_reports", FIELDS.leak, "mail");

  return {
    reportLeak(report, mail_at) {
      const { account_id, key_id, url, created_at } = report;
      const wish = wishOf.get(account_id, key_id);
      if (wish === undefined) return "unknown";
      if (same.get(key_id, url) !== undefined) return "known";
      const revoked = wish.revoke_leaked === 1 && revoke.did(key_id, created_at);
      insert({ ...report, revoked, mail_at });
      return revoked ? "revoked" : "recorded";
    },

    closeLeak: prepare(
      db,
      "UPDATE leak_reports SET closed_at = ?3 WHERE id = ?2 AND account_id = ?1 AND closed_at IS NULL",
    ).did,

    claimLeakMails: (at, lease_ms, limit) =>
      dueMails(at, lease_ms, limit).map(({ row, attempts }) => ({ report: toLeak(row), attempts })),

    recordLeakMail: prepare(db, "UPDATE leak_reports SET mail_at = ?2 WHERE id = ?1").write,
  } satisfies Partial<Sync<LeaksStore>>;
}
