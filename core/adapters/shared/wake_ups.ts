import { type Clock, ERRANDS, type Errand } from "../../base/basics.ts";
import { startWait, type Wait } from "../../base/timers.ts";

/** One process's waiters for one kind of work, first come first served, and the wake-ups that found no waiter. */
export interface WakeUps {
  /** Resolves to the id of the wake-up, or to undefined after `ms_max`, when `signal` aborts, or when all is closed. */
  wait(ms_max: number, signal: AbortSignal): Promise<string | undefined>;
  /** Releases whoever has waited longest. False: nobody waits. */
  release(id: string): boolean;
  /** Keeps a wake-up for the next waiter. */
  keep(id: string): void;
  /** Takes back a kept wake-up. */
  forget(id: string): void;
  /** Releases all waiters. Later ones are released at once. */
  close(): void;
  readonly waiting: number;
}

// A worker that looks in vain costs one indexed read; there are fewer workers than this.
const KEPT_MAX = 1_024;

export function createWakeUps(clock: Clock): WakeUps {
  const waiters = new Set<Wait<string>>();
  const kept = new Set<string>();
  let closed = false;

  return {
    wait(ms_max, signal) {
      if (closed || signal.aborted) return Promise.resolve(undefined);
      const [oldest] = kept;
      if (oldest !== undefined) {
        kept.delete(oldest);
        return Promise.resolve(oldest);
      }
      const wait = startWait<string>(clock, ms_max, signal, () => waiters.delete(wait));
      waiters.add(wait);
      return wait.over;
    },
    release(id) {
      const [longest] = waiters;
      longest?.end(id);
      return longest !== undefined;
    },
    keep(id) {
      if (kept.size < KEPT_MAX) kept.add(id);
    },
    forget(id) {
      kept.delete(id);
    },
    close() {
      closed = true;
      for (const wait of [...waiters]) wait.end();
    },
    get waiting() {
      return waiters.size;
    },
  };
}

/**
 * Wake-ups of one process, for each errand: a wake-up releases the one who has waited longest, or is kept for the next.
 */
export function createWakeLanes(clock: Clock) {
  const lanes = new Map<string, WakeUps>(ERRANDS.map((errand) => [errand, createWakeUps(clock)]));
  return {
    wake(errand: Errand, id: string): void {
      // What a node of another version says may be new to this one.
      const lane = lanes.get(errand);
      if (lane?.release(id) === false) lane.keep(id);
    },
    taken: (errand: Errand, id: string): void => lanes.get(errand)?.forget(id),
    wait: (errand: Errand, ms_max: number, signal: AbortSignal): Promise<string | undefined> =>
      lanes.get(errand)?.wait(ms_max, signal) ?? Promise.resolve(undefined),
    async close(): Promise<void> {
      for (const lane of lanes.values()) lane.close();
    },
  };
}
