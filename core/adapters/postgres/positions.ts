import type { Clock } from "../../ports/mod.ts";
import type { Pool } from "./pool.ts";

/** Positions up to this one are counted at every read. */
export const EXACT_MAX = 16;
/** The port's bound: beyond it a client learns nothing from the exact number. */
const POSITION_MAX = 10_000;
/** How long the order that was read is good for the jobs that are in it, and for those that came after it. */
const ORDER_MS = 1_000;
const TAIL_MS = 100;

export interface Place {
  readonly work: string;
  readonly turn: number;
  readonly id: string;
}

interface Order {
  readonly at: number;
  readonly turns: readonly number[];
  readonly ids: readonly string[];
}

/**
 * Places in the queue. `near` is what the read of the job counted, up to `EXACT_MAX` + 1. Beyond that the queue's order is read
 * once a second and node while somebody asks, as two texts: 10,000 rows would cost the client ten times as much.
 */
export function createPositions(
  pool: Pool,
  clock: Pick<Clock, "now">,
): (place: Place, near: number) => number | Promise<number> {
  const orders = new Map<string, Order>();
  /** All who ask while it is being read share the answer. */
  const reading = new Map<string, Promise<Order>>();

  async function read(work: string): Promise<Order> {
    const at = clock.now();
    const [row] = await pool.query(ORDER, [work], { repeatable: true });
    const { turns, ids } = row as unknown as { readonly turns: string | null; readonly ids: string | null };
    const order = { at, turns: turns?.split(",").map(Number) ?? [], ids: ids?.split(",") ?? [] };
    orders.set(work, order);
    return order;
  }

  async function readOnce(work: string): Promise<Order> {
    const shared = reading.get(work);
    if (shared !== undefined) return shared;
    const mine = read(work).finally(() => reading.delete(work));
    reading.set(work, mine);
    return mine;
  }

  return (place, near) => {
    if (near <= EXACT_MAX) return near;
    const order = orders.get(place.work);
    const age = order === undefined ? Number.POSITIVE_INFINITY : clock.now() - order.at;
    if (order !== undefined && age >= 0 && age < ORDER_MS) {
      const position = positionIn(order, place);
      const is_inside = position < order.ids.length || order.ids.length === POSITION_MAX;
      if (position > EXACT_MAX && (is_inside || age < TAIL_MS)) return position;
    }
    return readOnce(place.work).then((now) => Math.max(near, positionIn(now, place)));
  };
}

/** How many of the order sort before it. */
function positionIn({ turns, ids }: Order, { turn, id }: Place): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = turns[middle]!;
    if (other < turn || (other === turn && ids[middle]! < id)) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const ORDER = `SELECT string_agg(turn::text, ',' ORDER BY turn, operation_id) AS turns,
    string_agg(operation_id, ',' ORDER BY turn, operation_id) AS ids
  FROM (SELECT turn, operation_id FROM jobs WHERE work = $1 AND state = 'queued'
        ORDER BY turn, operation_id LIMIT ${POSITION_MAX}) first`;
