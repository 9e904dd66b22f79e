/** Rows as SQLite hands them out, and what the port calls them. */
import type { DatabaseSync } from "node:sqlite";
import type { Operation, SourceBinding, Status, Work } from "../../ports/mod.ts";
import { prepare } from "./connection.ts";

/**
 * The columns of `operations` that a `Snapshot` has, in that table's own state: while a job exists, some of the job's
 * count instead.
 */
export interface OperationRow {
  readonly id: string;
  readonly account_id: string;
  readonly action: string;
  readonly status: Status;
  readonly idempotency_key: string;
  readonly cost: number;
  readonly request: string;
  readonly callback_url: string | null;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly completed_at: number | null;
  readonly expires_at: number | null;
  readonly progress: number;
  readonly outputs: string | null;
  readonly error: string | null;
}

export const OPERATION_COLUMNS = `id, account_id, action, status, idempotency_key, cost, request, callback_url, created_at, started_at,
  completed_at, expires_at, progress, outputs, error`;
export const LISTED_COLUMNS = OPERATION_COLUMNS.replace("outputs,", "outputs_listed AS outputs,");

export interface JobRow {
  readonly work: Work;
  readonly turn: number;
  readonly state: "queued" | "leased" | "exhausted";
  readonly attempt: number;
  readonly started_at: number | null;
  readonly progress: number;
  readonly stage: string | null;
}

const JOB_COLUMNS = "work, turn, state, attempt, started_at, progress, stage";

/** Finds the job of an operation, as a row to take apart. */
export function prepareJob(db: DatabaseSync): (operation_id: string) => JobRow | undefined {
  const job = prepare<JobRow>(db, `SELECT ${JOB_COLUMNS} FROM jobs WHERE operation_id = ?`);
  return (operation_id) => job.look(operation_id);
}

interface WholeRow extends OperationRow {
  readonly work: Work;
  readonly attempt: number;
}

/**
 * Finds a whole operation. Three look-ups by key and no join: on Bun 1.4.5 a statement that reads two tables costs 8 to
 * 40 µs where each of these costs 2.
 */
export function prepareOperation(db: DatabaseSync): (id: string) => Operation | undefined {
  const select = prepare<WholeRow>(db, `SELECT ${OPERATION_COLUMNS}, work, attempt FROM operations WHERE id = ?`);
  const sources = prepare<SourceBinding>(
    db,
    "SELECT name, object, url FROM operation_sources WHERE operation_id = ? ORDER BY position",
  );
  const findJob = prepareJob(db);
  return (id) => {
    let row = select.look(id);
    let job = row?.status === "processing" ? findJob(id) : undefined;
    // Without a transaction around them, an end may come between the two: then the row has changed for good.
    if (row?.status === "processing" && job === undefined) {
      row = select.look(id);
      job = undefined;
    }
    if (row === undefined) return undefined;
    return {
      ...row,
      sources: sources.all(id),
      started_at: job === undefined ? row.started_at : job.started_at,
      attempt: job === undefined ? row.attempt : job.attempt,
      progress: job === undefined ? row.progress : job.progress,
      stage: job?.stage ?? null,
      running: job?.state === "leased",
    };
  };
}
