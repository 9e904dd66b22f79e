/** Rows as SQLite hands them out, and what the port calls them. */
import type { Account, AccountSettings, Operation, SourceBinding, Status, Work } from "../ports.ts";

export interface OperationRow {
  readonly id: string;
  readonly account_id: string;
  readonly action: string;
  readonly work: Work;
  readonly status: Status;
  readonly idempotency_key: string;
  readonly cost: number;
  readonly request: string;
  /** JSON of `SourceBinding[]`. */
  readonly sources: string;
  readonly callback_url: string | null;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly completed_at: number | null;
  readonly expires_at: number | null;
  readonly attempt: number;
  readonly running: 0 | 1;
  readonly progress: number;
  readonly stage: string | null;
  readonly outputs: string | null;
  readonly error: string | null;
}

/** `SELECT … FROM operations o LEFT JOIN jobs j` as `OperationRow`; a WHERE follows. While a job exists, its columns are the current ones. */
export const SELECT_OPERATION = `
  SELECT o.id, o.account_id, o.action, o.work, o.status, o.idempotency_key, o.cost, o.request,
    (SELECT json_group_array(json_object('name', s.name, 'object', s.object, 'url', s.url) ORDER BY s.position)
       FROM operation_sources s WHERE s.operation_id = o.id) AS sources,
    o.callback_url, o.created_at, coalesce(j.started_at, o.started_at) AS started_at, o.completed_at, o.expires_at,
    coalesce(j.attempt, o.attempt) AS attempt, coalesce(j.state = 'leased', 0) AS running,
    coalesce(j.progress, o.progress) AS progress, j.stage, o.outputs, o.error
  FROM operations o LEFT JOIN jobs j ON j.operation_id = o.id`;

export function toOperation(row: OperationRow): Operation {
  return { ...row, sources: JSON.parse(row.sources) as SourceBinding[], running: row.running === 1 };
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
}

/** The columns of `AccountRow`, of the table or alias `a`. */
export const ACCOUNT_COLUMNS = `a.id, a.name, a.credits, a.created_at, a.put_per_minute, a.get_per_minute, a.long_polls,
  a.allowlist, a.webhook_body, a.webhook_long_retries`;

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
  };
}

/** The columns of `Webhook`; rows need no change. */
export const WEBHOOK_COLUMNS =
  "id, operation_id, account_id, type, url, host, body, state, created_at, first_attempt_at, next_attempt_at, attempts";
