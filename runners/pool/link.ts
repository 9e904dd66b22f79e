/**
 * What code inside a pool's thread or process can ask of the pool. `host.ts` connects it; everywhere else (the API
 * process, an author's test) there is no pool around the code and `link()` is undefined.
 */
import type { Job, Runner } from "../../contract/mod.ts";
import type { RunnerName } from "./messages.ts";

export interface Link {
  /** Whether native code may run right here (a child process), or has to be handed to the pool (a thread). */
  readonly isolated: boolean;
  /**
   * Tells the pool that this thread or process started the operating system's process `pid`, so that the two end
   * together.
   */
  adopt(pid: number): void;
  /** Says that this thread or process has something to do before it ends (`bidFarewell`). */
  awaitEnd(): void;
  /** The process adopted as `pid` has ended. */
  release(pid: number): void;
  /** Asks whoever had the run begun (`RunOptions.onAsk`). Rejects with what that throws. */
  ask(question: unknown, job: Job): Promise<unknown>;
  /** Residents of `runner`, those with the least to do first. This run counts as the first one's until it ends. */
  choose(runner: RunnerName, residents: readonly string[], job: Job): Promise<readonly string[]>;
  /**
   * Runs `runner` in a child process of the pool. Rejects with an `AbortError` as soon as `job.signal` aborts. `ms_max`
   * counts from its begin.
   */
  run<Input, Output>(runner: Runner<Input, Output>, input: Input, job: Job, ms_max: number): Promise<Output>;
}

let current: Link | undefined;

/** The pool around this thread or process. */
export function link(): Link | undefined {
  return current;
}

/** Called once, by the entry point of a thread or process. */
export function connect(to: Link): void {
  current = to;
}
