/**
 * Takes the rows of another store into an empty Postgres, batch by batch, for `tonwerk migrate-store`. How far it came
 * is written with each batch, in the table `store_import`, which is there only while a move is under way: an
 * interrupted one goes on where it stopped.
 */

import { TABLES, type Table, type Value } from "../shared/store_tables.ts";
import { type Link, openLink, type Row } from "./link.ts";

export interface PostgresImport {
  /** Whether an earlier move from the same source was interrupted. */
  readonly resumed: boolean;
  /** Columns that come from outside, with their types. Throws where `offered` has one that is not there. */
  columns(table: Table, offered: readonly string[]): Promise<readonly Column[]>;
  /** Key of the last row that an interrupted move had written; null: none. */
  position(table: Table): Promise<readonly Value[] | null>;
  /** Writes rows and position in one transaction. Rows that are there already stay, unless the table `replaces`. */
  write(table: Table, columns: readonly Column[], rows: readonly Readonly<Record<string, Value>>[]): Promise<void>;
  rows(
    table: Table,
    columns: readonly Column[],
    after: readonly Value[] | null,
    limit: number,
  ): Promise<readonly Row[]>;
  count(table: Table): Promise<number>;
  /** Sets what counts up from the rows, and forgets the positions: the move is done. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

export interface Column {
  readonly name: string;
  /** As Postgres names it. */
  readonly type: string;
}

/** One batch may hold many large requests. */
const STATEMENT_MS = 120_000;

/**
 * `source` names the installation that is moved. Throws a message for the operator where the database holds another
 * one.
 */
export async function openPostgresImport(url: string, source: string): Promise<PostgresImport> {
  const link = await openLink({
    url,
    name: "tonwerk migrate-store",
    connect_ms: 10_000,
    silence_ms: STATEMENT_MS + 10_000,
    statement_ms: STATEMENT_MS,
    lock_ms: 10_000,
    onLost: () => undefined,
  });
  try {
    const resumed = await begin(link, source);
    return verbs(link, resumed);
  } catch (error) {
    await link.close();
    throw error;
  }
}

/** Locks out a second move, for as long as this connection lives; true: an earlier one is continued. */
async function begin(link: Link, source: string): Promise<boolean> {
  const [lock] = await link.query("SELECT pg_try_advisory_lock(1953459831, 4) AS mine", []);
  if (lock?.mine !== true) throw new Error("Cannot move the store: another migrate-store is at work on this database");
  const [there] = await link.query("SELECT to_regclass('store_import') IS NOT NULL AS begun", []);
  if (there?.begun === true) {
    const [begun] = await link.query("SELECT source FROM store_import WHERE table_name = ''", []);
    if (begun?.source === source) return true;
    throw new Error(
      "Cannot move the store: this database holds the beginning of another installation's move; use an empty one",
    );
  }
  const [used] = await link.query("SELECT EXISTS (SELECT 1 FROM accounts) AS used", []);
  if (used?.used === true) {
    throw new Error(
      "Cannot move the store: this database has accounts already (moved before, or of another installation); use an empty one",
    );
  }
  await link.script(
    "CREATE TABLE store_import (table_name TEXT PRIMARY KEY, source TEXT, position TEXT);" +
      `INSERT INTO store_import (table_name, source) VALUES ('', '${source.replaceAll("'", "''")}');`,
  );
  return false;
}

function verbs(link: Link, resumed: boolean): PostgresImport {
  const named = (columns: readonly Column[], of = ""): string => columns.map(({ name }) => of + name).join(", ");
  return {
    resumed,
    async columns({ name, computed = {} }, offered) {
      const found = await link.query(
        `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
         WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
        [name],
      );
      const columns = found.map((row) => ({ name: String(row.name), type: String(row.type) }));
      const missing = offered.filter((column) => !columns.some((one) => one.name === column));
      if (missing.length > 0)
        throw new Error(`Cannot move the store: ${name} has no ${missing.join(", ")} in Postgres`);
      return columns.filter((column) => offered.includes(column.name) && !Object.hasOwn(computed, column.name));
    },
    async position({ name }) {
      const [row] = await link.query("SELECT position FROM store_import WHERE table_name = $1", [name]);
      return row === undefined ? null : (JSON.parse(String(row.position)) as Value[]);
    },
    async write({ name, key, computed = {}, replaces }, columns, rows) {
      const last = rows.at(-1);
      if (last === undefined) return;
      const extra = Object.entries(computed);
      const changed = columns.filter((column) => !key.includes(column.name));
      const conflict = replaces
        ? `(${key.join(", ")}) DO UPDATE SET ${changed.map((column) => `${column.name} = excluded.${column.name}`).join(", ")}`
        : "DO NOTHING";
      await link.query(
        `WITH written AS (
           INSERT INTO ${name} (${[named(columns), ...extra.map(([column]) => column)].join(", ")}) OVERRIDING SYSTEM VALUE
           SELECT ${[named(columns, "r."), ...extra.map(([, sql]) => sql)].join(", ")}
           FROM json_to_recordset($1::text::json) AS r (${columns.map((column) => `${column.name} ${column.type}`).join(", ")})
           ON CONFLICT ${conflict})
         INSERT INTO store_import (table_name, position) VALUES ($2, $3)
         ON CONFLICT (table_name) DO UPDATE SET position = excluded.position`,
        [JSON.stringify(rows), name, JSON.stringify(key.map((column) => last[column]))],
      );
    },
    async rows({ name, key }, columns, after, limit) {
      const types = new Map(columns.map((column) => [column.name, column.type]));
      const marks = key.map((column, index) => `$${index + 2}::text::${types.get(column)}`).join(", ");
      const where = after === null ? "" : `WHERE (${key.join(", ")}) > (${marks})`;
      const found = await link.query(
        `SELECT row_to_json(r)::text AS row FROM (SELECT ${named(columns)} FROM ${name} ${where} ORDER BY ${key.join(", ")} LIMIT $1) r`,
        [limit, ...(after ?? []).map(String)],
      );
      return found.map(({ row }) => JSON.parse(String(row)) as Row);
    },
    async count({ name }) {
      const [row] = await link.query(`SELECT count(*) AS n FROM ${name}`, []);
      return Number(row?.n);
    },
    async finish() {
      await link.script(
        `SELECT setval(pg_get_serial_sequence('ledger', 'id'), (SELECT coalesce(max(id), 0) + 1 FROM ledger), false);
         DROP TABLE store_import;`,
      );
      await link.script(`ANALYZE ${TABLES.map(({ name }) => name).join(", ")};`);
    },
    close: () => link.close(),
  };
}
