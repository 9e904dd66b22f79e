import type { Clock } from "./basics.ts";

/** Those of one process who wait for one kind of work, in the order of their arrival, and wake-ups that found nobody. */
export interface WakeUps {
  /** Resolves to the id of the wake-up, or to undefined after `ms_max`, when `signal` aborts or all is closed. */
  wait(ms_max: number, signal: AbortSignal): Promise<string | undefined>;
  /** Releases the one who has waited longest. False: nobody waits. */
  release(id: string): boolean;
  /** For the next who waits. */
  keep(id: string): void;
  /** Takes back what is kept. */
  forget(id: string): void;
  /** Releases all who wait; whoever waits afterwards is released at once. */
  close(): void;
  readonly waiting: number;
}

// A worker that looks in vain costs one indexed read, and there are fewer workers than this.
const KEPT_MAX = 1_024;

export function createWakeUps(clock: Clock): WakeUps {
  const waiters = new Set<(id?: string) => void>();
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
      return new Promise((resolve) => {
        const finish = (id?: string) => {
          waiters.delete(finish);
          cancel();
          signal.removeEventListener("abort", leave);
          resolve(id);
        };
        const leave = () => finish();
        const cancel = clock.after(ms_max, leave);
        signal.addEventListener("abort", leave);
        waiters.add(finish);
      });
    },
    release(id) {
      const [longest] = waiters;
      longest?.(id);
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
      for (const release of [...waiters]) release();
    },
    get waiting() {
      return waiters.size;
    },
  };
}
