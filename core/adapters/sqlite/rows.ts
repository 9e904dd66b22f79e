/** Rows as SQLite hands them out, and what the port calls them. */
import type { DatabaseSync } from "node:sqlite";
import type { Account, AccountSettings, Operation, SourceBinding, Status, Work } from "../../ports/mod.ts";
import { prepare } from "./connection.ts";

/** The columns of `operations` that a `Snapshot` has, in that table's own state: while a job exists, some of the job's count instead. */
export interface OperationRow {
  readonly id: string;
  readonly account_id: string;
  readonly action: string;
  readonly status: Status;
  readonly idempotency_key: string;
  readonly cost: number;
  readonly request: string;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly completed_at: number | null;
  readonly expires_at: number | null;
  readonly progress: number;
  readonly outputs: string | null;
  readonly error: string | null;
}

export const OPERATION_COLUMNS = `id, account_id, action, status, idempotency_key, cost, request, created_at, started_at,
  completed_at, expires_at, progress, outputs, error`;
export const LISTED_COLUMNS = OPERATION_COLUMNS.replace("outputs,", "coalesce(outputs_listed, outputs) AS outputs,");

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
  readonly callback_url: string | null;
  readonly attempt: number;
}

/**
 * Finds a whole operation. Three look-ups by key and no join: on Bun 1.4.5 a statement that reads two tables costs 8 to 40 µs where
 * each of these costs 2.
 */
export function prepareOperation(db: DatabaseSync): (id: string) => Operation | undefined {
  const select = prepare<WholeRow>(
    db,
    `SELECT ${OPERATION_COLUMNS}, work, callback_url, attempt FROM operations WHERE id = ?`,
  );
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

export interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly credits: number;
  readonly created_at: number;
  readonly put_per_minute: number | null;
  readonly get_per_minute: number | null;
  readonly long_polls: number | null;
  /** JSON of `string[]`. */
  readonly allowlist: string;
  readonly webhook_body: AccountSettings["webhook_body"];
  readonly webhook_long_retries: 0 | 1;
  readonly jobs_max: number;
  readonly revoke_leaked: 0 | 1;
  readonly free_seconds: number | null;
  readonly uploads_open: number | null;
  readonly upload_bytes: number | null;
  readonly free_day: number;
  readonly free_ms: number;
}

/** The columns of `AccountRow`, of the table or alias `a`. */
export const ACCOUNT_COLUMNS = `a.id, a.name, a.credits, a.created_at, a.put_per_minute, a.get_per_minute, a.long_polls,
  a.allowlist, a.webhook_body, a.webhook_long_retries, a.jobs_max, a.revoke_leaked, a.free_seconds, a.uploads_open, a.upload_bytes,
  a.free_day, a.free_ms`;

export function toAccount(row: AccountRow): Account {
  return {
    id: row.id,
    name: row.name,
    credits: row.credits,
    created_at: row.created_at,
    put_per_minute: row.put_per_minute,
    get_per_minute: row.get_per_minute,
    long_polls: row.long_polls,
    allowlist: JSON.parse(row.allowlist) as string[],
    webhook_body: row.webhook_body,
    webhook_long_retries: row.webhook_long_retries === 1,
    jobs_max: row.jobs_max,
    revoke_leaked: row.revoke_leaked === 1,
    free_seconds: row.free_seconds,
    uploads_open: row.uploads_open,
    upload_bytes: row.upload_bytes,
    free_day: row.free_day,
    free_ms: row.free_ms,
  };
}

/** The columns of `Webhook`; rows need no change. */
export const WEBHOOK_COLUMNS =
  "id, operation_id, account_id, type, url, host, body, state, created_at, first_attempt_at, next_attempt_at, attempts";
