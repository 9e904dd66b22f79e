/**
 * Claims and leases, on the database's clock. The fencing token is `attempt`; a lease is over when `lease_until` <=
 * now.
 */
import type { JobsStore, QueueStats, RunningJob, Work } from "../../ports/mod.ts";
import { FIELDS } from "../shared/fields.ts";
import { createClaims } from "./claims.ts";
import { OPERATION_COLUMNS, toOperation } from "./operations.ts";
import type { Pool } from "./pool.ts";
import { REPEATABLE, statementsOn } from "./statements.ts";
import { arrayOf } from "./values.ts";

export function jobVerbs(pool: Pool, announceProgress: (ids: readonly string[]) => void) {
  /**
   * When this node last wrote down what it asks for, by kind of work, and when it last looked for what nobody asks for.
   */
  const told = new Map<Work, number>();
  let looked = Number.NEGATIVE_INFINITY;

  /** Before the claim: a worker that is alive is known to be. */
  async function tell(work: Work, actions: readonly string[]): Promise<void> {
    const now = performance.now();
    if (now - (told.get(work) ?? Number.NEGATIVE_INFINITY) < TELL_MS) return;
    // The kind itself first: rows are locked in the order of their keys.
    await pool.query(TELL, [work, arrayOf(["", ...actions].toSorted()), PAUSE_MS], REPEATABLE);
    told.set(work, now);
  }

  const claim = createClaims(pool);
  const { all, one, did } = statementsOn(pool);
  const queueStats = one<QueueStats>(STATS);
  const running = all<RunningJob>(RUNNING);
  const queued = all<{ readonly operation_id: string }>(QUEUED);

  return {
    queueStats: async (work) => (await queueStats(work))!,
    running,
    queued: async (work, limit) => (await queued(work, limit)).map(({ operation_id }) => operation_id),

    async claim(work, worker, lease_ms, actions, passed = []) {
      if (actions !== undefined) await tell(work, actions);
      return claim({ work, lease_ms, actions: actions ?? null }, worker, passed);
    },

    async renew(jobs, lease_ms) {
      if (jobs.length === 0) return [];
      // Rows are locked in this order, which is that of the ends.
      const held = jobs.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const rows = await pool.query(
        RENEW,
        [
          arrayOf(held.map(({ id }) => id)),
          arrayOf(held.map(({ attempt }) => attempt)),
          arrayOf(held.map(({ progress }) => progress)),
          arrayOf(held.map(({ stage }) => stage)),
          lease_ms,
        ],
        REPEATABLE,
      );
      const kept = new Set(rows.map(({ operation_id }) => operation_id as string));
      announceProgress([...kept]);
      return jobs.flatMap(({ id }) => (kept.has(id) ? [] : [id]));
    },

    overdue: async (limit) => (await pool.query(OVERDUE, [limit], REPEATABLE)).map(toOperation),

    release: did(RELEASE),

    releaseAll: async (work, worker) =>
      (await pool.query(RELEASE_ALL, [work, worker])).map(({ operation_id }) => operation_id as string),

    async reconcile(losses_max, unknown_ms) {
      const requeued = await pool.query(RECONCILE, [losses_max]);
      const now = performance.now();
      // It reads the whole queue, and what it finds has waited for hours.
      if (unknown_ms !== undefined && now - looked >= LOOK_MS) {
        looked = now;
        await pool.query(UNKNOWN, [unknown_ms, PAUSE_MS, UNKNOWN_MAX]);
      }
      // All of them, not only the new ones: core may have stopped before it ended those of an earlier call.
      const exhausted = await pool.query(EXHAUSTED, [], REPEATABLE);
      return {
        requeued: requeued
          .filter(({ state }) => state === "queued")
          .map(({ operation_id, work }) => ({ id: operation_id as string, work: work as Work })),
        exhausted: exhausted.map(toOperation),
      };
    },
  } satisfies Partial<JobsStore>;
}

// The order of the queue says which index is meant.
export const STATS = `SELECT count(*) AS queued, min(created_at) AS oldest_at,
    (SELECT count(*) FROM jobs WHERE work = $1 AND state <> 'queued' AND state = 'leased') AS running
  FROM (SELECT created_at FROM jobs WHERE work = $1 AND state = 'queued' ORDER BY turn, operation_id) waiting`;

const TELL = `INSERT INTO known_actions AS k (work, action, since, seen_at) SELECT $1, a.action, now_ms(), now_ms() FROM unnest($2::text[]) AS a (action)
  ON CONFLICT (work, action) DO UPDATE SET since = CASE WHEN k.seen_at < excluded.seen_at - $3::bigint THEN excluded.since ELSE k.since END,
    seen_at = greatest(k.seen_at, excluded.seen_at)`;

/**
 * Ends the wait of jobs whose action no worker has asked for in that time, although workers of their kind were there
 * throughout: after a pause of all of them the time begins anew, for the one that knows the action may be the last to
 * come back.
 */
const UNKNOWN = `UPDATE jobs SET state = 'exhausted' WHERE operation_id IN (
  SELECT j.operation_id FROM jobs j JOIN known_actions k ON k.work = j.work AND k.action = ''
  WHERE j.state = 'queued' AND j.created_at <= now_ms() - $1::bigint AND k.since <= now_ms() - $1::bigint AND k.seen_at > now_ms() - $2::bigint
    AND NOT EXISTS (SELECT 1 FROM known_actions a WHERE a.work = j.work AND a.action = j.action AND a.seen_at > now_ms() - $1::bigint)
  LIMIT $3 FOR UPDATE OF j SKIP LOCKED)`;

const TELL_MS = 60_000;
/** Workers whose places are all taken ask for nothing, for as long as a job may take and some more. */
const PAUSE_MS = 3_600_000;
const LOOK_MS = 600_000;
const UNKNOWN_MAX = 1_000;

export const QUEUED = `SELECT operation_id FROM jobs WHERE work = $1 AND state = 'queued' ORDER BY turn, operation_id LIMIT $2`;

const RUNNING = `SELECT operation_id AS ${FIELDS.running} FROM jobs WHERE work = $1 AND state <> 'queued' AND state = 'leased'
  ORDER BY operation_id LIMIT $2`;

// Leased is what has a lease: said by its state, an index of all that is held would do as well for a planner that saw
// the table empty.
export const RENEW = `UPDATE jobs SET lease_until = now_ms() + $5, progress = held.progress, stage = held.stage
  FROM unnest($1::text[], $2::integer[], $3::double precision[], $4::text[]) AS held (id, attempt, progress, stage)
  WHERE jobs.operation_id = held.id AND jobs.attempt = held.attempt AND jobs.lease_until IS NOT NULL RETURNING jobs.operation_id`;

/** Nobody has the job. */
const UNHELD = "worker = NULL, lease_until = NULL, progress = 0, stage = NULL";

const RELEASE_ALL = `UPDATE jobs SET state = 'queued', ${UNHELD}
  WHERE work = $1 AND worker = $2 AND state = 'leased' RETURNING operation_id`;

const RELEASE = `UPDATE jobs SET state = 'queued', ${UNHELD}
  WHERE operation_id = $1 AND attempt = $2 AND lease_until IS NOT NULL RETURNING operation_id`;

/** Nodes that do this at once take different rows. */
export const RECONCILE = `UPDATE jobs SET state = CASE WHEN losses + 1 < $1 THEN 'queued' ELSE 'exhausted' END,
    losses = losses + 1, ${UNHELD}
  WHERE operation_id IN (SELECT operation_id FROM jobs WHERE state <> 'queued' AND state = 'leased' AND lease_until <= now_ms()
    FOR UPDATE SKIP LOCKED) RETURNING operation_id, work, state`;

export const OVERDUE = `SELECT ${OPERATION_COLUMNS} FROM (SELECT * FROM jobs WHERE deadline_at <= now_ms() ORDER BY deadline_at LIMIT $1) j
  JOIN operations o ON o.id = j.operation_id`;

const EXHAUSTED = `SELECT ${OPERATION_COLUMNS} FROM jobs j JOIN operations o ON o.id = j.operation_id
  WHERE j.state <> 'queued' AND j.state = 'exhausted' ORDER BY j.operation_id`;
