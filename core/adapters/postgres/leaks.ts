/** Reports of leaked keys. */
import { AFTER_ALL_IDS } from "../../base/ids.ts";
import type { LeakReport, LeaksStore } from "../../ports/mod.ts";
import { FIELDS } from "../shared/fields.ts";
import type { Pool } from "./pool.ts";
import { REPEATABLE, statementsOn } from "./statements.ts";

export function leakVerbs(pool: Pool) {
  const { all, did, write, call } = statementsOn(pool);
  const page = all<LeakReport>(
    `SELECT ${FIELDS.leak} FROM leak_reports WHERE account_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3`,
  );
  const reportLeak = call<"recorded" | "revoked" | "known" | "unknown">("report_leak");
  return {
    reportLeak: ({ id, account_id, key_id, source, url, created_at }, mail_at) =>
      reportLeak(id, account_id, key_id, source, url, created_at, mail_at),
    leaks: (account_id, { before = AFTER_ALL_IDS, limit }) => page(account_id, before, limit),
    closeLeak: did(
      "UPDATE leak_reports SET closed_at = $3 WHERE id = $2 AND account_id = $1 AND closed_at IS NULL RETURNING id",
    ),
    async claimLeakMails(now, lease_ms, limit) {
      const rows = await pool.query(CLAIM_MAILS, [now, lease_ms, limit]);
      return rows.map(({ mail_attempts, due: _due, ...report }) => ({
        report: report as unknown as LeakReport,
        attempts: mail_attempts as number,
      }));
    },
    recordLeakMail: write("UPDATE leak_reports SET mail_at = $2 WHERE id = $1", REPEATABLE),
  } satisfies Partial<LeaksStore>;
}

const CLAIM_MAILS = `WITH due AS MATERIALIZED (
    SELECT id AS due_id, mail_at AS due FROM leak_reports WHERE mail_at IS NOT NULL AND mail_at <= $1
    ORDER BY mail_at LIMIT $3 FOR UPDATE SKIP LOCKED
  ), taken AS (
    UPDATE leak_reports SET mail_at = $1 + $2, mail_attempts = mail_attempts + 1 FROM due WHERE id = due_id
    RETURNING ${FIELDS.leak}, mail_attempts, due
  )
  SELECT * FROM taken ORDER BY due, id`;
