import type { Clock } from "../../ports/mod.ts";
import { createOrders, EXACT_MAX, type Order, type Place, POSITION_MAX, positionIn } from "../shared/queue_order.ts";
import type { Pool } from "./pool.ts";
import { REPEATABLE } from "./statements.ts";

/**
 * Places in the queue. `near` is what the read of the job counted, up to `EXACT_MAX` + 1. Beyond that the queue's order
 * is read once a second and node while somebody asks, as two texts: 10,000 rows would cost the client ten times as
 * much.
 */
export function createPositions(
  pool: Pool,
  clock: Pick<Clock, "now">,
): (place: Place, near: number) => number | Promise<number> {
  const orders = createOrders(clock);
  /** All who ask while it is being read share the answer. */
  const reading = new Map<string, Promise<Order>>();

  async function read(work: string): Promise<Order> {
    const at = clock.now();
    const [row] = await pool.query(ORDER, [work], REPEATABLE);
    const { turns, ids } = row as unknown as { readonly turns: string | null; readonly ids: string | null };
    return orders.keep(work, { at, turns: turns?.split(",").map(Number) ?? [], ids: ids?.split(",") ?? [] });
  }

  function readOnce(work: string): Promise<Order> {
    const shared = reading.get(work);
    if (shared !== undefined) return shared;
    const mine = read(work).finally(() => reading.delete(work));
    reading.set(work, mine);
    return mine;
  }

  return (place, near) => {
    if (near <= EXACT_MAX) return near;
    const known = orders.positionOf(place);
    return known ?? readOnce(place.work).then((order) => Math.max(near, positionIn(order, place)));
  };
}

const ORDER = `SELECT string_agg(turn::text, ',' ORDER BY turn, operation_id) AS turns,
    string_agg(operation_id, ',' ORDER BY turn, operation_id) AS ids
  FROM (SELECT turn, operation_id FROM jobs WHERE work = $1 AND state = 'queued'
        ORDER BY turn, operation_id LIMIT ${POSITION_MAX}) first`;
