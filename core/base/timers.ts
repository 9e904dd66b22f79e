/** Waiting, on a clock that tests can own. */
import type { Clock } from "./basics.ts";

/** Resolves after `ms` or when `signal` aborts. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      stop();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const stop = clock.after(ms, done);
    signal.addEventListener("abort", done, { once: true });
  });
}

/** Each call resolves `ms` after the one before it, so that what follows has a bounded part of the event loop. */
export function createTurns(ms: number): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(() => new Promise((resolve) => setTimeout(resolve, ms)));
    return last;
  };
}

/** Whether what counts for `ms`, until `until`, counts now. A clock that stepped back keeps nothing alive. */
export const isFresh = (until: number, ms: number, now: number): boolean => now < until && now >= until - ms;

/** Runs `work` again `ms` after it last settled, until the returned function is called. */
export function every(clock: Clock, ms: number, work: () => Promise<void>): () => void {
  let stopped = false;
  let stop = () => {};
  const next = () => {
    stop = clock.after(ms, () => {
      void work().then(() => {
        if (!stopped) next();
      });
    });
  };
  next();
  return () => {
    stopped = true;
    stop();
  };
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    // A number on Deno, an object elsewhere: nothing waits for these timers at the end.
    if (typeof timer === "object") timer.unref();
    return () => clearTimeout(timer);
  },
};
