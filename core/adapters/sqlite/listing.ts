import type { DatabaseSync } from "node:sqlite";
import { prepare } from "./connection.ts";

/** How far the lists of accounts go: a job or line beyond is found in its own table only. */
export interface Listed {
  readonly operation_id: string;
  readonly line: number;
}

export function prepareListed(db: DatabaseSync): () => Listed {
  const select = prepare<Listed>(db, "SELECT operation_id, line FROM listed WHERE id = 1");
  return () => {
    const listed = select.get();
    if (listed === undefined) throw new Error("Cannot read the lists: their row is gone");
    return listed;
  };
}

/**
 * Keeps `job_lists` and `ledger_lists`, the jobs and ledger lines of each account, inside the caller's transaction.
 * They are written for many submissions at once, when an account's entries lie together on a page or two; one by one,
 * each is a page of its own.
 */
export function createListing(db: DatabaseSync) {
  const listed = prepareListed(db);
  const addJob = prepare(db, "INSERT OR IGNORE INTO job_lists (account_id, action, operation_id) VALUES (?, ?, ?)");
  const addJobs = prepare(
    db,
    `INSERT OR IGNORE INTO job_lists (account_id, action, operation_id)
     SELECT account_id, action, operation_id FROM jobs WHERE operation_id > ? ORDER BY account_id, action, operation_id`,
  );
  const addLines = prepare(
    db,
    `INSERT OR IGNORE INTO ledger_lists (account_id, line)
     SELECT account_id, id FROM ledger WHERE id > ? ORDER BY account_id, id`,
  );
  const newestJob = prepare<{ operation_id: string | null }>(db, "SELECT max(operation_id) AS operation_id FROM jobs");
  const newestLine = prepare<{ line: number | null }>(db, "SELECT max(id) AS line FROM ledger");
  const move = prepare(db, "UPDATE listed SET operation_id = ?, line = ? WHERE id = 1");
  // At a start nobody knows how many there are: the first submission lists them.
  let jobs = MANY;

  function listAll(): void {
    const { operation_id, line } = listed();
    const job = newestJob.look()?.operation_id ?? "";
    const last = newestLine.look()?.line ?? 0;
    if (job > operation_id) addJobs.run(operation_id);
    if (last > line) addLines.run(line);
    // Never back: what has ended since may have been the newest.
    if (job > operation_id || last > line) move.run([job, operation_id].sort()[1]!, Math.max(last, line));
    jobs = 0;
  }

  return {
    /** For a submission's jobs in one transaction: `add` each, then `keep`. */
    open() {
      const { operation_id, line } = listed();
      return {
        add(account_id: string, action: string, id: string): void {
          // The clock went back, or ids of one millisecond came in another order.
          if (id <= operation_id) addJob.run(account_id, action, id);
          else jobs += 1;
        },
        keep(): void {
          if (jobs >= MANY || (newestLine.look()?.line ?? 0) - line >= MANY) listAll();
        },
      };
    },
    listAll,
  };
}

/**
 * Some two milliseconds, which every submission waits for that comes meanwhile; 256 write more pages. To look through
 * so many takes a fraction of it.
 */
const MANY = 512;
