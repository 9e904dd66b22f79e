import type { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import type { QueueStats, Work } from "../../ports/mod.ts";
import { prepare } from "./connection.ts";

/**
 * Counts the queue in stretches, and lets others have the thread between two: 600,000 jobs take 50 ms. What is added or
 * claimed before the place that was reached meanwhile is not seen.
 */
export function createQueueStats(db: DatabaseSync): (work: Work) => Promise<QueueStats> {
  const border = prepare<{ turn: number; operation_id: string }>(
    db,
    `SELECT turn, operation_id FROM jobs WHERE work = ?1 AND state = 'queued' AND (turn, operation_id) > (?2, ?3)
     ORDER BY turn, operation_id LIMIT 1 OFFSET ${STRETCH}`,
  );
  // Ids sort by time, so the smallest is the oldest; both come from the index alone.
  const stretch = prepare<{ count: number; oldest: string | null }>(
    db,
    `SELECT count(*) AS count, min(operation_id) AS oldest FROM jobs
     WHERE work = ?1 AND state = 'queued' AND (turn, operation_id) > (?2, ?3) AND (turn, operation_id) <= (?4, ?5)`,
  );
  const created = prepare<{ created_at: number }>(db, "SELECT created_at FROM operations WHERE id = ?");
  const running = prepare<{ count: number }>(
    db,
    "SELECT count(*) AS count FROM jobs WHERE work = ? AND state = 'leased'",
  );

  return async (work) => {
    let [queued, oldest] = [0, null as string | null];
    let from = FIRST;
    for (;;) {
      const end = border.look(work, from.turn, from.operation_id);
      const to = end ?? LAST;
      const part = stretch.look(work, from.turn, from.operation_id, to.turn, to.operation_id);
      queued += part?.count ?? 0;
      const least = part?.oldest ?? null;
      if (oldest === null || (least !== null && least < oldest)) oldest = least;
      if (end === undefined) break;
      from = { turn: end.turn, operation_id: end.operation_id };
      await setImmediate();
    }
    return {
      queued,
      running: running.look(work)?.count ?? 0,
      // Undefined: it has ended and expired meanwhile.
      oldest_at: oldest === null ? null : (created.look(oldest)?.created_at ?? null),
    };
  };
}

/** Takes 2 ms. */
const STRETCH = 10_000;
const FIRST = { turn: -1, operation_id: "" };
const LAST = { turn: Number.MAX_SAFE_INTEGER, operation_id: "" };
