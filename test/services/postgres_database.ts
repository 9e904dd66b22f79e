/** Databases for tests, with the schema. They are emptied and used again: making and dropping one costs the server a checkpoint. */

import type { Link } from "../../core/adapters/postgres/link.ts";
import { openPostgresStore } from "../../core/adapters/postgres/store.ts";
import { systemClock } from "../../core/base/timers.ts";
import { openTestLink, sharedPostgres } from "./postgres.ts";

export interface TestDatabase {
  readonly url: string;
  /** A connection of its own, to look and to meddle. */
  readonly behind: Link;
  /** Makes the database's clock, which counts leases, stand still at `ms`; undefined: the real one. */
  setNow(ms: number | undefined): Promise<void>;
  /** Empties it for the next test; every store on it must be closed. */
  giveBack(): Promise<void>;
}

const free: TestDatabase[] = [];

/** An empty database of the process's shared server; its clock is the real one. */
export async function leaseDatabase(): Promise<TestDatabase> {
  return free.pop() ?? (await makeDatabase());
}

async function makeDatabase(): Promise<TestDatabase> {
  const server = await sharedPostgres();
  const url = server.url(await server.createDatabase());
  await (await openPostgresStore({ url, clock: systemClock })).close();
  const behind = await openTestLink(url);
  const tables = (await behind.query(TABLES, [])).map(({ name }) => `DELETE FROM ${name};`).join(" ");
  const [clock] = await behind.query("SELECT pg_get_functiondef('now_ms'::regproc) AS text", []);
  const database: TestDatabase = {
    url,
    behind,
    setNow: (ms) =>
      behind.script(
        ms === undefined
          ? String(clock?.text)
          : `CREATE OR REPLACE FUNCTION now_ms() RETURNS BIGINT LANGUAGE sql VOLATILE AS 'SELECT ${ms}::BIGINT'`,
      ),
    async giveBack() {
      // Without triggers and references, which would have their say in the order.
      await behind.script(`SET session_replication_role = replica; ${tables} UPDATE queue_turns SET turn = 0;
        SET session_replication_role = DEFAULT;`);
      await database.setNow(undefined);
      free.push(database);
    },
  };
  return database;
}

/** All that hold what tests write; the others are filled by migrations. */
const TABLES = `SELECT quote_ident(tablename) AS name FROM pg_tables
  WHERE schemaname = 'public' AND tablename NOT IN ('migrations', 'queue_turns', 'pulse')`;
