/**
 * What a run costs, seen from inside its thread or process. What is used while several are at work is shared among
 * them.
 */

/** Not everywhere: Windows, older runtimes. */
const threadUsage = (process as { threadCpuUsage?: () => NodeJS.CpuUsage }).threadCpuUsage;

export class Cost {
  readonly #isolated: boolean;
  /** When each program that is running was started, by `performance.now()`. */
  readonly #programs = new Map<number, number>();
  #programs_ms = 0;
  readonly #runs = new Set<{ ms: number }>();
  /** What has been shared out. */
  #shared = 0;

  /** `isolated`: this process does nothing else, so all its threads count. */
  constructor(isolated: boolean) {
    this.#isolated = isolated;
  }

  /** A run begins; to be asked once, at its end, for its milliseconds. */
  begin(): () => number {
    this.#share();
    const run = { ms: 0 };
    this.#runs.add(run);
    return () => {
      this.#share();
      this.#runs.delete(run);
      return run.ms;
    };
  }

  /**
   * A program that the run started. Its processor time is known to the parent process alone, for all threads together:
   * the time it runs stands for it.
   */
  started(pid: number): void {
    this.#programs.set(pid, performance.now());
  }

  ended(pid: number): void {
    const started = this.#programs.get(pid);
    if (started !== undefined) this.#programs_ms += performance.now() - started;
    this.#programs.delete(pid);
  }

  #share(): void {
    const used = this.#used() + this.#programs_ms;
    for (const run of this.#runs) run.ms += Math.max(0, used - this.#shared) / this.#runs.size;
    this.#shared = used;
  }

  #used(): number {
    try {
      const used = this.#isolated ? process.cpuUsage() : threadUsage?.call(process);
      if (used !== undefined) return (used.user + used.system) / 1000;
    } catch {
      // The runtime has the name, not the thing.
    }
    return performance.now();
  }
}
