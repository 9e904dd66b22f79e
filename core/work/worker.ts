/**
 * The worker: claims jobs and runs as many at a time as it has places. It knows no HTTP. All heavy work is in the pool,
 * so that leases are renewed on time.
 */
import { describeError } from "../base/log.ts";
import { pause } from "../base/timers.ts";
import type { JobsStore, Operation, OperationsStore, Work } from "../ports/mod.ts";
import { createJobRunner, type JobOptions, type JobServices } from "./job.ts";
import { createLeases, LEASE_MS, type Stop } from "./leases.ts";
import { createPlaces, type Place } from "./places.ts";
import { giveBack } from "./settle.ts";

interface WorkerServices extends JobServices {
  readonly store: JobsStore & Pick<OperationsStore, "operation" | "rebate" | "onEnded">;
}

export interface WorkerOptions extends JobOptions {
  /** Name of this worker, unique among all nodes. */
  readonly name: string;
  /** Kinds of work that are done here. */
  readonly works: readonly Work[];
  /** Actions whose jobs are claimed; absent: all, and the ones that are not known here fail. */
  readonly actions?: readonly string[];
}

export interface Worker {
  /** Takes no more jobs and lets the running ones go on for `ms`; what is left then goes back to the queue. */
  drain(ms: number): Promise<void>;
}

/** An idle worker looks by itself this often: wake-ups are hints. */
const IDLE_MS = 5_000;
/** How long a worker leaves a store alone that was away: one that knows so refuses at once. */
const AWAY_MS = 100;

export function startWorker(services: WorkerServices, options: WorkerOptions): Worker {
  const { store, queue, clock, log } = services;
  const leases = createLeases(services);
  const runJob = createJobRunner(services, leases, options);
  const stopping = new AbortController();
  const { signal } = stopping;
  const working = new Set<Promise<void>>();
  /** The last claim of any kind of work was not answered. */
  let away = false;

  /**
   * Claims under a name for each job, so that one whose claim was not answered, and may have come through, can be given
   * back by its name.
   */
  const createClaims = (work: Work) => {
    let jobs = 0;
    let is_unsure = false;
    return async (passed: readonly string[]): Promise<Operation | undefined> => {
      const worker = `${options.name}/${work}/${jobs}`;
      if (is_unsure) for (const id of await store.releaseAll(work, worker)) queue.wake(work, id);
      is_unsure = true;
      const operation = await store.claim(work, worker, LEASE_MS, options.actions, passed);
      is_unsure = false;
      if (operation === undefined) return undefined;
      jobs++;
      queue.taken(work, operation.id);
      if (!signal.aborted) return operation;
      await giveBack(services, operation);
      return undefined;
    };
  };

  /** Whose jobs of `work` run here. */
  const accountsHere = (work: Work): readonly string[] =>
    [...leases.running()].flatMap(({ operation }) => (operation.work === work ? [operation.account_id] : []));

  const begin = (operation: Operation, place: Place): void => {
    const job = leases.hold(operation, place);
    const ended = runJob(job)
      .catch((error: unknown) => log("worker.job_broken", { id: operation.id, error: describeError(error) }))
      .finally(() => {
        leases.drop(job);
        place.leave();
        working.delete(ended);
      });
    working.add(ended);
  };

  /**
   * Does as many jobs of `work` at a time as there are places. While those have every place, jobs of accounts that have
   * none here are done beside them, one at a time: nobody waits for a stranger's minutes. Whoever has the node alone is
   * passed over there, and has the places that there are.
   */
  const claimJobs = async (work: Work): Promise<void> => {
    const places = createPlaces(options.jobs_max, clock);
    const claim = createClaims(work);
    /** The operation that was named when this loop was woken. */
    let named: string | undefined;
    for (;;) {
      const place = await places.enter(signal);
      if (place === undefined) return;
      try {
        const changed = places.changed();
        const operation = await claim(place.beside ? accountsHere(work) : places.passed());
        if (away) log("worker.store_back");
        away = false;
        if (operation === undefined) {
          place.leave();
          if (!place.beside) named = await queue.wait(work, IDLE_MS, AbortSignal.any([signal, changed]));
          continue;
        }
        // The store chose another one: the one that was named still waits, for whoever is idle.
        if (named !== undefined && named !== operation.id) queue.wake(work, named);
        named = undefined;
        begin(operation, place);
      } catch (error) {
        place.leave();
        // Once, not with every look at every kind.
        if (!away) log("worker.store_away", { work, error: describeError(error) });
        away = true;
        await pause(clock, AWAY_MS, signal);
      }
    }
  };

  const loops = options.works.map(claimJobs);

  return {
    async drain(ms) {
      stopping.abort();
      const idle = Promise.all(loops).then(() => Promise.all(working));
      const late = pause(clock, ms, new AbortController().signal).then(() => {
        for (const { cancel } of leases.running()) cancel.abort("drain" satisfies Stop);
      });
      await Promise.race([idle, late]);
      await idle;
      leases.stop();
    },
  };
}
