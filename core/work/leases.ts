/**
 * Leases of the jobs that run here: renewed in time, with the progress that clients see, and given up at once where a
 * job is lost.
 */
import { describeError, type Log } from "../base/log.ts";
import { every } from "../base/timers.ts";
import type { Clock, JobsStore, Operation, OperationsStore } from "../ports/mod.ts";
import type { Place } from "./places.ts";

/** A job that this worker has claimed, while it runs. */
export interface RunningJob {
  /** As it was claimed, and what it costs now. */
  operation: Operation;
  readonly place: Place;
  /** Aborted with a `Stop`. */
  readonly cancel: AbortController;
  progress: number;
  stage: string | null;
  /** The store has not been told this progress. */
  changed: boolean;
  /** Processor time of this attempt so far. */
  cost_ms: number;
}

/** Why a running job was stopped from here. */
export type Stop = "lost" | "drain";

export interface Leases {
  hold(operation: Operation, place: Place): RunningJob;
  /** Ends the renewals of this job. */
  drop(job: RunningJob): void;
  /** Gives the lease of a lost job back, so that the reconciler hands it on without waiting. */
  expire(job: RunningJob): Promise<void>;
  running(): Iterable<RunningJob>;
  /** Ends all renewals. */
  stop(): void;
}

/** A worker that is silent for this long has lost its jobs. */
export const LEASE_MS = 30_000;
/** Often enough to miss two renewals and still hold the lease. */
const RENEW_MS = 8_000;
/** How soon a client sees progress. */
const PROGRESS_MS = 500;

export function createLeases({
  store,
  clock,
  log,
}: {
  readonly store: Pick<JobsStore, "renew"> & Pick<OperationsStore, "onEnded">;
  readonly clock: Clock;
  readonly log: Log;
}): Leases {
  const running = new Map<string, RunningJob>();
  /** On their way to the store. */
  const renewals = new Set<Promise<unknown>>();

  const stopLost = (ids: readonly string[]): void => {
    for (const id of ids) running.get(id)?.cancel.abort("lost" satisfies Stop);
  };

  const renew = async (jobs: readonly RunningJob[]): Promise<void> => {
    if (jobs.length === 0) return;
    const held = jobs.map(({ operation: { id, attempt }, progress, stage }) => ({ id, attempt, progress, stage }));
    for (const job of jobs) job.changed = false;
    const renewal = store.renew(held, LEASE_MS);
    renewals.add(renewal);
    try {
      stopLost(await renewal);
    } finally {
      renewals.delete(renewal);
    }
  };

  const renewEvery = (ms: number, event: string, chosen: (job: RunningJob) => boolean): (() => void) =>
    every(clock, ms, () =>
      renew([...running.values()].filter(chosen)).catch((error: unknown) => {
        log(event, { error: describeError(error) });
      }),
    );
  const stops = [
    store.onEnded((ids) => stopLost(ids ?? [])),
    renewEvery(RENEW_MS, "worker.renew_failed", () => true),
    renewEvery(PROGRESS_MS, "worker.progress_failed", ({ changed }) => changed),
  ];

  const drop = (job: RunningJob): void => {
    const { id } = job.operation;
    // A job that was lost may be here again, as another attempt.
    if (running.get(id) === job) running.delete(id);
  };

  return {
    hold(operation, place) {
      const cancel = new AbortController();
      const job = { operation, place, cancel, progress: 0, stage: null, changed: false, cost_ms: 0 };
      running.set(operation.id, job);
      return job;
    },
    drop,
    async expire(job) {
      const { id, attempt } = job.operation;
      // Held no longer, or a renewal that comes meanwhile would take the lease again and nobody would have the job
      // until it runs out.
      drop(job);
      await Promise.allSettled(renewals);
      await store.renew([{ id, attempt, progress: 0, stage: null }], 0);
    },
    running: () => running.values(),
    stop() {
      for (const stop of stops) stop();
    },
  };
}
