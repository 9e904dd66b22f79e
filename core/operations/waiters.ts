/**
 * Long-polls of this node. One wake-up channel (`store.onEnded`) for all of them, and one read for all waiters of the
 * operations that ended together: never a query for each waiter.
 */
import { startWait, type Wait } from "../base/timers.ts";
import type { Clock, OperationsStore, Snapshot } from "../ports/mod.ts";

export interface Waiters {
  /**
   * Registers for the end of an operation. The caller reads the operation after registering, never before only: an end
   * in between is seen by one or the other.
   */
  wait(id: string, ms_max: number, signal: AbortSignal): Waiting;
  /** Answers everybody now and from now on at once: the node is going away. */
  drain(): void;
  readonly open: number;
}

interface Waiting {
  /**
   * Resolves to the operation once it has ended; to undefined after `ms_max`, after `leave`, when `signal` aborts or
   * the node drains.
   */
  readonly ended: Promise<Snapshot | undefined>;
  leave(): void;
}

/** How many ids one catching-up read asks for. */
const IDS_MAX = 500;
/** A store that was away is asked again this soon, while somebody waits. */
const AGAIN_MS = 200;

export function createWaiters(store: Pick<OperationsStore, "snapshots" | "onEnded">, clock: Clock): Waiters {
  const waiting = new Map<string, Set<Wait<Snapshot>>>();
  let open = 0;
  let draining = false;

  const read = async (ids: readonly string[]): Promise<void> => {
    for (let start = 0; start < ids.length; start += IDS_MAX) {
      for (const operation of await store.snapshots(ids.slice(start, start + IDS_MAX))) {
        if (operation.status === "processing") continue;
        for (const wait of [...(waiting.get(operation.id) ?? [])]) wait.end(operation);
      }
    }
  };
  /** Ended, or perhaps so, and not read yet: the store was away. */
  const unread = new Set<string>();
  const wakeEnded = (maybe: Iterable<string>): void => {
    const ids = [...maybe].filter((id) => waiting.has(id));
    if (ids.length === 0) return;
    read(ids).catch(() => {
      if (unread.size === 0)
        clock.after(AGAIN_MS, () => {
          const again = [...unread];
          unread.clear();
          wakeEnded(again);
        });
      for (const id of ids) unread.add(id);
    });
  };
  store.onEnded((ended) => wakeEnded(ended ?? waiting.keys()));

  return {
    wait(id, ms_max, signal) {
      if (draining || signal.aborted) return { ended: Promise.resolve(undefined), leave: () => undefined };
      const others = waiting.get(id) ?? new Set();
      const wait = startWait<Snapshot>(clock, ms_max, signal, () => {
        open--;
        others.delete(wait);
        if (others.size === 0) waiting.delete(id);
      });
      waiting.set(id, others.add(wait));
      open++;
      return { ended: wait.over, leave: () => wait.end() };
    },
    drain() {
      draining = true;
      for (const waits of [...waiting.values()]) for (const wait of [...waits]) wait.end();
    },
    get open() {
      return open;
    },
  };
}
