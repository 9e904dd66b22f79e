/**
 * The worker: claims jobs and runs as many at a time as it has places. It knows no HTTP. All heavy work is in the pool, so that leases are
 * renewed on time.
 */
import { describeError } from "../base/log.ts";
import { pause } from "../base/timers.ts";
import type { JobsStore, OperationsStore, Work } from "../ports/mod.ts";
import { createJobRunner, type JobOptions, type JobServices } from "./job.ts";
import { createLeases, LEASE_MS, type Stop } from "./leases.ts";
import { AWAY_MAX, createPlaces, NO_PLACE, type Place, type Places } from "./places.ts";
import { giveBack } from "./settle.ts";

export interface WorkerServices extends JobServices {
  readonly store: JobsStore & Pick<OperationsStore, "operation" | "onEnded">;
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
/** How often work beside full places looks for a job: wake-ups are for those who take any. */
const BESIDE_MS = 100;
/** How long a worker leaves a store alone that was away: one that knows so refuses at once. */
const AWAY_MS = 100;

export function startWorker(services: WorkerServices, options: WorkerOptions): Worker {
  const { store, queue, clock, log } = services;
  const leases = createLeases(services);
  const runJob = createJobRunner(services, leases, options);
  const stopping = new AbortController();
  /** The last claim of any place was not answered. */
  let away = false;

  /** `worker`: its name holds one job at a time, so that a job whose claim was not answered can be given back by it. */
  const claimJobs = async (work: Work, worker: string, places: Places): Promise<void> => {
    let place: Place | undefined;
    /** A claim was not answered: it may have come through all the same. */
    let is_unsure = false;
    /** The operation that was named when this loop was woken. */
    let named: string | undefined;
    while (!stopping.signal.aborted) {
      try {
        if (place?.held !== true) place = await places.enter(stopping.signal);
        if (place === undefined) return;
        if (is_unsure) for (const id of await store.releaseAll(work, worker)) queue.wake(work, id);
        is_unsure = true;
        const operation = await store.claim(work, worker, LEASE_MS, options.actions, place.passed());
        is_unsure = false;
        if (away) log("worker.store_back");
        away = false;
        if (operation === undefined) {
          named = await place.idle((needed) => queue.wait(work, IDLE_MS, AbortSignal.any([stopping.signal, needed])));
          continue;
        }
        queue.taken(work, operation.id);
        // The store chose another one: the one that was named still waits, for whoever is idle.
        if (named !== undefined && named !== operation.id) queue.wake(work, named);
        named = undefined;
        if (stopping.signal.aborted) {
          await giveBack(services, operation);
          return;
        }
        const job = leases.hold(operation, place);
        await runJob(job).finally(() => leases.drop(job));
        // To whoever has waited longer for one.
        place.leave();
      } catch (error) {
        // Once, not with every look of every place.
        if (!away) log("worker.store_away", { work, error: describeError(error) });
        away = true;
        await pause(clock, AWAY_MS, stopping.signal);
      }
    }
  };

  /**
   * While other accounts' jobs have every place of `work`, does the jobs of accounts that have none here, beside them and one at a time: nobody
   * waits for a stranger's minutes. Whoever has the node alone is passed over, and has the places that there are.
   */
  const claimBeside = async (work: Work, worker: string): Promise<void> => {
    let is_unsure = false;
    while (!stopping.signal.aborted) {
      const here = [...leases.running()].filter(({ operation }) => operation.work === work);
      const is_full = here.filter(({ place }) => place.held).length >= options.jobs_max;
      const passed = [...new Set(here.map(({ operation }) => operation.account_id))];
      try {
        if (is_unsure) for (const id of await store.releaseAll(work, worker)) queue.wake(work, id);
        is_unsure = is_full;
        const operation = is_full ? await store.claim(work, worker, LEASE_MS, options.actions, passed) : undefined;
        is_unsure = false;
        if (operation === undefined) {
          await pause(clock, BESIDE_MS, stopping.signal);
          continue;
        }
        queue.taken(work, operation.id);
        if (stopping.signal.aborted) {
          await giveBack(services, operation);
          return;
        }
        const job = leases.hold(operation, NO_PLACE);
        await runJob(job).finally(() => leases.drop(job));
      } catch {
        // The loops of the places say that the store is away.
        await pause(clock, BESIDE_MS, stopping.signal);
      }
    }
  };

  const loops = options.works.flatMap((work) => {
    const places = createPlaces(options.jobs_max);
    return [
      ...Array.from({ length: options.jobs_max + AWAY_MAX }, (_, n) =>
        claimJobs(work, `${options.name}/${work}/${n}`, places),
      ),
      claimBeside(work, `${options.name}/${work}/beside`),
    ];
  });

  return {
    async drain(ms) {
      stopping.abort();
      const idle = Promise.all(loops);
      const late = pause(clock, ms, new AbortController().signal).then(() => {
        for (const { cancel } of leases.running()) cancel.abort("drain" satisfies Stop);
      });
      await Promise.race([idle, late]);
      await idle;
      leases.stop();
    },
  };
}
