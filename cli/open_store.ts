/** The store alone, for a command where no server runs. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Administration, openAdministration } from "../core/administration.ts";
import type { Config } from "../core/base/config.ts";
import { systemClock } from "../core/base/timers.ts";
import { DATABASE, loadLock, loadPostgres, loadSqlite } from "../core/stack.ts";

/** What surfaces' commands run on. Rejects where the data folder holds no installation, or a server holds it. */
export async function openForCommand(
  given: Config,
): Promise<{ readonly services: Administration; close(): Promise<void> }> {
  const config = { ...given, data: resolve(given.data) };
  const { database_url, data } = config;
  const clock = systemClock;
  const undo: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    if (database_url === null && !existsSync(join(data, DATABASE)))
      throw new Error(`There is no installation in "${data}": start Tonwerk once, or set TONWERK_DATA to its folder`);
    if (database_url === null) {
      const lock = (await loadLock()).lockDataFolder(data);
      undo.push(() => lock.release());
    }
    const store =
      database_url === null
        ? await (await loadSqlite()).openSqliteStore({ file: join(data, DATABASE), clock })
        : await (await loadPostgres()).openPostgresStore({ url: database_url, clock });
    undo.push(() => store.close());
    return { services: await openAdministration(config, store, clock, () => undefined), close };
  } catch (error) {
    await close();
    throw error;
  }
}
