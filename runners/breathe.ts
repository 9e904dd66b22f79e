/** Lets timers and messages of the thread run, then throws the signal's reason where it was aborted. */
export async function breathe(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve) => setImmediate(resolve));
  signal.throwIfAborted();
}

/** The same, but only where the thread has worked for a while. */
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
    await breathe(this.#signal);
    this.#last = performance.now();
  }
}

const WORK_MS = 30;

/** Does work that yields now and then, and lets the thread run in between; throws the signal's reason where it was aborted. */
export async function breathing<Result>(work: Iterator<undefined, Result>, signal: AbortSignal): Promise<Result> {
  const pauses = new Pauses(signal);
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    const pause = pauses.due();
    if (pause !== undefined) await pause;
  }
}

/** Does it without a pause. */
export function atOnce<Result>(work: Iterator<undefined, Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}
