import { createWakeUps, type WakeUps } from "../../base/wake_ups.ts";
import type { Clock, Errand, Queue } from "../../ports/mod.ts";

/** The queue of a single process: waiters in memory. One wake-up releases the waiter that has waited longest. */
export function createLocalQueue({ clock }: { readonly clock: Clock }): Queue {
  const lanes: Record<Errand, WakeUps> = {
    dsp: createWakeUps(clock),
    generation: createWakeUps(clock),
    gpu: createWakeUps(clock),
    picture: createWakeUps(clock),
  };
  return {
    wake(work, id) {
      if (!lanes[work].release(id)) lanes[work].keep(id);
    },
    taken: (work, id) => lanes[work].forget(id),
    wait: (work, ms_max, signal) => lanes[work].wait(ms_max, signal),
    async close() {
      for (const lane of Object.values(lanes)) lane.close();
    },
  };
}
