/** Reads of operations and of the queue: microseconds each, by index. */
import type { DatabaseSync } from "node:sqlite";
import { AFTER_ALL_IDS } from "../../base/ids.ts";
import type { JobsStore, OperationsStore, RunningJob, Snapshot } from "../../ports/mod.ts";
import { FIELDS } from "../shared/fields.ts";
import { prepare } from "./connection.ts";
import { createPositions } from "./fast/positions.ts";
import type { Unended } from "./fast/unended.ts";
import { createLists } from "./lists.ts";
import {
  type JobRow,
  LISTED_COLUMNS,
  OPERATION_COLUMNS,
  type OperationRow,
  prepareJob,
  prepareOperation,
} from "./rows.ts";
import type { Now, Sync } from "./sync.ts";

export function operationReads(db: DatabaseSync, clock: Now, unended: Unended) {
  const one = prepare<OperationRow>(db, `SELECT ${OPERATION_COLUMNS} FROM operations WHERE id = ?`);
  const brief = prepare<OperationRow>(db, `SELECT ${LISTED_COLUMNS} FROM operations WHERE id = ?`);
  const ended = prepare<OperationRow>(
    db,
    `SELECT ${LISTED_COLUMNS} FROM operations WHERE account_id = ?1 AND (completed_at, id) > (?2, ?3)
     AND completed_at IS NOT NULL ORDER BY completed_at, id LIMIT ?4`,
  );
  const first = prepare<{ response: string }>(db, "SELECT response FROM operations WHERE id = ?");
  const lists = createLists(db);
  const tagged = prepare<{ operation_id: string }>(
    db,
    `SELECT operation_id FROM operation_metadata WHERE account_id = ? AND key = ? AND value = ? AND operation_id < ? AND operation_id > ?
     ORDER BY operation_id DESC LIMIT ? OFFSET ?`,
  );
  const overdue = prepare<{ operation_id: string }>(
    db,
    "SELECT operation_id FROM jobs WHERE deadline_at <= ? ORDER BY deadline_at LIMIT ?",
  );
  const operation = prepareOperation(db);
  const waiting = prepare<{ operation_id: string }>(
    db,
    "SELECT operation_id FROM jobs WHERE work = ? AND state = 'queued' ORDER BY turn, operation_id LIMIT ?",
  );
  const held = prepare<RunningJob>(
    db,
    `SELECT operation_id AS ${FIELDS.running} FROM jobs WHERE work = ? AND state = 'leased' ORDER BY operation_id LIMIT ?`,
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

  /** As lists have it. */
  function listed(id: string): Snapshot | undefined {
    if (unended.find(id) !== undefined) return snapshot(id);
    const row = brief.look(id);
    return row && complete(row);
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
    operation,
    firstResponse: (id) => first.get(id)?.response,
    snapshot,
    snapshots: (ids, reports = true) => ids.flatMap((id) => (reports ? snapshot(id) : listed(id)) ?? []),
    endedAfter: (account_id, { completed_at, id }, limit) =>
      ended.all(account_id, completed_at, id, limit).flatMap((row) => complete(row) ?? []),
    tagged: (account_id, key, value, { before = AFTER_ALL_IDS, after = "", skip, limit }) =>
      tagged.all(account_id, key, value, before, after, limit, skip).map(({ operation_id }) => operation_id),
    overdue: (limit) => overdue.all(clock.now(), limit).flatMap(({ operation_id }) => operation(operation_id) ?? []),
    list: (account_id, filter) => lists.list(account_id, filter).flatMap((row) => complete(row) ?? []),
    search(account_id, filter, words) {
      const { rows, reached } = lists.search(account_id, filter, words);
      return { found: rows.flatMap((row) => complete(row) ?? []), reached };
    },
    running: (work, limit) => held.all(work, limit),
    queued: (work, limit) => waiting.all(work, limit).map(({ operation_id }) => operation_id),
  } satisfies Partial<Sync<OperationsStore & JobsStore>>;
}

/**
 * Field by field: copying the row by spreading takes a microsecond more. While there is a job, it has the newer state.
 */
function toSnapshot(row: OperationRow, job: JobRow | undefined, queue_position: number | null): Snapshot {
  return {
    id: row.id,
    account_id: row.account_id,
    action: row.action,
    status: row.status,
    idempotency_key: row.idempotency_key,
    cost: row.cost,
    request: row.request,
    callback_url: row.callback_url,
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
