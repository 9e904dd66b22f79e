import type { Clock, Queue, Work } from "../ports.ts";

/** The queue of a single process: waiters in memory. One wake-up releases the waiter that has waited longest. */
export function createLocalQueue({ clock }: { readonly clock: Clock }): Queue {
  const bells: Record<Work, Bell> = {
    dsp: { kept: 0, waiters: new Set() },
    generation: { kept: 0, waiters: new Set() },
  };
  let closed = false;

  return {
    wake(work) {
      const bell = bells[work];
      const [longest] = bell.waiters;
      if (longest !== undefined) longest();
      else bell.kept = Math.min(bell.kept + 1, KEPT_MAX);
    },

    wait(work, ms_max, signal) {
      const bell = bells[work];
      if (closed || signal.aborted) return Promise.resolve();
      if (bell.kept > 0) {
        bell.kept -= 1;
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        const finish = () => {
          bell.waiters.delete(finish);
          cancel();
          signal.removeEventListener("abort", finish);
          resolve();
        };
        const cancel = clock.after(ms_max, finish);
        signal.addEventListener("abort", finish);
        bell.waiters.add(finish);
      });
    },

    /** Releases all who wait; whoever waits afterwards is released at once. */
    async close() {
      closed = true;
      for (const bell of Object.values(bells)) for (const release of [...bell.waiters]) release();
    },
  };
}

interface Bell {
  /** Wake-ups that found nobody waiting: so many workers look at once before one waits again. */
  kept: number;
  /** In the order of their arrival. */
  readonly waiters: Set<() => void>;
}

// A worker that looks in vain costs one indexed read, and there are fewer workers than this.
const KEPT_MAX = 1_024;
