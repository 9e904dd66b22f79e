/** What an operation costs less than was debited, once a thread has measured its sources. */
import type { PriceQuestion } from "../actions/tasks.ts";
import type { Clock, OperationsStore } from "../ports/mod.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import type { RunningJob } from "./leases.ts";
import { retryWhileAway } from "./patience.ts";

interface RebateServices {
  readonly store: Pick<OperationsStore, "rebate">;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** Once for an operation, however often it is attempted: what was measured first stands. */
export async function rebateJob(
  { store, clock, telemetry: { metrics } }: RebateServices,
  job: RunningJob,
  { cost }: PriceQuestion,
): Promise<void> {
  const { operation, cancel } = job;
  const { id, attempt, action } = operation;
  const now = await retryWhileAway(clock, cancel.signal, () => store.rebate({ id, attempt, cost, at: clock.now() }));
  // The job is lost: it ends as others do that are.
  if (now === undefined) return;
  // Variations that are made side by side each measure them.
  const rest = job.operation.cost - now;
  job.operation = { ...job.operation, cost: now };
  if (rest > 0) metrics?.rebated(action, rest);
}
