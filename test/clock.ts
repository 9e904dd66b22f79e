import type { Clock } from "../core/ports/mod.ts";

/** A clock that moves only when told to. */
export interface FakeClock extends Clock {
  /** Moves time by `ms` and runs the callbacks that fall due, each at its own time, in order. */
  advance(ms: number): void;
}

/** `start`: milliseconds since 1970 UTC; by default a fixed day. */
export function fakeClock(start = Date.UTC(2026, 0, 1)): FakeClock {
  let now = start;
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  return {
    now: () => now,
    after(ms, callback) {
      const timer = { at: now + ms, callback };
      timers.add(timer);
      return () => {
        timers.delete(timer);
      };
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = [...timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers.delete(next);
        now = next.at;
        next.callback();
      }
      now = end;
    },
  };
}
