import { StoreUnavailable } from "../../ports/mod.ts";

/**
 * Rejects with `StoreUnavailable` what takes longer than `ms`. All limits are equal, so one timer and a line will do.
 */
export function createDeadlines(ms: number): { limit<T>(work: Promise<T>): Promise<T> } {
  interface Limited {
    readonly until: number;
    readonly reject: (error: Error) => void;
    done: boolean;
  }
  let line: Limited[] = [];
  let timer: ReturnType<typeof setInterval> | undefined;

  function look(): void {
    const now = performance.now();
    let passed = 0;
    for (const entry of line) {
      if (!entry.done && entry.until > now) break;
      passed += 1;
      if (!entry.done) entry.reject(new StoreUnavailable(`Cannot use the database: no answer within ${ms} ms`));
    }
    line = line.slice(passed);
    if (line.length > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    limit: (work) =>
      new Promise((resolve, reject) => {
        const entry: Limited = { until: performance.now() + ms, reject, done: false };
        line.push(entry);
        if (timer === undefined) {
          timer = setInterval(look, LOOK_MS);
          if (typeof timer === "object") timer.unref();
        }
        work.then(
          (value) => {
            entry.done = true;
            resolve(value);
          },
          (error: unknown) => {
            entry.done = true;
            reject(error);
          },
        );
      }),
  };
}

const LOOK_MS = 50;
