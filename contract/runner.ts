/** Engines as the contract of plugins has them. `./mod.ts` hands all of it on. */

/** What a runner is given beside its input. */
export interface Job {
  /** Aborted on cancel, time limit and shut-down; a runner that ignores it is ended with its thread or process. */
  readonly signal: AbortSignal;
  /** `fraction` from 0 to 1, of this runner's own work. `stage` is a short phrase for the client. */
  progress(fraction: number, stage: string): void;
}

/**
 * Describes an engine without loading it. The object must be a named export of the module at `from`.
 *
 * A runner never writes to its input and never keeps it: within a thread the input is handed over as it is, across a border it is copied.
 */
export interface Runner<Input, Output> {
  /** Unique within `from`. */
  readonly name: string;
  /** `import.meta.url` of the module that exports this descriptor. */
  readonly from: string;
  /** `thread`: our own kernels, in a Web Worker. `process`: native code, in a child process. */
  readonly isolation: "thread" | "process";
  /**
   * Of a `process` runner: runs that name the same resident share one process, one after the other unless `at_once`
   * says more, which is kept however long it idles (a model's sessions, say). Absent: any number of processes, ended
   * when idle.
   */
  readonly resident?: string;
  /**
   * Of a resident: this run begins while fewer than so many are at work in its process; 1. Runs beside each other nest
   * nothing, and ask nothing of the service.
   */
  readonly at_once?: number;
  /** Called once in each thread or process, before the first run there. */
  readonly load: () => Promise<{ run(input: Input, job: Job): Output | Promise<Output> }>;
}

/** What `process` may use in a process of its own, beside Tonwerk's files and its own. Absent: nothing. */
export interface Permissions {
  /** Hosts that it may connect to: `api.example.com`, `api.example.com:8443`. */
  readonly hosts?: readonly string[];
  /** Absolute paths. */
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  /** Names of variables of the environment. */
  readonly env?: readonly string[];
  /** 64 to 65,536; absent: 2,048. */
  readonly memory_mb?: number;
  /** By the clock; absent: as long as jobs may take. */
  readonly seconds?: number;
}
