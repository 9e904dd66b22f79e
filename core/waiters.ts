/**
 * Long-polls of this node. One wake-up channel (`store.onEnded`) for all of them, and one read for all waiters of the operations that
 * ended together: never a query for each waiter.
 */
import type { Clock, Snapshot, Store } from "./ports.ts";

export interface Waiters {
  /**
   * Resolves to the operation once it has ended; to undefined after `ms_max`, when `signal` aborts, or when the node drains. The caller
   * reads the operation once more after registering, else an end between its read and this call would be missed.
   */
  wait(id: string, ms_max: number, signal: AbortSignal): Promise<Snapshot | undefined>;
  /** Answers everybody now and from now on at once: the node is going away. */
  drain(): void;
  readonly open: number;
}

type Wake = (operation: Snapshot | undefined) => void;

/** How many ids one catching-up read asks for. */
const IDS_MAX = 500;

export function createWaiters(store: Store, clock: Clock): Waiters {
  const waiting = new Map<string, Set<Wake>>();
  let open = 0;
  let draining = false;

  const read = async (ids: readonly string[]): Promise<void> => {
    for (let start = 0; start < ids.length; start += IDS_MAX) {
      for (const operation of await store.snapshots(ids.slice(start, start + IDS_MAX))) {
        if (operation.status === "processing") continue;
        for (const wake of [...(waiting.get(operation.id) ?? [])]) wake(operation);
      }
    }
  };
  store.onEnded((ended) => {
    const ids = (ended ?? [...waiting.keys()]).filter((id) => waiting.has(id));
    if (ids.length === 0) return;
    // A store that is away here leaves the waiters to their time limit: they then answer with what they know.
    read(ids).catch(() => undefined);
  });

  return {
    wait(id, ms_max, signal) {
      if (draining || signal.aborted) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const finish: Wake = (operation) => {
          stopTimer();
          signal.removeEventListener("abort", gone);
          const others = waiting.get(id);
          if (others?.delete(finish)) open--;
          if (others?.size === 0) waiting.delete(id);
          resolve(operation);
        };
        const gone = () => finish(undefined);
        const stopTimer = clock.after(ms_max, gone);
        signal.addEventListener("abort", gone, { once: true });
        const others = waiting.get(id);
        if (others === undefined) waiting.set(id, new Set([finish]));
        else others.add(finish);
        open++;
      });
    },
    drain() {
      draining = true;
      for (const wakes of [...waiting.values()]) for (const wake of [...wakes]) wake(undefined);
    },
    get open() {
      return open;
    },
  };
}
