/**
 * `tonwerk migrate-store`: carries an embedded installation to Postgres and, where S3 is configured, its audio to the
 * bucket. The installation is only read and stays as it was. What was carried is read back and compared, row by row and
 * byte by byte, before it is called done.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { openFilesBucket } from "../core/adapters/files/bucket.ts";
import { lockDataFolder } from "../core/adapters/files/data_lock.ts";
import { type Column, openPostgresImport, type PostgresImport } from "../core/adapters/postgres/import.ts";
import { openPostgresStore } from "../core/adapters/postgres/store.ts";
import { openS3Bucket } from "../core/adapters/s3/bucket.ts";
import { s3Options } from "../core/adapters/s3/options.ts";
import { TABLES, type Table, type Value } from "../core/adapters/shared/store_tables.ts";
import { openSqliteExport, type SqliteExport } from "../core/adapters/sqlite/export.ts";
import { openSqliteStore } from "../core/adapters/sqlite/store.ts";
import type { Config } from "../core/base/config.ts";
import { decodeSecret } from "../core/base/secrets.ts";
import { systemClock } from "../core/base/timers.ts";
import type { Bucket } from "../core/ports/mod.ts";
import { DATABASE } from "../core/stack.ts";

export interface Moved {
  /** Rows of each table. */
  readonly rows: Readonly<Record<string, number>>;
  readonly objects: number;
  /** Of the objects that were carried now, not by an interrupted move before. */
  readonly bytes: number;
}

/** Rows in one statement: a request has 64 KiB at most, and few have more than one. */
const ROWS = 250;
const OBJECTS = 250;
/** Objects on their way at a time. */
const LANES = 4;

/** Returns the exit code; rejects with a message for the operator. */
export async function migrateCommand(
  rest: readonly string[],
  config: Config,
  say: (line: string) => void,
): Promise<number> {
  const unknown = rest.filter((argument) => argument !== "--dry-run");
  if (unknown.length > 0) {
    const is_help = unknown.every((word) => ["help", "--help", "-h"].includes(word));
    say(`${is_help ? "" : `Unknown: ${unknown.join(" ")}. `}Usage: tonwerk migrate-store [--dry-run]`);
    return is_help ? 0 : 2;
  }
  const dry_run = rest.includes("--dry-run");
  const { rows, objects, bytes } = await migrateStore(config, { dry_run, say });
  if (dry_run) return 0;
  const count = Object.values(rows).reduce((sum, one) => sum + one, 0);
  const megabytes = (bytes / 1e6).toFixed(1);
  say(`Moved ${count} rows and ${objects} objects (${megabytes} MB now). The data folder was not changed.`);
  say(
    "Start the nodes with the same DATABASE_URL, S3_* and TONWERK_SECRET, and keep the folder until they have proved themselves.",
  );
  return 0;
}

/** Rejects with a message for the operator; what was carried until then is found again by the next try. */
export async function migrateStore(
  config: Config,
  { dry_run, say }: { readonly dry_run: boolean; readonly say: (line: string) => void },
): Promise<Moved> {
  const { database_url } = config;
  if (database_url === null) throw new Error("Cannot move the store: DATABASE_URL must name the Postgres to move to");
  const data = resolve(config.data);
  const file = join(data, DATABASE);
  if (!existsSync(file)) throw new Error(`Cannot move the store: there is no "${file}"; set TONWERK_DATA`);
  const lock = lockDataFolder(data);
  try {
    await checkSecret(config, data);
    // Brings the schema up to this version, and takes back leases of a process that was killed.
    if (!dry_run) await (await openSqliteStore({ file, clock: systemClock })).close();
    const source = openSqliteExport(file);
    try {
      return await (dry_run ? plan(source, say) : move(config, database_url, data, source, say));
    } finally {
      source.close();
    }
  } finally {
    lock.release();
  }
}

/** URLs and signing secrets that were made with the old secret must stay valid. */
async function checkSecret({ secret, secret_previous }: Config, data: string): Promise<void> {
  const kept = await readFile(join(data, "secret"), "utf8").catch(() => undefined);
  const same = (one: string | null): boolean =>
    one !== null && kept !== undefined && Buffer.compare(bytes(one), bytes(kept.trim())) === 0;
  if (kept === undefined || same(secret) || same(secret_previous)) return;
  throw new Error(
    `Cannot move the store: TONWERK_SECRET must be what "${join(data, "secret")}" holds, on every node, else signed URLs and ` +
      "signing secrets would be lost",
  );
}

const bytes = (secret: string): Uint8Array => decodeSecret(secret) ?? new Uint8Array();

/** The first column, as wide as the longest name needs. */
const WIDTH = Math.max(...TABLES.map(({ name }) => name.length), "objects in files".length) + 2;
const cell = (name: string): string => name.padEnd(WIDTH);

function plan(source: SqliteExport, say: (line: string) => void): Promise<Moved> {
  const rows = Object.fromEntries(TABLES.map((table) => [table.name, source.count(table)]));
  for (const [name, count] of Object.entries(rows)) say(`${cell(name)}${count}`);
  const objects = source.countObjects();
  say(`${cell("objects in files")}${objects}`);
  say("Nothing was written.");
  return Promise.resolve({ rows, objects, bytes: 0 });
}

async function move(
  config: Config,
  database_url: string,
  data: string,
  source: SqliteExport,
  say: (line: string) => void,
): Promise<Moved> {
  // Makes the schema, and tells early where the server cannot be reached.
  await (await openPostgresStore({ url: database_url, clock: systemClock })).close();
  const target = await openPostgresImport(database_url, installationOf(source));
  try {
    if (target.resumed) say("Going on where the last try stopped.");
    const rows: Record<string, number> = {};
    for (const table of TABLES) rows[table.name] = await carryTable(table, source, target, say);
    let objects = { count: 0, bytes: 0 };
    if (config.s3_bucket === null) {
      say("S3_BUCKET is not set: the audio stays in the data folder, which one node can then use.");
    } else {
      const bucket = await openS3Bucket(s3Options(config, config.s3_bucket));
      try {
        objects = await carryObjects(source, await openFilesBucket(data), bucket, say);
      } finally {
        await bucket.close();
      }
    }
    for (const table of TABLES) await compareTable(table, source, target);
    say("Every row was read back and is the same.");
    await target.finish();
    return { rows, objects: objects.count, bytes: objects.bytes };
  } finally {
    await target.close();
  }
}

/** The first account is made once and never goes. */
function installationOf(source: SqliteExport): string {
  const accounts = TABLES.find(({ name }) => name === "accounts") as Table;
  const [first] = source.rows(accounts, null, 1);
  if (first === undefined) throw new Error("Cannot move the store: it has no account, so there is nothing to move");
  return String(first.id);
}

const keyOf = (table: Table, row: Readonly<Record<string, unknown>>): readonly Value[] =>
  table.key.map((column) => row[column] as Value);

/** SQLite has no truth values; Postgres' columns say which are some. */
function typed(row: Readonly<Record<string, Value>>, columns: readonly Column[]): Record<string, Value> {
  return Object.fromEntries(
    columns.map(({ name, type }) => {
      const value = row[name] ?? null;
      return [name, type === "boolean" && value !== null ? value === 1 : value];
    }),
  );
}

async function carryTable(
  table: Table,
  source: SqliteExport,
  target: PostgresImport,
  say: (line: string) => void,
): Promise<number> {
  const columns = await target.columns(table, source.columns(table));
  const total = source.count(table);
  let after = await target.position(table);
  let done = 0;
  for (;;) {
    const rows = source.rows(table, after, ROWS);
    if (rows.length === 0) break;
    await target.write(
      table,
      columns,
      rows.map((row) => typed(row, columns)),
    );
    after = keyOf(table, rows.at(-1)!);
    done += rows.length;
    if (done % (ROWS * 40) === 0) say(`${cell(table.name)}${done} of ${total}`);
  }
  say(`${cell(table.name)}${total}`);
  return total;
}

/** Both sides in the order of the key, side by side: every column of every row. */
async function compareTable(table: Table, source: SqliteExport, target: PostgresImport): Promise<void> {
  const columns = await target.columns(table, source.columns(table));
  const [here, there] = [source.count(table), await target.count(table)];
  const differs = (what: string): never => {
    throw new Error(
      `Cannot finish the move: ${table.name} ${what}. Was one of the two used since the move began? Begin again with an empty database`,
    );
  };
  if (here !== there) differs(`has ${here} rows in SQLite and ${there} in Postgres`);
  let after: readonly Value[] | null = null;
  for (;;) {
    const rows: readonly Readonly<Record<string, Value>>[] = source.rows(table, after, ROWS);
    if (rows.length === 0) return;
    const others = await target.rows(table, columns, after, rows.length);
    for (const [index, row] of rows.entries()) {
      const [one, other] = [typed(row, columns), others[index] ?? {}];
      const wrong = columns.find(({ name }) => one[name] !== (other[name] as Value));
      if (wrong !== undefined) differs(`differs at ${keyOf(table, row).join(", ")} in ${wrong.name}`);
    }
    after = keyOf(table, rows.at(-1)!);
  }
}

async function carryObjects(
  source: SqliteExport,
  from: Bucket,
  to: Bucket,
  say: (line: string) => void,
): Promise<{ count: number; bytes: number }> {
  const total = source.countObjects();
  const gone: string[] = [];
  let count = 0;
  let carried = 0;
  let after = "";
  for (;;) {
    const batch = source.objects(after, OBJECTS);
    if (batch.length === 0) break;
    const queue = [...batch];
    const lane = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const moved = await carryObject(next, from, to);
        if (moved === undefined) gone.push(next.key);
        else carried += moved;
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    count += batch.length;
    after = batch.at(-1)!.key;
    say(`${cell("objects in S3")}${count} of ${total}, ${(carried / 1e6).toFixed(1)} MB`);
  }
  // Rows may outlive their audio: a file that was removed by hand was lost before. It is told, and no reason to leave
  // the rest behind.
  for (const key of gone.slice(0, 10)) say(`The folder has no such file, so it was not moved: ${key}`);
  if (gone.length > 10) say(`… and ${gone.length - 10} more`);
  return { count: total - gone.length, bytes: carried };
}

/** Bytes that were sent; undefined: there is no such object. */
async function carryObject(
  { key, sha256 }: { readonly key: string; readonly sha256: string | null },
  from: Bucket,
  to: Bucket,
): Promise<number | undefined> {
  const found = await from.stat(key);
  if (found === undefined) return undefined;
  const before = await hashOf(from, key);
  if (sha256 !== null && before !== sha256) {
    throw new Error(`Cannot move "${key}": the file is damaged, its SHA-256 is not the one that it was delivered with`);
  }
  const there = await to.stat(key);
  const opened = there?.bytes === found.bytes ? undefined : await from.open(key);
  if (there !== undefined && opened !== undefined) await to.delete([key]);
  if (opened !== undefined) await to.put(key, opened.stream, contentTypeOf(key));
  if ((await hashOf(to, key)) !== before)
    throw new Error(`Cannot move "${key}": what came back from S3 is something else`);
  return opened === undefined ? 0 : found.bytes;
}

async function hashOf(bucket: Bucket, key: string): Promise<string | undefined> {
  const opened = await bucket.open(key);
  if (opened === undefined) return undefined;
  const hash = createHash("sha256");
  for await (const piece of opened.stream) hash.update(piece);
  return hash.digest("hex");
}

const TYPES: Readonly<Record<string, string>> = { flac: "audio/flac", wav: "audio/wav", mp3: "audio/mpeg" };
const contentTypeOf = (key: string): string => TYPES[key.slice(key.lastIndexOf(".") + 1)] ?? "application/octet-stream";
