import type { Clock, Queue, Work } from "../ports.ts";

/** The queue of a single process: waiters in memory. One wake-up releases the waiter that has waited longest. */
export function createLocalQueue({ clock }: { readonly clock: Clock }): Queue {
  const bells: Record<Work, Bell> = { dsp: newBell(), generation: newBell(), gpu: newBell() };
  let closed = false;

  return {
    wake(work, id) {
      const bell = bells[work];
      const [longest] = bell.waiters;
      if (longest !== undefined) longest(id);
      else if (bell.kept.size < KEPT_MAX) bell.kept.add(id);
    },

    taken(work, id) {
      bells[work].kept.delete(id);
    },

    wait(work, ms_max, signal) {
      const bell = bells[work];
      if (closed || signal.aborted) return Promise.resolve(undefined);
      const [kept] = bell.kept;
      if (kept !== undefined) {
        bell.kept.delete(kept);
        return Promise.resolve(kept);
      }
      return new Promise((resolve) => {
        const finish = (id?: string) => {
          bell.waiters.delete(finish);
          cancel();
          signal.removeEventListener("abort", leave);
          resolve(id);
        };
        const leave = () => finish();
        const cancel = clock.after(ms_max, leave);
        signal.addEventListener("abort", leave);
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
  /** Wake-ups that found nobody waiting: so many workers look at once before one waits again. In the order in which they came. */
  readonly kept: Set<string>;
  /** In the order of their arrival. */
  readonly waiters: Set<(id?: string) => void>;
}

const newBell = (): Bell => ({ kept: new Set(), waiters: new Set() });

// A worker that looks in vain costs one indexed read, and there are fewer workers than this.
const KEPT_MAX = 1_024;
