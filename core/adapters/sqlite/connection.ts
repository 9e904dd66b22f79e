import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { Fields } from "../shared/fields.ts";

/**
 * Opens the connection that writes. The caller keeps the object reachable: Bun closes a connection that is collected.
 */
export function openForWriting(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: BUSY_MS, enableForeignKeyConstraints: true });
  try {
    db.exec("PRAGMA journal_mode = WAL");
    // FULL: a commit is on the disk before it is answered, also when the power goes.
    db.exec("PRAGMA synchronous = FULL");
    // Checkpoints within a commit only at 128 MiB of log rather than at 4: they are what the slowest commits wait for.
    // The thread copies the log before it has grown so far (thread.ts); this is for when it cannot.
    db.exec("PRAGMA wal_autocheckpoint = 32768");
    // After a burst the log shrinks back to this many bytes.
    db.exec("PRAGMA journal_size_limit = 134217728");
    // KiB when negative. Idempotency keys are random, so their index is touched everywhere.
    db.exec("PRAGMA cache_size = -65536");
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

/** Opens a connection beside it for reads; in WAL neither waits for the other. */
export function openForReading(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: BUSY_MS, readOnly: true });
  db.exec("PRAGMA cache_size = -16384");
  // No mmap_size: every commit of the writer empties this connection's cache, and filling it again from a map takes
  // three times as long as by reading (39 against 14 µs for a status read after a commit).
  return db;
}

// 1 s: the data folder's lock keeps other servers out, so only a tool that looks at the file can be in the way.
const BUSY_MS = 1_000;

/** A prepared statement whose rows are `Row`: the one place that trusts the STRICT tables for it. */
export interface Statement<Row> {
  get(...values: SQLInputValue[]): Row | undefined;
  /** As `get`, but as SQLite hands it out, without a prototype: for rows that are taken apart at once. */
  look(...values: SQLInputValue[]): Row | undefined;
  all(...values: SQLInputValue[]): Row[];
  /** Number of rows changed. */
  run(...values: SQLInputValue[]): number;
  /** Whether a row was changed. */
  did(...values: SQLInputValue[]): boolean;
  /** For verbs that answer nothing. */
  write(...values: SQLInputValue[]): void;
}

export function prepare<Row = never>(db: DatabaseSync, sql: string): Statement<Row> {
  const statement = db.prepare(sql);
  const run = (...values: SQLInputValue[]): number => Number(statement.run(...values).changes);
  return {
    get: (...values) => {
      const row = statement.get(...values);
      // SQLite's rows have no prototype; ours leave this process's store as plain objects.
      return row && ({ ...row } as Row);
    },
    look: (...values) => statement.get(...values) as Row | undefined,
    all: (...values) => statement.all(...values).map((row) => ({ ...row }) as Row),
    run,
    did: (...values) => run(...values) > 0,
    write: (...values) => void statement.run(...values),
  };
}

/** Inserts records; what one lacks is null. `conflict` ends the statement. */
export function prepareInsert<Row>(
  db: DatabaseSync,
  table: string,
  fields: Fields<Row>,
  conflict = "",
): (row: Partial<Row>) => void {
  const marks = fields.map(() => "?").join(", ");
  const insert = db.prepare(`INSERT INTO ${table} (${fields.join(", ")}) VALUES (${marks}) ${conflict}`);
  return (row) => void insert.run(...fields.map((field) => toColumn(row[field])));
}

/** Takes rows whose `<what>_at` has come, for `lease_ms` nobody else's, each with how often it was taken. */
export function prepareDue<Row extends { readonly id: string }>(
  db: DatabaseSync,
  table: string,
  fields: readonly string[],
  what: "notice" | "mail",
): (now: number, lease_ms: number, limit: number) => { row: Row; attempts: number }[] {
  const due = prepare<Row & { readonly before: number }>(
    db,
    `SELECT ${fields}, ${what}_attempts AS before FROM ${table} WHERE ${what}_at IS NOT NULL AND ${what}_at <= ?
     ORDER BY ${what}_at LIMIT ?`,
  );
  const lease = prepare(
    db,
    `UPDATE ${table} SET ${what}_at = ?2, ${what}_attempts = ${what}_attempts + 1 WHERE id = ?1`,
  );
  return (now, lease_ms, limit) =>
    due.all(now, limit).map(({ before, ...row }) => {
      lease.run(row.id, now + lease_ms);
      return { row: row as unknown as Row, attempts: before + 1 };
    });
}

/** What a field of a record is in its column: truth as 0 or 1, lists and records as JSON. */
export function toColumn(value: unknown): SQLInputValue {
  if (typeof value === "boolean") return value ? 1 : 0;
  return (typeof value === "object" && value !== null ? JSON.stringify(value) : (value ?? null)) as SQLInputValue;
}
