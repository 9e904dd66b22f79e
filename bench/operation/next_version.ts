/** The next version of a checkout: the same code, with one more migration of Postgres. */
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

const FOLDERS = ["contract", "core", "runners", "plugins", "packages", "sdk", "cli"];
/** What an upgrade does that grows a table: a column without a default, an index of every row, and a table. */
const migration = (number: number): string =>
  `ALTER TABLE operations ADD COLUMN IF NOT EXISTS bench_${number} TEXT;
--! next
DROP INDEX CONCURRENTLY IF EXISTS bench_${number};
--! next
CREATE INDEX CONCURRENTLY bench_${number} ON operations (action, bench_${number}, id);
--! next
CREATE TABLE bench_of_${number} (id TEXT PRIMARY KEY, at BIGINT NOT NULL);`;

/** Its `main.ts`, in a folder that is not there yet; with `further` migrations more than the checkout. */
export async function makeNextVersion(root: string, folder: string, further: number): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const name of FOLDERS) await cp(join(root, name), join(folder, name), { recursive: true });
  await cp(join(root, "package.json"), join(folder, "package.json"));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  const file = join(folder, "core/adapters/postgres/migrate.ts");
  const code = await readFile(file, "utf8");
  const list = /numberMigrations\(([^)]*)\)/u.exec(code)?.[0];
  if (list === undefined) throw new Error(`Cannot find the migrations in "${file}"`);
  const added = Array.from({ length: further }, (_, n) => `, ${JSON.stringify(migration(n))}`);
  await writeFile(file, code.replace(list, `${list.slice(0, -1)}${added.join("")})`));
  return join(folder, "core/main.ts");
}
