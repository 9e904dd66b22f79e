import type { DatabaseSync } from "node:sqlite";
import type {
  Account,
  ApiKey,
  LedgerEntry,
  Operation,
  OperationFilter,
  QueueStats,
  SigningSecret,
  StoredFile,
  Webhook,
  WebhookAttempt,
  Work,
} from "../ports.ts";
import { prepare } from "./sqlite_connection.ts";
import {
  ACCOUNT_COLUMNS,
  type AccountRow,
  type OperationRow,
  SELECT_OPERATION,
  toAccount,
  toOperation,
  WEBHOOK_COLUMNS,
} from "./sqlite_rows.ts";
import { prepareUnnamed } from "./sqlite_verbs_files.ts";
import { prepareReplay } from "./sqlite_verbs_operations.ts";

/** The store's reading verbs as plain functions on a connection that only reads: microseconds each, by index. */
export function createReads(db: DatabaseSync) {
  return { ...accountReads(db), ...operationReads(db), ...fileAndWebhookReads(db) };
}

function accountReads(db: DatabaseSync) {
  const account = prepare<AccountRow>(db, `SELECT ${ACCOUNT_COLUMNS} FROM accounts a WHERE a.id = ?`);
  const count = prepare<{ count: number }>(db, "SELECT count(*) AS count FROM accounts");
  const ledger = prepare<LedgerEntry>(
    db,
    `SELECT id, account_id, operation_id, kind, credits, note, created_at FROM ledger
     WHERE account_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
  );
  const liveKey = prepare<ApiKey>(db, `SELECT ${KEY_COLUMNS} FROM api_keys WHERE sha256 = ? AND revoked_at IS NULL`);
  const keys = prepare<ApiKey>(
    db,
    `SELECT ${KEY_COLUMNS} FROM api_keys WHERE account_id = ? ORDER BY created_at DESC, id DESC`,
  );
  const secrets = prepare<SigningSecret>(
    db,
    `SELECT id, account_id, label, sealed, created_at, retired_at FROM signing_secrets WHERE account_id = ?
     ORDER BY retired_at IS NOT NULL, created_at DESC, id DESC`,
  );
  const find = (id: string): Account | undefined => {
    const row = account.get(id);
    return row && toAccount(row);
  };
  return {
    account: find,
    countAccounts: (): number => count.get()?.count ?? 0,
    ledger: (account_id: string, page: { before?: number; limit: number }): readonly LedgerEntry[] =>
      ledger.all(account_id, page.before ?? Number.MAX_SAFE_INTEGER, page.limit),
    findKey(sha256: string): { readonly key: ApiKey; readonly account: Account } | undefined {
      const key = liveKey.get(sha256);
      const owner = key && find(key.account_id);
      return key && owner && { key, account: owner };
    },
    keys: (account_id: string): readonly ApiKey[] => keys.all(account_id),
    secrets: (account_id: string): readonly SigningSecret[] => secrets.all(account_id),
  };
}

const KEY_COLUMNS = "id, account_id, label, sha256, last_four, created_at, revoked_at";

function operationReads(db: DatabaseSync) {
  const operation = prepare<OperationRow>(db, `${SELECT_OPERATION} WHERE o.id = ?`);
  const operations = prepare<OperationRow>(db, `${SELECT_OPERATION} WHERE o.id IN (SELECT value FROM json_each(?))`);
  // One statement for each filter: each has its index, from which rows come newest first and stop at the limit.
  const page = (where: string) =>
    prepare<OperationRow>(
      db,
      `${SELECT_OPERATION} WHERE o.account_id = ?1 AND o.id < ?2 ${where} ORDER BY o.id DESC LIMIT ?3`,
    );
  const all = page("");
  const ofAction = page("AND o.action = ?4");
  const ofStatus = page("AND o.status = ?4");
  const ofBoth = page("AND o.action = ?4 AND o.status = ?5");
  const job = prepare<{ work: Work; turn: number }>(
    db,
    "SELECT work, turn FROM jobs WHERE operation_id = ? AND state = 'queued'",
  );
  const before = prepare<{ count: number }>(
    db,
    `SELECT count(*) AS count FROM (SELECT 1 FROM jobs
       WHERE work = ?1 AND state = 'queued' AND (turn, operation_id) < (?2, ?3) LIMIT ${POSITION_MAX})`,
  );
  const queued = prepare<{ count: number }>(
    db,
    "SELECT count(*) AS count FROM jobs WHERE work = ? AND state = 'queued'",
  );
  const running = prepare<{ count: number }>(
    db,
    "SELECT count(*) AS count FROM jobs WHERE work = ? AND state = 'leased'",
  );

  return {
    findReplay: prepareReplay(db),
    operation(id: string): Operation | undefined {
      const row = operation.get(id);
      return row && toOperation(row);
    },
    operations: (ids: readonly string[]): readonly Operation[] => operations.all(JSON.stringify(ids)).map(toOperation),
    list(account_id: string, filter: OperationFilter): readonly Operation[] {
      const { action, status, limit } = filter;
      const start = [account_id, filter.before ?? AFTER_ALL_IDS, limit] as const;
      if (action !== undefined && status !== undefined) return ofBoth.all(...start, action, status).map(toOperation);
      if (action !== undefined) return ofAction.all(...start, action).map(toOperation);
      if (status !== undefined) return ofStatus.all(...start, status).map(toOperation);
      return all.all(...start).map(toOperation);
    },
    queuePosition(id: string): number {
      const row = job.get(id);
      return row === undefined ? 0 : (before.get(row.work, row.turn, id)?.count ?? 0);
    },
    queueStats: (work: Work): QueueStats => ({
      queued: queued.get(work)?.count ?? 0,
      running: running.get(work)?.count ?? 0,
    }),
  };
}

// The port's bound: beyond it a client learns nothing from the exact number.
const POSITION_MAX = 10_000;
// The last code point: sorts after every id.
const AFTER_ALL_IDS = "\u{10FFFF}";

function fileAndWebhookReads(db: DatabaseSync) {
  const file = prepare<StoredFile>(
    db,
    "SELECT id, account_id, object, content_type, bytes, seconds, created_at, expires_at FROM files WHERE id = ?",
  );
  const webhooks = prepare<Webhook>(db, `SELECT ${WEBHOOK_COLUMNS} FROM webhooks WHERE operation_id = ?`);
  const attempts = prepare<WebhookAttempt>(
    db,
    `SELECT webhook_id, attempt, started_at, duration_ms, status, detail FROM webhook_attempts
     WHERE webhook_id = ? ORDER BY attempt`,
  );
  const isUnnamed = prepareUnnamed(db);
  return {
    file: (id: string): StoredFile | undefined => file.get(id),
    unnamed: (keys: readonly string[]): readonly string[] => keys.filter(isUnnamed),
    webhooks: (operation_id: string): readonly Webhook[] => webhooks.all(operation_id),
    webhookAttempts: (webhook_id: string): readonly WebhookAttempt[] => attempts.all(webhook_id),
  };
}
