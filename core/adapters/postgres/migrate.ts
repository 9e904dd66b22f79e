import { StoreUnavailable } from "../../ports/mod.ts";
import { isBreaking, type Migration, numberMigrations } from "../shared/migrations.ts";
import { codeOf } from "./errors.ts";
import type { Link } from "./link.ts";
// As text, never from a path: the file is part of the program, wherever that was bundled to.
import schema from "./schema/0001.sql" with { type: "text" };
import parts from "./schema/0002.sql" with { type: "text" };
import weights from "./schema/0003.sql" with { type: "text" };
import claims from "./schema/0004.sql" with { type: "text" };

export const MIGRATIONS = numberMigrations(schema, parts, weights, claims);

/**
 * Brings the database up to the last of `migrations`, each in a transaction of its own together with its row in the
 * table `migrations`. Nodes that start together take turns by an advisory lock, which ends with its connection. A
 * database that is newer is welcome as long as none of its further migrations is breaking: that is how a rolling
 * upgrade goes, and how it is taken back. Throws where one is breaking, where the database was begun by other
 * migrations than these, and what the server says when a migration fails; what came before it stays applied.
 */
export async function migrate(link: Link, migrations = MIGRATIONS): Promise<void> {
  if (await isDone(link, migrations)) return;
  await lock(link);
  try {
    await link.script(CREATE);
    const applied = new Set((await link.query(APPLIED, [])).map(({ number }) => number));
    for (const migration of migrations) if (!applied.has(migration.number)) await apply(link, migration);
  } finally {
    if (!link.lost) await link.query(UNLOCK, []);
  }
}

/** Whether nothing is to be done. Looks without a lock, so that the start of one more node waits for nobody. */
async function isDone(link: Link, migrations: readonly Migration[]): Promise<boolean> {
  const [table] = await link.query("SELECT to_regclass('migrations') IS NOT NULL AS there", []);
  if (table?.there !== true) return false;
  const known = migrations.at(-1)?.number ?? 0;
  const rows = await link.query("SELECT number, name, breaking FROM migrations ORDER BY number", []);
  const newer = rows.find(({ number, breaking }) => Number(number) > known && breaking === true);
  if (newer !== undefined) {
    throw new Error(
      `Cannot use the database: it is at migration ${newer.number}, which breaks with earlier versions, and ` +
        `this version knows migrations up to ${known}; start the newer version, or restore a backup from before the upgrade`,
    );
  }
  const strange = rows.find(({ number, name }) => migrations.some((one) => one.number === number && one.name !== name));
  if (strange !== undefined) {
    throw new Error(
      `Cannot use the database: its migration ${strange.number} is "${strange.name}", which this version does ` +
        "not have; start with an empty one",
    );
  }
  const applied = new Set(rows.map(({ number }) => number));
  return migrations.every(({ number }) => applied.has(number));
}

/**
 * Asks again and again instead of waiting in the server: that would hold a snapshot open, and run into the time limit
 * of a statement.
 */
async function lock(link: Link): Promise<void> {
  const until = performance.now() + LOCK_MS;
  for (;;) {
    const [row] = await link.query("SELECT pg_try_advisory_lock(1953459831, 1) AS mine", []);
    if (row?.mine === true) return;
    if (performance.now() > until)
      throw new StoreUnavailable("Cannot migrate the database: another node has been at it for minutes");
    await pause(100);
  }
}

/**
 * In one transaction, or in as many as it has parts: whoever uses a table waits for as long as the transaction lasts
 * that changed it, so a column and the index on it are two. An index that is made or dropped `CONCURRENTLY` lets
 * everybody go on; such a part is that one statement, in no transaction. A start that breaks off has the next one begin
 * again: all parts but the last have to bear that (`IF NOT EXISTS`; a part before an index that drops it).
 */
async function apply(link: Link, migration: Migration): Promise<void> {
  const { number, name, sql } = migration;
  const note = `INSERT INTO migrations (number, name, breaking, applied_at)
    VALUES (${number}, '${name}', ${isBreaking(migration)}, ${Date.now()});`;
  const parts = sql.split(/^--! next$/mu);
  const last = parts.pop()!;
  for (const part of parts) {
    if (CONCURRENTLY.test(part)) await link.script(part);
    else await applyPart(link, part);
  }
  await applyPart(link, `${last}\n;${note}`);
}

/**
 * A change to a table waits until nobody uses it, and whoever comes later waits behind: so it waits for a moment only,
 * and tries again.
 */
async function applyPart(link: Link, sql: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await link.script(`BEGIN; SET LOCAL lock_timeout = '${LOCK_WAIT_MS}ms'; ${sql}\n; COMMIT;`);
      return;
    } catch (error) {
      if (!link.lost) await link.script("ROLLBACK");
      // 55P03: the lock was not to be had; 40P01: deadlock.
      if ((codeOf(error) !== "55P03" && codeOf(error) !== "40P01") || tries === TRIES_MAX) throw error;
      await pause(250 * Math.min(tries, 8));
    }
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const CREATE = `CREATE TABLE IF NOT EXISTS migrations (
  number     INTEGER PRIMARY KEY,
  name       TEXT NOT NULL,
  breaking   BOOLEAN NOT NULL,
  applied_at BIGINT NOT NULL
)`;
const APPLIED = "SELECT number FROM migrations";
const UNLOCK = "SELECT pg_advisory_unlock(1953459831, 1)";
const LOCK_MS = 300_000;
/** For which everybody else may have to wait. */
const LOCK_WAIT_MS = 100;
/** Over five minutes. */
const TRIES_MAX = 150;
const CONCURRENTLY = /^\s*(?:CREATE|DROP) INDEX CONCURRENTLY\b/iu;
