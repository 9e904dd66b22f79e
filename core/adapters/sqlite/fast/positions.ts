// Gain: a status read costs a 13th of the processor time with 12,000 jobs in the queue, and two fifths with 300; see
// docs/performance.md.
import type { DatabaseSync } from "node:sqlite";
import { createOrders, EXACT_MAX, type Order, POSITION_MAX, positionIn } from "../../shared/queue_order.ts";
import { prepare } from "../connection.ts";
import type { JobRow } from "../rows.ts";
import type { Now } from "../sync.ts";

/**
 * Places in the queue. Counting costs 40 ns a job that is before one's own, 380 µs at 10,000: too much for every read.
 * So only short counts are made, and for the rest the queue's order is read once a second (1.4 ms on Bun, 5 ms on Deno)
 * while somebody asks.
 */
export function createPositions(
  db: DatabaseSync,
  clock: Now,
): (operation_id: string, job: Pick<JobRow, "work" | "turn">) => number {
  const near = prepare<{ count: number }>(
    db,
    `SELECT count(*) AS count FROM (SELECT 1 FROM jobs
       WHERE work = ?1 AND state = 'queued' AND (turn, operation_id) < (?2, ?3) LIMIT ${EXACT_MAX + 1})`,
  );
  const first = prepare<{ turn: number; operation_id: string }>(
    db,
    `SELECT turn, operation_id FROM jobs WHERE work = ? AND state = 'queued'
     ORDER BY turn, operation_id LIMIT ${POSITION_MAX}`,
  );
  const orders = createOrders(clock);

  function read(work: string): Order {
    const rows = first.all(work);
    return { at: clock.now(), turns: rows.map(({ turn }) => turn), ids: rows.map(({ operation_id }) => operation_id) };
  }

  return (id, { work, turn }) => {
    const place = { work, turn, id };
    const known = orders.positionOf(place);
    if (known !== undefined) return known;
    const count = near.look(work, turn, id)?.count ?? 0;
    return count <= EXACT_MAX ? count : Math.max(count, positionIn(orders.keep(work, read(work)), place));
  };
}
