/** Jobs: one for each operation that is `processing`, leased by one worker at a time. */

import type { Work } from "../base/basics.ts";
import type { Operation } from "./operations.ts";

/** Claims, leases and the order of the queue. */
export interface JobsStore {
  queueStats(work: Work): Promise<QueueStats>;
  /** The first `limit` jobs that workers hold, by operation. */
  running(work: Work, limit: number): Promise<readonly RunningJob[]>;
  /** The first `limit` operations whose job is queued, in the order of their claims. */
  queued(work: Work, limit: number): Promise<readonly string[]>;
  /**
   * Takes the next queued job of `work`, fairly by account: accounts whose jobs wait have workers for equally long, by
   * the jobs' weights, and of the jobs whose turn it is the lightest goes first. Jobs of other actions than `actions`
   * (absent: any) are left to workers that know them; an account that has `jobs_max` jobs of `work` leased is passed
   * over, and so is every one of `passed`. Raises `attempt`, sets the lease to the store's now + `lease_ms`, and
   * `started_at` at the first claim.
   */
  claim(
    work: Work,
    worker: string,
    lease_ms: number,
    actions?: readonly string[],
    passed?: readonly string[],
  ): Promise<Operation | undefined>;
  /**
   * Extends leases and records progress. Resolves to the ids that are no longer held with that attempt (ended, or
   * claimed by another).
   */
  renew(held: readonly HeldJob[], lease_ms: number): Promise<readonly string[]>;
  /**
   * Puts a job back, before any later one, without counting it as lost. False when it is no longer held with that
   * attempt.
   */
  release(id: string, attempt: number): Promise<boolean>;
  /**
   * Puts back, likewise, every job that `worker` holds: for one that cannot know whether its claim came through.
   * Resolves to their ids.
   */
  releaseAll(work: Work, worker: string): Promise<readonly string[]>;
  /**
   * Operations whose `deadline_at` is over by the store's now, up to `limit`; still `processing`, for core to
   * terminate.
   */
  overdue(limit: number): Promise<readonly Operation[]>;
  /**
   * Jobs whose lease ran out: those lost fewer than `losses_max` times go back to the queue, the others are returned,
   * still `processing` and still leased to nobody, for core to terminate. `requeued` counts the former. Returned as
   * well, some minutes late at most: jobs of actions that no `claim` has asked for in `unknown_ms`, although workers of
   * their kind were there all that time. A store of one process, whose worker takes every action, has none of these.
   */
  reconcile(
    losses_max: number,
    unknown_ms?: number,
  ): Promise<{ readonly requeued: readonly QueuedJob[]; readonly exhausted: readonly Operation[] }>;
}

export interface QueuedJob {
  /** Of the operation. */
  readonly id: string;
  readonly work: Work;
}

interface HeldJob {
  readonly id: string;
  readonly attempt: number;
  readonly progress: number;
  readonly stage: string | null;
}

export interface QueueStats {
  readonly queued: number;
  readonly running: number;
  /** `created_at` of the oldest queued job; null: none is queued. */
  readonly oldest_at: number | null;
}

/** A job and who is at it. */
export interface RunningJob {
  /** Of the operation. */
  readonly id: string;
  readonly account_id: string;
  readonly action: string;
  readonly worker: string;
  readonly attempt: number;
  readonly started_at: number | null;
  readonly progress: number;
  readonly stage: string | null;
}
