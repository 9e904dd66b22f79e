import type { DatabaseSync } from "node:sqlite";
import type {
  Account,
  ApiKey,
  Clock,
  Delivery,
  DeliveryFilter,
  LedgerEntry,
  OperationFilter,
  QueueStats,
  SigningSecret,
  Snapshot,
  StoredFile,
  UsageDay,
  Webhook,
  WebhookAttempt,
  Work,
} from "../../ports/mod.ts";
import { auditReads } from "./audit.ts";
import { prepare } from "./connection.ts";
import { createPositions } from "./fast/positions.ts";
import type { Unended } from "./fast/unended.ts";
import { prepareListed } from "./listing.ts";
import { AFTER_ALL_IDS, createLists } from "./lists.ts";
import { peopleReads } from "./people.ts";
import {
  ACCOUNT_COLUMNS,
  type AccountRow,
  type JobRow,
  OPERATION_COLUMNS,
  type OperationRow,
  prepareJob,
  prepareOperation,
  toAccount,
  WEBHOOK_COLUMNS,
} from "./rows.ts";
import { prepareOwned, prepareUnnamed } from "./verbs_files.ts";

/** The store's reading verbs as plain functions on a connection that only reads: microseconds each, by index. */
export function createReads(db: DatabaseSync, clock: Pick<Clock, "now">, unended: Unended) {
  return {
    ...accountReads(db),
    ...auditReads(db),
    ...peopleReads(db),
    ...operationReads(db, clock, unended),
    ...fileAndWebhookReads(db),
  };
}

function accountReads(db: DatabaseSync) {
  const account = prepare<AccountRow>(db, `SELECT ${ACCOUNT_COLUMNS} FROM accounts a WHERE a.id = ?`);
  const accounts = prepare<AccountRow>(
    db,
    `SELECT ${ACCOUNT_COLUMNS} FROM accounts a WHERE a.id < ? ORDER BY a.id DESC LIMIT ?`,
  );
  const usage = prepare<UsageDay>(
    db,
    `SELECT day, debited, refunded, granted, operations FROM usage_days WHERE account_id = ? AND day > ? AND day < ?
     ORDER BY day`,
  );
  const count = prepare<{ count: number }>(db, "SELECT count(*) AS count FROM accounts");
  const LINE = "l.id, l.account_id, l.operation_id, l.kind, l.credits, l.note, l.created_at";
  // Of all accounts, a thousand or two.
  const newestLines = prepare<LedgerEntry>(
    db,
    `SELECT ${LINE} FROM ledger l WHERE l.id > ? AND l.id < ? AND l.account_id = ? ORDER BY l.id DESC LIMIT ?`,
  );
  const listedLines = prepare<LedgerEntry>(
    db,
    `SELECT ${LINE} FROM ledger_lists x CROSS JOIN ledger l ON l.id = x.line
     WHERE x.account_id = ? AND x.line < ? ORDER BY x.line DESC LIMIT ?`,
  );
  const listed = prepareListed(db);
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
  const sealed = prepare<Pick<SigningSecret, "id" | "sealed">>(
    db,
    "SELECT id, sealed FROM signing_secrets WHERE id > ? ORDER BY id LIMIT ?",
  );
  const find = (id: string): Account | undefined => {
    const row = account.get(id);
    return row && toAccount(row);
  };
  return {
    account: find,
    accounts: (page: { readonly before?: string; readonly limit: number }): readonly Account[] =>
      accounts.all(page.before ?? AFTER_ALL_IDS, page.limit).map(toAccount),
    usage: (account_id: string, from: number, until: number): readonly UsageDay[] =>
      usage.all(account_id, from - DAY_MS, until),
    countAccounts: (): number => count.get()?.count ?? 0,
    ledger(account_id: string, page: { before?: number; limit: number }): readonly LedgerEntry[] {
      const before = page.before ?? Number.MAX_SAFE_INTEGER;
      const { line } = listed();
      const newest = newestLines.all(line, before, account_id, page.limit);
      // What is listed meanwhile is among the newest already.
      const older = listedLines.all(account_id, Math.min(before, line + 1), page.limit - newest.length);
      return [...newest, ...older];
    },
    findKey(sha256: string): { readonly key: ApiKey; readonly account: Account } | undefined {
      const key = liveKey.get(sha256);
      const owner = key && find(key.account_id);
      return key && owner && { key, account: owner };
    },
    keys: (account_id: string): readonly ApiKey[] => keys.all(account_id),
    sealedSecrets: (page: { readonly after: string; readonly limit: number }) => sealed.all(page.after, page.limit),
    secrets: (account_id: string): readonly SigningSecret[] => secrets.all(account_id),
  };
}

const KEY_COLUMNS = "id, account_id, label, sha256, last_four, created_at, revoked_at, used_at";
const DAY_MS = 86_400_000;

function operationReads(db: DatabaseSync, clock: Pick<Clock, "now">, unended: Unended) {
  const one = prepare<OperationRow>(db, `SELECT ${OPERATION_COLUMNS} FROM operations WHERE id = ?`);
  const first = prepare<{ response: string }>(db, "SELECT response FROM operations WHERE id = ?");
  const rows = createLists(db);
  // Ids sort by time, so the smallest is the oldest; both come from the index alone.
  const queued = prepare<{ count: number; oldest: string | null }>(
    db,
    "SELECT count(*) AS count, min(operation_id) AS oldest FROM jobs WHERE work = ? AND state = 'queued'",
  );
  const running = prepare<{ count: number }>(
    db,
    "SELECT count(*) AS count FROM jobs WHERE work = ? AND state = 'leased'",
  );
  const waiting = prepare<{ operation_id: string }>(
    db,
    "SELECT operation_id FROM jobs WHERE work = ? AND state = 'queued' ORDER BY turn, operation_id LIMIT ?",
  );
  const findJob = prepareJob(db);
  const positionOf = createPositions(db, clock);

  function complete(row: OperationRow): Snapshot | undefined {
    if (row.status !== "processing") return toSnapshot(row, undefined, null);
    const job = findJob(row.id);
    if (job === undefined) {
      // It ended between the two look-ups: now its row has the last word. (Expired meanwhile: there is none.)
      const ended = one.look(row.id);
      return ended && toSnapshot(ended, undefined, null);
    }
    return withJob(row, job);
  }

  function withJob(row: OperationRow, job: JobRow): Snapshot {
    return toSnapshot(row, job, place(row.id, job));
  }

  /** `exhausted`: nobody is before what core is about to end. */
  const place = (id: string, job: JobRow): number | null =>
    job.state === "queued" ? positionOf(id, job) : job.state === "leased" ? null : 0;

  /** The same object again while nothing in it has changed. */
  function snapshot(id: string): Snapshot | undefined {
    const known = unended.find(id);
    if (known === undefined) return firstSnapshot(id);
    const kept = known.job;
    const job = kept ?? findJob(id);
    if (job === undefined) {
      unended.forget(known);
      return firstSnapshot(id);
    }
    if (kept === undefined) unended.renew(known, job);
    const position = place(id, job);
    if (known.shown === undefined || known.shown.queue_position !== position)
      known.shown = toSnapshot(known.row, job, position);
    return known.shown;
  }

  function firstSnapshot(id: string): Snapshot | undefined {
    const row = one.look(id);
    if (row?.status !== "processing") return row && complete(row);
    const job = findJob(id);
    if (job === undefined) return complete(row);
    unended.keep(row, job);
    return withJob(row, job);
  }

  return {
    operation: prepareOperation(db),
    firstResponse: (id: string): string | undefined => first.get(id)?.response,
    snapshot,
    snapshots: (ids: readonly string[]): readonly Snapshot[] => ids.flatMap((id) => snapshot(id) ?? []),
    list: (account_id: string, filter: OperationFilter): readonly Snapshot[] =>
      rows(account_id, filter).flatMap((row) => complete(row) ?? []),
    queued: (work: Work, limit: number): readonly string[] =>
      waiting.all(work, limit).map(({ operation_id }) => operation_id),
    queueStats(work: Work): QueueStats {
      const { count = 0, oldest = null } = queued.look(work) ?? {};
      const oldest_at = oldest === null ? null : (one.look(oldest)?.created_at ?? null);
      return { queued: count, running: running.get(work)?.count ?? 0, oldest_at };
    },
  };
}

/** Field by field: copying the row by spreading takes a microsecond more. While there is a job, it has the newer state. */
function toSnapshot(row: OperationRow, job: JobRow | undefined, queue_position: number | null): Snapshot {
  return {
    id: row.id,
    account_id: row.account_id,
    action: row.action,
    status: row.status,
    idempotency_key: row.idempotency_key,
    cost: row.cost,
    request: row.request,
    created_at: row.created_at,
    started_at: job === undefined ? row.started_at : job.started_at,
    completed_at: row.completed_at,
    expires_at: row.expires_at,
    running: job?.state === "leased",
    progress: job === undefined ? row.progress : job.progress,
    stage: job === undefined ? null : job.stage,
    outputs: row.outputs,
    error: row.error,
    queue_position,
  };
}

type DeliveryRow = Omit<Delivery, "last">;
const DELIVERY_COLUMNS = WEBHOOK_COLUMNS.replace(" body,", "");

function fileAndWebhookReads(db: DatabaseSync) {
  const kept = prepare<{ bytes: number }>(db, "SELECT bytes FROM kept_uploads WHERE account_id = ?");
  const nextExpiry = prepare<{ at: number | null }>(db, "SELECT min(expires_at) AS at FROM files WHERE account_id = ?");
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
  const isOwned = prepareOwned(db);
  const deliveries = (where: string) =>
    prepare<DeliveryRow>(
      db,
      `SELECT ${DELIVERY_COLUMNS} FROM webhooks WHERE account_id = ?1 AND id < ?2 ${where} ORDER BY id DESC LIMIT ?3`,
    );
  const allDeliveries = deliveries("");
  const deliveriesOf = deliveries("AND state = ?4");
  const last = prepare<NonNullable<Delivery["last"]>>(
    db,
    `SELECT started_at, duration_ms, status, detail FROM webhook_attempts WHERE webhook_id = ?
     ORDER BY attempt DESC LIMIT 1`,
  );
  return {
    file: (id: string): StoredFile | undefined => file.get(id),
    keptUploads: (account_id: string): { bytes: number; next_expiry: number | null } => ({
      bytes: kept.get(account_id)?.bytes ?? 0,
      next_expiry: nextExpiry.get(account_id)?.at ?? null,
    }),
    unnamed: (keys: readonly string[]): readonly string[] => keys.filter(isUnnamed),
    owned: (account_id: string, keys: readonly string[]): readonly string[] =>
      keys.filter((key) => isOwned(account_id, key)),
    webhooks: (operation_id: string): readonly Webhook[] => webhooks.all(operation_id),
    webhookAttempts: (webhook_id: string): readonly WebhookAttempt[] => attempts.all(webhook_id),
    deliveries(account_id: string, { state, before, limit }: DeliveryFilter): readonly Delivery[] {
      const start = [account_id, before ?? AFTER_ALL_IDS, limit] as const;
      const rows = state === undefined ? allDeliveries.all(...start) : deliveriesOf.all(...start, state);
      return rows.map((row) => ({ ...row, last: last.get(row.id) ?? null }));
    },
  };
}
