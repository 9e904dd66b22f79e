/** What a job does while store or bucket are away. */
import { pause } from "../base/timers.ts";
import { type Clock, StoreUnavailable } from "../ports/mod.ts";

const RETRY_MS = 250;
/** Longer than a database or a bucket takes to start anew. */
const PATIENCE_MS = 300_000;

/**
 * Tries `step` again while store or bucket are away, until `signal` aborts or patience ends: what a job has made is not
 * thrown away for that.
 */
export async function retryWhileAway<Result>(
  clock: Clock,
  signal: AbortSignal,
  step: () => Promise<Result>,
): Promise<Result> {
  const began = clock.now();
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || clock.now() - began > PATIENCE_MS) throw error;
      await pause(clock, RETRY_MS, signal);
      if (signal.aborted) throw error;
    }
  }
}
