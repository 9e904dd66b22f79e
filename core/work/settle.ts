/**
 * How a job ends: with audio, with a failure that its client is told, or given back. Only the attempt that still holds
 * it ends an operation.
 */
import { faultOf } from "../actions/fault_reports.ts";
import type { StoredOutput, StoredReport } from "../actions/render.ts";
import { removePaths } from "../base/client_reasons.ts";
import { Failure, failureOf } from "../base/errors.ts";
import { describeError, type Log, redact } from "../base/log.ts";
import type { Operations } from "../operations/operations.ts";
import type { Clock, JobsStore, Operation, OperationsStore, Queue } from "../ports/mod.ts";
import type { JobOutcome } from "../ports/telemetry.ts";
import type { Leases, RunningJob, Stop } from "./leases.ts";
import { retryWhileAway } from "./patience.ts";

export interface SettleServices {
  readonly store: Pick<JobsStore, "release"> & Pick<OperationsStore, "operation" | "rebate">;
  readonly queue: Queue;
  readonly operations: Pick<Operations, "announceStart" | "finish" | "fail">;
  readonly clock: Clock;
  readonly log: Log;
}

/** Puts a job back that runs nowhere. */
export async function giveBack(
  { store, queue }: Pick<SettleServices, "store" | "queue">,
  { id, attempt, work }: Operation,
): Promise<void> {
  if (await store.release(id, attempt)) queue.wake(work, id);
}

/** Ends the operation as `ready`. False: it had ended otherwise, or another attempt has it. */
export async function finishJob(
  { store, operations, clock }: SettleServices,
  { operation, cancel: { signal } }: RunningJob,
  stored: readonly (StoredOutput | StoredReport)[],
): Promise<boolean> {
  let tries = 0;
  const won = await retryWhileAway(clock, signal, () => {
    tries++;
    return operations.finish(operation, stored);
  });
  if (won || tries === 1) return won;
  // A try whose answer was lost may have been what won.
  const now = await retryWhileAway(clock, signal, () => store.operation(operation.id));
  return now?.status === "ready" && now.attempt === operation.attempt;
}

/** Ends a job that did not come back with audio: a failure of the work is final, a lost thread is not. */
export async function settleJob(
  services: SettleServices,
  leases: Leases,
  job: RunningJob,
  error: unknown,
): Promise<JobOutcome> {
  const { operations, clock, log } = services;
  const { operation, cancel } = job;
  const { signal } = cancel;
  const fields = { id: operation.id, action: operation.action, attempt: operation.attempt };
  const fail = (failure: Failure): Promise<boolean> =>
    retryWhileAway(clock, signal, () => operations.fail(operation, failure));
  try {
    if (signal.aborted) {
      const released = (signal.reason as Stop) === "drain";
      if (released) await giveBack(services, operation);
      log("operation.stopped", { ...fields, reason: String(signal.reason) });
      return released ? "released" : "stopped";
    }
    if (isPoolFailure(error, "timeout")) {
      const won = await fail(failureOf("generation_timeout"));
      log("operation.timeout", fields);
      return won ? "timeout" : "stopped";
    }
    if (isPoolFailure(error, "crashed") || isPoolFailure(error, "closed")) {
      await leases.expire(job);
      log("operation.lost", { ...fields, error: describeError(error) });
      return "lost";
    }
    const failure = toFailure(error);
    const won = await fail(failure);
    // What the client is not told; a plugin's fault has a line of its own.
    const is_told = faultOf(error) !== undefined || (error instanceof Error && error.message === failure.message);
    const hidden = is_told ? {} : { error: describeError(error) };
    log("operation.failed", { ...fields, code: failure.code, ...hidden });
    return won ? "failed" : "stopped";
  } catch (unsettled) {
    // The store is away: the lease runs out and another worker takes over.
    log("operation.unsettled", { ...fields, error: describeError(unsettled) });
    return "lost";
  }
}

function toFailure(error: unknown): Failure {
  // By name: what a thread of the pool threw is no instance of a class of this one.
  if (error instanceof Error && error.name === "Failure") {
    const { code, message, source } = error as Failure;
    return new Failure(code, redact(removePaths(message)), source);
  }
  return failureOf("internal_error");
}

export function isPoolFailure(error: unknown, code: string): boolean {
  return error instanceof Error && error.name === "PoolError" && (error as Error & { code: string }).code === code;
}
