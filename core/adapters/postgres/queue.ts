import type { Clock, Queue } from "../../ports/mod.ts";
import { createWakeLanes } from "../shared/wake_ups.ts";
import type { PostgresStore } from "./store.ts";

/**
 * The queue of several nodes without Redis: every node hears of every job over the connection that it listens on
 * anyway, and wakes one of its waiters. So all idle nodes look for one job; with more than some nodes that is what
 * Redis spares the database.
 */
export function createPostgresQueue(
  { announceWork, onWork }: Pick<PostgresStore, "announceWork" | "onWork">,
  clock: Clock,
): Queue {
  const lanes = createWakeLanes(clock);
  const stop = onWork(lanes.wake);
  return {
    ...lanes,
    wake: announceWork,
    close() {
      stop();
      return lanes.close();
    },
  };
}
