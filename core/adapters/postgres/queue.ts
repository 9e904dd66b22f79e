import { createWakeUps, type WakeUps } from "../../base/wake_ups.ts";
import type { Clock, Errand, Queue, Store } from "../../ports/mod.ts";
import type { PostgresStore } from "./store.ts";

/**
 * The queue of several nodes without Redis: every node hears of every job over the connection that it listens on anyway, and wakes one of its
 * waiters. So all idle nodes look for one job; with more than some nodes that is what Redis spares the database.
 */
export function createPostgresQueue(
  { announceWork, onWork }: Pick<PostgresStore, "announceWork" | "onWork"> & Pick<Store, "close">,
  clock: Clock,
): Queue {
  const lanes: Record<Errand, WakeUps> = {
    dsp: createWakeUps(clock),
    generation: createWakeUps(clock),
    gpu: createWakeUps(clock),
    picture: createWakeUps(clock),
  };
  const stop = onWork((work, id) => {
    // What a node of another version says may be new to this one.
    const lane = lanes[work] as WakeUps | undefined;
    if (lane?.release(id) === false) lane.keep(id);
  });
  return {
    wake: (work, id) => announceWork(work, id),
    taken: (work, id) => lanes[work].forget(id),
    wait: (work, ms_max, signal) => lanes[work].wait(ms_max, signal),
    async close() {
      stop();
      for (const lane of Object.values(lanes)) lane.close();
    },
  };
}
