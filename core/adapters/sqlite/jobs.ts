import type { DatabaseSync } from "node:sqlite";
import { type JobsStore, type QueuedJob, WEIGHT_MAX, type Work } from "../../ports/mod.ts";
import { prepare } from "./connection.ts";
import { prepareLatestTurn } from "./lists.ts";
import { prepareOperation } from "./rows.ts";
import type { Now, Sync } from "./sync.ts";

/** SQL: nobody has the job. */
const UNHELD = "worker = NULL, lease_until = NULL, progress = 0, stage = NULL";

/** Claims and leases. The fencing token is `attempt`; a lease is over when `lease_until` <= now. */
export function jobVerbs(db: DatabaseSync, { now }: Now) {
  const endLeases = prepare(db, "UPDATE jobs SET lease_until = ?1 WHERE state = 'leased' AND lease_until > ?1");
  const first = prepare<{ operation_id: string; turn: number }>(
    db,
    "SELECT operation_id, turn FROM jobs WHERE work = ? AND state = 'queued' ORDER BY turn, operation_id LIMIT 1",
  );
  const firstOf = prepare<{ operation_id: string; turn: number }>(
    db,
    `SELECT operation_id, turn FROM jobs WHERE work = ?1 AND state = 'queued'
       AND (SELECT action FROM operations WHERE id = operation_id) IN (SELECT value FROM json_each(?2))
     ORDER BY turn, operation_id LIMIT 1`,
  );
  // Asked first, for most installations have none: then nothing more is to be known.
  const anyCap = prepare<{ id: string }>(db, "SELECT id FROM accounts WHERE jobs_max > 0 LIMIT 1");
  const full = prepare<{ account_id: string }>(
    db,
    `SELECT j.account_id FROM jobs j JOIN accounts a ON a.id = j.account_id WHERE j.work = ? AND j.state = 'leased'
       AND a.jobs_max > 0 GROUP BY j.account_id HAVING count(*) >= max(a.jobs_max)`,
  );
  const firstOfOthers = prepare<{ operation_id: string; turn: number }>(
    db,
    `SELECT operation_id, turn FROM jobs WHERE work = ?1 AND state = 'queued'
       AND account_id NOT IN (SELECT value FROM json_each(?2))
       AND (?3 IS NULL OR (SELECT action FROM operations WHERE id = operation_id) IN (SELECT value FROM json_each(?3)))
     ORDER BY turn, operation_id LIMIT 1`,
  );
  const lease = prepare(
    db,
    `UPDATE jobs SET state = 'leased', worker = ?2, lease_until = ?3, attempt = attempt + 1,
       started_at = coalesce(started_at, ?4), progress = 0, stage = NULL WHERE operation_id = ?1`,
  );
  const find = prepareOperation(db);
  const extend = prepare(
    db,
    `UPDATE jobs SET lease_until = ?3, progress = ?4, stage = ?5
     WHERE operation_id = ?1 AND attempt = ?2 AND state = 'leased'`,
  );
  const putBack = prepare(
    db,
    `UPDATE jobs SET state = 'queued', ${UNHELD} WHERE operation_id = ?1 AND attempt = ?2 AND state = 'leased'`,
  );
  const putAllBack = prepare<{ operation_id: string }>(
    db,
    `UPDATE jobs SET state = 'queued', ${UNHELD} WHERE work = ?1 AND worker = ?2 AND state = 'leased' RETURNING operation_id`,
  );
  const lapsed = prepare<{ operation_id: string; work: Work; losses: number }>(
    db,
    "SELECT operation_id, work, losses FROM jobs WHERE state = 'leased' AND lease_until <= ?",
  );
  const lose = prepare(db, `UPDATE jobs SET state = ?2, losses = losses + 1, ${UNHELD} WHERE operation_id = ?1`);
  const exhausted = prepare<{ operation_id: string }>(
    db,
    "SELECT operation_id FROM jobs WHERE state = 'exhausted' ORDER BY operation_id",
  );
  const turns = createTurns(db);

  /** The smallest turn; passed over are `others` and accounts that have as many jobs leased as they may. */
  function next(
    work: Work,
    actions: readonly string[] | undefined,
    others: readonly string[],
  ): { operation_id: string; turn: number } | undefined {
    const capped = anyCap.get() === undefined ? [] : full.all(work).map(({ account_id }) => account_id);
    const passed = [...others, ...capped];
    const known = actions === undefined ? null : JSON.stringify(actions);
    if (passed.length > 0) return firstOfOthers.get(work, JSON.stringify(passed), known);
    return known === null ? first.get(work) : firstOf.get(work, known);
  }

  return {
    claim(work, worker, lease_ms, actions, passed = []) {
      const job = next(work, actions, passed);
      if (job === undefined) return undefined;
      turns.moveTo(work, job.turn);
      lease.run(job.operation_id, worker, now() + lease_ms, now());
      const operation = find(job.operation_id);
      if (operation === undefined) throw new Error(`Cannot claim "${job.operation_id}": its operation is gone`);
      return operation;
    },

    renew: (held, lease_ms) =>
      held
        .filter((job) => !extend.did(job.id, job.attempt, now() + lease_ms, job.progress, job.stage))
        .map((job) => job.id),

    release: putBack.did,

    releaseAll: (work, worker) => putAllBack.all(work, worker).map(({ operation_id }) => operation_id),

    /** For the start: whoever leased a job before is gone, for this process holds the folder's lock. */
    endLeases: () => endLeases.write(now()),

    reconcile(losses_max) {
      const requeued: QueuedJob[] = [];
      for (const job of lapsed.all(now())) {
        const again = job.losses + 1 < losses_max;
        lose.run(job.operation_id, again ? "queued" : "exhausted");
        if (again) requeued.push({ id: job.operation_id, work: job.work });
      }
      // All of them, not only the new ones: core may have stopped before it ended those of an earlier call.
      return { requeued, exhausted: exhausted.all().flatMap(({ operation_id }) => find(operation_id) ?? []) };
    },
  } satisfies Partial<Sync<JobsStore>> & { endLeases(): void };
}

/** Turns of one round. */
const ROUND = WEIGHT_MAX + 1;

/**
 * Start-time fair queueing (Goyal, Vin, Cheng 1996): a job's round is the later of the queue's own (that of the job
 * claimed last) and of the one in which its account's last job ends; the smallest turn is claimed first. So accounts
 * with jobs waiting have workers for equally long, and an account's first job waits behind at most one of every other
 * account. A turn is 64 times the round and the job's weight: that tells when it ends, and short work of a round goes
 * first.
 */
export function createTurns(db: DatabaseSync) {
  // Three statements by key where one could do: on Bun 1.4.5 that one, over two tables and with RETURNING, takes twice
  // as long.
  const now = prepare<{ turn: number }>(db, "SELECT turn FROM queue_turns WHERE work = ?");
  const last = prepare<{ turn: number }>(db, "SELECT turn FROM account_turns WHERE account_id = ? AND work = ?");
  const give = prepare(
    db,
    `INSERT INTO account_turns (account_id, work, turn) VALUES (?1, ?2, ?3)
     ON CONFLICT (account_id, work) DO UPDATE SET turn = ?3`,
  );
  const moveTo = prepare(db, "UPDATE queue_turns SET turn = ?2 WHERE work = ?1 AND turn < ?2");
  const lower = prepare(
    db,
    `UPDATE account_turns SET turn = min(turn, max((SELECT q.turn / ${ROUND} * ${ROUND} FROM queue_turns q WHERE q.work = ?2), ?3))
     WHERE account_id = ?1 AND work = ?2`,
  );
  const latestTurn = prepareLatestTurn(db);
  return {
    /** Turns for jobs that are submitted in one transaction; `keep` writes which were given. */
    open() {
      const currents = new Map<Work, number>();
      const given = new Map<string, { readonly account_id: string; readonly work: Work; turn: number }>();
      const currentOf = (work: Work): number => {
        const current = currents.get(work) ?? now.look(work)?.turn;
        if (current === undefined) throw new Error(`Cannot queue a job: "${work}" is no kind of work`);
        currents.set(work, current);
        return current;
      };
      return {
        /** Round and weight. */
        next(account_id: string, work: Work, weight: number): number {
          const key = `${work} ${account_id}`;
          const slot = given.get(key) ?? { account_id, work, turn: last.look(account_id, work)?.turn ?? 0 };
          const round = Math.max(roundOf(currentOf(work)), 1, roundAfter(slot.turn));
          slot.turn = round * ROUND + weight;
          given.set(key, slot);
          return slot.turn;
        },
        keep(): void {
          for (const { account_id, work, turn } of given.values()) give.run(account_id, work, turn);
        },
      };
    },
    /** Says that the job with this turn was claimed. Never moves back: a job that was released keeps its old turn. */
    moveTo(work: Work, turn: number): void {
      moveTo.run(work, turn);
    },
    /** After a job ended unclaimed, its account's later ones do not wait for the turns it never took. */
    giveBack(account_id: string, work: Work): void {
      lower.run(account_id, work, latestTurn(account_id, work));
    },
  };
}

const roundOf = (turn: number): number => Math.floor(turn / ROUND);
const roundAfter = (turn: number): number => roundOf(turn) + Math.max(1, turn % ROUND);
