/** Lets timers and messages of the thread run where it has worked for a while, then throws the signal's reason where it was aborted. */
export class Pauses {
  readonly #signal: AbortSignal;
  #last = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.throwIfAborted();
  }

  /** Undefined where it is not time yet: so that nothing is waited for in vain. */
  due(): Promise<void> | undefined {
    return performance.now() - this.#last < WORK_MS ? undefined : this.#pause();
  }

  async #pause(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#signal.throwIfAborted();
    this.#last = performance.now();
  }
}

const WORK_MS = 30;
