/** Places in a queue that is too long to be counted at every read. */
import type { Clock } from "../../base/basics.ts";

/** Positions up to this one are counted at every read. */
export const EXACT_MAX = 16;
/** Beyond it a client learns nothing from the exact number. */
export const POSITION_MAX = 10_000;
/** How long the order that was read is good for the jobs that are in it, and for those that came after it. */
const ORDER_MS = 1_000;
const TAIL_MS = 100;

export interface Place {
  readonly work: string;
  readonly turn: number;
  readonly id: string;
}

/** The first `POSITION_MAX` of a queue, as they were at `at`. */
export interface Order {
  readonly at: number;
  readonly turns: readonly number[];
  readonly ids: readonly string[];
}

/** The orders that were read last, by kind of work. */
export interface Orders {
  keep(work: string, order: Order): Order;
  /** Undefined: the order is to be read anew. */
  positionOf(place: Place): number | undefined;
}

export function createOrders(clock: Pick<Clock, "now">): Orders {
  const orders = new Map<string, Order>();
  return {
    keep(work, order) {
      orders.set(work, order);
      return order;
    },
    positionOf(place) {
      const order = orders.get(place.work);
      if (order === undefined) return undefined;
      const age = clock.now() - order.at;
      if (age < 0 || age >= ORDER_MS) return undefined;
      const position = positionIn(order, place);
      const is_inside = position < order.ids.length || order.ids.length === POSITION_MAX;
      return position > EXACT_MAX && (is_inside || age < TAIL_MS) ? position : undefined;
    },
  };
}

/** How many of the order sort before it. */
export function positionIn({ turns, ids }: Order, { turn, id }: Place): number {
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
