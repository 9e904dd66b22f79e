/** What a run costs, seen from inside its thread or process. One run at a time. */

/** Not everywhere: Windows, older runtimes. */
const threadUsage = (process as { threadCpuUsage?: () => NodeJS.CpuUsage }).threadCpuUsage;

export class Cost {
  readonly #isolated: boolean;
  /** When each program that is running was started, by `performance.now()`. */
  readonly #programs = new Map<number, number>();
  #programs_ms = 0;
  #began: number | undefined;

  /** `isolated`: this process does nothing else, so all its threads count. */
  constructor(isolated: boolean) {
    this.#isolated = isolated;
  }

  begin(): void {
    this.#programs_ms = 0;
    this.#began = this.#used();
  }

  /** Milliseconds since `begin`; 0 without one. */
  end(): number {
    const began = this.#began;
    this.#began = undefined;
    return began === undefined ? 0 : Math.max(0, this.#used() - began) + this.#programs_ms;
  }

  /** A program that the run started. Its processor time is known to the parent process alone, for all threads together: the time it runs stands for it. */
  started(pid: number): void {
    this.#programs.set(pid, performance.now());
  }

  ended(pid: number): void {
    const started = this.#programs.get(pid);
    if (started !== undefined) this.#programs_ms += performance.now() - started;
    this.#programs.delete(pid);
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
