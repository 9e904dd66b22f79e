/**
 * What a move from SQLite to Postgres carries: every table with the rows that SQLite has of it, in the order in which
 * Postgres may take them. No part of the hot port: only `tonwerk migrate-store` asks.
 */

/** A value as JSON carries it. */
export type Value = string | number | null | boolean;

export interface Table {
  readonly name: string;
  /** Columns that are unique together; rows travel in their order. */
  readonly key: readonly string[];
  /** SELECT on SQLite that gives the rows, with the columns of Postgres. */
  readonly rows: string;
  /** Rows that are there before (by a migration or a trigger) are replaced. */
  readonly replaces?: true;
  /** Columns of Postgres that are worked out there: SQL over the row `r`. */
  readonly computed?: Readonly<Record<string, string>>;
}

const plain = (name: string, ...key: string[]): Table => ({ name, key, rows: `SELECT * FROM ${name}` });

export const TABLES: readonly Table[] = [
  plain("accounts", "id"),
  plain("api_keys", "id"),
  plain("key_spending", "key_id", "since"),
  plain("webhook_endpoints", "id"),
  plain("webhook_endpoint_hours", "endpoint_id", "hour"),
  plain("signing_secrets", "id"),
  plain("users", "id"),
  plain("operators", "user_id"),
  plain("sessions", "sha256"),
  plain("sign_in_links", "sha256"),
  plain("invitations", "id"),
  plain("audit", "position"),
  { ...plain("leak_reports", "id"), computed: { url_sha256: "sha256(convert_to(r.url, 'UTF8'))" } },
  {
    name: "operations",
    key: ["id"],
    rows: `SELECT o.*, (SELECT json_group_array(json_object('name', s.name, 'object', s.object, 'url', s.url)) FROM
        (SELECT * FROM operation_sources WHERE operation_id = o.id ORDER BY position) s) AS sources FROM operations o`,
  },
  plain("key_debits", "operation_id"),
  plain("operation_metadata", "account_id", "key", "value", "operation_id"),
  {
    name: "bound_objects",
    key: ["object", "operation_id"],
    rows: `SELECT DISTINCT s.object AS object, s.operation_id AS operation_id FROM operation_sources s
        JOIN operations o ON o.id = s.operation_id WHERE o.status = 'processing' AND s.object IS NOT NULL`,
  },
  {
    name: "jobs",
    key: ["operation_id"],
    rows: `SELECT j.operation_id, j.account_id, o.action, j.work, o.created_at, j.turn, j.state, j.worker, j.lease_until, j.attempt, j.losses,
        j.started_at, j.deadline_at, j.progress, j.stage FROM jobs j JOIN operations o ON o.id = j.operation_id`,
  },
  { ...plain("queue_turns", "work"), replaces: true },
  plain("account_turns", "account_id", "work"),
  {
    name: "ledger",
    key: ["id"],
    rows: "SELECT id, account_id, operation_id, kind, credits, note, created_at FROM ledger",
  },
  // Kept by a trigger on the ledger there too: what the installation itself says stands.
  { ...plain("usage_days", "account_id", "day"), replaces: true },
  { ...plain("usage_parts", "account_id", "day", "action", "key_id"), replaces: true },
  plain("files", "id"),
  // Kept by triggers on the files there too.
  { ...plain("kept_uploads", "account_id"), replaces: true },
  plain("upload_tokens", "id"),
  plain("objects", "key", "owner"),
  plain("keyed_calls", "account_id", "idempotency_key"),
  plain("webhooks", "id"),
  plain("webhook_attempts", "webhook_id", "attempt"),
];

/** Tables of SQLite that Postgres has no use for, or has in another form. */
export const LEFT_BEHIND: ReadonlySet<string> = new Set([
  "migrations",
  "pulse",
  "webhook_lanes",
  "operation_sources",
  "operation_keys",
  "operation_key_seed",
  "operation_key_parts",
  "operation_key_filters",
  "job_lists",
  "ledger_lists",
  "listed",
]);
