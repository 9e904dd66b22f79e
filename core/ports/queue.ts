/** The queue's wake-ups, and counts that nodes share. */

import type { Errand } from "../base/basics.ts";

/**
 * A hint, never the truth: says that there may be something to claim. Which job that is, the store decides. Nothing
 * here rejects or waits for a server: what is lost is found by those who look by themselves after `ms_max`, and named
 * again by the reconciler.
 */
export interface Queue {
  /**
   * The job of operation `id` is queued, or pictures of the object `id`, or the object itself, are wanted. Naming it
   * twice is naming it once.
   */
  wake(work: Errand, id: string): void;
  /** It is queued no more: claimed, or ended. Takes back a wake-up that nobody has had yet. */
  taken(work: Errand, id: string): void;
  /**
   * Resolves when woken, to the operation that was named, or to undefined after `ms_max` or sooner, or when `signal`
   * aborts. One wake-up releases at least one waiter; a wake-up without a waiter is kept.
   */
  wait(work: Errand, ms_max: number, signal: AbortSignal): Promise<string | undefined>;
  close(): Promise<void>;
}

/**
 * Counts that all nodes share, so that an account's limits hold for the installation. Where they cannot be had, each
 * node counts alone.
 */
export interface Tallies {
  /** False: they cannot be had now. */
  readonly up: boolean;
  /**
   * Takes one token from the bucket `name`, which holds `per_minute` and is refilled at that rate (or in `window_ms`
   * instead of a minute). Resolves to what is left, below 1 where there was none to take; to undefined where nobody can
   * tell.
   */
  take(
    name: string,
    per_minute: number,
    window_ms?: number,
  ): Promise<{ readonly ok: boolean; readonly level: number } | undefined>;
  /** Adds `member` to the set `name` for at most `ms` where it has fewer than `most`. Undefined: nobody can tell. */
  enter(name: string, member: string, most: number, ms: number): Promise<boolean | undefined>;
  leave(name: string, member: string): void;
  close(): Promise<void>;
}
