/**
 * Which store, queue, bucket and counts an installation has: one process on its data folder, or nodes that share
 * Postgres, Redis and S3.
 */
import { mkdir, readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Config } from "./base/config.ts";
import { ownDataFolder } from "./base/data_folder.ts";
import type { Log } from "./base/log.ts";
import { loadAdapter } from "./load_adapter.ts";
import type { Bucket, Clock, Queue, Store, Tallies } from "./ports/mod.ts";
import type { Telemetry } from "./ports/telemetry.ts";

export const DATABASE = "tonwerk.db";

export const loadSqlite = () => loadAdapter("sqlite", "no DATABASE_URL", () => import("./adapters/sqlite/store.ts"));
export const loadPostgres = () => loadAdapter("postgres", "DATABASE_URL", () => import("./adapters/postgres/store.ts"));
const loadMemory = () => loadAdapter("memory", "no REDIS_URL", () => import("./adapters/memory/queue.ts"));
const loadFiles = () => loadAdapter("files", "no S3_BUCKET", () => import("./adapters/files/bucket.ts"));
const loadMeasured = () =>
  loadAdapter("measured", "metrics or traces", () => import("./adapters/measured/measured.ts"));
export const loadLock = () => loadAdapter("files", "the data folder", () => import("./adapters/files/data_lock.ts"));

export interface Stack {
  readonly store: Store;
  readonly queue: Queue;
  readonly bucket: Bucket;
  readonly tallies: Tallies | undefined;
  /** For files in flight: empty, and of this process alone. */
  readonly scratch: string;
  /** True where other processes work on the same store. */
  readonly shared: boolean;
  close(): Promise<void>;
}

/**
 * What the configuration says, with its verbs measured. Rejects with a message for the operator; nothing is left open
 * then.
 */
export async function openStack(
  config: Config,
  { clock, log, telemetry }: { readonly clock: Clock; readonly log: Log; readonly telemetry: Telemetry },
): Promise<Stack> {
  const { data, database_url, redis_url, s3_bucket } = config;
  await ownDataFolder(data, log);
  const undo: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    // Without it two processes would write one database, or sweep each other's files.
    const is_owner = database_url === null || s3_bucket === null;
    if (is_owner) {
      const { lockDataFolder } = await loadLock();
      const lock = lockDataFolder(data);
      undo.push(() => lock.release());
    }
    const scratch = is_owner ? join(data, "work") : await ownScratch(data);
    // What a killed process left behind belongs to nobody.
    await rm(scratch, { recursive: true, force: true });
    await mkdir(scratch, { recursive: true, mode: 0o700 });
    if (!is_owner) undo.push(() => rm(scratch, { recursive: true, force: true }));

    const told = (what: string) => (reason: string | null) =>
      reason === null ? log(`${what}.back`) : log(`${what}.away`, { error: reason });
    let store: Store;
    let queue: Queue | undefined;
    if (database_url === null) {
      store = await (await loadSqlite()).openSqliteStore({ file: join(data, DATABASE), clock });
    } else {
      const postgres = await (await loadPostgres()).openPostgresStore({ url: database_url, clock });
      if (redis_url === null)
        queue = (await import("./adapters/postgres/queue.ts")).createPostgresQueue(postgres, clock);
      store = postgres;
    }
    undo.push(() => store.close());

    let tallies: Tallies | undefined;
    if (redis_url !== null) {
      const [{ createBullmqQueue }, { createRedisTallies }] = await loadAdapter("redis", "REDIS_URL", () =>
        Promise.all([import("./adapters/redis/queue.ts"), import("./adapters/redis/tallies.ts")]),
      );
      queue = createBullmqQueue({ url: redis_url, clock, report: told("redis") });
      const counts = createRedisTallies({ url: redis_url });
      undo.push(() => counts.close());
      tallies = counts;
    }
    const waking = queue ?? (await loadMemory()).createLocalQueue({ clock });
    undo.push(() => waking.close());

    const bucket =
      s3_bucket === null ? await (await loadFiles()).openFilesBucket(data) : await openS3(config, s3_bucket, log);
    undo.push(() => bucket.close());
    const parts = { store, queue: waking, bucket };
    const is_measured = telemetry.metrics !== undefined || telemetry.traces !== undefined;
    const measured = is_measured ? (await loadMeasured()).measuredStack(parts, telemetry) : parts;
    return { ...measured, tallies, scratch, shared: database_url !== null, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openS3(config: Config, name: string, log: Log): Promise<Bucket> {
  const [{ openS3Bucket }, { s3Options }] = await loadAdapter("s3", "S3_BUCKET", () =>
    Promise.all([import("./adapters/s3/bucket.ts"), import("./adapters/s3/options.ts")]),
  );
  const bucket = await openS3Bucket(s3Options(config, name));
  // Not waited for: retention does not depend on it.
  void bucket.retain(config.retention_days).then((why) => {
    if (why !== null) log("bucket.no_lifecycle", { reason: why });
  });
  return config.s3_public_endpoint === "none" ? { ...bucket, address: async () => undefined } : bucket;
}

/** A folder for this process beside those of others on the same machine; what its dead ones left is removed. */
async function ownScratch(data: string): Promise<string> {
  const mine = `work-${hostname()}-`;
  for (const name of await readdir(data)) {
    const pid = name.startsWith(mine) ? Number(name.slice(mine.length)) : Number.NaN;
    if (Number.isInteger(pid) && !isAlive(pid)) await rm(join(data, name), { recursive: true, force: true });
  }
  return join(data, `${mine}${process.pid}`);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code === "EPERM";
  }
}
