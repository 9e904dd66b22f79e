/** Claims and leases, on the database's clock. The fencing token is `attempt`; a lease is over when `lease_until` <= now. */
import type { HeldJob, Operation, QueuedJob, QueueStats, Work } from "../ports.ts";
import { OPERATION_COLUMNS, toOperation } from "./postgres_operations.ts";
import type { Pool } from "./postgres_pool.ts";
import { arrayOf } from "./postgres_values.ts";

export function jobVerbs(pool: Pool) {
  return {
    async queueStats(work: Work): Promise<QueueStats> {
      const [row] = await pool.query(STATS, [work], { repeatable: true });
      return row as unknown as QueueStats;
    },

    async claim(
      work: Work,
      worker: string,
      lease_ms: number,
      actions?: readonly string[],
    ): Promise<Operation | undefined> {
      const [row] = await pool.query(CLAIM, [work, worker, lease_ms, actions === undefined ? null : arrayOf(actions)]);
      return row && toOperation(row);
    },

    async queued(work: Work, limit: number): Promise<readonly string[]> {
      const rows = await pool.query(QUEUED, [work, limit], { repeatable: true });
      return rows.map(({ operation_id }) => operation_id as string);
    },

    async renew(all: readonly HeldJob[], lease_ms: number): Promise<readonly string[]> {
      if (all.length === 0) return [];
      // Rows are locked in this order, which is that of the ends.
      const held = all.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const rows = await pool.query(
        RENEW,
        [
          arrayOf(held.map(({ id }) => id)),
          arrayOf(held.map(({ attempt }) => attempt)),
          arrayOf(held.map(({ progress }) => progress)),
          arrayOf(held.map(({ stage }) => stage)),
          lease_ms,
        ],
        { repeatable: true },
      );
      const kept = new Set(rows.map(({ operation_id }) => operation_id));
      return all.flatMap(({ id }) => (kept.has(id) ? [] : [id]));
    },

    async release(id: string, attempt: number): Promise<boolean> {
      return (await pool.query(RELEASE, [id, attempt])).length > 0;
    },

    async releaseAll(work: Work, worker: string): Promise<readonly string[]> {
      return (await pool.query(RELEASE_ALL, [work, worker])).map(({ operation_id }) => operation_id as string);
    },

    async reconcile(
      losses_max: number,
    ): Promise<{ readonly requeued: readonly QueuedJob[]; readonly exhausted: readonly Operation[] }> {
      const requeued = await pool.query(RECONCILE, [losses_max]);
      // All of them, not only the new ones: core may have stopped before it ended those of an earlier call.
      const exhausted = await pool.query(EXHAUSTED, [], { repeatable: true });
      return {
        requeued: requeued
          .filter(({ state }) => state === "queued")
          .map(({ operation_id, work }) => ({ id: operation_id as string, work: work as Work })),
        exhausted: exhausted.map(toOperation),
      };
    },
  };
}

// The order of the queue says which index is meant.
export const STATS = `SELECT count(*) AS queued, min(created_at) AS oldest_at,
    (SELECT count(*) FROM jobs WHERE work = $1 AND state <> 'queued' AND state = 'leased') AS running
  FROM (SELECT created_at FROM jobs WHERE work = $1 AND state = 'queued' ORDER BY turn, operation_id) waiting`;

export const CLAIM = "SELECT * FROM claim_1($1, $2, $3, $4)";

export const QUEUED = `SELECT operation_id FROM jobs WHERE work = $1 AND state = 'queued' ORDER BY turn, operation_id LIMIT $2`;

// Leased is what has a lease: said by its state, an index of all that is held would do as well for a planner that saw the table empty.
export const RENEW = `UPDATE jobs SET lease_until = now_ms() + $5, progress = held.progress, stage = held.stage
  FROM unnest($1::text[], $2::integer[], $3::double precision[], $4::text[]) AS held (id, attempt, progress, stage)
  WHERE jobs.operation_id = held.id AND jobs.attempt = held.attempt AND jobs.lease_until IS NOT NULL RETURNING jobs.operation_id`;

const RELEASE_ALL = `UPDATE jobs SET state = 'queued', worker = NULL, lease_until = NULL, progress = 0, stage = NULL
  WHERE work = $1 AND worker = $2 AND state = 'leased' RETURNING operation_id`;

const RELEASE = `UPDATE jobs SET state = 'queued', worker = NULL, lease_until = NULL, progress = 0, stage = NULL
  WHERE operation_id = $1 AND attempt = $2 AND lease_until IS NOT NULL RETURNING operation_id`;

/** Nodes that do this at once take different rows. */
export const RECONCILE = `UPDATE jobs SET state = CASE WHEN losses + 1 < $1 THEN 'queued' ELSE 'exhausted' END, worker = NULL,
    lease_until = NULL, losses = losses + 1, progress = 0, stage = NULL
  WHERE operation_id IN (SELECT operation_id FROM jobs WHERE state <> 'queued' AND state = 'leased' AND lease_until <= now_ms()
    FOR UPDATE SKIP LOCKED) RETURNING operation_id, work, state`;

const EXHAUSTED = `SELECT ${OPERATION_COLUMNS} FROM jobs j JOIN operations o ON o.id = j.operation_id
  WHERE j.state <> 'queued' AND j.state = 'exhausted' ORDER BY j.operation_id`;
