import type { DatabaseSync } from "node:sqlite";
import { isBreaking, numberMigrations } from "../shared/migrations.ts";
import { prepare } from "./connection.ts";
// As text, never from a path: the file is part of the program, wherever that was bundled to.
import schema from "./schema/0001.sql" with { type: "text" };
import parts from "./schema/0002.sql" with { type: "text" };
import filters from "./schema/0003.sql" with { type: "text" };

export const MIGRATIONS = numberMigrations(schema, parts, filters);

/**
 * Brings the database up to the last of `migrations`, each in a transaction of its own together with its row in the
 * table `migrations`. Throws when the database is newer than that, and what SQLite throws when a migration fails; what
 * came before it stays applied.
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
  for (const migration of migrations) {
    const { number, name, sql } = migration;
    if (number <= applied) continue;
    db.exec("BEGIN IMMEDIATE");
    try {
      db.exec(sql);
      note.run(number, name, isBreaking(migration) ? 1 : 0, now);
      db.exec("COMMIT");
    } catch (error) {
      // Some errors end the transaction by themselves.
      if (db.isTransaction) db.exec("ROLLBACK");
      throw error;
    }
  }
}
