import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Held until released, or until the process ends, however it ends. */
export interface DataLock {
  /** More than once is the same as once. */
  release(): void;
}

/**
 * Takes the data folder for this process alone; makes the folder where it is missing. Throws an error that names the
 * holder when another process, or this one, has it.
 *
 * The lock is an exclusive transaction on `lock.db`, which the kernel gives back even after kill -9; `holder.json`
 * beside it only tells others whom to stop.
 */
export function lockDataFolder(folder: string): DataLock {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const db = new DatabaseSync(join(folder, "lock.db"), { timeout: 0 });
  try {
    db.prepare("BEGIN EXCLUSIVE").run();
  } catch (error) {
    db.close();
    throw new Error(`Cannot use data folder "${folder}": ${describeHolder(folder, error)}`, { cause: error });
  }
  held.add(db);
  try {
    writeHolder(folder);
  } catch (error) {
    held.delete(db);
    db.close();
    throw error;
  }
  return {
    release() {
      if (!held.delete(db)) return;
      // Before the lock goes: afterwards the file may be another process's.
      rmSync(join(folder, HOLDER), { force: true });
      db.close();
    },
  };
}

const HOLDER = "holder.json";

// Bun closes a connection that is collected, and the lock would go with it: locks stay reachable even where callers
// drop theirs.
const held = new Set<DatabaseSync>();

interface Holder {
  readonly pid: number;
  /** ISO 8601, UTC. */
  readonly started_at: string;
  readonly host: string;
}

function writeHolder(folder: string): void {
  const holder: Holder = { pid: process.pid, started_at: new Date().toISOString(), host: hostname() };
  const draft = join(folder, `${HOLDER}.${process.pid}`);
  writeFileSync(draft, `${JSON.stringify(holder)}\n`);
  // In one step, so that nobody reads half of it.
  renameSync(draft, join(folder, HOLDER));
}

function describeHolder(folder: string, error: unknown): string {
  // Not writable, not a database, no space: then nobody holds it.
  if (error instanceof Error && !error.message.includes("locked"))
    return `${error.message}; choose another TONWERK_DATA`;
  const holder = readHolder(folder);
  const where = holder === undefined || holder.host === hostname() ? "" : ` on host "${holder.host}"`;
  const who =
    holder === undefined
      ? "another process holds it"
      : `process ${holder.pid}${where} holds it since ${holder.started_at}`;
  return `${who}; stop it or choose another TONWERK_DATA`;
}

/** Undefined when the holder has not written it yet or the file is not ours to read; the lock stands all the same. */
function readHolder(folder: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, HOLDER), "utf8"));
    return isHolder(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isHolder(value: unknown): value is Holder {
  return (
    typeof value === "object" &&
    value !== null &&
    "pid" in value &&
    typeof value.pid === "number" &&
    "started_at" in value &&
    typeof value.started_at === "string" &&
    "host" in value &&
    typeof value.host === "string"
  );
}
