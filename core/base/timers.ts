/** Waiting, on a clock that tests can own. */
import type { Clock } from "./basics.ts";

/** What somebody waits for. */
export interface Wait<Value> {
  /** Resolves to what it ended with; to undefined after its time, and when its signal aborts. */
  readonly over: Promise<Value | undefined>;
  /** Ends it, unless it is over. */
  end(value?: Value): void;
}

/** Waits for `ms` at most. `onEnd` is called before anybody hears of the end. */
export function startWait<Value>(
  clock: Clock,
  ms: number,
  signal: AbortSignal,
  onEnd: () => void = () => undefined,
): Wait<Value> {
  const { promise, resolve } = Promise.withResolvers<Value | undefined>();
  let is_over = false;
  const end = (value?: Value): void => {
    if (is_over) return;
    is_over = true;
    stop();
    signal.removeEventListener("abort", leave);
    onEnd();
    resolve(value);
  };
  const leave = (): void => end();
  const stop = clock.after(ms, leave);
  signal.addEventListener("abort", leave, { once: true });
  return { over: promise, end };
}

/** Resolves after `ms` or when `signal` aborts. */
export async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await startWait(clock, ms, signal).over;
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
