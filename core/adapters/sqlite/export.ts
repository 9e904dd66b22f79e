/**
 * The rows of an embedded installation, table by table, for `tonwerk migrate-store`. Reads only; the caller holds the
 * data folder's lock.
 */
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { LEFT_BEHIND, TABLES, type Table, type Value } from "../shared/store_tables.ts";
import { openForReading } from "./connection.ts";

type ExportedRow = Readonly<Record<string, Value>>;

export interface SqliteExport {
  count(table: Table): number;
  /** Up to `limit` rows after the one with the key `after`, in the order of the key. Empty: there are no more. */
  rows(table: Table, after: readonly Value[] | null, limit: number): readonly ExportedRow[];
  columns(table: Table): readonly string[];
  /**
   * Every object that a row names, in the order of the keys, each with the SHA-256 that its output was delivered with,
   * where it is known.
   */
  objects(after: string, limit: number): readonly { readonly key: string; readonly sha256: string | null }[];
  countObjects(): number;
  close(): void;
}

/** Throws where the database has a table that this version does not carry: nothing is left behind in silence. */
export function openSqliteExport(file: string): SqliteExport {
  const db = openForReading(file);
  const names = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => String(name));
  const strange = names.filter((name) => !LEFT_BEHIND.has(name) && !TABLES.some((table) => table.name === name));
  if (strange.length > 0) {
    db.close();
    throw new Error(`Cannot move the store: this version does not know how to carry ${strange.join(", ")}`);
  }
  const NAMED =
    "SELECT key, owner FROM objects UNION ALL SELECT object, '' FROM operation_sources s WHERE object IS NOT NULL";
  const outputs = db.prepare("SELECT outputs FROM operations WHERE id = ?");
  // The first keys of each, then the first of all: the index ends both looks after `limit` keys, however many objects
  // there are.
  const first = (key: string, owner: string, table: string) =>
    `SELECT * FROM (SELECT ${key} AS key, ${owner} AS owner FROM ${table} WHERE ${key} > ?1 GROUP BY ${key} ORDER BY ${key} LIMIT ?2)`;
  const named = db.prepare(
    `SELECT key, max(owner) AS owner FROM (${first("key", "max(owner)", "objects")}
       UNION ALL ${first("object", "''", "operation_sources")}) GROUP BY key ORDER BY key LIMIT ?2`,
  );
  return {
    count: (table) => Number(db.prepare(`SELECT count(*) AS n FROM (${table.rows})`).get()?.n),
    rows(table, after, limit) {
      const order = table.key.join(", ");
      const marks = table.key.map(() => "?").join(", ");
      const where = after === null ? "" : `WHERE (${order}) > (${marks})`;
      const found = db.prepare(`SELECT * FROM (${table.rows}) ${where} ORDER BY ${order} LIMIT ?`);
      return found.all(...((after ?? []) as SQLInputValue[]), limit).map((row) => ({ ...row }) as ExportedRow);
    },
    columns: (table) => columnsOf(db, table),
    objects: (after, limit) =>
      named.all(after, limit).map(({ key, owner }) => ({
        key: String(key),
        sha256: sha256Of(String(key), String(outputs.get(String(owner))?.outputs ?? "[]")),
      })),
    countObjects: () => Number(db.prepare(`SELECT count(DISTINCT key) AS n FROM (${NAMED})`).get()?.n),
    close: () => db.close(),
  };
}

function columnsOf(db: DatabaseSync, table: Table): readonly string[] {
  // Not `columns()`, which Bun's statements lack: a view has them too.
  db.exec(`CREATE TEMP VIEW IF NOT EXISTS moved_${table.name} AS ${table.rows}`);
  return db
    .prepare(`SELECT name FROM pragma_table_info('moved_${table.name}')`)
    .all()
    .map(({ name }) => String(name))
    .filter((name) => name !== ROW);
}

/** The number by which this store's own indexes name an operation. */
const ROW = "row";

function sha256Of(key: string, outputs: string): string | null {
  const found = (JSON.parse(outputs) as { object: string; sha256?: string }[]).find(({ object }) => object === key);
  return found?.sha256 ?? null;
}
