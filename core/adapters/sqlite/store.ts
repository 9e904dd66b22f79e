import type { DatabaseSync } from "node:sqlite";
import { type AuditedVerb, type Clock, type NewAuditEntry, type Store, StoreUnavailable } from "../../ports/mod.ts";
import { tellingOf } from "../shared/account_changes.ts";
import { createListeners } from "../shared/listeners.ts";
import { mapVerbs } from "../shared/verbs.ts";
import { openForReading } from "./connection.ts";
import { asStoreError } from "./errors.ts";
import { createUnended } from "./fast/unended.ts";
import { createQueueStats } from "./queue_stats.ts";
import { createReads } from "./reads.ts";
import type { Async } from "./sync.ts";
import { openWriter } from "./writer.ts";

export interface SqliteOptions {
  /** Path of the database; its folder exists, and the caller holds the folder's lock (data_lock.ts). */
  readonly file: string;
  readonly clock: Clock;
  /** Starts the writing thread; tests hand in one that they can end. */
  readonly spawn?: () => Worker;
}

/**
 * The embedded store: one SQLite file in WAL, a thread that writes (writer.ts), and a connection here that reads, so
 * that a read costs microseconds and waits for no commit. What was acknowledged is visible to every read that begins
 * afterwards. Rejects when the file cannot be opened or is newer than this version.
 */
export async function openSqliteStore({ file, clock, spawn = spawnThread }: SqliteOptions): Promise<Store> {
  const ended = createEnded();
  const changed = createListeners<[string | null]>();
  const progress = createListeners<[readonly string[]]>();
  const unended = createUnended();
  const writer = await openWriter({ file, clock, spawn, onLost: ended.missed, watch: unended.watch });
  let db: DatabaseSync;
  try {
    await writer.verbs.endLeases();
    await writer.verbs.endWebhookLeases();
    db = openForReading(file);
  } catch (error) {
    await writer.close();
    throw asStoreError(error, `Cannot open database "${file}"`);
  }
  let closing: Promise<void> | undefined;
  const telling = tellingOf(changed.tell);
  const { audited, ...verbs } = mapVerbs(writer.verbs, telling);
  const reads = createReads(db, clock, unended);

  function reading(_: string, look: (...args: readonly unknown[]) => unknown) {
    // Not `async`, which makes an array of the arguments at each call: that takes as long as a status read.
    return (...args: readonly unknown[]) => {
      try {
        if (closing !== undefined) throw new StoreUnavailable("Cannot read the database: it is closed");
        return Promise.resolve(look(...args));
      } catch (error) {
        return Promise.reject(asStoreError(error, "Cannot read the database"));
      }
    };
  }

  const countQueue = createQueueStats(db);
  return {
    ...verbs,
    // Each answers what its function does, later.
    ...(mapVerbs(reads, reading) as unknown as Async<typeof reads>),
    async queueStats(work) {
      try {
        return await countQueue(work);
      } catch (error) {
        if (closing !== undefined) throw new StoreUnavailable("Cannot read the database: it is closed");
        throw asStoreError(error, "Cannot read the database");
      }
    },
    close() {
      closing ??= (async () => {
        // The reader first: the last connection to close folds the log into the file, and a reader may not.
        db.close();
        await writer.close();
      })();
      return closing;
    },
    onAccountChanged: changed.listen,
    onEnded: ended.listen,
    onProgress: progress.listen,
    async renew(held, lease_ms) {
      const lost = await verbs.renew(held, lease_ms);
      progress.tell(held.map(({ id }) => id));
      return lost;
    },
    async terminate(end) {
      const won = await verbs.terminate(end);
      if (won) ended.add(end.id);
      return won;
    },
    audited: <V extends AuditedVerb>(entry: NewAuditEntry, verb: V, ...args: Parameters<Store[V]>) =>
      // The answer is that of the verb.
      telling(verb, (...given) => audited(entry, verb, given))(...args) as ReturnType<Store[V]>,
  };
}

// Web Worker, not node:worker_threads: on Deno those take seconds for large messages.
function spawnThread(): Worker {
  return new Worker(new URL("./thread.ts", import.meta.url), { type: "module" });
}

/** Tells listeners of ends; those of one commit in one call. */
function createEnded() {
  const { tell, listen } = createListeners<[readonly string[] | null]>();
  let ids: string[] = [];
  return {
    add(id: string): void {
      ids.push(id);
      if (ids.length > 1) return;
      // The other calls of this commit settle before this microtask.
      queueMicrotask(() => {
        const together = ids;
        ids = [];
        tell(together);
      });
    },
    missed: () => tell(null),
    listen,
  };
}
