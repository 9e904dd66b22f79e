import type { DatabaseSync } from "node:sqlite";
import { prepare } from "./connection.ts";
// As text, never from a path: the file is part of the program, wherever that was bundled to.
import init from "./schema/0001_init.sql" with { type: "text" };
import webhookLanes from "./schema/0002_webhook_lanes.sql" with { type: "text" };
import gpuWork from "./schema/0003_gpu_work.sql" with { type: "text" };
import accounts from "./schema/0004_accounts.sql" with { type: "text" };
import fewerPages from "./schema/0005_fewer_pages.sql" with { type: "text" };
import listedLater from "./schema/0006_listed_later.sql" with { type: "text" };
import countedTogether from "./schema/0007_counted_together.sql" with { type: "text" };
import listsWithoutReports from "./schema/0008_lists_without_reports.sql" with { type: "text" };
import invitations from "./schema/0009_invitations.sql" with { type: "text" };
import freeWork from "./schema/0010_free_work_and_upload_quotas.sql" with { type: "text" };
import audit from "./schema/0011_audit.sql" with { type: "text" };

export interface Migration {
  /** Without gaps, from 1. */
  readonly number: number;
  readonly name: string;
  /** First line `--! breaking`: the version before it cannot work on the result. */
  readonly sql: string;
}

export const MIGRATIONS: readonly Migration[] = [
  { number: 1, name: "0001_init", sql: init },
  { number: 2, name: "0002_webhook_lanes", sql: webhookLanes },
  { number: 3, name: "0003_gpu_work", sql: gpuWork },
  { number: 4, name: "0004_accounts", sql: accounts },
  { number: 5, name: "0005_fewer_pages", sql: fewerPages },
  { number: 6, name: "0006_listed_later", sql: listedLater },
  { number: 7, name: "0007_counted_together", sql: countedTogether },
  { number: 8, name: "0008_lists_without_reports", sql: listsWithoutReports },
  { number: 9, name: "0009_invitations", sql: invitations },
  { number: 10, name: "0010_free_work_and_upload_quotas", sql: freeWork },
  { number: 11, name: "0011_audit", sql: audit },
];

/**
 * Brings the database up to the last of `migrations`, each in a transaction of its own together with its row in the table `migrations`.
 * Throws when the database is newer than that, and what SQLite throws when a migration fails; what came before it stays applied.
 */
export function migrate(db: DatabaseSync, file: string, now: number, migrations = MIGRATIONS): void {
  db.exec(
    `CREATE TABLE IF NOT EXISTS migrations (
       number     INTEGER PRIMARY KEY,
       name       TEXT NOT NULL,
       breaking   INTEGER NOT NULL CHECK (breaking IN (0, 1)),
       applied_at INTEGER NOT NULL
     ) STRICT`,
  );
  const latest = prepare<{ number: number | null }>(db, "SELECT max(number) AS number FROM migrations");
  const note = prepare(db, "INSERT INTO migrations (number, name, breaking, applied_at) VALUES (?, ?, ?, ?)");
  const applied = latest.get()?.number ?? 0;
  const known = migrations.at(-1)?.number ?? 0;
  if (applied > known) {
    throw new Error(
      `Cannot open database "${file}": it is at migration ${applied}, this version knows migrations up to ${known}; ` +
        "start the newer version, or restore a backup from before the upgrade",
    );
  }
  for (const { number, name, sql } of migrations) {
    if (number <= applied) continue;
    db.exec("BEGIN IMMEDIATE");
    try {
      // SQLite's own schema table is closed but for the migrations that say so.
      db.enableDefensive(!sql.includes("writable_schema"));
      db.exec(sql);
      note.run(number, name, isBreaking(sql) ? 1 : 0, now);
      db.exec("COMMIT");
    } catch (error) {
      // Some errors end the transaction by themselves.
      if (db.isTransaction) db.exec("ROLLBACK");
      throw error;
    } finally {
      db.enableDefensive(true);
    }
  }
}

function isBreaking(sql: string): boolean {
  return sql.split("\n", 1)[0]?.trim() === "--! breaking";
}
