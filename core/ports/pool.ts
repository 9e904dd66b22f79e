/** The pool of processes and threads that do heavy work. */

import type { Runner } from "../../contract/mod.ts";

export interface RunOptions {
  /** Aborting asks the runner to stop; one that has not after a grace of 2 s is ended with its thread or process. */
  readonly signal: AbortSignal;
  /** Wall time, counted from when the run begins; then as with `signal`. */
  readonly ms_max: number;
  readonly onProgress?: (fraction: number, stage: string) => void;
  /**
   * `job`: the run makes something, and takes its time. Jobs have processes of their own, one each, which let
   * everything else of the service go first with all of their threads, the runtime's own too. `probe`: the run looks at
   * something for somebody who waits for the answer. Probes have threads of their own, so that they and jobs never wait
   * for each other. Both only for runners of isolation `thread`.
   */
  readonly lane?: "job" | "probe";
  /**
   * For whom it runs. In the lane `probe` each name has a line of its own, served in turn, and at most half of the
   * threads.
   */
  readonly fair_by?: string;
  /**
   * Told once for each part of the run that has ended, before `run` settles unless a part ends later; the sum is what
   * the run cost, nested runs included. Milliseconds of processor time: of its thread, or of all threads of its
   * process; for programs that it started, and for what was ended by force, the time that passed.
   */
  readonly onCost?: (ms: number) => void;
  /**
   * Does what the run cannot do where it is, and is asked for; what it throws is thrown there. `signal`: the run no
   * longer wants it.
   */
  readonly onAsk?: (question: unknown, signal: AbortSignal) => Promise<unknown>;
}

/**
 * What a child process may use beside what every one may; who runs in it is told so by the pool. Enforced as far as
 * runtime and system can.
 */
export interface Confinement {
  /** `host` or `host:port`. */
  readonly hosts: readonly string[];
  /** Absolute paths, beside the installation. */
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Names of variables of the environment. */
  readonly env: readonly string[];
  readonly memory_mb: number;
}

/** What keeps child processes to files and hosts; to memory, time and variables they are kept everywhere. */
export type Keeping =
  /** By the runtime's own permissions. */
  | { readonly by: "runtime" }
  /** By a sandbox, which has all hosts or none. */
  | { readonly by: "sandbox" }
  | { readonly by: null; readonly why: string };

/** `PoolError.code`: why a run did not come back by itself. */
export type PoolFailure = "aborted" | "timeout" | "memory" | "crashed" | "closed" | "refused";

/**
 * `starting`: no run has ended well in this process yet. `ready`: idle. `busy`: at work. `failed`: the last run failed,
 * or its process ended; the next run starts a new one and, where that works, leads back to `ready`.
 */
export type Health = "starting" | "ready" | "busy" | "failed";

/** The one process that runs of a resident share. */
export interface ResidentHealth {
  /** `Runner.resident`. */
  readonly name: string;
  readonly state: Health;
  /** Why it is `failed`; else null. */
  readonly reason: string | null;
  /** `failed` because its process ended: what it had loaded is gone. */
  readonly ended: boolean;
  /** Runs that wait. */
  readonly waiting: number;
}

/** Runs runners off the event loop: set up once, run many; what is dead or hung is replaced. */
export interface Pool {
  /**
   * Rejects with the runner's own error (name, message, code, source and stack survive the border), or with an error
   * named `PoolError` whose `code` is a `PoolFailure`. Outputs' array buffers are transferred, never copied, out of a
   * thread.
   */
  run<Input, Output>(runner: Runner<Input, Output>, input: Input, options: RunOptions): Promise<Output>;
  stats(): {
    readonly threads: number;
    readonly processes: number;
    readonly busy: number;
    readonly waiting: number;
    readonly replaced: number;
  };
  /**
   * One for each resident that was ever asked for, in that order; `memory_mb`: of its process, 10^6 bytes, null where
   * that is not known.
   */
  residents(): readonly (ResidentHealth & { readonly memory_mb: number | null })[];
  close(): Promise<void>;
}

export interface PoolOptions {
  /** Most threads, and most processes, alive at once. */
  readonly threads_max: number;
  readonly processes_max: number;
  /** Most processes of the lane `job` alive at once, beside the others; as many as threads unless given. */
  readonly jobs_max?: number;
  /** Most threads of the lane `probe` alive at once, beside the others; 2 unless given. */
  readonly probes_max?: number;
  /**
   * Most megabytes that this process and those of jobs may hold together while threads or jobs are at work; above it
   * the one that holds most is ended, and its run rejects with `memory`, or with `crashed` where it may have been
   * another. Absent: as much as there is.
   */
  readonly memory_mb?: number;
  /**
   * A thread that was ended for its memory goes on, as this runtime ends no loop: the process holds so many megabytes.
   */
  readonly onStuck?: (used_mb: number) => void;
  /**
   * What warms up a job's process and a probe's thread that stand by: one more than are at work is started ahead, as
   * far as there may be one. Absent: none is.
   */
  readonly stand_by?: { readonly runner: Runner<never, unknown>; readonly input: unknown };
  /**
   * A thread or process that has been idle for this long is ended, the last one, one that stands by and residents
   * excepted.
   */
  readonly idle_ms: number;
  /** Told what goes wrong before a thread or process ends in order: see `Runners.beforeEnd`. */
  readonly onFarewell?: (error: Error) => void;
  /** Called after each change of a resident's state. */
  readonly onResident?: (health: ResidentHealth) => void;
}
