/** Reports of leaked keys. */
import { AFTER_ALL_IDS } from "../../base/ids.ts";
import type { LeakReport, LeaksStore } from "../../ports/mod.ts";
import { FIELDS } from "../shared/fields.ts";
import type { Pool } from "./pool.ts";
import { REPEATABLE, statementsOn } from "./statements.ts";

export function leakVerbs(pool: Pool) {
  const { all, did, due, write, call } = statementsOn(pool);
  const dueMails = due<LeakReport>("leak_reports", FIELDS.leak, "mail");
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
    claimLeakMails: async (now, lease_ms, limit) =>
      (await dueMails(now, lease_ms, limit)).map(({ row: report, attempts }) => ({ report, attempts })),
    recordLeakMail: write("UPDATE leak_reports SET mail_at = $2 WHERE id = $1", REPEATABLE),
  } satisfies Partial<LeaksStore>;
}
