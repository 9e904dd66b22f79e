import type { Clock, Errand, Queue } from "../../ports/mod.ts";
import { createWakeLanes } from "../shared/wake_ups.ts";
import type { PostgresStore } from "./store.ts";

/**
 * The queue of several nodes without Redis: every node hears of every job over the connection that it listens on
 * anyway, and wakes one of its waiters; the node that says so wakes its own at once. So all idle nodes look for one
 * job; with more than some nodes that is what Redis spares the database.
 */
export function createPostgresQueue(
  { announceWork, onWork }: Pick<PostgresStore, "announceWork" | "onWork">,
  clock: Clock,
): Queue {
  const lanes = createWakeLanes(clock);
  /** Said from here and not heard yet: whoever waits here knows. */
  const own = new Set<string>();
  const stop = onWork((errand, id) => {
    if (!own.delete(`${errand} ${id}`)) lanes.wake(errand, id);
  });
  return {
    ...lanes,
    wake(errand: Errand, id: string): void {
      lanes.wake(errand, id);
      // What was said while nobody could be told is never heard.
      if (own.size >= OWN_MAX) own.clear();
      own.add(`${errand} ${id}`);
      announceWork(errand, id);
    },
    close() {
      stop();
      return lanes.close();
    },
  };
}

const OWN_MAX = 10_000;
